"""Every entry of the catalogue on robots that have, between them, everything that generated code can meet.

Parameters to set up, numbers alone, branches, two roots, a slide, a screw, a ball with its quaternion, friction, external wrenches, names
that languages have taken, and no motion at all.
"""

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

import armillary as arm
from armillary.models import CATALOGUE
from armillary.robot import Formula
from armillary.robot.fluid import Fluid

Floats = NDArray[np.float64]


def ball_robot() -> arm.Robot:
    """A ball in a socket on a slide, with a hinge and a screw on it: q has seven numbers, q' six."""
    return arm.describe(
        "ball robot",
        arm.prismatic("slider", alpha="pi/3", M="ms", IA=0.2, FV=0.3, FS=0.1),
        arm.spherical("ball", gamma=0.4, d=0.2, mass=1.5, center=(0.1, -0.2, 0.3), inertia=(0.3, 0.01, 0.02, 0.4, 0.03, 0.5)),
        arm.revolute("hinge", alpha="pi/2", d="L", mass=0.7, center=(0.1, 0, 0.2), inertia=(0.1, 0, 0, 0.1, 0, 0.05), FV=0.1),
        arm.helical("screw", "ball", alpha=-0.7, r=0.1, pitch=0.05, mass=0.4, inertia=(0.02, 0, 0, 0.02, 0, 0.01), FS=0.2),
        gravity=(1.0, -2.0, -9.0),
        parameters={"ms": 0.8, "L": 0.3},
    )  # fmt: skip


def rubbing() -> arm.Robot:
    """Two roots, friction everywhere, springs, links that push on their environment, a fixed tool, a base that moves.

    Two joints have their motors behind gears that give, with a damper and without.
    """
    first, last = (
        {"inertia": "J", "ratio": 20, "stiffness": "k", "FS": 0.01},
        {"inertia": "J", "ratio": "N", "stiffness": 50, "damping": 2},
    )
    return arm.describe(
        "rubbing",
        arm.revolute("a", alpha="pi/2", r=0.1, mass=1, center=(0.2, 0, 0), inertia=(0.1, 0, 0, 0.2, 0, 0.3), FV=0.2, FS="mu", transmission=first),
        arm.revolute("b", d=0.4, mass=0.5, center=(0.1, 0.1, 0), inertia=(0.1, 0, 0, 0.2, 0, 0.3), FS="mu", wrench=(1, 2, 3, 0.1, 0.2, 0.3), stiffness="k", reference=0.2, actuated=False),
        arm.fixed("tool", gamma=0.3, b=0.1, mass=0.2, center=(0, 0, 0.1), wrench=(0, 0, -5, 0, 0, 0)),
        arm.prismatic("c", "base", theta=0.5, mass=2, IA=0.1, FV="mu", transmission=last),
        gravity=(0, 0, "-g"),
        velocity=(0, 0, 0, 0.3, -0.2, 0.1),
        acceleration=(0.5, 0, 0, 0, 0.2, 0),
        parameters={"mu": 0.15, "g": 9.81, "k": 3.0, "J": 0.002, "N": 15.0},
    )  # fmt: skip


def crane() -> arm.Robot:
    """A five-bar in space that a slide carries, with friction in the joint that closes it, a slider-crank beside it, a drum that a gear drives."""
    bar = {"mass": 6, "center": (0.5, 0, 0), "inertia": (0, 0, 0, 0.5, 0, 0.5)}
    return arm.describe(
        "crane",
        arm.prismatic("lift", alpha="pi/3", M="ms", IA=0.2),
        arm.revolute("a1", alpha="pi/2", FV=0.1, **bar),
        arm.revolute("a2", d="L", actuated=False, FS="mu", **bar),
        arm.revolute("b1", "lift", alpha="pi/2", d=0.7, **bar),
        arm.revolute("b2", d="L", actuated=False, **bar),
        arm.revolute("crank", d="L", mass=0.7, center=(0.1, 0, 0.2), inertia=(0.1, 0, 0, 0.1, 0, 0.05)),
        arm.revolute("rod", d=0.2, mass=0.4, inertia=(0.02, 0, 0, 0.02, 0, 0.01), actuated=False),
        arm.revolute("piston", d=0.6, mass=0.2, actuated=False),
        arm.revolute(
            "drum", "lift", gamma=0.3, d=0.1, mass=1.2, center=(0.05, 0, 0), inertia=(0.02, 0, 0, 0.02, 0, 0.03)
        ),
        arm.couple("drum", "crank", "ratio", 0.1),
        arm.cut("tip", a=arm.side("a2", d="L"), b=arm.side("b2", d="L"), IA=0.1, FV="mu", FS=0.2),
        arm.cut(
            "slot", type="prismatic", a=arm.side("b2", alpha="pi/2", d=0.6), b=arm.side("piston", alpha="pi/2"), FV=0.3
        ),
        gravity=(1.0, -2.0, -9.0),
        parameters={"ms": 0.8, "L": 1.1, "mu": 0.15, "ratio": 2.5},
    )


def wiper() -> arm.Robot:
    """An arm on a wavy wall, its last point on a line of a plate that a motor drives."""
    rod = {"mass": 1.0, "center": (0.25, 0, 0.1), "inertia": (0.01, 0, 0, 0.02, 0, 0.02)}
    return arm.describe(
        "wiper",
        arm.prismatic("plate", alpha="pi/2", mass=3),
        *(
            arm.revolute(name, "base" if k == 0 else None, alpha=0.5 * k, d=0.4, **rod)
            for k, name in enumerate("abcde")
        ),
        arm.contact("wall", arm.side("c", d=0.5), "y - h*sin(k*x) - 0.3*z"),
        arm.contact("wire", arm.side("e", d=0.5), ["x**2 + y**2 - R**2", "z - h"], on="plate"),
        gravity=(0, -9.81, 0),
        parameters={"h": 0.1, "k": 2.0, "R": 1.5},
    )


def rover() -> arm.Robot:
    """Two driven wheels on one axle, a castor and a wheel with rollers, an arm that it carries, friction at the axles."""
    disc = {"mass": 1.2, "inertia": (0.01, 0, 0, 0.01, 0, 0.02), "FV": "mu"}
    return arm.describe(
        "rover",
        arm.planar("cart", alpha=0.2, mass="mc", center=(0.1, 0, 0.3), inertia=(1, 0, 0, 1, 0, 2)),
        arm.revolute("left", b="rw", alpha="-pi/2", r=0.4, **disc),
        arm.revolute("right", "cart", b="rw", alpha="-pi/2", r=-0.4, **disc),
        arm.revolute("fork", "cart", d=-0.5, mass=0.3, actuated=False),
        arm.revolute("castor", b=0.05, alpha="-pi/2", d=-0.06, FS=0.1, mass=0.2, actuated=False),
        arm.revolute("omni", "cart", gamma=0.3, b=0.1, alpha="-pi/2", d=0.5, mass=0.2, actuated=False),
        arm.revolute("mast", "cart", r=0.4, alpha="pi/3", **disc),
        arm.wheel("left wheel", body="left", radius="rw"),
        arm.wheel("right wheel", body="right", radius="rw"),
        arm.wheel("castor wheel", body="castor", radius=0.05),
        arm.wheel("omni wheel", body="omni", radius=0.1, roller="ga"),
        gravity=(1.0, -2.0, -9.0),
        parameters={"mc": 12, "rw": 0.15, "mu": 0.15, "ga": 0.6},
    )


def odd() -> arm.Robot:
    """Names that languages cannot have or have taken."""
    return arm.describe(
        "Ünï 2R! (x)",
        arm.revolute("link one", inertials="symbolic", friction="symbolic", joint="joint-é"),
        arm.revolute(
            "2nd", d="double", mass="main", center=("k", "p", "A"), inertia=("tau", "C", "q", "QP1", "qd", "I")
        ),
        arm.frame("a b", d="void"),
        gravity=(0, "G", "lambda"),
    )


def motionless() -> arm.Robot:
    """No joint moves: states without numbers, matrices without elements."""
    return arm.describe("motionless", arm.fixed("plate", d=0.3, mass=1, center=(0.1, 0, 0)))


def in_water(robot: arm.Robot) -> arm.Robot:
    """The last link in a fluid."""
    fluid = Fluid((0.1, 0, 0), (0.2, 0.1, 1), (0, 0.1, 0.3), (0.1, Formula("ma"), 0.5), (0.1, 0, 0.2))
    last = replace(robot.bodies[-1], fluid=fluid)
    return arm.Robot.of(replace(robot, bodies=(*robot.bodies[:-1], last)))


def robots() -> dict[str, arm.Robot]:
    """By name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arm.RobotWarning)
        library = {name: arm.load(name) for name in ("rx90", "panda", "torso", "scara", "cartpole", "rrr3")}
    library["torso"] = in_water(library["torso"])
    more = {"crane": crane(), "wiper": wiper(), "rover": rover(), "odd": odd(), "motionless": motionless()}
    return library | {"ball": ball_robot(), "rubbing": rubbing()} | more


@cache
def model(robot: str, entry: str) -> arm.Model:
    """That entry of that robot, options chosen so that it is there."""
    r = robots()[robot]
    takes = {o.name for o in CATALOGUE[entry].options}
    options: dict[str, object] = {"frame": r.bodies[-1].name} if "frame" in takes else {}
    if "known" in takes:
        options["known"] = tuple(n for b in r.bodies if b.actuated for n in b.velocities)[:4:2]
    return r.derive(entry, **options)


def pairs(*names: str) -> list[tuple[str, str]]:
    """(robot, entry) of all entries on these robots, on all if none is named; what does not move lacks some."""
    known = robots()
    every = [(robot, entry) for robot in names or known for entry in CATALOGUE if fits(known[robot], entry)]
    every = [(robot, entry) for robot, entry in every if entry not in LACKS.get(robot, ())]
    return [(robot, entry) for robot, entry in every if robot != CARRIED or CATALOGUE[entry].lacks(known["crane"])]


CARRIED = "rrr3"
"""The robot with a platform: for the entries that need one; others meet nothing new on it."""


LACKS = {
    "motionless": ("jacobian-determinant", "center-of-mass", "momentum", "momentum-rate", "momentum-matrix"),
    "wiper": (
        "closed-underactuated-inverse-dynamics",
        *("subsystem-inverse-dynamics", "free-body-dynamics", "loop-solution"),
    ),
}
"""The entries that a robot does not have: there is no motion; more motors than mobility, and no triangles."""


def fits(robot: arm.Robot, entry: str) -> bool:
    """Whether the entry is for robots with loops, or without, as this one is, and for what else it has."""
    return CATALOGUE[entry].loops != ("none" if robot.ties else "only") and not CATALOGUE[entry].lacks(robot)


def inputs(robot: str, entry: str, batch: int | None = None, seed: int = 0) -> dict[str, Floats]:
    """States at random, quaternions of unit length; parameters at their defaults, or at random where they have none."""
    m, description = model(robot, entry), robots()[robot]
    rng = np.random.default_rng([seed, len(entry)])
    given: dict[str, Floats] = {}
    for x in m.inputs:
        if x.role == "parameter":
            given[x.name] = rng.uniform(0.5, 1.5, x.shape) if x.default is None else np.reshape(x.default, x.shape)
        else:
            # a platform stays within the reach of its legs
            most = 0.1 if x.name == "x" else 1.5
            given[x.name] = rng.uniform(-most, most, (*(() if batch is None else (batch,)), *x.shape))
    if "q" in given:
        k = 0
        for body in description.bodies:
            if body.joint.nq == 4:
                part = given["q"][..., k : k + 4]
                part /= np.linalg.norm(part, axis=-1, keepdims=True)
            k += body.joint.nq
    return given


def agree(found: dict[str, Floats], expected: dict[str, Floats], tolerance: float) -> None:
    """Every output, norm-wise; what is no number here is none there."""
    assert list(found) == list(expected)
    for name, value in expected.items():
        got = np.asarray(found[name], dtype=float)
        assert got.shape == np.shape(value), name
        none = np.isnan(value)
        assert np.array_equal(np.isnan(got), none), name
        got, value = np.where(none, 0, got), np.where(none, 0, value)
        assert np.linalg.norm(got - value) <= tolerance * max(1.0, float(np.linalg.norm(value))), name
