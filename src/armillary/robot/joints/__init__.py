"""The kinds of joint, one file each, and the table of them."""

from armillary.robot.joints.fixed import Fixed
from armillary.robot.joints.helical import Helical
from armillary.robot.joints.kind import Joint, Twist
from armillary.robot.joints.prismatic import Prismatic
from armillary.robot.joints.revolute import Revolute
from armillary.robot.joints.spherical import Spherical

JOINTS: dict[str, Joint] = {j.kind: j for j in (Revolute(), Prismatic(), Fixed(), Helical(), Spherical())}
"""Every kind by the name that files give it."""

__all__ = ["JOINTS", "Fixed", "Helical", "Joint", "Prismatic", "Revolute", "Spherical", "Twist"]
