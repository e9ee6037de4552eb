"""The kinds of joint, one file each, and the table of them."""

from armillary.robot.joints.composed import COMPOSED, Composition
from armillary.robot.joints.fixed import Fixed
from armillary.robot.joints.free import Free
from armillary.robot.joints.helical import Helical
from armillary.robot.joints.kind import Joint, Twist
from armillary.robot.joints.planar import Planar
from armillary.robot.joints.prismatic import Prismatic
from armillary.robot.joints.revolute import Revolute
from armillary.robot.joints.spherical import Spherical

JOINTS: dict[str, Joint] = {
    j.kind: j for j in (Revolute(), Prismatic(), Fixed(), Helical(), Spherical(), Free(), Planar())
}
"""Every kind by the name that files give it."""

__all__ = [
    "COMPOSED",
    "JOINTS",
    "Composition",
    "Fixed",
    "Free",
    "Helical",
    "Joint",
    "Planar",
    "Prismatic",
    "Revolute",
    "Spherical",
    "Twist",
]
