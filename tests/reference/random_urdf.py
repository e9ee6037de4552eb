"""Random URDF texts: trees with axes of every awkward kind, fixed joints, inertias, limits and friction."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RIGHT_ANGLES = (0.0, math.pi / 2, -math.pi / 2, math.pi, 1.5708, -3.1416)
KINDS = ("revolute", "revolute", "continuous", "prismatic", "fixed")
TINY = (0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.04, 0.06)
"""By how much (rad) an axis may miss the one before."""


def random_urdf(rng: Generator, n: int, *, kinds: Sequence[str] = KINDS, root: str = "base_link") -> str:
    """n joints below `root`; links and joints stand in the file in a random order."""
    links, elements = [root], [link(rng, root)]
    for k in range(n):
        parent = links[-1] if rng.random() < 0.7 else links[rng.integers(len(links))]
        child = f"link_{k}"
        links.append(child)
        elements += [link(rng, child), joint(rng, f"joint_{k}", kinds[rng.integers(len(kinds))], parent, child)]
    rng.shuffle(elements)
    return "\n".join(['<?xml version="1.0"?>', '<robot name="random">', *elements, "</robot>", ""])


def link(rng: Generator, name: str) -> str:
    """One link; one in ten has no inertial."""
    if rng.random() < 0.1:
        return f'<link name="{name}"/>'
    A = rng.normal(scale=0.3, size=(3, 3))
    J = A @ A.T + 0.01 * np.eye(3)
    J = np.trace(J) * np.eye(3) - J
    inertia = " ".join(
        f'i{a}{b}="{float(J["xyz".index(a), "xyz".index(b)])!r}"' for a, b in ("xx", "xy", "xz", "yy", "yz", "zz")
    )
    return (
        f'<link name="{name}"><inertial>{origin(rng)}<mass value="{float(rng.uniform(0.1, 5))!r}"/>'
        f"<inertia {inertia}/></inertial></link>"
    )


def joint(rng: Generator, name: str, kind: str, parent: str, child: str) -> str:
    """One joint with limits and friction."""
    axis = "" if kind == "fixed" else f'<axis xyz="{numbers(random_axis(rng))}"/>'
    return (
        f'<joint name="{name}" type="{kind}">{origin(rng)}<parent link="{parent}"/><child link="{child}"/>{axis}'
        f'<limit lower="-2" upper="3" effort="100" velocity="2"/>'
        f'<dynamics damping="{float(rng.uniform(0, 1))!r}" friction="{float(rng.uniform(0, 1))!r}"/></joint>'
    )


def random_axis(rng: Generator) -> Floats:
    """Along or against a coordinate axis, missing it by a hair, or anywhere; of any length."""
    if rng.random() < 0.3:
        return rng.normal(size=3)
    axis = np.zeros(3)
    axis[rng.integers(3)] = rng.choice((-1.0, 1.0, 1.0, 2.5))
    return axis + TINY[rng.integers(len(TINY))] * rng.choice((-1.0, 0.0, 1.0), size=3)


def origin(rng: Generator) -> str:
    """Any pose; turns are often absent, right angles, or nearly so, shifts often along one axis or absent."""
    angles = [
        (
            0.0,
            float(rng.choice(RIGHT_ANGLES)),
            float(rng.choice(RIGHT_ANGLES) + rng.choice(TINY)),
            float(rng.uniform(-3, 3)),
        )[rng.choice(4, p=(0.4, 0.3, 0.15, 0.15))]
        for _ in range(3)
    ]
    shifts = [(0.0, float(rng.uniform(-1, 1)))[rng.integers(2)] for _ in range(3)]
    return f'<origin xyz="{numbers(shifts)}" rpy="{numbers(angles)}"/>'


def numbers(values: Sequence[float] | Floats) -> str:
    """As an attribute says them, to the last bit."""
    return " ".join(repr(float(x)) for x in values)
