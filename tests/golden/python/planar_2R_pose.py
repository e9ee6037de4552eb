"""planar_2R_pose.py

Robot     planar 2R
Model     pose of a frame
Cost      2 mul + 1 add + 4 trig
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

    L1: Real  # length of the first link (m)


def setup(p: Parameters) -> tuple[Array, ...]:
    """Do the work on the parameters, once for every set of them."""
    (L1,) = (np.asarray(x, dtype=float) for x in vars(p).values())
    return (L1,)


def planar_2R_pose(q: ArrayLike, constants: tuple[Array, ...]) -> Array:
    """Pose of a frame of planar 2R.

    Arrays hold one state, or a batch of them along axes in front.

    q          (..., 2)  joint positions (rad): shoulder_lift, elbow
    constants  the result of setup(Parameters(...))
    Returns
    T          (..., 4, 4)  pose of link 2 in the base
    """
    q = np.asarray(q, dtype=float)
    batch = np.broadcast_shapes(q.shape[:-1], *map(np.shape, constants))
    shoulder_lift, elbow = np.moveaxis(q, -1, 0)
    (L1,) = constants

    t1 = shoulder_lift + elbow
    S12 = np.sin(t1)
    C12 = np.cos(t1)
    S1 = np.sin(shoulder_lift)
    C1 = np.cos(shoulder_lift)

    T = np.zeros((*batch, 4, 4))
    T[..., 0, 0] = C12
    T[..., 0, 1] = -S12
    T[..., 0, 3] = C1*L1
    T[..., 1, 0] = S12
    T[..., 1, 1] = C12
    T[..., 1, 3] = S1*L1
    T[..., 2, 2] = 1
    T[..., 2, 3] = np.pi/2
    T[..., 3, 3] = 1
    return T
