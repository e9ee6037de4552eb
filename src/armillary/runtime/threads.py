"""Large batches on all cores: rows are shared out among threads, which run machine code without the interpreter's lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

SHARES = 4
"""Parts of a batch a thread, so that a thread that was held up does not hold up the rest for long."""


def available() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_pool.cache_clear)
    return ThreadPoolExecutor(max(available(), 1), thread_name_prefix="armillary")


def share_out(work: Callable[[int, int], None], rows: int, threads: int, unit: int) -> None:
    """work(begin, end) for all rows, in parts of whole units, at most `threads` at a time."""
    part = -(-rows // (threads * SHARES))
    part = -(-part // unit) * unit
    starts = iter(range(0, rows, part))

    def some() -> None:
        for start in starts:
            work(start, min(start + part, rows))

    others = [_pool().submit(some) for _ in range(threads - 1)]
    some()
    for other in others:
        other.result()
