"""Long robots: a chain of 100 bodies must cost what ten chains of 10 do, in operations, in compiling, in running."""

from collections.abc import Callable
from functools import cache

import numpy as np

from armillary.models import Model, Robot
from benchmarks.robots import chain, fresh
from benchmarks.row import Effort, Figure, Peer, Row, Subject

LONG, MIDDLE, SHORT = 100, 50, 10
BATCH = 256
DERIVING_MS, COMPILING_MS = 1500, 4000
SLOWER = 1.5
MORE = 1.05

Derive = Callable[[Robot], Model]


def _inverse(robot: Robot) -> Model:
    return robot.inverse_dynamics()


def _articulated(robot: Robot) -> Model:
    return robot.direct_dynamics(method="articulated")


@cache
def _derived(derive: Derive, length: int) -> Model:
    """The model of a chain, derived once for all rows."""
    return derive(chain(length))


def _deriving(derive: Derive) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        robot = chain(LONG)
        return Figure(effort.time(lambda: derive(fresh(robot)), 1e3, least=4), "ms", None, DERIVING_MS)

    return measure


def _compiling(derive: Derive) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        program = _derived(derive, LONG)
        ours = effort.time(lambda: program.compile(threads=1, cache=False), 1e3, least=2)
        return Figure(ours, "ms", None, COMPILING_MS)

    return measure


def _operation(derive: Derive, length: int, effort: Effort) -> float:
    """Picoseconds for one multiplication or addition in a batch."""
    made = _derived(derive, length)
    function = made.compile(threads=1)
    rng = np.random.default_rng(4)
    states = [rng.uniform(-1, 1, (BATCH, *x.shape)) for x in made.states]
    return effort.time(lambda: function(*states), 1e12 / BATCH / made.cost.total, least=10)


def _running(derive: Derive) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        peer = _operation(derive, SHORT, effort)
        ours = _operation(derive, LONG, effort)
        return Figure(ours, "ps", Peer(peer, f"chain of {SHORT} bodies"), SLOWER * peer)

    return measure


def _counting(derive: Derive) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        ours, peer = (_derived(derive, n).cost.total / n for n in (LONG, MIDDLE))
        return Figure(ours, "mul + add", Peer(peer, f"chain of {MIDDLE} bodies"), MORE * peer)

    return measure


def _rows(what: str, derive: Derive) -> tuple[Row, ...]:
    return (
        Row(f"{what}, deriving", _deriving(derive)),
        Row(f"{what}, compiling", _compiling(derive)),
        Row(f"{what}, one operation in a batch", _running(derive)),
        Row(f"{what}, operations for each body", _counting(derive)),
    )


SUBJECT = Subject(
    "chain",
    f"A chain of {LONG} bodies",
    (*_rows("inverse dynamics", _inverse), *_rows("articulated-body dynamics", _articulated)),
)
