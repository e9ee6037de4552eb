"""A robot whose formulas are numbers: for references that know no symbols."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from armillary.expr.evaluate import evaluate
from armillary.robot import Body, Description, Formula, Inertial, Placement, Value
from reference.random_trees import random_inertial


def with_numbers(robot: Description, values: Mapping[str, float]) -> Description:
    """Every formula evaluated; a symbol that `values` does not have takes its default."""
    known = {name: p.default for name, p in robot.parameters.items()} | dict(values)

    def number(x: Value) -> Value:
        return float(evaluate([x.expr], known)[0]) if isinstance(x, Formula) else x

    def placed(p: Placement) -> Placement:
        return Placement(**{name: number(x) for name, x in p.items()})

    def body(b: Body) -> Body:
        return replace(
            b,
            placement=placed(b.placement),
            inertia=Inertial(*(number(x) for x in b.inertia)),
            **{name: number(getattr(b, name)) for name in ("IA", "FV", "FS", "pitch")},
            wrench=tuple(number(x) for x in b.wrench),
        )

    base = robot.base
    base = replace(
        base,
        placement=placed(base.placement),
        **{x: tuple(number(v) for v in getattr(base, x)) for x in ("gravity", "velocity", "acceleration")},
    )
    frames = tuple(replace(f, placement=placed(f.placement)) for f in robot.frames)
    cuts = tuple(
        replace(
            c,
            a=replace(c.a, placement=placed(c.a.placement)),
            b=replace(c.b, placement=placed(c.b.placement)),
            **{name: number(x) for name, x in c.losses},
        )
        for c in robot.cuts
    )
    return replace(robot, bodies=tuple(map(body, robot.bodies)), frames=frames, base=base, parameters={}, cuts=cuts)


def random_values(robot: Description, rng: Generator) -> dict[str, float]:
    """A value for every symbol: inertias that links can have, anything else from 0.3 to 1."""
    values = {name: float(rng.uniform(0.3, 1)) for name in robot.symbols}
    for b in robot.bodies:
        for given, x in zip(b.inertia, random_inertial(rng), strict=True):
            if isinstance(given, Formula) and given.text in values:
                values[given.text] = float(x)
    return values


def arrays(values: Mapping[str, float], inputs: object) -> dict[str, np.ndarray]:
    """The parameters of a Program by name, from the values of their labels."""
    return {x.name: np.reshape([values[label] for label in x.labels], x.shape) for x in inputs}  # type: ignore[attr-defined]
