"""What the joints that close loops demand of the tree: residuals of the geometry, and rows on q' and q''.

Frame b of a cut joint moves in frame a with the twist (v, ω), along the axes of a and at a point of b; only the joints beyond the
last common antecedent of the two take part, those on the way to b with their own sign and those on the way to a with
the opposite one. Each condition of the joint's kind (`robot.cut`) is a residual and a row:

    held axis e:       Φ = e·P           row: e·v               P: the origin of b in a, v its velocity there
    square axes e, u:  Φ = e·u           row: (u × e)·ω         e fixed in a, u fixed in b

Row · q' is the rate of Φ. While a loop is closed the z axes that a kind aligns coincide, and so may the origins: then u × e is
a coordinate axis for all but the universal joint, and P is 0, which makes the rows cheap; Newton's method, which starts
where loops are open, takes the rows as they are. What is left of the rate of a row is found from accelerations with q'' = 0:

    v̇ = p̈_b - p̈_a - ω̇_a × r - ω_a × (ω_a × r) - 2 ω_a × v,   ω̇ = ω̇_b - ω̇_a - ω_a × ω,     r = P
"""

from dataclasses import dataclass, replace
from typing import Any

from armillary.geometry.pose import outward_path, pose
from armillary.kinematics.constraint import Row
from armillary.kinematics.frame_motion import frame_acceleration, frame_velocity
from armillary.kinematics.motion import BaseMotion
from armillary.robot.tree import Branch, Junction, Scalars, Tree
from armillary.spatial.scalar import atan2
from armillary.spatial.transform import IDENTITY, Step, Transform
from armillary.spatial.vector import ZERO, Vector

AXES = {"x": Vector(1, 0, 0), "y": Vector(0, 1, 0), "z": Vector(0, 0, 1)}
STILL = BaseMotion(ZERO, ZERO, ZERO)
A, B, HOST = "\0a", "\0b", "base"
"""Frames of a loop's tree; no body can have the names of the sides, which are not printable."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A cut joint, and the tree of the bodies that take part, the last common antecedent in the place of the base.

    `members` are the bodies (places in that tree) with the sign of their joints' part in the motion of b in a.
    """

    junction: Junction
    tree: Tree
    members: tuple[tuple[int, int], ...]

    @property
    def name(self) -> str:
        return self.junction.name

    @property
    def holonomic(self) -> bool:
        return True

    @property
    def conditions(self) -> tuple[str, ...]:
        """The cut joint, then the axis held or the two axes that are square."""
        return tuple(f"{self.name}.{row}" for row in self.junction.kind.rows)

    def residual(self, q: Scalars) -> list[Any]:
        """Φ(q), an element for each condition; all are 0 while the loop is closed (m, or the cosine of an angle)."""
        kind, T = self.junction.kind, side(self, q)
        return [
            *(AXES[e].dot(T.position) for e in kind.held),
            *(AXES[e].dot(T.rotation.apply(AXES[u])) for e, u in kind.square),
        ]

    def rows(self, q: Scalars, *, closed: bool = True) -> list[Row]:
        """∂Φ̇/∂q', a row for each condition; with `closed` those that hold at closed loops only, which cost less."""
        kind = self.junction.kind
        twists = relative_twists(self, q, closed=closed)
        turned = directions(self, q, closed=closed)
        return [
            *([AXES[e].dot(v) for v, _ in twists] for e in kind.held),
            *([d.dot(w) for _, w in twists] for d in turned),
        ]

    def drift(self, q: Scalars, qd: Scalars) -> list[Any]:
        """J̇ q' of the rows with the loop closed: what q'' has to balance, J q'' + J̇ q' = 0."""
        kind, found = self.junction.kind, _drift(self, q, qd)
        turned = directions(self, q)
        elements = [*(AXES[e].dot(found.dv) for e in kind.held), *(d.dot(found.dw) for d in turned)]
        if ("z", "x") in kind.square:
            turning = found.w.cross(side(self, q).rotation.apply(AXES["x"])).cross(AXES["z"])
            elements[-1] = elements[-1] + turning.dot(found.w)
        return elements


def loops(tree: Tree) -> list[Loop]:
    """Every cut joint of a tree."""
    return [loop(tree, junction) for junction in tree.cuts]


def loop(tree: Tree, junction: Junction) -> Loop:
    """The part of the tree that a cut joint closes into a loop."""
    inwards, outwards = outward_path(tree, junction.a[0], junction.b[0])
    kept = sorted([*inwards, *outwards])
    place = {k: n for n, k in enumerate(kept)}
    bodies = _from_fork([replace(tree.bodies[k], parent=place.get(tree.bodies[k].parent, -1)) for k in kept])
    frames = {HOST: (-1, IDENTITY)} | {body.name: (n, IDENTITY) for n, body in enumerate(bodies)}
    for name, (k, T), path in ((A, junction.a, inwards), (B, junction.b, outwards)):
        # a side on the common antecedent itself stands where its own frame does
        frames[name] = (place[k], T) if path else (-1, T)
    part = replace(
        tree, bodies=bodies, frames=frames, cuts=(), base_velocity=(ZERO, ZERO), base_acceleration=(ZERO, ZERO)
    )
    signs = {place[k]: -1 for k in inwards} | {place[k]: 1 for k in outwards}
    return Loop(junction, part, tuple(sorted(signs.items())))


def turned_round(tree: Tree, found: Loop) -> Loop:
    """The same cut joint seen from b: rows on the motion of a in b, along the axes of b. For kinds that are mutual."""
    cut = found.junction
    return loop(tree, replace(cut, a=cut.b, b=cut.a))


def _from_fork(bodies: list[Branch]) -> tuple[Branch, ...]:
    """The bodies without the steps that both ways begin with: what moves in what does not depend on where they part."""
    roots = [k for k, body in enumerate(bodies) if body.parent < 0]
    if len(roots) == 2:
        ways = [bodies[k].steps for k in roots]
        shared = 0
        while shared < min(map(len, ways)) and _same(ways[0][shared], ways[1][shared]):
            shared += 1
        for k in roots:
            body = bodies[k]
            turns = sum(kind[0] == "R" for kind, _ in body.steps[:shared])
            bodies[k] = replace(body, steps=body.steps[shared:], turns=body.turns[turns:])
    return tuple(bodies)


def _same(a: Step, b: Step) -> bool:
    """Whether two steps are one by structure: the same scalar, not an equal one."""
    return a[0] == b[0] and a[1] is b[1]


def side(loop: Loop, q: Scalars) -> Transform:
    """ᵃT_b."""
    return pose(loop.tree, q, B, A)


# ---- velocities ----


def free_coordinate(loop: Loop, q: Scalars) -> Any:
    """q_c of a revolute (-π to π) or a prismatic cut joint, while the loop is closed."""
    T = side(loop, q)
    if loop.junction.kind.free == "slide":
        return T.position.z
    x = T.rotation.apply(AXES["x"])
    return atan2(x.y, x.x)


def free_row(loop: Loop, q: Scalars) -> Row:
    """q'_c = row q' of the one coordinate of a revolute or a prismatic cut joint, while the loop is closed."""
    turns = loop.junction.kind.free == "turn"
    return [(w if turns else v).z for v, w in relative_twists(loop, q)]


def relative_twists(loop: Loop, q: Scalars, *, closed: bool = True) -> list[tuple[Vector, Vector]]:
    """(v, ω) of b in a for each joint velocity of the robot, along the axes of a at the origin of b."""
    P = ZERO if closed and loop.junction.kind.meets else side(loop, q).position
    twists = [(ZERO, ZERO)] * loop.tree.nv
    for k, sign in loop.members:
        body = loop.tree.bodies[k]
        T = pose(loop.tree, q, body.name, A)
        for column, (v, w) in zip(range(loop.tree.nv)[body.v], body.motion, strict=True):
            angular = T.rotation.apply(w * sign)
            twists[column] = T.rotation.apply(v * sign) + angular.cross(P - T.position), angular
    return twists


def directions(loop: Loop, q: Scalars, *, closed: bool = True) -> list[Vector]:
    """u × e of each pair of square axes, along the axes of a."""
    kind = loop.junction.kind
    if closed and ("z", "x") not in kind.square:
        return [AXES[u].cross(AXES[e]) for e, u in kind.square]
    R = side(loop, q).rotation
    return [R.apply(AXES[u]).cross(AXES[e]) for e, u in kind.square]


# ---- accelerations ----


@dataclass(frozen=True, slots=True)
class _Drift:
    """Velocity and acceleration of b in a with q'' = 0: (v̇, ω̇) and ω, along the axes of a, loops closed."""

    dv: Vector
    dw: Vector
    w: Vector


def free_drift(loop: Loop, q: Scalars, qd: Scalars) -> Any:
    """The part of q''_c that is not `free_row` q''."""
    found = _drift(loop, q, qd)
    return (found.dw if loop.junction.kind.free == "turn" else found.dv).z


def point_drift(loop: Loop, q: Scalars, qd: Scalars) -> tuple[Vector, Vector]:
    """(v, v̇) of the origin of b in a with q'' = 0, wherever it is, along the axes of a."""
    va, vb = (frame_velocity(loop.tree, q, qd, name, A) for name in (A, B))
    v = vb.linear - va.linear - va.angular.cross(side(loop, q).position)
    return v, _drift(loop, q, qd).dv


def _drift(loop: Loop, q: Scalars, qd: Scalars) -> _Drift:
    still = [0] * loop.tree.nv
    a, b = (frame_acceleration(loop.tree, q, qd, still, STILL, name, A) for name in (A, B))
    va, vb = (frame_velocity(loop.tree, q, qd, name, A) for name in (A, B))
    w = vb.angular - va.angular
    dv, dw = b.linear - a.linear, b.angular - a.angular - va.angular.cross(w)
    if not loop.junction.kind.meets:
        r = side(loop, q).position
        v = vb.linear - va.linear - va.angular.cross(r)
        dv = dv - a.angular.cross(r) - va.angular.cross(va.angular.cross(r)) - va.angular.cross(v * 2)
    return _Drift(dv, dw, w)
