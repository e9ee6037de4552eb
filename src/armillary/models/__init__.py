"""The catalogue of models, and the faces that users see: `Robot`, with every model as a method, and `Model`."""

from armillary.models.catalogue import CATALOGUE
from armillary.models.derive import derive
from armillary.models.entry import Entry, Option
from armillary.models.model import Model
from armillary.models.robot import Robot, describe, load

__all__ = ["CATALOGUE", "Entry", "Model", "Option", "Robot", "derive", "describe", "load"]
