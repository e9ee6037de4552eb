"""Armillary: a compiler for robot mechanics."""
