"""All that ties the joint velocities of a tree together, kind by kind."""

from armillary.kinematics.constraint import Constraint
from armillary.kinematics.contacts import contacts
from armillary.kinematics.couplings import couplings
from armillary.kinematics.loops import loops
from armillary.kinematics.wheels import wheels
from armillary.robot.tree import Tree

KINDS = (loops, couplings, contacts, wheels)
"""What finds the constraints of each kind."""


def constraints(tree: Tree) -> list[Constraint]:
    """Every constraint of a tree, in the order of `KINDS`."""
    return [constraint for kind in KINDS for constraint in kind(tree)]


def geometric(found: list[Constraint]) -> list[Constraint]:
    """Those that the coordinates have to meet."""
    return [constraint for constraint in found if constraint.holonomic]


def conditions(found: list[Constraint]) -> tuple[str, ...]:
    """A name for each row of all."""
    return tuple(name for constraint in found for name in constraint.conditions)
