"""planar_2R_inverse_dynamics.py

Robot     planar 2R
Model     inverse dynamics
Equation  Γ = A(q) q'' + H(q, q')
Source    Newton-Euler: Khalil (2010), eqs. 14-24
Options   base parameters = no
Cost      27 mul + 18 add + 4 trig + 1 other; on parameters alone 2 mul + 1 add
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

    ZZ1: Real  # (kg·m²)
    MX1: Real  # (kg·m)
    FV1: Real  # viscous friction
    FS1: Real  # dry friction
    L1: Real = 0.5  # length of the first link (m)
    ZZ2: Real  # (kg·m²)
    MX2: Real  # (kg·m)
    MY2: Real  # (kg·m)
    M2: Real  # (kg)
    g: Real = 9.81  # gravity (m/s²)


def setup(p: Parameters) -> tuple[Array, ...]:
    """Do the work on the parameters, once for every set of them."""
    (
        ZZ1, MX1, FV1, FS1, L1, ZZ2, MX2, MY2, M2, g,
    ) = (np.asarray(x, dtype=float) for x in vars(p).values())
    return (g, L1, ZZ1 + L1*M2*L1, MX1, M2, MX2, MY2, ZZ2, FV1, FS1)


def planar_2R_inverse_dynamics(
    q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, constants: tuple[Array, ...],
) -> Array:
    """Inverse dynamics of planar 2R.

    Arrays hold one state, or a batch of them along axes in front.

    q          (..., 2)  joint positions (rad): q1, q2
    qd         (..., 2)  joint velocities (rad/s): QP1, QP2
    qdd        (..., 2)  joint accelerations (rad/s²): QDP1, QDP2
    constants  the result of setup(Parameters(...))
    Returns
    tau        (..., 2)  joint torques (N·m): joint1, joint2
    """
    q = np.asarray(q, dtype=float)
    qd = np.asarray(qd, dtype=float)
    qdd = np.asarray(qdd, dtype=float)
    batch = np.broadcast_shapes(
        q.shape[:-1], qd.shape[:-1], qdd.shape[:-1], *map(np.shape, constants),
    )
    q1, q2 = np.moveaxis(q, -1, 0)
    QP1, QP2 = np.moveaxis(qd, -1, 0)
    QDP1, QDP2 = np.moveaxis(qdd, -1, 0)
    g, L1, c1, MX1, M2, MX2, MY2, ZZ2, FV1, FS1 = constants

    S1 = np.sin(q1)
    C1 = np.cos(q1)
    VP11 = S1*g
    VP21 = C1*g
    S2 = np.sin(q2)
    C2 = np.cos(q2)
    W32 = QP1 + QP2
    WP32 = QDP1 + QDP2
    t1 = VP11 - QP1*QP1*L1
    t2 = VP21 + QDP1*L1
    VP12 = C2*t1 + S2*t2
    VP22 = C2*t2 - S2*t1
    t3 = W32*W32
    N31 = QDP1*c1 + VP21*MX1
    F12 = VP12*M2 - (t3*MX2 + WP32*MY2)
    F22 = WP32*MX2 - t3*MY2 + VP22*M2
    N32 = VP22*MX2 - VP12*MY2 + WP32*ZZ2
    NE31 = N32 + L1*(S2*F12 + C2*F22) + N31

    tau = np.empty((*batch, 2))
    tau[..., 0] = QP1*FV1 + np.sign(QP1)*FS1 + NE31
    tau[..., 1] = 1.5*N32
    return tau
