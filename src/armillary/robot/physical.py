"""Whether ten inertial numbers can be those of a body of mass.

Let a mass density be nowhere negative. Its second moments about the centre of mass, Σ = ∫ r rᵀ dm = ½ tr(J) 1 - J, then
form a matrix without negative eigenvalues: half the sum of two principal moments of inertia less the third, which is the
triangle inequality (Traversaro et al. 2016; Wensing et al. 2018). With M ≥ 0 this is also enough.

Rods and points of mass lie on the border of that set, where published and rounded numbers fall on either side. Grouped
(base) parameters lie outside by nature: grouping a revolute joint's link leaves it without M, a sliding one's without all
six moments of inertia (Khalil and Dombre 2002, 9.4). Such sets describe no body of their own and are not judged.
"""

import numpy as np

from armillary.robot.body import Inertial
from armillary.robot.value import Formula

ROUNDING = 1e-3
"""What rounding may have taken off moments of inertia about the centre of mass, as a part of their sum."""

SHIFTING = 1e-4
"""What it may have taken off those about the origin, of which little is left at the centre of mass of a far, small body."""


def impossible(inertia: Inertial) -> str:
    """Why no body has this inertia, with figures; nothing where one has, or where it is symbolic or grouped."""
    if any(isinstance(x, Formula) for x in inertia):
        return ""
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = (float(x) for x in inertia if not isinstance(x, Formula))
    if M == 0 or not any((XX, XY, XZ, YY, YZ, ZZ)):
        return ""
    about_origin = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
    c = np.array([MX, MY, MZ]) / M
    about_center = about_origin - M * (c @ c * np.eye(3) - np.outer(c, c))
    low, middle, high = (float(x) for x in np.linalg.eigvalsh(about_center))
    slack = ROUNDING * abs(low + middle + high) + SHIFTING * abs(XX + YY + ZZ)
    if low + middle - high >= -2 * slack:
        return ""
    what = f"the principal moments of inertia about its centre of mass are {low:.4g}, {middle:.4g} and {high:.4g} kg m²"
    if low < -slack:
        return f"{what}; no body has a negative one"
    return f"{what}; no body has one larger than the sum of the others, {low + middle:.4g}"
