"""What links exert on the fluid around them: resistance and added mass, link by link.

At a centre c of the link, along the axes of its frame, with v its velocity relative to a fluid that flows steadily and alike
everywhere, ω and a the link's angular velocity and the true acceleration of the centre,

    resistance    f_i = D_i |v_i| v_i,   n_i = E_i |ω_i| ω_i                     (Taylor 1952)
    added mass    P = A v,  L = B ω:   f = Ṗ + ω × P,   n = L̇ + ω × L + v × P    (Kirchhoff; Lamb 1932, section 124)

where Ṗ = A (a - ω × v) component by component; A, B, D, E are diagonal. Nothing is said of what links do to the flow around
others, and nothing of buoyancy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.dynamics.newton_euler import Wrench
from armillary.kinematics.motion import LinkMotion, base_motion, link_motions, link_velocities
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.scalar import sign
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class Fluid:
    """Coefficients of one link: centre c (m); D (N s²/m²) and E (N m s²/rad²); A (kg) and B (kg m²)."""

    center: Vector
    drag: Vector
    turning_drag: Vector
    added_mass: Vector
    added_inertia: Vector


def fluid_wrenches(
    tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, coefficients: Sequence[Fluid], current: Vector
) -> list[Wrench]:
    """(f, n) that each link exerts on the fluid, in its frame about its origin; `current` in base components (m/s)."""
    motions = link_motions(tree, q, qd, qdd, base_motion(tree, gravity=False))
    velocities = link_velocities(tree, q, qd)
    flows: list[Vector] = []
    found: list[Wrench] = []
    for body, m, (v, _), fluid in zip(tree.bodies, motions, velocities, coefficients, strict=True):
        flow = m.T.rotation.apply_inverse(current if body.parent < 0 else flows[body.parent])
        flows.append(flow)
        found.append(_link(m, v - flow, fluid))
    return found


def _link(m: LinkMotion, velocity: Vector, fluid: Fluid) -> Wrench:
    """One link, the velocity of its origin relative to the fluid given."""
    c = fluid.center
    v, a = velocity + m.w.cross(c), m.dv + m.U.apply(c)
    P, L = _each(fluid.added_mass, v), _each(fluid.added_inertia, m.w)
    f = _each(fluid.drag, _squared(v)) + _each(fluid.added_mass, a - m.w.cross(v)) + m.w.cross(P)
    n = _each(fluid.turning_drag, _squared(m.w)) + _each(fluid.added_inertia, m.dw) + m.w.cross(L) + v.cross(P)
    return f, n + c.cross(f)


def _each(a: Vector, b: Vector) -> Vector:
    """Component by component."""
    return Vector(a.x * b.x, a.y * b.y, a.z * b.z)


def _squared(v: Vector) -> Vector:
    """|v_i| v_i."""

    def signed(x: Any) -> Any:
        return x * x * sign(x)

    return Vector(signed(v.x), signed(v.y), signed(v.z))
