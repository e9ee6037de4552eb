"""URDF, read."""

from armillary.formats.urdf.reader import read

__all__ = ["read"]
