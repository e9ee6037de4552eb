"""How long it takes to derive a model, all passes included, the robot given."""

from collections.abc import Callable

import armillary as arm
from armillary.models import Robot
from benchmarks.peers import kane
from benchmarks.robots import fresh, in_symbols, planar
from benchmarks.row import Effort, Figure, Peer, Row, Subject, recorded


def _derived(
    name: str,
    derive: Callable[[Robot], object],
    limit: float | None,
    peer: Peer | None = None,
    load: Callable[[str], Robot] = in_symbols,
) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        robot = load(name)
        ours = effort.time(lambda: derive(fresh(robot)), 1e3)
        return Figure(ours, "ms", peer, limit)

    return measure


def _planar(joints: int) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        robot = planar(joints)
        ours = effort.time(lambda: fresh(robot).inverse_dynamics(), 1e3)
        peer = Peer.measured(kane.name(), lambda: 1e3 * kane.seconds(joints))
        return Figure(ours, "ms", peer)

    return measure


def _inverse(robot: Robot) -> object:
    return robot.inverse_dynamics()


def _inverse_base(robot: Robot) -> object:
    return robot.inverse_dynamics(base_parameters=True)


def _regressor(robot: Robot) -> object:
    return robot.regressor()


def _base_parameters(robot: Robot) -> object:
    return robot.base_parameters().relations


def _direct(robot: Robot) -> object:
    return robot.direct_dynamics()


def _jacobian(robot: Robot) -> object:
    return robot.jacobian()


SYMORO = "OpenSYMORO, at best"
SYMPYBOTICS = "SymPyBotics, at best"

SUBJECT = Subject(
    "derive",
    "Deriving, all passes included",
    (
        Row("RX-90 inverse dynamics, base parameters", _derived("rx90", _inverse_base, 15, recorded(100, SYMORO))),
        Row("Panda inverse dynamics, base parameters", _derived("panda", _inverse_base, 20, recorded(100, SYMORO))),
        Row(
            "RX-90 inverse dynamics", _derived("rx90", _inverse, None, recorded(19_200, "SymPy KanesMethod, Puma 560"))
        ),
        Row("RX-90 regressor", _derived("rx90", _regressor, 100, recorded(2600, SYMPYBOTICS))),
        Row("Panda regressor", _derived("panda", _regressor, 100, recorded(2600, SYMPYBOTICS))),
        Row("RX-90 base parameters", _derived("rx90", _base_parameters, 100, recorded(100, SYMORO))),
        Row("Panda base parameters", _derived("panda", _base_parameters, 100, recorded(100, SYMORO))),
        Row("RX-90 direct dynamics", _derived("rx90", _direct, 100, recorded(500, SYMORO))),
        Row("Panda direct dynamics", _derived("panda", _direct, 100, recorded(500, SYMORO))),
        Row("Panda Jacobian", _derived("panda", _jacobian, 20, recorded(48_000, "OpenSYMORO"))),
        Row(
            "6R, every DH parameter a symbol, Jacobian",
            _derived("general6r", _jacobian, 50, recorded(120_000, "OpenSYMORO, given up"), arm.load),
        ),
        Row("Humanoid of 30 joints that floats, direct dynamics", _derived("humanoid30", _direct, 1000, load=arm.load)),
        Row("planar 2R inverse dynamics", _planar(2)),
        Row("planar 3R inverse dynamics", _planar(3)),
    ),
)
