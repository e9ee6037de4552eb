"""Random trees of special geometry in symbols, and their regressors in exact arithmetic, for counting base parameters.

Nothing here but the mechanics of `dynamics.regressor` is shared with the grouping that is tested: the regressor is traced
into an expression graph and evaluated over the integers modulo a prime, angles as points on the circle.
"""

import random
from collections.abc import Sequence
from typing import Any

from armillary.dynamics.regressor import regressor
from armillary.expr.arithmetics import modular
from armillary.expr.evaluate import circle_point, evaluate
from armillary.expr.graph import Expr, Graph, symbols_in
from armillary.kinematics.motion import base_motion
from armillary.robot import JOINTS, Base, Body, Description, Formula, Placement, Value, tree

PRIME = 2**61 - 1
BASE_MOTION = ("W0", "WP0", "VP0")
KINDS = ("revolute", "revolute", "revolute", "revolute", "prismatic", "prismatic", "helical", "spherical", "fixed")
GRAVITIES = (("0", "0", "G"), ("0", "0", "G"), ("G", "0", "0"), ("Gx", "Gy", "Gz"), ("0", "Gy", "Gz"), ("0", "0", "0"))


def special_tree(rng: random.Random, n: int, kinds: Sequence[str] = KINDS, moving: bool = False) -> Description:
    """n bodies; axes that are parallel, perpendicular, coincident or general, one root or several, any gravity.

    A moving base accelerates along some of its axes and turns about some, with angular velocity or without.
    """
    right = rng.choice((0.5, 0.8, 1.0))
    bodies: list[Body] = []
    for k in range(1, n + 1):
        parents = ["base", *(b.name for b in bodies)]
        parent = parents[-1] if rng.random() < 0.7 else rng.choice(parents)
        joint = JOINTS[rng.choice(kinds)]
        names = {axis: f"{axis}{k}" for axis in ("gamma", "b", "alpha", "d", "theta", "r")}
        angles = {a: _angle(rng, names[a], right) for a in ("gamma", "alpha", "theta")}
        lengths = {a: rng.choice((0, 0, names[a])) for a in ("b", "d", "r")}
        bodies.append(
            Body(
                f"link{k}",
                parent,
                joint,
                Placement.of(**angles, **lengths),
                pitch=Formula(f"pitch{k}") if joint.kind == "helical" else 0,
                joint_name=f"joint{k}",
                coordinates=tuple(f"q{k}{part}" for part in "wxyz"[: joint.nq]),
                velocities=tuple(f"q{k}{part}" for part in "xyz"[: joint.nv]),
            )
        )
    gravity: tuple[Value, ...] = tuple(Formula(g) if g != "0" else 0 for g in rng.choice(GRAVITIES))
    base = _moving_base(rng, gravity) if moving else Base(gravity=gravity)  # type: ignore[arg-type]
    return Description("special tree", tuple(bodies), base=base)


def _moving_base(rng: random.Random, gravity: Sequence[Value]) -> Base:
    about = [rng.choice(("still", "turned", "spinning")) for _ in "xyz"]
    pushed = [rng.random() < 0.4 for _ in "xyz"]
    W = [Formula(f"W0{k}") if how == "spinning" else 0 for k, how in zip("xyz", about, strict=True)]
    WP = [Formula(f"WP0{k}") if how != "still" else 0 for k, how in zip("xyz", about, strict=True)]
    VP = [Formula(f"VP0{k}") if there else 0 for k, there in zip("xyz", pushed, strict=True)]
    return Base(gravity=tuple(gravity), velocity=(0, 0, 0, *W), acceleration=(*VP, *WP))  # type: ignore[arg-type]


def _angle(rng: random.Random, name: str, right: float) -> object:
    return rng.choice((0, 0, "pi/2", "-pi/2", "pi")) if rng.random() < right else name


def exact_regressor(robot: Description, states: int, seed: int, rotors: bool) -> list[list[int]]:
    """The regressor's rows at random states, its columns XX1 … IA1, XX2 … in the order of the tree, modulo `PRIME`.

    The motion of the base is part of the state: the symbols that it is made of are drawn anew for each.
    """
    g = Graph()
    d = tree(robot, lambda x: g.copy([x.expr])[0] if isinstance(x, Formula) else g.const(x))
    q = [g.symbol(f"state q{k}") for k in range(d.nq)]
    qd, qdd = ([g.symbol(f"state {name}{k}") for k in range(d.nv)] for name in ("qd", "qdd"))
    columns = regressor(d, q, qd, qdd, base_motion(d))
    names = ("FV", "FS") if rotors else ("FV", "FS", "IA")
    kept = [c for c in columns if c.parameter not in names]
    roots = [g.lift(c.torques[row]) for row in range(d.nv) for c in kept]
    rows: list[list[int]] = []
    geometry = random.Random(seed)
    fixed = {s: geometry.randrange(1, PRIME) for s in sorted(symbols_in(roots)) if not s.startswith("state")}
    over = modular(PRIME)
    angles = {s: circle_point(geometry.randrange(1, PRIME), over) for s in sorted(fixed)}
    for _ in range(states):
        values = _evaluated(roots, fixed, angles, d, geometry)
        rows += [values[k * len(kept) : (k + 1) * len(kept)] for k in range(d.nv)]
    return rows


def _evaluated(
    roots: list[Expr], fixed: dict[str, int], angles: dict[str, Any], d: Any, rng: random.Random
) -> list[int]:
    over = modular(PRIME)
    leaves = {s: rng.randrange(1, PRIME) if s.startswith(BASE_MOTION) else x for s, x in fixed.items()}
    for k in range(d.nv):
        leaves |= {f"state {name}{k}": rng.randrange(1, PRIME) for name in ("qd", "qdd")}
    for body in d.bodies:
        names = [f"state q{k}" for k in range(d.nq)[body.q]]
        if len(names) == 4:
            leaves |= dict(zip(names, _unit_quaternion(rng), strict=True))
        else:
            leaves |= {name: rng.randrange(1, PRIME) for name in names}
            angles |= {name: circle_point(rng.randrange(1, PRIME), over) for name in names}
    return evaluate(roots, leaves, over, angles)


def _unit_quaternion(rng: random.Random) -> list[int]:
    """Two rational rotations about z and x, one after the other, as (w, x, y, z)."""
    over = modular(PRIME)
    (a, b), (c, d) = (circle_point(rng.randrange(1, PRIME), over) for _ in range(2))
    e, f = circle_point(rng.randrange(1, PRIME), over)
    w, x, y, z = a * c % PRIME, a * d % PRIME, b * d % PRIME, b * c % PRIME
    return [(w * e - z * f) % PRIME, (x * e + y * f) % PRIME, (y * e - x * f) % PRIME, (z * e + w * f) % PRIME]


def rank(matrix: Sequence[Sequence[int]]) -> int:
    """The rank modulo `PRIME`."""
    rows = [list(row) for row in matrix]
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        found += 1
        inverse = pow(pivot[column], -1, PRIME)
        scaled = [x * inverse % PRIME for x in pivot]
        rows = [
            [(x - row[column] * y) % PRIME for x, y in zip(row, scaled, strict=True)] if row[column] else row
            for row in rows
            if row is not pivot
        ]
    return found
