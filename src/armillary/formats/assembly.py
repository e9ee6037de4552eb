"""A description from the links and joints of a file, whatever frames they are given in.

Links behind fixed joints become one body with the link that carries them, and their inertia with its. A body is named
for the joint that moves it, and stands where `frames` puts it; every link of the file stays a frame under its own name.
Where a link has the name of a joint, the link keeps it and the body is called joint_body. A body that floats is called
after its link, link_body, and has its frame.

Links that stand still with the root are frames of the base. The base's frame is the root's, or that of a link named
"base" among them; the world's is the root's, or that of a link named "world". Their inertia is dropped: a fixed base
does not feel it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from armillary.formats.frames import Group, Joint, Standing, groups
from armillary.robot import BASE, CUTS, JOINTS, WORLD, Base, Body, Cut, Description, Frame, Inertial
from armillary.robot.coupling import Coupling
from armillary.robot.part import default_actuated
from armillary.robot.place import Array, inverse, length
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Matrix, Symmetric
from armillary.spatial.rotation import Dense, Rotation
from armillary.spatial.transform import Transform
from armillary.spatial.vector import ZERO, Vector

GRAVITY = 9.81
"""m/s², down the z axis of the root."""

MASSLESS = Inertia(Symmetric(0, 0, 0, 0, 0, 0), ZERO, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A frame that stands still in a link."""

    link: str
    pose: Array


@dataclass(frozen=True, slots=True, eq=False)
class Closing:
    """A joint that closes a loop, between two spots: z of both is its axis, see `robot.cut`."""

    name: str
    kind: str
    a: Spot
    b: Spot
    FV: float = 0.0
    FS: float = 0.0


def assemble(
    name: str,
    root: str,
    links: Mapping[str, Inertia],
    joints: Sequence[Joint],
    *,
    spots: Mapping[str, Spot] | None = None,
    closings: Sequence[Closing] = (),
    couplings: Sequence[Coupling] = (),
    gravity: Sequence[float] = (0, 0, -GRAVITY),
    source: str = "",
) -> Description:
    """The description of the tree of `links` that hangs on `root`.

    Inertia is about the origin, and along the axes, of the link's own frame; `gravity` is along the root's. The order of
    q is the order of `joints`; a child that is not among `links` has neither mass nor a frame. `spots` are further frames;
    one with the name of a link or a body is called name_frame. No link named "base" or "world" may move, unless it
    floats: then the body has its frame.
    """
    found = groups(root, joints)
    far = max((float(np.abs(joint.pose[:3, 3]).max()) for joint in joints), default=0.0)
    standing = Standing(found, max([far, *(float(np.abs(joint.point).max()) for joint in joints)]))
    still = dict(found[root].links)
    base, world = still.get(BASE, np.eye(4)), still.get(WORLD, np.eye(4))
    names = _body_names(joints, links)
    bodies: dict[str, Body] = {}
    mounts: dict[str, tuple[str, Array]] = {}
    lead = {root: (BASE, inverse(base))}
    for group in found.values():
        carrier, first = lead[group.lead]
        mounts |= {link: (carrier, first @ T) for link, T in group.links}
        for joint, T in group.exits:
            kind = JOINTS[joint.kind]
            placement, inner = standing.stand(joint, first @ T)
            coordinates, velocities = (
                tuple(f"{joint.name}_{mark}" if mark else joint.name for mark in marks) for marks in kind.marks
            )
            bodies[joint.name] = Body(
                name=names[joint.name],
                parent=carrier,
                joint=kind,
                placement=placement,
                inertia=_inertial(found[joint.child], inner, links),
                IA=length(joint.IA, 0),
                FV=length(joint.FV, 0),
                FS=length(joint.FS, 0),
                stiffness=length(joint.stiffness, 0),
                reference=length(joint.reference, 0),
                joint_name=joint.name,
                coordinates=coordinates,
                velocities=velocities,
                actuated=default_actuated(kind) if joint.actuated is None else joint.actuated,
                limits=(joint.limits,) if kind.nv == 1 else (),
            )
            lead[joint.child] = (names[joint.name], inner)

    def frame(called: str, spot: Spot) -> Frame:
        carrier, T = mounts[spot.link]
        return Frame(called, carrier, standing.place(T @ spot.pose))

    frames = {link: frame(link, Spot(link, np.eye(4))) for link in links if link not in (BASE, WORLD)}
    taken = {BASE, WORLD, *names.values(), *frames}
    for called, spot in (spots or {}).items():
        called = _free_name(called, "frame", taken) if called in taken else called
        taken.add(called)
        frames[called] = frame(called, spot)
    down = base[:3, :3].T @ np.asarray(gravity, dtype=float)
    size = float(np.linalg.norm(down))
    return Description(
        name=name,
        bodies=tuple(bodies[joint.name] for joint in joints if JOINTS[joint.kind].nv),
        frames=tuple(frames.values()),
        base=Base(
            placement=standing.place(inverse(world) @ base),
            gravity=(length(down[0], size), length(down[1], size), length(down[2], size)),
        ),
        source=source,
        cuts=tuple(
            Cut(c.name, CUTS[c.kind], frame("a", c.a), frame("b", c.b), FV=length(c.FV, 0), FS=length(c.FS, 0))
            for c in closings
        ),
        couplings=tuple(couplings),
    )


def inertia_about_origin(mass: float, center: Array, J: Array) -> Inertia:
    """Of a link with its mass at `center` (m) and the inertia matrix J (kg m²) about it, both in the link's frame."""
    x, y, z = (float(c) for c in center)
    about_center = Symmetric(*(float(J[i, k]) for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))))
    return Inertia(about_center, ZERO, mass).seen_from(Transform(Rotation(), Vector(x, y, z)))


def _free_name(name: str, ending: str, taken: Collection[str]) -> str:
    """name_body, or the first of name_body2, … that nothing has."""
    number = 1
    while (candidate := f"{name}_{ending}{number if number > 1 else ''}") in taken:
        number += 1
    return candidate


def _body_names(joints: Sequence[Joint], links: Collection[str]) -> dict[str, str]:
    """The name of the body that each joint carries: the joint's, or the first joint_body, joint_body2, … that nothing has."""
    moving = [joint for joint in joints if JOINTS[joint.kind].nv]
    taken = {BASE, WORLD, *links}
    names = {joint.name: joint.name for joint in moving if joint.name not in taken and joint.kind != "free"}
    taken |= names.keys()
    for joint in moving:
        if joint.name not in names:
            names[joint.name] = _free_name(joint.child if joint.kind == "free" else joint.name, "body", taken)
            taken.add(names[joint.name])
    return names


def _inertial(group: Group, T: Array, links: Mapping[str, Inertia]) -> Inertial:
    """The links of a group as one body, T being the first of them in the body's frame.

    A number below the rounding of the sums and turns that it came from is 0.
    """
    total, J, MS, M = MASSLESS, 0.0, 0.0, 0.0
    for link, in_first in group.links:
        inertia, at = links.get(link, MASSLESS), T @ in_first
        total = total + inertia.seen_from(transform(at))
        arm, moment = float(np.linalg.norm(at[:3, 3])), max(abs(x) for x in inertia.MS)
        J += max(abs(x) for x in inertia.J) + 2 * arm * moment + inertia.M * arm**2
        MS += moment + inertia.M * arm
        M += inertia.M
    sizes = (*[J] * 6, *[MS] * 3, M)
    return Inertial(*(length(float(x), size) for x, size in zip(total, sizes, strict=True)))


def transform(T: Array) -> Transform:
    """A 4 x 4 matrix as a transform."""
    R = Matrix(*(Vector(*(float(x) for x in row)) for row in T[:3, :3]))
    return Transform(Rotation((Dense(R),)), Vector(*(float(x) for x in T[:3, 3])))
