"""Random trees of links on balls: joints of three velocities, and three hinges that meet in a point with nothing between them."""

from dataclasses import replace

from numpy.random import Generator

from armillary.robot import JOINTS, Base, Body, Description, Inertial, Placement
from reference.random_trees import random_inertial, random_placement


def ball_tree(rng: Generator, n: int) -> Description:
    """n links; each hangs on the one before it with probability 1/2, else on any earlier one or the base."""
    bodies: list[Body] = []
    ends = ["base"]
    for k in range(n):
        parent = ends[-1] if rng.random() < 1 / 2 else ends[rng.integers(len(ends))]
        hinges = _hinges(rng, k, parent) if rng.random() < 2 / 3 else [_ball(rng, k, parent)]
        hinges[-1] = replace(hinges[-1], inertia=random_inertial(rng), wrench=tuple(rng.normal(size=6).tolist()))
        bodies += hinges
        ends.append(hinges[-1].name)
    gravity = tuple(float(x) for x in 5 * rng.normal(size=3))
    return Description("links on balls", tuple(bodies), base=Base(gravity=gravity))  # type: ignore[arg-type]


def _ball(rng: Generator, k: int, parent: str) -> Body:
    names = {"coordinates": tuple(f"q{k}{x}" for x in "wxyz"), "velocities": tuple(f"q{k}{x}" for x in "xyz")}
    return Body(f"ball{k}", parent, JOINTS["spherical"], random_placement(rng), joint_name=f"joint{k}", **names)


def _hinges(rng: Generator, k: int, parent: str) -> list[Body]:
    """Rot(z) at b on the axis before, rotors and friction in each hinge, the last frame r beyond the point."""
    about = [rng.choice(["pi/2", "-pi/2", float(rng.uniform(0.5, 2.5))]) for _ in range(2)]
    second = Placement.of(
        gamma=float(rng.uniform(-3, 3)), b=float(rng.uniform(-1, 1)), alpha=_value(about[0]), theta=0.3
    )
    third = Placement.of(alpha=_value(about[1]), theta=float(rng.uniform(-3, 3)), r=float(rng.uniform(-1, 1)))
    bodies: list[Body] = []
    for mark, placement in zip("abc", (random_placement(rng), second, third), strict=True):
        name = f"{mark}{k}"
        losses = {x: float(rng.uniform(0, 0.5)) for x in ("IA", "FV", "FS", "stiffness", "reference")}
        before = bodies[-1].name if bodies else parent
        bodies.append(
            Body(
                name,
                before,
                placement=placement,
                inertia=Inertial(),
                joint_name=f"joint {name}",
                coordinates=(name,),
                velocities=(name,),
                **losses,
            )
        )
    return bodies


def _value(x: object) -> object:
    """A drawn angle, which NumPy has made a text of."""
    return str(x) if "pi" in str(x) else float(str(x))
