"""From a description and the name of a model to the Program that computes it."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from armillary.errors import ExpressionError, ModelError
from armillary.expr.collector import collector_paused
from armillary.grouping import base_parameters as regrouped
from armillary.grouping.sums import absorbed, decidable, regrouped_by_sums, short_branches_first
from armillary.models.assembly import modes
from armillary.models.catalogue import CATALOGUE
from armillary.models.derivation import Derivation
from armillary.models.entry import entry_named
from armillary.models.states import as_states
from armillary.passes import optimise
from armillary.program.program import About, Program
from armillary.robot import Description, Value, value
from armillary.robot.substitute import substitute
from armillary.targets.names import identifier


def derive(
    description: Description,
    model: str,
    *,
    fixed: Mapping[str, Any] | None = None,
    inputs: Sequence[str] = (),
    base_parameters: bool = False,
    passes: bool = True,
    **options: Any,
) -> Program:
    """The Program of a model of the catalogue.

    `fixed` puts numbers or formulas in for elements of inputs or for parameters, before anything is derived. `inputs`
    are quantities of the description that are to be states, given at every call: "gravity", "base_velocity",
    "base_acceleration", "current", or "wrench:FRAME" for what a body or a tool exerts on its environment. `base_parameters` puts the base
    inertial parameters in the place of the full ones; models that regrouping would change refuse it.
    """
    entry = entry_named(CATALOGUE, model)
    chosen = entry.options_from(options)
    told = [(name, _text(value)) for name, value in chosen.items() if value != _default(entry, name)]
    if base_parameters:
        if entry.regrouping:
            raise ModelError(f"{entry.name} cannot be had with base parameters: {entry.regrouping}")
        told.append(("base_parameters", "yes"))
    part = entry.of(description)
    entry.refuse(part, [name for name, row in CATALOGUE.items() if row.loops == "only"])
    robot, states = as_states(part, inputs)
    settings = _settings(fixed)
    kept: dict[tuple[str, str], str] | None = None
    if base_parameters:
        # What is fixed before regrouping is a number of the robot; its symbol may not be there afterwards.
        early = {name: _value(name, x) for name, x in settings.items() if name in part.symbols}
        found = regrouped(substitute(robot, early) if early else robot)
        robot = found.description
        kept = {column: r.symbol for column, r in zip(found.columns, found.relations, strict=True)}
        if chosen.get("mode") is not None:
            robot = _with_loops(robot, found.columns, chosen)
    with collector_paused():
        late = settings if kept is None else {name: x for name, x in settings.items() if name not in part.symbols}
        derivation = Derivation(robot, late, states, kept, description)
        entry.build(derivation, **chosen)
        if derivation.taken_frame:
            told.insert(0, ("frame", derivation.taken_frame))
        told += [(name, _text(value)) for name, value in settings.items()]
        told += derivation.notes
        about = About(description.name, entry.title, entry.equation, entry.source, tuple(told))
        program = derivation.program(identifier(f"{description.name} {entry.name}").lower(), about)
        return optimise(program) if passes else program


def _with_loops(robot: Description, columns: Sequence[tuple[str, str]], chosen: Mapping[str, Any]) -> Description:
    """The robot with fewer parameters still, where one way to assemble it makes all coordinates sums of active ones."""
    d = Derivation(robot, {})
    way = modes(d, chosen["independent"]).one(d, chosen["mode"]).assembly
    if not decidable(way):
        return robot
    found = regrouped_by_sums(robot, short_branches_first(robot, columns), way)
    return robot if found.formulas is None else absorbed(robot, found)


def _settings(fixed: object) -> dict[str, Any]:
    """What is fixed, by name."""
    if fixed is None:
        return {}
    if not isinstance(fixed, Mapping):
        raise ModelError(f"fixed is {{name: value}}, such as {{'q1': 0}}, not {fixed!r}")
    return dict(cast(Mapping[str, Any], fixed))


def _value(name: str, given: Any) -> Value:
    try:
        return value(given)
    except ExpressionError as error:
        raise ModelError(f"{name} cannot be fixed to {given!r}: {error}") from None


def _default(entry: Any, name: str) -> Any:
    return next(o.default for o in entry.options if o.name == name)


def _text(value: Any) -> str:
    if isinstance(value, tuple | list):
        return " ".join(_text(x) for x in value)  # pyright: ignore[reportUnknownVariableType]
    return str(value)
