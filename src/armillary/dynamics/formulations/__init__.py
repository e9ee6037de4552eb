"""One mechanics, many principles: formulations of the dynamics of trees that share no code but geometry and inertia as data.

Each is a function (tree, q, q', q'') -> `Formulated`, short and near to its theory rather than cheap; they agree with each other and with
`dynamics.newton_euler` and `dynamics.inertia_matrix`, which are the ones to use. Two of them are made for q'' from Γ.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from armillary.dynamics.formulations.balls import no_balls
from armillary.dynamics.formulations.block_matrices import block_matrices
from armillary.dynamics.formulations.denoc import denoc, denoc_direct
from armillary.dynamics.formulations.euler_angles import euler_angles
from armillary.dynamics.formulations.formulated import Formulated
from armillary.dynamics.formulations.gauss import gauss, least_constraint
from armillary.dynamics.formulations.general_theorems import general_theorems
from armillary.dynamics.formulations.gibbs_appell import gibbs_appell
from armillary.dynamics.formulations.kane import kane
from armillary.dynamics.formulations.lagrange import lagrange
from armillary.dynamics.formulations.newton_euler import newton_euler
from armillary.robot.tree import Scalars, Tree

Nothing = Callable[[Any], bool]
"""Whether a scalar is 0 by structure."""


def _every_tree(tree: Tree, nothing: Nothing) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Formulation:
    """A principle: its title, the function, and `refuses`, which says why it is not for a tree."""

    name: str
    title: str
    function: Callable[[Tree, Scalars, Scalars, Scalars], Formulated]
    refuses: Callable[[Tree, Nothing], str] = _every_tree


FORMULATIONS: dict[str, Formulation] = {
    f.name: f
    for f in (
        Formulation("newton-euler", "Newton and Euler's equations of each link", newton_euler),
        Formulation("general-theorems", "momentum and moment of momentum beyond a cut", general_theorems),
        Formulation("block-matrices", "the equations of all links in block matrices", block_matrices),
        Formulation("kane", "virtual power along partial velocities", kane),
        Formulation("lagrange", "derivatives of kinetic and potential energy", lagrange),
        Formulation("gibbs-appell", "derivatives of the energy of acceleration", gibbs_appell),
        Formulation("gauss", "least compulsion, in 4 x 4 matrices", gauss),
        Formulation("denoc", "decoupled natural orthogonal complement", denoc),
        Formulation("euler-angles", "absolute Euler angles of links on balls", euler_angles, no_balls),
    )
}
"""Every formulation by its name."""

DIRECT: dict[str, Callable[..., list[Any]]] = {"gauss": least_constraint, "denoc": denoc_direct}
"""(tree, q, q', Γ) -> q''; that of Gauss takes robots with closed loops too, with the places of independent rows."""
