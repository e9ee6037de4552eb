"""Where the frames of bodies stand, for files that give every link a frame of its own and every joint an axis in it.

A body's frame stands on its joint's axis. What is still free, its place along the axis and its turn about it, is chosen
so that the modified DH numbers of the robot have as many zeros as they can: x points along the common normal to the axis
of the next joint and the origin lies at that normal's foot (γ = b = 0 for the next joint), and the axis of a slide,
whose place means nothing, goes through the origin of the body before it (d = 0). Where a body carries several joints,
the one that leads to most joints is the next. The last body of a branch has θ = r = 0. At q = 0 the robot stands as
the file says.

The coordinates of a ball, a plane or a body that floats are measured along the axes of the file's own frames, so their
bodies' frames have these axes: nothing is free.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from armillary.expr.numbers import PI
from armillary.robot import JOINTS, Limits, Placement, Value
from armillary.robot.place import Array, approach, inverse, place, pose

NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A joint of a file: `pose` is the child's frame in the parent's where q = 0, `axis` a unit vector in the child's.

    The axis goes through `point` of the child's frame, which is also the centre of a ball. `actuated` None is what is
    usual for the kind.
    """

    name: str
    kind: str
    parent: str
    child: str
    pose: Array
    axis: Array
    FV: float = 0.0
    FS: float = 0.0
    limits: Limits = NO_LIMITS
    point: Array = field(default_factory=lambda: np.zeros(3))
    IA: float = 0.0
    stiffness: float = 0.0
    reference: float = 0.0
    actuated: bool | None = None


@dataclass(slots=True, eq=False)
class Group:
    """Links that move as one, each with its pose in the first of them, and the joints that leave from them.

    `poses` of the joints' children are those at q = 0. `joints` counts the joints from this group outwards, its own with
    them.
    """

    lead: str
    links: list[tuple[str, Array]]
    exits: list[tuple[Joint, Array]] = field(default_factory=list[tuple[Joint, Array]])
    joints: int = 1


def groups(root: str, joints: Sequence[Joint]) -> dict[str, Group]:
    """The groups of a tree of links by the name of their first link, from the root outwards."""
    leaving: dict[str, list[Joint]] = {}
    for joint in joints:
        leaving.setdefault(joint.parent, []).append(joint)
    found: dict[str, Group] = {}
    inwards: list[tuple[str, str]] = []
    waiting = [root]
    for lead in waiting:
        group = found[lead] = Group(lead, [(lead, np.eye(4))])
        for link, T in group.links:
            for joint in leaving.get(link, ()):
                if joint.kind == "fixed":
                    group.links.append((joint.child, T @ joint.pose))
                else:
                    group.exits.append((joint, T @ joint.pose))
                    waiting.append(joint.child)
                    inwards.append((joint.child, lead))
    for child, parent in reversed(inwards):
        found[parent].joints += found[child].joints
    return found


@dataclass(frozen=True, slots=True)
class Standing:
    """Chooses frames among `groups`; lengths below the rounding of `scale` (m) are 0."""

    groups: dict[str, Group]
    scale: float

    def place(self, T: Array) -> Placement:
        """Any pose as a placement."""
        return place(T, scale=self.scale)

    def stand(self, joint: Joint, T: Array) -> tuple[Placement, Array]:
        """Where the body of a joint stands in the body before, and its first link in it, T being that link in the body before.

        The body's frame is found in two steps: onto its axis by the shortest way, then along and about it to the next
        joint's normal.
        """
        if JOINTS[joint.kind].nv > 1:
            own = self._own(joint)
            return self.place(T @ own), inverse(own)
        onto = self._approach(joint, T)
        T = inverse(pose(onto)) @ T
        theta, r = self._onward(self.groups[joint.child], T)
        return replace(onto, theta=theta, r=r), inverse(pose(Placement(theta=theta, r=r))) @ T

    def _own(self, joint: Joint) -> Array:
        """The frame in a joint's child that its coordinates mean: at its point, with z along the axis of a plane."""
        own = np.eye(4)
        if joint.kind == "planar":
            own = pose(approach(np.zeros(3), joint.axis, scale=1.0))
        own[:3, 3] = joint.point
        return own

    def _approach(self, joint: Joint, T: Array) -> Placement:
        """The shortest way to a joint's axis; that of a slide may as well go through the origin."""
        point = np.zeros(3) if joint.kind == "prismatic" else T[:3, 3] + T[:3, :3] @ joint.point
        return approach(point, T[:3, :3] @ joint.axis, scale=self.scale)

    def _onward(self, group: Group, T: Array) -> tuple[Value, Value]:
        """Turn about z and shift along it to the common normal with the next axis, T being the group's first link.

        A slide along z leaves both open; then the axis after it says the turn, and its own r the shift.
        """
        passed = False
        while group.exits:
            joint, lead = max(group.exits, key=lambda exit: self.groups[exit[0].child].joints)
            T = T @ lead
            onto = self._approach(joint, T)
            if joint.kind != "prismatic" or onto.alpha not in (0, PI):
                return onto.gamma, 0 if passed else onto.b
            group, passed = self.groups[joint.child], True
        return 0, 0
