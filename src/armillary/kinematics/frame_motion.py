"""The motion of any frame: velocity, acceleration and J̇ q', in its own components or in those of another frame."""

from dataclasses import dataclass

from armillary.geometry.pose import pose
from armillary.kinematics.motion import BaseMotion, link_motions, link_velocities
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.rate import rate_matrix
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class Screw:
    """(linear, angular) of a frame's origin and of the frame."""

    linear: Vector
    angular: Vector

    def elements(self) -> list[object]:
        return [*self.linear, *self.angular]


def frame_velocity(tree: Tree, q: Scalars, qd: Scalars, frame: str, expressed_in: str) -> Screw:
    """Velocity of the frame's origin (m/s) and angular velocity of the frame (rad/s), relative to the world."""
    body, offset = tree.frames[frame]
    v, w = link_velocities(tree, q, qd)[body] if body >= 0 else tree.base_velocity
    turn = pose(tree, q, _host(tree, body), expressed_in).rotation.apply
    return Screw(turn(v + w.cross(offset.position)), turn(w))


def frame_acceleration(
    tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, base: BaseMotion, frame: str, expressed_in: str
) -> Screw:
    """Acceleration of the frame's origin (m/s²) and angular acceleration of the frame (rad/s²); with `base` free of gravity the true one.

    With q'' = 0 and a base at rest it is J̇ q'.
    """
    body, offset = tree.frames[frame]
    if body >= 0:
        m = link_motions(tree, q, qd, qdd, base)[body]
        dv, dw, U = m.dv, m.dw, m.U
    else:
        dv, dw, U = base.dv, base.dw, rate_matrix(base.w, base.dw)
    turn = pose(tree, q, _host(tree, body), expressed_in).rotation.apply
    return Screw(turn(dv + U.apply(offset.position)), turn(dw))


def _host(tree: Tree, body: int) -> str:
    return tree.bodies[body].name if body >= 0 else "base"
