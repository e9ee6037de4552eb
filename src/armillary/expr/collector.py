"""Pausing Python's cycle collector while a graph grows: it would walk all nodes over and over and find nothing."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Generator[None, None, None]:
    """No cycle collection inside; afterwards as it was before. Worth a tenth to a third of the time of a derivation."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
