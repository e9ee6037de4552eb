"""What `--to` writes: the languages, and closed forms as text or as LaTeX."""

from collections.abc import Callable

from armillary.errors import ModelError, TargetError
from armillary.models.closed_form import ClosedForm
from armillary.models.model import Model
from armillary.targets import TARGETS
from armillary.targets.names import Namer

CLOSED: dict[str, tuple[str, Callable[[ClosedForm], str]]] = {
    "closed-form": (".txt", str),
    "closed-form-latex": (".tex", ClosedForm.latex),
}
"""The ending of a closed form's file, and its text."""

WAYS = (*TARGETS, *CLOSED)


def written(model: Model, to: str, dtype: str, terms: int) -> dict[str, str]:
    """The text of every file by its name; `terms` is how long a closed form may be, 0 as long as usual."""
    if to not in WAYS:
        raise TargetError(f"there is no target {to!r}; there are {', '.join(WAYS)}")
    if to not in CLOSED:
        if terms:
            raise ModelError(f"--terms is for {' and '.join(CLOSED)}, not for {to}")
        return model.source(to, **({"dtype": dtype} if dtype else {}))
    if dtype:
        raise TargetError(f"{to} has no option dtype")
    ending, text = CLOSED[to]
    form = model.closed_form(terms) if terms else model.closed_form()
    return {f"{Namer(()).name(model.name)}{ending}": f"{text(form)}\n"}
