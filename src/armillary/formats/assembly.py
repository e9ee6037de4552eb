"""A description from the links and joints of a file, whatever frames they are given in.

Links behind fixed joints become one body with the link that carries them, and their inertia with its. A body is named
for the joint that moves it, and stands where `frames` puts it; every link of the file stays a frame under its own name.
Where a link has the name of a joint, the link keeps it and the body is called joint_body.

A robot that floats has a free joint under its root, whose frame the joint's body has: q begins with the pose of the root
in the base, x, y, z and a quaternion, q' with the root's twist along its own axes.

Otherwise links that stand still with the root are frames of the base. The base's frame is the root's, or that of a link named
"base" among them; the world's is the root's, or that of a link named "world". Their inertia is dropped: a fixed base
does not feel it.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from armillary.formats.frames import Group, Joint, Standing, groups
from armillary.robot import BASE, JOINTS, WORLD, Base, Body, Description, Frame, Inertial
from armillary.robot.part import default_actuated
from armillary.robot.place import Array, inverse, length
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Matrix, Symmetric
from armillary.spatial.rotation import Dense, Rotation
from armillary.spatial.transform import Transform
from armillary.spatial.vector import ZERO, Vector

GRAVITY = 9.81
"""m/s², down the z axis of the root."""

FLOATING = "root_joint"
"""The joint under the root of a robot that floats."""

MASSLESS = Inertia(Symmetric(0, 0, 0, 0, 0, 0), ZERO, 0)


def assemble(
    name: str,
    root: str,
    links: Mapping[str, Inertia],
    joints: Sequence[Joint],
    *,
    floating: bool = False,
    source: str = "",
) -> Description:
    """The description of the tree of `links` that hangs on `root`, which `floating` lets float.

    Inertia is about the origin, and along the axes, of the link's own frame. The order of q is the order of `joints`.
    No link named "base" or "world" may move.
    """
    found = groups(root, joints)
    standing = Standing(found, max((float(np.abs(joint.pose[:3, 3]).max()) for joint in joints), default=0.0))
    still = {} if floating else dict(found[root].links)
    base, world = still.get(BASE, np.eye(4)), still.get(WORLD, np.eye(4))
    names = _body_names(joints, links)
    bodies: dict[str, Body] = {}
    frames: dict[str, Frame] = {}
    lead = {root: (BASE, inverse(base))}
    floats: list[Body] = []
    if floating:
        floats = [_floating(_free_name(root, {*links, *names.values()}), _inertial(found[root], np.eye(4), links))]
        lead = {root: (floats[0].name, np.eye(4))}
    for group in found.values():
        carrier, first = lead[group.lead]
        frames |= {link: Frame(link, carrier, standing.place(first @ T)) for link, T in group.links}
        for joint, T in group.exits:
            placement, inner = standing.stand(joint, first @ T)
            bodies[joint.name] = Body(
                name=names[joint.name],
                parent=carrier,
                joint=JOINTS[joint.kind],
                placement=placement,
                inertia=_inertial(found[joint.child], inner, links),
                FV=length(joint.FV, 0),
                FS=length(joint.FS, 0),
                joint_name=joint.name,
                coordinates=(joint.name,),
                velocities=(joint.name,),
                limits=(joint.limits,),
            )
            lead[joint.child] = (names[joint.name], inner)
    down = -GRAVITY * base[2, :3]
    return Description(
        name=name,
        bodies=(*floats, *(bodies[joint.name] for joint in joints if joint.name in bodies)),
        frames=tuple(frames[link] for link in links if link not in (BASE, WORLD)),
        base=Base(
            placement=standing.place(inverse(world) @ base),
            gravity=(length(down[0], GRAVITY), length(down[1], GRAVITY), length(down[2], GRAVITY)),
        ),
        source=source,
    )


def inertia_about_origin(mass: float, center: Array, J: Array) -> Inertia:
    """Of a link with its mass at `center` (m) and the inertia matrix J (kg m²) about it, both in the link's frame."""
    x, y, z = (float(c) for c in center)
    about_center = Symmetric(*(float(J[i, k]) for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))))
    return Inertia(about_center, ZERO, mass).seen_from(Transform(Rotation(), Vector(x, y, z)))


def _floating(name: str, inertia: Inertial) -> Body:
    """The root of a robot that floats."""
    joint = JOINTS["free"]
    coordinates, velocities = (tuple(f"{FLOATING}_{mark}" for mark in marks) for marks in joint.marks)
    return Body(
        name=name,
        joint=joint,
        inertia=inertia,
        joint_name=FLOATING,
        coordinates=coordinates,
        velocities=velocities,
        actuated=default_actuated(joint),
    )


def _free_name(link: str, taken: Collection[str]) -> str:
    """link_body, or the first of link_body2, … that nothing has."""
    number = 1
    while (candidate := f"{link}_body{number if number > 1 else ''}") in taken:
        number += 1
    return candidate


def _body_names(joints: Sequence[Joint], links: Collection[str]) -> dict[str, str]:
    """The name of the body that each joint carries: the joint's, or the first joint_body, joint_body2, … that nothing has."""
    taken = {BASE, WORLD, *links}
    names = {joint.name: joint.name for joint in joints if joint.name not in taken}
    taken |= names.keys()
    for joint in joints:
        if joint.name not in names:
            names[joint.name] = _free_name(joint.name, taken)
            taken.add(names[joint.name])
    return names


def _inertial(group: Group, T: Array, links: Mapping[str, Inertia]) -> Inertial:
    """The links of a group as one body, T being the first of them in the body's frame.

    A number below the rounding of the sums and turns that it came from is 0.
    """
    total, J, MS, M = MASSLESS, 0.0, 0.0, 0.0
    for link, in_first in group.links:
        inertia, at = links[link], T @ in_first
        total = total + inertia.seen_from(_transform(at))
        arm, moment = float(np.linalg.norm(at[:3, 3])), max(abs(x) for x in inertia.MS)
        J += max(abs(x) for x in inertia.J) + 2 * arm * moment + inertia.M * arm**2
        MS += moment + inertia.M * arm
        M += inertia.M
    sizes = (*[J] * 6, *[MS] * 3, M)
    return Inertial(*(length(float(x), size) for x, size in zip(total, sizes, strict=True)))


def _transform(T: Array) -> Transform:
    R = Matrix(*(Vector(*(float(x) for x in row)) for row in T[:3, :3]))
    return Transform(Rotation((Dense(R),)), Vector(*(float(x) for x in T[:3, 3])))
