"""The errors a user can cause. Every one is an `ArmillaryError` and says what was wrong, where, and what was allowed."""

from collections.abc import Iterable
from difflib import get_close_matches


class ArmillaryError(Exception):
    """Root of all errors that Armillary raises on purpose."""


class ExpressionError(ArmillaryError):
    """A formula that cannot be read, or a number that cannot be used in one."""


class RobotError(ArmillaryError):
    """A description that is not a robot: an unknown parent, a cycle, a negative mass, a name used twice."""


class FormatError(RobotError):
    """A file that cannot be read, or a robot that a format cannot say."""


class ModelError(ArmillaryError):
    """A model asked of a robot that does not have it, or with inputs that do not fit."""


class ProgramError(ArmillaryError):
    """A Program that does not verify, or is used with inputs it does not have."""


class RoutineError(ArmillaryError):
    """A Routine that does not verify."""


class TargetError(ArmillaryError):
    """A Program that a target language cannot express, or a target that does not exist."""


class CompileError(ArmillaryError):
    """Machine code that could not be made or run."""


class RobotWarning(UserWarning):
    """Something in a description that physics would not allow, but that can be computed with."""


def near_match(name: object, known: Iterable[str]) -> str:
    """`; did you mean 'link2'?` where one of the known names is nearly the name given, nothing where none is."""
    by_lower = {x.lower(): x for x in known}
    near = get_close_matches(str(name)[:100].lower(), by_lower, n=1)
    return f"; did you mean {by_lower[near[0]]!r}?" if near else ""
