"""The robot with its base parameters put in, as symbols of their own or by value."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from armillary.dynamics.observability import ELEVEN
from armillary.errors import ExpressionError
from armillary.expr.evaluate import evaluate
from armillary.expr.graph import Expr, Graph, symbols_in
from armillary.expr.infix import infix
from armillary.grouping.relations import Place, Relation
from armillary.robot.body import INERTIAL, Body, Inertial
from armillary.robot.description import Description, Parameter
from armillary.robot.value import Formula, Value, value

LONGEST = 300
"""Characters of a relation that still stand in a symbol's doc."""

_UNITS = {"M": "kg", "MX": "kg·m", "MY": "kg·m", "MZ": "kg·m"}

Given = Mapping[Place, Value]
"""The parameters as the robot has them."""


def symbolic(robot: Description, relations: Sequence[Relation], given: Given, rotors: bool) -> Description:
    """Each base parameter that others are grouped into as a symbol, its relation as that symbol's doc."""
    parameters = dict(robot.parameters)
    values: dict[Place, Value] = {}
    numbers = _numbers(robot, relations, given)
    for relation in relations:
        if not relation.grouped:
            values[relation.place] = given[relation.place]
        elif any(given[p] != 0 for p in relation.terms):
            values[relation.place] = Formula(relation.symbol)
            missing = [name for name in symbols_in([relation.expr]) if name not in numbers]
            default = None if missing else float(evaluate([relation.expr], numbers)[0])
            unit = _unit(robot, relation.place)
            parameters[relation.symbol] = Parameter(relation.symbol, default, unit, _doc(relation))
    return replace(_with(robot, values, rotors), parameters=parameters)


def substituted(robot: Description, relations: Sequence[Relation], given: Given, rotors: bool) -> Description:
    """Each base parameter by its value: a number, or a formula in the robot's own symbols."""
    g = Graph()
    own = {name: _lifted(g, given[place]) for r in relations for place, (name, _) in r.terms.items()}
    totals = g.copy([r.expr for r in relations], own)
    values = {
        r.place: value(total) if r.grouped else given[r.place] for r, total in zip(relations, totals, strict=True)
    }
    return _with(robot, values, rotors)


def _lifted(g: Graph, x: Value) -> Expr:
    return g.lift(x.expr) if isinstance(x, Formula) else g.const(x)


def _numbers(robot: Description, relations: Sequence[Relation], given: Given) -> dict[str, float]:
    """The numbers of parameters and of symbols of the geometry, of those that have one."""
    known = {name: p.default for name, p in robot.parameters.items() if p.default is not None}
    numbers = dict(known)
    for place, name in {(p, name) for r in relations for p, (name, _) in r.terms.items()}:
        x = given[place]
        if not isinstance(x, Formula):
            numbers[name] = float(x)
        elif all(s in known for s in x.symbols):
            numbers[name] = known[x.text] if x.text in known else float(evaluate([x.expr], known)[0])
    return numbers


def _with(robot: Description, values: Given, rotors: bool) -> Description:
    """The robot with these inertial parameters and no others; its rotors are left alone unless they were grouped."""
    rotor = len(INERTIAL)
    bodies: list[Body] = []
    for k, body in enumerate(robot.bodies):
        inertia = Inertial(*(values.get((k, p), 0) for p in range(rotor)))
        bodies.append(replace(body, inertia=inertia, IA=values.get((k, rotor), 0) if rotors else body.IA))
    return replace(robot, bodies=tuple(bodies))


def _unit(robot: Description, place: Place) -> str:
    """kg m² unless said otherwise; the rotor of a slide counts as a mass."""
    body, parameter = place
    name = ELEVEN[parameter]
    if name == "IA" and robot.bodies[body].joint.units[0] == "m":
        return "kg"
    return _UNITS.get(name, "kg·m²")


def _doc(relation: Relation) -> str:
    """The relation where it is short, `= …`, else what is in it."""
    try:
        return f"= {infix(relation.expr, LONGEST)}"
    except ExpressionError:
        others = (name for place, (name, _) in relation.terms.items() if place != relation.place)
        return f"{relation.kept} with {', '.join(others)}"
