"""Random mechanisms in a plane and about a point, drawn at a known state and cut open wherever one likes.

Joints are drawn as frames in the world, turns (R) and slides (P) between two bodies each; body 0 is the base. From which joints are
cut follow the tree, the frames of its bodies, and placements; angles that should be right are made exact by `place`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from armillary.robot import CUTS, JOINTS, Body, Cut, Description, Frame
from armillary.robot.place import place

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Hinge:
    """A joint between two bodies: "R" or "P", and its frame in the world, moving about or along z."""

    kind: str
    a: int
    b: int
    T: Floats


@dataclass(frozen=True)
class Mechanism:
    """Joints, and which of them are driven."""

    hinges: tuple[Hinge, ...]
    active: tuple[int, ...]
    sphere: bool = False

    def openings(self) -> list[tuple[int, ...]]:
        """Every way to cut passive joints that leaves a tree."""
        bodies = 1 + max(max(h.a, h.b) for h in self.hinges)
        count = len(self.hinges) - (bodies - 1)
        passive = [k for k in range(len(self.hinges)) if k not in self.active]
        chosen = [(k,) for k in passive] if count == 1 else [(j, k) for j in passive for k in passive if j < k]
        return [cut for cut in chosen if len(self._tree(cut)) == bodies - 1]

    def _tree(self, cut: Iterable[int]) -> list[tuple[int, int, int]]:
        """(joint, parent, child), parents first."""
        found: list[tuple[int, int, int]] = []
        reached = {0}
        while True:
            for k, h in enumerate(self.hinges):
                if k not in cut and (h.a in reached) != (h.b in reached):
                    parent, child = (h.a, h.b) if h.a in reached else (h.b, h.a)
                    found.append((k, parent, child))
                    reached.add(child)
                    break
            else:
                return found


@dataclass(frozen=True)
class Opened:
    """A mechanism as a description: its state q, and the frame of each body in the world there."""

    robot: Description
    q: Floats
    frames: dict[str, Floats]


def opened(mechanism: Mechanism, cut: tuple[int, ...], rng: Generator) -> Opened:
    """The mechanism with these joints cut; frames turned over, turned and shifted at random along and about their axes."""
    frames: dict[str, Floats] = {"base": np.eye(4)}
    bodies: list[Body] = []
    q: list[float] = []
    for k, parent, child in mechanism._tree(cut):
        h = mechanism.hinges[k]
        host = "base" if parent == 0 else f"b{parent}"
        T, at = _own(h, rng, mechanism.sphere), float(rng.uniform(-1, 1))
        joint = JOINTS["revolute" if h.kind == "R" else "prismatic"]
        bodies.append(
            Body(
                f"b{child}",
                host,
                joint,
                place(np.linalg.inv(frames[host]) @ T, scale=1.0),
                joint_name=f"j{k}",
                coordinates=(f"q{k}",),
                velocities=(f"q{k}",),
                actuated=k in mechanism.active,
            )
        )
        frames[f"b{child}"] = T @ _moved(h.kind, at)
        q.append(at)
    cuts: list[Cut] = []
    for k in cut:
        h = mechanism.hinges[k]
        ends = ["base" if body == 0 else f"b{body}" for body in (h.a, h.b)]
        a, b = ends if rng.random() < 0.5 else ends[::-1]
        T = _own(h, rng, mechanism.sphere)
        there = T @ _moved(h.kind, float(rng.uniform(-1, 1)))
        sides = [
            Frame("a", a, place(np.linalg.inv(frames[a]) @ T, scale=1.0)),
            Frame("b", b, place(np.linalg.inv(frames[b]) @ there, scale=1.0)),
        ]
        cuts.append(Cut(f"cut{k}", CUTS["revolute" if h.kind == "R" else "prismatic"], *sides))
    return Opened(Description("linkage", tuple(bodies), cuts=tuple(cuts)), np.array(q), frames)


def turned(axis: int, angle: float) -> Floats:
    """The turn about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T = np.eye(4)
    c, s = (
        (np.round(np.cos(angle), 15), np.round(np.sin(angle), 15))
        if abs(angle) == np.pi / 2
        else (np.cos(angle), np.sin(angle))
    )
    T[i, i] = T[j, j] = c
    T[i, j], T[j, i] = -s, s
    return T


def shifted(x: float, y: float, z: float) -> Floats:
    """A shift."""
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def _moved(kind: str, q: float) -> Floats:
    return turned(2, q) if kind == "R" else shifted(0, 0, q)


def _own(h: Hinge, rng: Generator, sphere: bool) -> Floats:
    """The frame of a joint, its z along the axis either way; on a sphere it stays at the point."""
    over = turned(0, np.pi / 2) @ turned(0, np.pi / 2) if rng.random() < 0.5 else np.eye(4)
    if h.kind == "P":
        roll = np.eye(4)
        for _ in range(rng.integers(4)):
            roll = roll @ turned(2, np.pi / 2)
        return h.T @ over @ roll @ shifted(0, 0, float(rng.uniform(-0.5, 0.5)))
    lift = 0.0 if sphere else float(rng.uniform(-0.5, 0.5))
    return h.T @ over @ turned(2, float(rng.uniform(-3, 3))) @ shifted(0, 0, lift)


# ---- drawing them ----


def plane_hinge(kind: str, a: int, b: int, rng: Generator) -> Hinge:
    """A joint somewhere in the plane z = 0."""
    at = shifted(*rng.uniform(-1, 1, 2), 0) @ turned(2, float(rng.uniform(-3, 3)))
    return Hinge(kind, a, b, at if kind == "R" else at @ turned(0, np.pi / 2))


def loop_of_plane(kinds: str, active: tuple[int, ...], rng: Generator) -> Mechanism:
    """A ring of bodies with these joints: "RRRP" between 0 and 1, 1 and 2, 2 and 3, 3 and 0."""
    n = len(kinds)
    return Mechanism(tuple(plane_hinge(kind, k, (k + 1) % n, rng) for k, kind in enumerate(kinds)), active)


def cascade(kinds: str, dyad: str, rng: Generator) -> Mechanism:
    """A ring of four with its first joint driven, and two bodies more that three joints hang on two of its bodies."""
    ring = loop_of_plane(kinds, (0,), rng)
    a, b = rng.permutation(4)[:2]
    pairs = ((int(a), 4), (4, 5), (5, int(b)))
    more = tuple(plane_hinge(kind, *ends, rng) for kind, ends in zip(dyad, pairs, strict=True))
    return Mechanism(ring.hinges + more, ring.active)


def ring_of_sphere(active: int, rng: Generator) -> Mechanism:
    """Four turns whose axes meet at the base's origin."""
    hinges: list[Hinge] = []
    for k in range(4):
        tilt = turned(2, float(rng.uniform(-3, 3))) @ turned(0, float(rng.uniform(0.2, 1.4)))
        hinges.append(Hinge("R", k, (k + 1) % 4, tilt))
    return Mechanism(tuple(hinges), (active,), True)
