"""How long something takes: the fastest of many runs, because whatever else a machine does only ever adds time."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def fastest(run: Callable[[], T], seconds: float, least: int = 3) -> tuple[float, T]:
    """(seconds of the fastest run, the last run's result) of as many runs as fit into `seconds`, `least` in any case."""
    best = float("inf")
    runs = 0
    end = time.perf_counter() + seconds
    while True:
        start = time.perf_counter()
        result = run()
        now = time.perf_counter()
        best = min(best, now - start)
        runs += 1
        if runs >= least and now >= end:
            return best, result
