"""How the passive joints of loops follow from the active ones in closed form: recognised from a robot's structure."""

from armillary.assembly.recognise import assemblies, undetermined
from armillary.assembly.triangles import FOLDED

__all__ = ["FOLDED", "assemblies", "undetermined"]
