"""The immutable description of a robot, its kinds of joint, and the questions one can ask of its topology."""

from armillary.robot.body import INERTIAL, WRENCH, Body, Frame, Inertial, Limits
from armillary.robot.contact import Contact, Surface
from armillary.robot.coupling import Coupling
from armillary.robot.cut import CUTS, Cut, CutKind
from armillary.robot.description import BASE, WORLD, Base, Description, Parameter
from armillary.robot.joints import JOINTS, Joint
from armillary.robot.placement import HERE, Placement
from armillary.robot.tree import Branch, Coupled, Gear, Junction, Rolling, Touch, Tree, tree
from armillary.robot.value import Formula, Value, symbols, value
from armillary.robot.wheel import Ackermann, Wheel

__all__ = [
    "BASE",
    "CUTS",
    "HERE",
    "INERTIAL",
    "JOINTS",
    "WORLD",
    "WRENCH",
    "Ackermann",
    "Base",
    "Body",
    "Branch",
    "Contact",
    "Coupled",
    "Coupling",
    "Cut",
    "CutKind",
    "Description",
    "Formula",
    "Frame",
    "Gear",
    "Inertial",
    "Joint",
    "Junction",
    "Limits",
    "Parameter",
    "Placement",
    "Rolling",
    "Surface",
    "Touch",
    "Tree",
    "Value",
    "Wheel",
    "symbols",
    "tree",
    "value",
]
