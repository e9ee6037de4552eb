"""All cores against one, on a batch large enough to share out."""

from collections.abc import Callable

import numpy as np

import armillary as arm
from armillary.runtime.threads import available
from benchmarks.row import Effort, Figure, Peer, Row, Subject

BATCH = 200_000


def _shared(model: str) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        made = arm.load("panda").derive(model)
        rng = np.random.default_rng(5)
        states = [rng.uniform(-1, 1, (BATCH, *x.shape)) for x in made.states]
        out = made.compile(threads=1)(*states)

        def on(threads: int) -> float:
            function = made.compile(threads=threads)
            return effort.time(lambda: function(*states, out=out), 1e9 / BATCH)

        one, all_of_them = on(1), on(available())
        return Figure(all_of_them, "ns", Peer(one, "Armillary on one core"))

    return measure


SUBJECT = Subject(
    "all cores",
    f"{available()} cores, batches of {BATCH:,} states, time of one state",
    (
        Row("Panda inverse dynamics", _shared("inverse-dynamics")),
        Row("Panda direct dynamics", _shared("direct-dynamics")),
    ),
)
