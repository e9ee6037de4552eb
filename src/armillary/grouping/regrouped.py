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


def symbolic(
    robot: Description, relations: Sequence[Relation], given: Mapping[Place, Value], rotors: bool
) -> Description:
    """Each base parameter that others are grouped into as a symbol, its relation as that symbol's doc."""
    parameters = dict(robot.parameters)
    values: dict[Place, Value] = {}
    for relation in relations:
        present = [given[p] for p in relation.terms if given[p] != 0]
        if not relation.grouped:
            values[relation.place] = given[relation.place]
        elif present:
            values[relation.place] = Formula(relation.symbol)
            default, unit = _default(robot, relation, given), _unit(robot, relation.place)
            parameters[relation.symbol] = Parameter(relation.symbol, default, unit, _doc(relation))
    return replace(_with(robot, values, rotors), parameters=parameters)


def substituted(
    robot: Description, relations: Sequence[Relation], given: Mapping[Place, Value], rotors: bool
) -> Description:
    """Each base parameter by its value: a number, or a formula in the robot's own symbols."""
    return _with(robot, {relation.place: evaluated(relation, given) for relation in relations}, rotors)


def evaluated(relation: Relation, given: Mapping[Place, Value]) -> Value:
    """The relation with the robot's own values in it."""
    return value(_evaluated(relation, given)) if relation.grouped else given[relation.place]


def _evaluated(relation: Relation, given: Mapping[Place, Value]) -> Expr:
    g = Graph()
    own = {name: _lifted(g, given[place]) for place, (name, _) in relation.terms.items()}
    return g.copy([relation.expr], own)[0]


def _lifted(g: Graph, x: Value) -> Expr:
    return g.lift(x.expr) if isinstance(x, Formula) else g.const(x)


def _with(robot: Description, values: Mapping[Place, Value], rotors: bool) -> Description:
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
    """The relation where it is short, else what is in it."""
    try:
        return infix(relation.expr, LONGEST)
    except ExpressionError:
        return f"{relation.kept} with {', '.join(name for name, _ in list(relation.terms.values())[1:])}"


def _default(robot: Description, relation: Relation, given: Mapping[Place, Value]) -> float | None:
    """The number that a base parameter has, None where the robot does not say."""
    known = {name: p.default for name, p in robot.parameters.items() if p.default is not None}
    own = (given[p] for p in relation.terms)
    if any(s not in known for x in own if isinstance(x, Formula) for s in x.symbols):
        return None
    total = _evaluated(relation, given)
    return float(evaluate([total], known)[0]) if known.keys() >= set(symbols_in([total])) else None
