"""SYMORO's `.par`: modified DH tables and inertial parameters in the look of Mathematica, read and written."""

from armillary.formats.par.reader import read
from armillary.formats.par.writer import write

__all__ = ["read", "write"]
