"""The torques as they depend on the parameters: Γ = Σ columns · parameters, for the inertial, rotor, friction and spring parameters.

Link j's own wrench is linear in its ten numbers (Khalil 2010, 21): with U and v̇ of its frame, unit vectors e and
e_k U for columns of U,

    M: (v̇, 0)    MX: (U e_x, e_x × v̇) …    XX: (0, XX's part of J ω̇ + ω × J ω) …

Each such wrench is carried inwards along the joints up to the base, and IA, FV, FS and a spring's stiffness enter their own joint alone.
"""

from dataclasses import dataclass
from typing import Any

from armillary.dynamics.newton_euler import Wrench
from armillary.kinematics.motion import BaseMotion, LinkMotion, link_motions
from armillary.robot.body import INERTIAL
from armillary.robot.tree import Branch, Scalars, Tree
from armillary.spatial.scalar import named, sign
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class Column:
    """The torques (and the wrench on the base) that one parameter of one body makes per unit."""

    body: str
    parameter: str
    torques: list[Any]
    base: Wrench


def regressor(
    tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, base: BaseMotion, *, losses: bool = True
) -> list[Column]:
    """A column for XX … M of each link, then IA of each joint and, with `losses`, FV, FS and stiffness, body by body."""
    motions = link_motions(tree, q, qd, qdd, base)
    columns: list[Column] = []
    for k, body in enumerate(tree.bodies):
        for parameter, (f, n) in zip(INERTIAL, unit_wrenches(motions[k]), strict=True):
            columns.append(_carried(tree, k, parameter, f, n, motions))
        for parameter, along in _joint_columns(body, q, qd, qdd, losses):
            torques: list[Any] = [0] * tree.nv
            torques[body.v] = along
            columns.append(Column(body.name, parameter, torques, (ZERO, ZERO)))
    return columns


def unit_wrenches(m: LinkMotion) -> list[Wrench]:
    """The wrench of a link with one of XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M equal to 1 and the others 0."""
    U, dw, dv = m.U.matrix, m.U.dw, m.dv
    xy, xz, yz = m.U.xy, m.U.xz, m.U.yz
    moments = (
        Vector(dw.x, xz, -xy),
        Vector(-U.z.x, U.z.y, U.x.x - U.y.y),
        Vector(U.y.x, U.z.z - U.x.x, -U.y.z),
        Vector(-yz, dw.y, xy),
        Vector(U.y.y - U.z.z, -U.x.y, U.x.z),
        Vector(yz, -xz, dw.z),
    )
    columns = U.T
    first = (
        (columns.x, Vector(0, -dv.z, dv.y)),
        (columns.y, Vector(dv.z, 0, -dv.x)),
        (columns.z, Vector(-dv.y, dv.x, 0)),
    )
    return [*((ZERO, n) for n in moments), *first, (dv, ZERO)]


def _joint_columns(body: Branch, q: Scalars, qd: Scalars, qdd: Scalars, losses: bool) -> list[tuple[str, list[Any]]]:
    rates, accelerations = list(qd[body.v]), list(qdd[body.v])
    found = [("IA", accelerations)] if len(rates) == 1 else []
    if losses and rates:
        found += [("FV", rates), ("FS", [sign(v) for v in rates])]
    if losses and body.elastic:
        found.append(("stiffness", [q[body.q.start] - body.reference]))
    return found


def _carried(tree: Tree, k: int, parameter: str, f: Vector, n: Vector, motions: list[LinkMotion]) -> Column:
    """The wrench of one parameter on its way to the base, read at every joint it passes."""
    torques: list[Any] = [0] * tree.nv
    name = tree.bodies[k].name
    i = k
    while i >= 0:
        body = tree.bodies[i]
        read = zip(range(tree.nv)[body.v], body.along(f, n), strict=True)
        for row, value in read:
            torques[row] = named(value, f"DG{row + 1}{parameter}{k + 1}")
        f, n = motions[i].T.force(f, n)
        i = body.parent
    return Column(name, parameter, torques, (f, n))
