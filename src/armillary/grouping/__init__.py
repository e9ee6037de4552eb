"""Base inertial parameters: regrouping, its formulas, and the proof that it is minimal."""

from armillary.grouping.base_parameters import BaseParameters, Relation, base_parameters
from armillary.grouping.proof import Proof

__all__ = ["BaseParameters", "Proof", "Relation", "base_parameters"]
