"""Every model that Pinocchio has too, and how far one of ours is from it at a state, whoever computed ours.

    shared = Shared(seed)
    state = shared.state()
    for name, row in state.rows().items():                      # what to derive: row.model, shared.options(row)
        assert row.error(state, found) <= DOUBLE[row.kind]      # found: the outputs by name

Pinocchio shares no formula with the algorithms here: it works with spatial vectors at joint frames, and knows neither rotor inertia
nor friction the way the description does; those are added by hand (`losses`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pinocchio as pin
from numpy.random import Generator
from numpy.typing import NDArray

from armillary.robot import Description, Frame
from reference.pinocchio import losses, peer, rotor_inertias
from reference.random_trees import random_placement, random_state, random_tree, tilted

Floats = NDArray[np.float64]
Found = Mapping[str, Floats]
ALIGNED, LOCAL = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED, pin.ReferenceFrame.LOCAL

NORM, RESIDUAL = "norm", "residual"
DOUBLE = {NORM: 1e-9, RESIDUAL: 1e-11}
"""The errors that are allowed: of a result relative to its norm, of a solution relative to the sizes of the terms that cancel."""
SINGLE = {NORM: 1e-5, RESIDUAL: 1e-5}


def tree_of(seed: int) -> tuple[Description, Generator]:
    """1 to 30 bodies, few more often than many; every third carries wrenches, every second further frames, every fifth is tilted."""
    rng = np.random.default_rng(seed)
    n = 1 + int(30 * rng.random() ** 4)
    robot = random_tree(rng, n, losses=seed % 4 != 0)
    if seed % 5 == 0:
        robot = replace(robot, bodies=tuple(tilted(b, rng) for b in robot.bodies))
    if seed % 3 == 0:
        bodies = [replace(b, wrench=tuple(rng.normal(size=6).tolist())) for b in robot.bodies]
        robot = replace(robot, bodies=tuple(bodies))
    if seed % 2 == 0:
        on = robot.bodies[rng.integers(n)].name
        robot = replace(robot, frames=(Frame("tool", on, random_placement(rng)),))
    base = replace(robot.base, placement=random_placement(rng))
    return replace(robot, base=base), rng


class Shared:
    """One random tree, the body whose frame is asked for, and the joint velocities of known acceleration."""

    def __init__(self, seed: int) -> None:
        self.robot, self.rng = tree_of(seed)
        self.body = self.robot.bodies[self.rng.integers(len(self.robot.bodies))].name
        self.known = self.rng.random(self.robot.nv) < 0.5
        self.other = peer(self.robot)
        joint, offset = self.other.joint_of[self.body]
        self.frame = self.other.model.addFrame(pin.Frame("asked", joint, 0, offset, pin.FrameType.OP_FRAME), False)

    def options(self, row: "Row") -> dict[str, object]:
        """The options that a row's model is derived with."""
        known = tuple(name for name, held in zip(self.robot.v_names, self.known, strict=True) if held)
        values = {"frame": self.body, "expressed_in": "base", "known": known, **row.options}
        return {name: values[name] for name in row.takes + tuple(row.options)}

    def state(self) -> "State":
        """The next random state."""
        return State(self, *random_state(self.rng, self.robot))


@dataclass(frozen=True, eq=False)
class State:
    """q, q', q'' and what Pinocchio makes of them, in our order."""

    shared: Shared
    q: Floats
    qd: Floats
    qdd: Floats

    def rounded(self, real: type[np.floating]) -> "State":
        """The state whose numbers are those of another precision."""
        return State(self.shared, *(x.astype(real).astype(float) for x in (self.q, self.qd, self.qdd)))

    def rows(self) -> dict[str, "Row"]:
        """The models that mean something here: links that weigh nothing may leave accelerations undetermined."""
        if not self.shared.robot.nv:
            return {"pose": ROWS["pose"]}
        return {name: row for name, row in ROWS.items() if self.definite or row.kind == NORM}

    @cached_property
    def args(self) -> tuple[pin.Model, pin.Data, Floats]:
        other = self.shared.other
        return other.model, other.model.createData(), other.q(self.q)

    @cached_property
    def inputs(self) -> dict[str, Floats]:
        """Every input that a model may ask for."""
        states = {"q": self.q, "qd": self.qd, "qdd": self.qdd}
        if self.shared.robot.nv:
            states |= {"tau": self.tau, "given": np.where(self.shared.known, self.qdd, self.tau)}
        return states

    def rnea(self, qd: Floats, qdd: Floats, *outside: list[pin.Force]) -> Floats:
        other = self.shared.other
        return other.ours(pin.rnea(*self.args, other.v(qd), other.v(qdd), *outside))

    @cached_property
    def outside(self) -> list[pin.Force]:
        """Pinocchio's external forces act on the links, ours are what links exert: the opposite sign."""
        other = self.shared.other
        forces = [pin.Force.Zero() for _ in range(other.model.njoints)]
        for body in self.shared.robot.bodies:
            joint, offset = other.joint_of[body.name]
            w = np.array([float(x) for x in body.wrench])
            if joint:
                forces[joint] = forces[joint] - offset.act(pin.Force(w[:3], w[3:]))
        return forces

    @cached_property
    def tau(self) -> Floats:
        return self.rnea(self.qd, self.qdd, self.outside) + losses(self.shared.robot, self.qd, self.qdd)

    @cached_property
    def bias(self) -> Floats:
        return self.rnea(self.qd, 0 * self.qdd, self.outside) + losses(self.shared.robot, self.qd, 0 * self.qdd)

    @cached_property
    def gravity(self) -> Floats:
        return self.shared.other.ours(pin.computeGeneralizedGravity(*self.args))

    @cached_property
    def coriolis(self) -> Floats:
        return self.rnea(self.qd, 0 * self.qdd) - self.gravity

    @cached_property
    def A(self) -> Floats:
        m = self.args[0]
        upper = np.triu(np.reshape(pin.crba(*self.args), (m.nv, m.nv)))
        return self.shared.other.ours_square(upper + np.triu(upper, 1).T) + rotor_inertias(self.shared.robot)

    @cached_property
    def definite(self) -> bool:
        """Whether accelerations are determined."""
        return bool(np.linalg.eigvalsh(self.A).min() > 1e-9 * np.abs(self.A).max())

    def residual(self, a: Floats, tau: Floats) -> float:
        """|A q'' + H - Γ| relative to |A||q''| + |H| + |Γ|."""
        size = np.linalg.norm(self.A, 2) * np.linalg.norm(a) + np.linalg.norm(self.bias) + np.linalg.norm(tau)
        return float(np.linalg.norm(self.A @ a + self.bias - tau) / size)

    def mixed_residual(self, found: Floats) -> float:
        known = self.shared.known
        return self.residual(np.where(known, self.qdd, found), np.where(known, found, self.tau))

    @cached_property
    def kinetic(self) -> Floats:
        other = self.shared.other
        E = pin.computeKineticEnergy(*self.args, other.v(self.qd))
        return np.array(E + 0.5 * self.qd @ rotor_inertias(self.shared.robot) @ self.qd)

    @cached_property
    def derivatives(self) -> Floats:
        """∂Γ/∂q and ∂Γ/∂q', side by side."""
        other = self.shared.other
        by_q, by_v, _ = pin.computeRNEADerivatives(*self.args, other.v(self.qd), other.v(self.qdd), self.outside)
        friction = np.diag([float(b.FV) for b in self.shared.robot.bodies for _ in range(b.joint.nv)])
        return np.hstack([other.ours_square(by_q), other.ours_square(by_v) + friction])

    # ---- kinematics ----

    @cached_property
    def moving(self) -> tuple[pin.Model, pin.Data, int]:
        """Pinocchio with the asked frame's motion computed."""
        m, data, q = self.args
        other = self.shared.other
        pin.forwardKinematics(m, data, q, other.v(self.qd), other.v(self.qdd))
        pin.computeJointJacobians(m, data, q)
        pin.updateFramePlacements(m, data)
        return m, data, self.shared.frame

    @property
    def pose(self) -> Floats:
        _, data, k = self.moving
        return np.asarray(data.oMf[k].homogeneous)

    @property
    def J(self) -> Floats:
        m, data, k = self.moving
        J = np.zeros((6, m.nv))
        J[:, self.shared.other.v_order] = np.reshape(pin.getFrameJacobian(m, data, k, ALIGNED), (6, m.nv))
        return J

    def velocity(self, axes: pin.ReferenceFrame) -> Floats:
        v = pin.getFrameVelocity(*self.moving, axes)
        return np.r_[v.linear, v.angular]

    def acceleration(self, axes: pin.ReferenceFrame) -> Floats:
        a = pin.getFrameClassicalAcceleration(*self.moving, axes)
        return np.r_[a.linear, a.angular]

    def row(self, links: Floats) -> Floats:
        """The asked body's row of what is said of all links."""
        robot = self.shared.robot
        return links[[robot.bodies[k].name for k in robot.order].index(self.shared.body)]


@dataclass(frozen=True)
class Row:
    """A model of the catalogue, and the error of its outputs at a state."""

    model: str
    error: Callable[[State, Found], float]
    takes: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict[str, object])
    kind: str = NORM


def far(ours: Floats, theirs: Floats, size: float = 0.0) -> float:
    """|ours - theirs| relative to the larger of |theirs|, `size` and 1."""
    assert np.shape(ours) == np.shape(theirs)
    return float(np.linalg.norm(np.asarray(ours) - theirs) / max(np.linalg.norm(theirs), size, 1.0))


def weight(s: State) -> float:
    return float(np.linalg.norm(s.gravity))


SCREW = ("frame", "expressed_in")
ROWS: dict[str, Row] = {
    "inverse dynamics": Row("inverse-dynamics", lambda s, x: far(x["tau"], s.tau)),
    "inertia matrix": Row("inertia-matrix", lambda s, x: far(x["A"], s.A)),
    "gravity torques": Row("gravity-torques", lambda s, x: far(x["G"], s.gravity)),
    "Coriolis torques": Row("coriolis-torques", lambda s, x: far(x["h"], s.coriolis, weight(s))),
    "Coriolis matrix": Row("coriolis-matrix", lambda s, x: far(x["C"] @ s.qd, s.coriolis, weight(s))),
    "bias": Row("bias-torques", lambda s, x: far(x["H"], s.bias)),
    "kinetic energy": Row("kinetic-energy", lambda s, x: far(x["E"], s.kinetic)),
    "potential energy": Row(
        "potential-energy", lambda s, x: far(x["U"], np.array(pin.computePotentialEnergy(*s.args)))
    ),
    "articulated bodies": Row(
        "direct-dynamics", lambda s, x: s.residual(x["qdd"], s.tau), options={"method": "articulated"}, kind=RESIDUAL
    ),
    "inertia matrix factored": Row(
        "direct-dynamics", lambda s, x: s.residual(x["qdd"], s.tau), options={"method": "matrix"}, kind=RESIDUAL
    ),
    "hybrid dynamics": Row("hybrid-dynamics", lambda s, x: s.mixed_residual(x["found"]), ("known",), kind=RESIDUAL),
    "pose": Row("pose", lambda s, x: far(x["T"], s.pose), ("frame",)),
    "Jacobian": Row("jacobian", lambda s, x: far(x["J"], s.J), SCREW),
    "frame velocity": Row("frame-velocity", lambda s, x: far(x["v"], s.velocity(ALIGNED)), SCREW),
    "frame acceleration": Row("frame-acceleration", lambda s, x: far(x["a"], s.acceleration(ALIGNED)), SCREW),
    "J̇ q'": Row("jacobian-rate", lambda s, x: far(x["JPQP"] + s.J @ s.qdd, s.acceleration(ALIGNED)), SCREW),
    "velocities": Row("velocities", lambda s, x: far(s.row(x["V"]), s.velocity(LOCAL))),
    "accelerations": Row("accelerations", lambda s, x: far(s.row(x["VP"]), s.acceleration(LOCAL))),
}
"""By the name that an error is reported with."""

DERIVATIVES = Row(
    "inverse-dynamics-derivatives", lambda s, x: far(np.hstack([x["dtau_dq"], x["dtau_dqd"]]), s.derivatives)
)
"""Apart, since its Programs are as long as all others together."""
