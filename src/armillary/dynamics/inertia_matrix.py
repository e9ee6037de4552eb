"""The joint-space inertia matrix by composite bodies.

Khalil (2010), section 4.3: with ⁱI_i⁺ = I_i + Σ ⁱI_j⁺ over the successors j, the force that a unit acceleration along twist k of
joint j takes is (f, n) = I_j⁺ twist_k; carried down to each antecedent i it gives A_ij = twist_iᵀ (f, n).
"""

from typing import Any

from armillary.dynamics.equivalent import equivalent
from armillary.dynamics.fluid import added_inertia, immersed
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.articulated import ArticulatedInertia
from armillary.spatial.inertia import Inertia
from armillary.spatial.scalar import named
from armillary.spatial.transform import Transform


def composite_inertias(tree: Tree, transforms: list[Transform]) -> list[Inertia]:
    """Each link's inertia with those of all it carries, in its frame."""
    composite = [body.inertia for body in tree.bodies]
    for k in reversed(range(len(tree))):
        composite[k] = composite[k].named("C", k + 1)
        i = tree.bodies[k].parent
        if i >= 0:
            composite[i] = composite[i] + composite[k].seen_from(transforms[k])
    return composite


def composites_in_fluid(tree: Tree, transforms: list[Transform]) -> list[ArticulatedInertia]:
    """The same with the inertia of the fluid around each link, which makes it one that no rigid body has."""
    composite = [ArticulatedInertia.rigid(body.inertia) + added_inertia(body.fluids) for body in tree.bodies]
    for k in reversed(range(len(tree))):
        composite[k] = composite[k].named(k + 1)
        i = tree.bodies[k].parent
        if i >= 0:
            composite[i] = composite[i] + composite[k].seen_from(transforms[k])
    return composite


def inertia_matrix(tree: Tree, q: Scalars) -> list[list[Any]]:
    """A(q), nv x nv, symmetric: ½ q'ᵀ A q' is the kinetic energy, that of the fluid in it; zero by structure between separate branches."""
    tree = equivalent(tree)
    transforms = [body.transform(q) for body in tree.bodies]
    composite = composites_in_fluid(tree, transforms) if immersed(tree) else composite_inertias(tree, transforms)
    A: list[list[Any]] = [[0] * tree.nv for _ in range(tree.nv)]
    for k, body in enumerate(tree.bodies):
        for column, (v, w) in zip(range(tree.nv)[body.v], body.motion, strict=True):
            f, n = composite[k].times(v, w)
            for row, value in zip(range(tree.nv)[body.v], body.along(f, n), strict=True):
                A[row][column] = A[column][row] = value
            A[column][column] = A[column][column] + body.IA
            inner, i = k, body.parent
            while i >= 0:
                f, n = transforms[inner].force(f, n)
                for row, value in zip(range(tree.nv)[tree.bodies[i].v], tree.bodies[i].along(f, n), strict=True):
                    A[row][column] = A[column][row] = value
                inner, i = i, tree.bodies[i].parent
    for i in range(tree.nv):
        for j in range(i + 1):
            A[i][j] = A[j][i] = named(A[i][j], f"A{i + 1}{j + 1}")
    return A
