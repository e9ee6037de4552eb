"""A robot with a number in the place of every symbol: what analyses by numbers work on."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.errors import ModelError, near_match
from armillary.expr.evaluate import evaluate
from armillary.robot import Description, Formula, Tree, tree


def finite(d: Description, what: str, given: ArrayLike) -> NDArray[np.float64]:
    """An array of finite numbers, or an error that shows what was given."""
    try:
        found = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        found = np.array(np.nan)
    if not np.isfinite(found).all():
        raise ModelError(f"{d.name}: {what} = {str(given)[:100]}; coordinates are finite numbers")
    return found


def in_numbers(d: Description, parameters: Mapping[str, float]) -> tuple[Tree, dict[str, float]]:
    """(the robot, the value of each symbol): those of `parameters`, defaults elsewhere; an error where there is neither."""
    strange = [name for name in parameters if name not in d.symbols]
    if strange:
        raise ModelError(
            f"{d.name} has no parameter {', '.join(strange)}; it has {', '.join(d.symbols) or 'none'}{near_match(strange[0], d.symbols)}"
        )
    defaults = {name: p.default for name, p in d.parameters.items() if p.default is not None}
    known = {name: float(x) for name, x in (defaults | dict(parameters)).items()}
    missing = [name for name in d.symbols if name not in known]
    if missing:
        raise ModelError(f"{d.name}: say what {', '.join(missing)} are, as parameters={{name: value}}")
    robot = tree(d, lambda x: float(evaluate([x.expr], known)[0]) if isinstance(x, Formula) else float(x))
    return robot.welded(), known
