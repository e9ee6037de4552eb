"""Random MJCF texts: trees of bodies with several joints each, inertias given or of geoms, classes of defaults, loops."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TURNS = (0.0, 90.0, -90.0, 180.0)


def numbers(values: Sequence[float] | Floats) -> str:
    """As an attribute says them, to the last bit."""
    return " ".join(repr(float(x)) for x in values)


@dataclass
class Writer:
    """One text on its way; a `plain` one keeps to what less careful readers of MJCF read as MuJoCo does."""

    rng: Generator
    plain: bool = False
    floats: bool = False
    degrees: bool = True
    euler: str = "xyz"
    bodies: list[str] = field(default_factory=list[str])
    joints: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    sites: list[str] = field(default_factory=list[str])

    def angle(self, degrees: float) -> float:
        return degrees if self.degrees else math.radians(degrees)

    def orientation(self) -> str:
        """Nothing, right angles, or any rotation, written in one of five ways."""
        rng = self.rng
        if rng.random() < 0.3:
            return ""
        some = [float(rng.choice(TURNS)) if rng.random() < 0.5 else float(rng.uniform(-170, 170)) for _ in range(3)]
        match rng.integers(5):
            case 0:
                return f'quat="{numbers(self.direction(4))}"'
            case 1:
                return f'axisangle="{numbers(self.direction(3))} {self.angle(some[0])!r}"'
            case 2:
                x, y = rng.normal(size=(2, 3))
                if self.plain:
                    x /= np.linalg.norm(x)
                    y = np.cross(x, y) / np.linalg.norm(np.cross(x, y))
                return f'xyaxes="{numbers(np.r_[x, y])}"'
            case 3:
                return f'zaxis="{numbers(self.direction(3))}"'
            case _:
                return f'euler="{numbers([self.angle(x) for x in some])}"'

    def direction(self, n: int) -> Floats:
        """Any, of length 1 where the text is plain."""
        x = self.rng.normal(size=n)
        return x / np.linalg.norm(x) if self.plain else x

    def pos(self, size: float = 0.5) -> str:
        rng = self.rng
        return "" if rng.random() < 0.2 else f'pos="{numbers(size * rng.normal(size=3) * rng.integers(0, 2, 3))}"'

    def geom(self) -> str:
        """A solid with a density, a mass, or neither."""
        rng = self.rng
        kind = ("sphere", "capsule", "ellipsoid", "cylinder", "box")[rng.integers(5)]
        a, b, c = (float(x) for x in rng.uniform(0.05, 0.3, 3))
        mass = ("", f'mass="{float(rng.uniform(0.1, 3))!r}"', f'density="{float(rng.uniform(100, 900))!r}"')[
            rng.integers(3)
        ]
        if kind in ("capsule", "cylinder") and rng.random() < 0.5:
            return f'<geom type="{kind}" size="{a!r}" fromto="{numbers(rng.normal(size=6))}" {mass}/>'
        if kind in ("box", "ellipsoid") and rng.random() < 0.3 and not self.plain:
            return f'<geom type="{kind}" size="{a!r}" fromto="{numbers(rng.normal(size=6))}" {mass}/>'
        return f'<geom type="{kind}" size="{numbers((a, b, c))}" {self.pos()} {self.orientation()} {mass}/>'

    def inertial(self) -> str:
        rng = self.rng
        A = rng.normal(scale=0.3, size=(3, 3))
        J = A @ A.T + 0.01 * np.eye(3)
        J = np.trace(J) * np.eye(3) - J
        mass = f'mass="{float(rng.uniform(0.1, 5))!r}" pos="{numbers(0.3 * rng.normal(size=3))}"'
        if rng.random() < 0.4:
            full = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
            return f'<inertial {mass} fullinertia="{numbers(full)}"/>'
        return f'<inertial {mass} diaginertia="{numbers(np.linalg.eigvalsh(J))}" {self.orientation()}/>'

    def joint(self, kind: str, number: int) -> str:
        """A joint with all that acts on it."""
        rng, name = self.rng, f"joint_{number}_{len(self.joints)}"
        self.joints.append((name, kind))
        axis = np.zeros(3)
        axis[rng.integers(3)] = rng.choice((-1.0, 1.0, 2.5))
        if rng.random() < 0.4:
            axis = rng.normal(size=3)
        given = f'name="{name}" type="{kind}" {self.pos()}'
        if rng.random() < 0.5:
            given += f' damping="{float(rng.uniform(0, 2))!r}"'
        if rng.random() < 0.3:
            given += f' frictionloss="{float(rng.uniform(0, 2))!r}"'
        if kind == "ball":
            return f"<joint {given}/>"
        given += f' axis="{numbers(axis)}"'
        if rng.random() < 0.4:
            given += f' armature="{float(rng.uniform(0, 0.5))!r}"'
        if rng.random() < 0.3:
            given += f' range="{numbers((-self.angle(30), self.angle(40)))}"'
        if rng.random() < 0.3 and not self.plain:
            given += (
                f' stiffness="{float(rng.uniform(0, 9))!r}" springref="{self.angle(float(rng.uniform(-40, 40)))!r}"'
            )
        if rng.random() < 0.3 and not self.plain:
            given += f' ref="{self.angle(float(rng.uniform(-60, 60)))!r}"'
        return f'<joint class="{("main", "stiff")[rng.integers(2)]}" {given}/>'

    def body(self, number: int, inner: str, top: bool) -> str:
        """One body around others."""
        rng, name = self.rng, f"body_{number}"
        self.bodies.append(name)
        parts: list[str] = []
        if top and self.floats:
            self.joints.append((f"free_{number}", "free"))
            parts.append(f'<freejoint name="free_{number}"/>')
        else:
            some = rng.choice(4, p=(0.15, 0.55, 0.2, 0.1))
            kinds = [("hinge", "slide")[rng.integers(2)] for _ in range(max(some, 1) if self.plain and top else some)]
            if rng.random() < 0.15 and not (self.plain and kinds):
                kinds = [kind for kind in kinds if kind == "slide"][: 0 if self.plain else 1] + ["ball"]
            parts += [self.joint(kind, number) for kind in kinds]
        parts += [self.inertial()] if rng.random() < 0.5 else [self.geom() for _ in range(rng.integers(1, 3))]
        for _ in range(rng.integers(0, 2) if any("joint" in part for part in parts) or not self.plain else 0):
            self.sites.append(f"site_{len(self.sites)}")
            parts.append(f'<site name="{self.sites[-1]}" {self.pos()} {self.orientation()}/>')
        if rng.random() < 0.3 and not self.plain:
            parts = [f"<frame {self.pos()} {self.orientation()}>{''.join(parts)}</frame>"]
        place = "" if self.plain and self.floats and top else f"{self.pos()} {self.orientation()}"
        return f'<body name="{name}" {place}>{"".join(parts)}\n{inner}</body>'


def random_mjcf(
    rng: Generator, n: int, *, plain: bool = False, floats: bool = False, tied: bool = False
) -> tuple[str, Writer]:
    """n bodies in one tree, and what they are called; `tied` adds constraints of bodies and joints."""
    w = Writer(rng, plain, floats, degrees=plain or rng.random() < 0.5)
    if not plain:
        w.euler = "".join(rng.choice(list("xyzXYZ"), 3))
    parents = [-1] + [int(rng.integers(max(0, k - 2), k)) for k in range(1, n)]
    inner = [""] * n
    world = ""
    for k in reversed(range(n)):
        text = w.body(k, inner[k], parents[k] < 0)
        if parents[k] < 0:
            world = text + world
        else:
            inner[parents[k]] = text + inner[parents[k]]
    compiler = f'<compiler angle="{"degree" if w.degrees else "radian"}" eulerseq="{w.euler}"/>'
    default = f'<default class="main"><joint armature="0"/><default class="stiff"><joint damping="{float(rng.uniform(0, 2))!r}"/></default></default>'
    gravity = f'<option gravity="{numbers(rng.normal(size=3))}"/>'
    return (
        f"<mujoco>\n{compiler}\n{gravity}\n{default}\n<worldbody>{world}</worldbody>\n{_ties(w) if tied else ''}</mujoco>\n",
        w,
    )


def _ties(w: Writer) -> str:
    """Two bodies held in a point, two as they are drawn, two in a given pose, two sites, and two joints that move together."""
    rng, lines = w.rng, []
    a, b = rng.choice(w.bodies, 2, replace=False) if len(w.bodies) > 1 else (w.bodies[0], "world")
    lines.append(f'<connect body1="{a}" body2="{b}" anchor="{numbers(rng.normal(size=3))}"/>')
    lines.append(f'<connect body1="{a}" anchor="{numbers(rng.normal(size=3))}"/>')
    lines.append(f'<weld body1="{a}" body2="{b}" anchor="{numbers(rng.normal(size=3))}"/>')
    lines.append(f'<weld body1="{b}" body2="{a}" relpose="{numbers(rng.normal(size=7))}"/>')
    if len(w.sites) > 1:
        one, two = rng.choice(w.sites, 2, replace=False)
        lines += [f'<connect site1="{one}" site2="{two}"/>', f'<weld site1="{one}" site2="{two}"/>']
    single = [name for name, kind in w.joints if kind in ("hinge", "slide")]
    if len(single) > 1:
        lines.append(
            f'<joint joint1="{single[0]}" joint2="{single[1]}" polycoef="{numbers(rng.normal(size=2))} 0 0 0"/>'
        )
    return f"<equality>{''.join(lines)}</equality>"
