"""A description from the links and joints of a file, whatever frames they are given in.

Links behind fixed joints become one body with the link that carries them, and their inertia with its. A body is named
for the joint that moves it, and stands where `frames` puts it; every link of the file stays a frame under its own name.

Links that stand still with the root are frames of the base. The base's frame is the root's, or that of a link named
"base" among them; the world's is the root's, or that of a link named "world". Their inertia is dropped: a fixed base
does not feel it.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from armillary.errors import FormatError
from armillary.formats.frames import Joint, Standing, groups
from armillary.robot import BASE, HERE, JOINTS, WORLD, Base, Body, Description, Frame, Inertial
from armillary.robot.place import RIGHT, Array, inverse, length
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Matrix, Symmetric
from armillary.spatial.rotation import Dense, Rotation
from armillary.spatial.transform import Transform
from armillary.spatial.vector import ZERO, Vector

GRAVITY = 9.81
"""m/s², down the z axis of the root."""


def assemble(
    name: str,
    root: str,
    links: Mapping[str, Inertia],
    joints: Sequence[Joint],
    *,
    source: str = "",
    snap: float = RIGHT,
) -> Description:
    """The description of the tree of `links` that hangs on `root`; inertia is about the origin of the link's own frame."""
    found = groups(root, joints)
    scale = max((float(np.abs(joint.pose[:3, 3]).max()) for joint in joints), default=0.0)
    standing = Standing(found, scale, snap)
    still = dict(found[root].links)
    base, world = still.get(BASE, np.eye(4)), still.get(WORLD, np.eye(4))
    bodies: dict[str, Body] = {}
    host: dict[str, tuple[str, Array]] = {}
    lead = {root: (BASE, inverse(base))}
    for group in found.values():
        body, first = lead[group.lead]
        host |= {link: (body, first @ T) for link, T in group.links}
        for joint, T in group.exits:
            placement, inner = standing.stand(joint, first @ T)
            inside = ((inner @ pose, links[link]) for link, pose in found[joint.child].links)
            bodies[joint.name] = Body(
                name=_body_name(joint.name, links),
                parent=body,
                joint=JOINTS[joint.kind],
                placement=placement,
                inertia=_inertial(inside),
                FV=length(joint.FV, 0),
                FS=length(joint.FS, 0),
                joint_name=joint.name,
                coordinates=(joint.name,),
                velocities=(joint.name,),
                limits=(joint.limits,),
            )
            lead[joint.child] = (bodies[joint.name].name, inner)
    frames = [Frame(link, *_hosted) for link, (body, T) in host.items()]
    down = -GRAVITY * base[2, :3]
    return Description(
        name=name,
        bodies=tuple(bodies[joint.name] for joint in joints if joint.name in bodies),
        frames=tuple(_frames(links, host, standing)),
        base=Base(
            placement=standing.place(inverse(world) @ base),
            gravity=(length(down[0], GRAVITY), length(down[1], GRAVITY), length(down[2], GRAVITY)),
        ),
        source=source,
    )
