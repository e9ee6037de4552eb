"""The keys of a `.par` file, and how many elements each takes.

NL links, NJ joints and NF frames; index 1 is the first link, joint or frame. In a tree NJ = NL, and the frames beyond
the links' are tools. A base that moves is a link 0 of its own: then what is said of links begins with it.
"""

from armillary.robot import INERTIAL, WRENCH

SCALARS = ("NL", "NJ", "NF", "Type", "is_floating", "is_mobile")
GEOMETRIC = ("ant", "sigma", "b", "d", "r", "gamma", "alpha", "mu", "theta")
"""One element a frame: antecedent, kind of joint, DH numbers, whether the joint is actuated."""

LOSSES = ("IA", "FV", "FS")
DYNAMIC = (*INERTIAL, *LOSSES, *WRENCH)
"""One element a link, and first one for a base that floats or is mobile."""

RATES = ("QP", "QDP", "GAM")
JOINT = ("eta", "k", *RATES)
"""One element a joint: whether it is elastic and how stiff; the names of velocity, acceleration and torque."""

BASE_MOTION = ("W0", "WP0", "V0", "VP0")
VECTORS = (*GEOMETRIC, *DYNAMIC, *JOINT, *BASE_MOTION, "G", "Z")

KEYS = {key.lower(): key for key in (*SCALARS, *VECTORS)}
"""Keys by their small letters: older files write Ant, Sigma, R or Ia."""

TYPES = {0: "Simple", 1: "Tree", 2: "Closed loop"}
KINDS = {0: "revolute", 1: "prismatic", 2: "fixed"}
"""sigma."""
MOVED = {0: "theta", 1: "r"}
"""The DH number that holds the coordinate of a joint, by sigma."""

ELASTIC = {0: "rigid", 1: "elastic"}
"""eta."""
ACTUATED = {0: "passive", 1: "actuated"}
"""mu."""

FIXED, FLOATING, MOBILE = "fixed", "floating", "mobile"
"""The base: it stands, or moves as known (`Base`); it floats, hung on nothing; or it moves as known and has a body."""
