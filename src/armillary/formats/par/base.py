"""The base: whether it has a body of its own, and Z, its pose in the world as sixteen elements, row by row."""

from collections.abc import Sequence

import numpy as np

from armillary.errors import FormatError
from armillary.expr.graph import Graph
from armillary.expr.numbers import PI
from armillary.formats.par.keys import FIXED, FLOATING, MOBILE
from armillary.robot import BASE, HERE, Description, Formula, Placement, Value, value
from armillary.robot.place import Array, place, pose
from armillary.robot.value import negated, plus, text
from armillary.spatial.transform import walk

COARSE = 1e-3
"""By how much the rotation of Z may miss an orthogonal matrix: files round to three or more digits."""


def kind_of_base(robot: Description) -> str:
    """What a file says of the base: that it is fixed, floats or is mobile.

    It floats if the first body does and carries all the others, and is mobile if the first body is fixed to a base that moves
    as known and carries all the others.
    """
    if not robot.bodies:
        return FIXED
    body, base = robot.bodies[0], robot.base
    kind = {"free": FLOATING, "fixed": MOBILE}.get(body.joint.kind, FIXED)
    on_base = [x.name for x in robot.bodies[1:] if x.parent == BASE]
    on_base += [
        x.name for x in (*robot.frames, *(side for cut in robot.cuts for side in (cut.a, cut.b))) if x.body == BASE
    ]
    moves = any(x != 0 for x in (*base.velocity, *base.acceleration))
    if kind == MOBILE and (on_base or not moves or body.placement != HERE or body.parent != BASE):
        return FIXED
    if kind == FLOATING:
        said = (
            (body.placement != HERE or body.parent != BASE, "floats from another place than the base's"),
            (bool(on_base), f"floats, and {' '.join(on_base[:1])!r} hangs on the base, which is no body then"),
            (moves, "floats from a base that moves"),
            (body.actuated, "floats and has motors"),
            (bool(body.limits), "floats and has limits"),
            (body.FV != 0 or body.FS != 0, "floats and has losses"),
        )
        for wrong, why in said:
            if wrong:
                raise FormatError(f"{robot.name}: {body.name!r} {why}; a .par file has no place for that")
    return kind


def placement_of(Z: Sequence[Value]) -> Placement:
    """The placement whose matrix is Z. The position may hold symbols, the rotation may not."""
    rotation, position = [Z[k] for k in (0, 1, 2, 4, 5, 6, 8, 9, 10)], [Z[3], Z[7], Z[11]]
    symbolic = [text(x) for x in (*rotation, *Z[12:]) if isinstance(x, Formula)]
    if symbolic:
        raise FormatError(f"its rotation or its last row has {symbolic[0]}; only the position may have symbols")
    if [float(x) for x in Z[12:] if not isinstance(x, Formula)] != [0, 0, 0, 1]:
        raise FormatError(f"its last row is {', '.join(map(text, Z[12:]))}; it is 0, 0, 0, 1 in every pose")
    R = np.array([float(x) for x in rotation if not isinstance(x, Formula)]).reshape(3, 3)
    if np.abs(R @ R.T - np.eye(3)).max() > COARSE or np.linalg.det(R) < 0:
        raise FormatError("its rows 1 to 3 are not those of a rotation: orthogonal, of length 1 and right-handed")
    T = np.eye(4)
    T[:3, :3] = R
    numbers = [float(x) for x in position if not isinstance(x, Formula)]
    if len(numbers) == 3:
        T[:3, 3] = numbers
        return place(T)
    return _with_position(place(T), position)


def _with_position(turned: Placement, p: Sequence[Value]) -> Placement:
    """A placement with the rotation of `turned` (its lengths are 0) and the position p.

    p = b z + d x + r z', where x = (cos γ, sin γ, 0) and z' = (sin γ sin α, -cos γ sin α, cos α) is the new z axis.
    """
    onto: Array = pose(Placement(gamma=turned.gamma, alpha=turned.alpha))
    c, s = _value(onto[0, 0]), _value(onto[1, 0])
    if turned.alpha in (0, PI):
        return _along(turned, *p)
    across = _value(float(np.hypot(onto[0, 2], onto[1, 2])) * (1 if onto[2, 1] > 0 else -1))
    r = _quotient(plus(_times(s, p[0]), negated(_times(c, p[1]))), across)
    b = plus(p[2], negated(_times(_value(onto[2, 2]), r)))
    d = plus(_times(c, p[0]), _times(s, p[1]))
    return Placement(gamma=turned.gamma, b=b, alpha=turned.alpha, d=d, theta=turned.theta, r=r)


def _along(turned: Placement, x: Value, y: Value, z: Value) -> Placement:
    """As above where z' is z or -z: γ points along (x, y), and θ makes up for it. `turned` has γ = 0."""
    if y == 0:
        gamma, d = 0, x
    elif x == 0:
        gamma, d = value("pi/2"), y
    else:
        gamma, d = value(f"atan2({text(y)}, {text(x)})"), value(f"sqrt(({text(x)})**2 + ({text(y)})**2)")
    theta = plus(turned.theta, gamma if turned.alpha == PI else negated(gamma))
    return Placement(gamma=gamma, b=z, alpha=turned.alpha, d=d, theta=theta)


def _value(x: float) -> Value:
    return value(float(x))


def _times(a: Value, b: Value) -> Value:
    return value(f"({text(a)})*({text(b)})")


def _quotient(a: Value, b: Value) -> Value:
    return value(f"({text(a)})/({text(b)})")


def matrix_of(placement: Placement) -> list[Value]:
    """The sixteen elements of a placement; a rotation with symbols is refused, since it could not be read back."""
    graph = Graph()

    def scalar(x: Value) -> object:
        return graph.copy([x.expr])[0] if isinstance(x, Formula) else graph.const(x)

    rows = walk(placement.steps(scalar)).matrix()
    Z = [value(x) for row in rows for x in row]
    for k, x in enumerate(Z):
        if k % 4 < 3 and isinstance(x, Formula):
            raise FormatError(
                f"the base is turned by a formula, and Z would have to hold {x}; .par files turn it by numbers"
            )
    return Z
