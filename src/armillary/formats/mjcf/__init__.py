"""MuJoCo's MJCF, read."""

from armillary.formats.mjcf.reader import read

__all__ = ["read"]
