"""A parallel robot as another tree: its platform hangs on its first leg by the joint that was cut there."""

from dataclasses import replace

import numpy as np

from armillary.models import Robot
from armillary.robot import JOINTS, Body, Cut, Description, Frame, Inertial
from armillary.robot.parallel import platforms
from armillary.robot.place import inverse, place, pose, turn
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Matrix, Symmetric
from armillary.spatial.rotation import Dense, Rotation
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector
from reference.closed_loops import frame_poses
from reference.pinocchio import Floats

ACROSS = turn("z", np.pi / 2) @ turn("x", np.pi / 2)
"""z along what was x."""


def carried_by_its_first_leg(robot: Description, q: Floats) -> tuple[Robot, Floats]:
    """The robot, numbers throughout, and q of its joints at the same state.

    The platform's frame becomes side a of the cut of the first leg; what was said about the old frame is carried over.
    """
    [platform] = platforms(robot)
    first = next(c for c in robot.cuts if c.name == platform.legs[0])
    at_a, at_b, T = pose(first.a.placement), pose(first.b.placement), frame_poses(robot, q)
    b_in_a = inverse(T[first.a.body] @ at_a) @ T[first.b.body] @ at_b
    bodies, state = _without(robot, q, platform.bodies)
    added, found = _joint(first, at_b, inverse(b_in_a))
    inertia = _seen(robot.body(platform.name).inertia, inverse(at_a))
    added[-1] = replace(added[-1], name=platform.name, inertia=inertia)
    cuts = [replace(c, a=_moved(c.a, platform.name, at_a)) for c in robot.cuts if c is not first]
    made = replace(robot, bodies=(*bodies, *added), cuts=tuple(cuts), frames=())
    return Robot.of(made), np.array([*state, *found])


def _without(robot: Description, q: Floats, names: tuple[str, ...]) -> tuple[list[Body], list[float]]:
    """All bodies but these, and their coordinates."""
    kept: list[Body] = []
    state: list[float] = []
    k = 0
    for body in robot.bodies:
        here = [float(x) for x in q[k : k + body.joint.nq]]
        k += body.joint.nq
        if body.name not in names:
            kept.append(body)
            state += here
    return kept, state


def _joint(cut: Cut, at_b: Floats, a_in_b: Floats) -> tuple[list[Body], list[float]]:
    """The bodies that the joint from side b to side a is made of, the last without a name, and its coordinates."""
    host, R = cut.b.body, a_in_b[:3, :3]
    common = {"actuated": False, "IA": cut.IA, "FV": cut.FV, "FS": cut.FS}
    names = {"coordinates": ("new1",), "velocities": ("new1",)}
    match cut.kind.kind:
        case "revolute":
            body = Body("", host, JOINTS["revolute"], place(at_b), joint_name="new1", **names, **common)  # type: ignore[arg-type]
            return [body], [float(np.arctan2(R[1, 0], R[0, 0]))]
        case "universal":
            # b is in a as after Rot(z, u) Rot(x, v): a is in b as after Rot(x, -v) Rot(z, -u)
            v, u = float(np.arctan2(-R[1, 2], R[2, 2])), float(np.arctan2(-R[0, 1], R[0, 0]))
            cross = Body(
                "new cross", host, JOINTS["revolute"], place(at_b @ ACROSS), joint_name="new1", actuated=False, **names
            )
            back = place(inverse(ACROSS))
            last = Body(
                "",
                "new cross",
                JOINTS["revolute"],
                back,
                joint_name="new2",
                actuated=False,
                coordinates=("new2",),
                velocities=("new2",),
            )
            return [cross, last], [v, u]
        case _:
            labels = {"coordinates": ("nw", "nx", "ny", "nz"), "velocities": ("nx", "ny", "nz")}
            ball = Body("", host, JOINTS["spherical"], place(at_b), joint_name="new1", actuated=False, **labels)
            return [ball], _quaternion(R)


def _quaternion(R: Floats) -> list[float]:
    """(w, x, y, z) of a rotation of less than half a turn."""
    w = np.sqrt(max(0.0, 1 + np.trace(R))) / 2
    return [float(w), *(float((R[j, i] - R[i, j]) / (4 * w)) for i, j in ((1, 2), (2, 0), (0, 1)))]


def _moved(side: Frame, platform: str, at_a: Floats) -> Frame:
    """A side of the platform in the platform's new frame."""
    return replace(side, placement=place(inverse(at_a) @ pose(side.placement))) if side.body == platform else side


def _seen(inertia: Inertial, T: Floats) -> Inertial:
    """The inertia in the frame in which the old one stands at T."""
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = (float(x) for x in inertia)
    turned = Rotation((Dense(Matrix(*(Vector(*(float(x) for x in row)) for row in T[:3, :3]))),))
    seen = Inertia(Symmetric(XX, XY, XZ, YY, YZ, ZZ), Vector(MX, MY, MZ), M)
    return Inertial(*(float(x) for x in seen.seen_from(Transform(turned, Vector(*(float(x) for x in T[:3, 3]))))))
