"""planar_2R_inertia_matrix.py

Robot     planar 2R
Model     inertia matrix
Equation  A(q) with energy ½ q'ᵀ A q'
Cost      3 mul + 3 add + 1 trig; on parameters alone 2 mul + 1 add
By        Armillary 0.1.0
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Real = float | Array


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """What belongs to the robot: numbers, or arrays for a batch of robots."""

    ZZ1: Real
    L1: Real  # length of the first link (m)
    ZZ2: Real
    MX2: Real
    M2: Real


def setup(p: Parameters) -> tuple[Array, ...]:
    """Do the work on the parameters, once for every set of them."""
    ZZ1, L1, ZZ2, MX2, M2 = (np.asarray(x, dtype=float) for x in vars(p).values())
    return (MX2, L1, ZZ2, ZZ1 + L1*L1*M2)


def planar_2R_inertia_matrix(q: ArrayLike, constants: tuple[Array, ...]) -> Array:
    """Inertia matrix of planar 2R.

    Arrays hold one state, or a batch of them along axes in front.

    q          (..., 2)  joint positions (rad): q1, q2
    constants  the result of setup(Parameters(...))
    Returns
    A          (..., 2, 2)  inertia matrix (kg·m²): rows joint1, joint2; columns joint1, joint2
    """
    q = np.asarray(q, dtype=float)
    batch = np.broadcast_shapes(q.shape[:-1], *map(np.shape, constants))
    _, q2 = np.moveaxis(q, -1, 0)
    MX2, L1, ZZ2, c1 = constants

    C2 = np.cos(q2)
    t1 = C2*MX2*L1

    A = np.empty((*batch, 2, 2))
    A[..., 0, 0] = ZZ2 + 2*t1 + c1
    A[..., 0, 1] = t1 + ZZ2
    A[..., 1, 0] = A[..., 0, 1]
    A[..., 1, 1] = ZZ2
    return A
