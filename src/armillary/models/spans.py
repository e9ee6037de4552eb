"""Where the coordinates and the velocities of each joint stand, and which joints are found from others."""

from dataclasses import dataclass

from armillary.dynamics.closed import Partition
from armillary.errors import ModelError
from armillary.robot import Description, Joint


@dataclass(frozen=True, slots=True)
class Span:
    """A moving joint, and where its coordinates and its velocities stand."""

    name: str
    joint: Joint
    q: range
    v: range

    def dependent(self, p: Partition, finder: str) -> bool:
        """Whether its coordinates are found; an error where only some of them are, naming who looks for them."""
        found = [k in p.dependent for k in self.v]
        if any(found) and not all(found):
            raise ModelError(
                f"the coordinates of {self.name}, a {self.joint.kind} joint, are given in part and found in part; {finder} "
                "finds all of a joint or none: make it of joints with one velocity each, or say otherwise which joints are active"
            )
        return all(found)


def spans(d: Description) -> list[Span]:
    """Every moving joint."""
    found: list[Span] = []
    nq = nv = 0
    for body in d.bodies:
        joint = body.joint
        if joint.nv:
            found.append(Span(body.joint_name, joint, range(nq, nq + joint.nq), range(nv, nv + joint.nv)))
        nq, nv = nq + joint.nq, nv + joint.nv
    return found
