"""What MuJoCo measures of MJCF texts: poses, torques, inertia matrix, limits, how far constraints are off.

MuJoCo is large, so what it said of some texts is recorded: `mujoco.json` beside this file, written by

    python -m reference.mujoco_peer        # in tests/, where MuJoCo is installed

A body that floats has its velocity along the world's axes there and along its own here; the figures are made ours.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from reference.random_mjcf import Floats, random_mjcf

RECORDED = Path(__file__).with_name("mujoco.json")

SOLID = '<geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/>'

FILES = {
    "classes": (
        '<default><joint damping="1" armature="2"/><default class="a"><joint damping="3" axis="1 0 0"/><default class="b">'
        '<joint armature="4"/></default></default></default><default><joint springref="6" stiffness="5"/></default>',
        f'<body><joint/>{SOLID}<body childclass="b"><joint/>{SOLID}<body><joint class="a"/>{SOLID}</body><body childclass="a">'
        f'<joint damping="7"/>{SOLID}</body><frame childclass="main"><body><joint/>{SOLID}</body></frame></body></body>',
        "",
    ),
    "default orientations": (
        '<default><geom euler="90 0 30"/><site euler="0 90 0"/><default class="q"><geom quat="1 2 3 4"/></default></default>',
        f'<body><joint type="ball"/>{SOLID}<geom class="q" type="ellipsoid" size="0.1 0.2 0.3"/><site name="s"/>'
        '<geom type="box" size="0.1 0.2 0.3" zaxis="1 2 3"/></body>',
        "",
    ),
    "bounds": (
        '<compiler boundmass="3" boundinertia="0.5" balanceinertia="true" inertiagrouprange="1 2"/>',
        '<body><joint type="ball"/><inertial pos="0 0 0" mass="1" diaginertia="1 2 9" quat="1 2 3 4"/>'
        '<body><joint/><inertial pos="1 0 0" mass="8" fullinertia="0.3 0.4 0.6 0.1 0 0.1"/></body>'
        '<body><joint/><geom type="box" size="0.9 0.2 0.3" group="1"/><geom size="1" group="3"/></body></body>',
        "",
    ),
    "inertia from geoms": (
        '<compiler inertiafromgeom="true"/>',
        f'<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{SOLID}</body>',
        "",
    ),
    "actuators": (
        '<default><general gear="10"/><default class="m"><position gear="3"/></default></default>',
        f'<body><joint name="a"/>{SOLID}<body pos="0 1 0"><joint name="b" type="slide"/>{SOLID}</body></body>',
        '<actuator><motor joint="a" armature="2" damping="3"/><motor class="m" joint="b" armature="1"/>'
        '<motor joint="b" gear="0.5" damping="4"/></actuator>',
    ),
    "a floating body in honey": ("", f'<body><joint type="free" damping="2"/>{SOLID}</body>', ""),
    "total mass": (
        '<compiler settotalmass="7" boundmass="0.5"/>',
        f'<body>{SOLID}</body><body><joint/><inertial pos="1 0 0" mass="0.1" diaginertia="1 1 1"/></body>',
        "",
    ),
    "weightless": ('<option gravity="1 2 3"><flag gravity="disable"/></option>', f"<body><joint/>{SOLID}</body>", ""),
}


@dataclass
class Measured:
    """One text at one state: lists of numbers, as JSON has them.

    `frames` are [R p] of bodies and sites with names in the world; a tie is the distance of two points, that and the sine of half
    the angle between two bodies, or by how much a coordinate is off. `limits` are those of hinges and slides, none where there is none.
    """

    text: str
    joints: list[str]
    q: list[float]
    v: list[float]
    a: list[float]
    tau: list[float] = field(default_factory=list)
    M: list[list[float]] = field(default_factory=list)
    frames: dict[str, list[list[float]]] = field(default_factory=dict)
    ties: list[list[float]] = field(default_factory=list)
    limits: dict[str, list[float] | None] = field(default_factory=dict)


def texts() -> dict[str, str]:
    """The texts that are recorded."""
    found = {
        name: f"<mujoco>{before}<worldbody>{inner}</worldbody>{after}</mujoco>"
        for name, (before, inner, after) in FILES.items()
    }
    for seed in range(24):
        rng = np.random.default_rng([seed, 6])
        found[f"random {seed}"] = random_mjcf(rng, 1 + seed % 5, floats=seed % 3 == 0, tied=seed % 2 == 0)[0]
    return found


def measured(text: str, rng: np.random.Generator) -> Measured:
    """What MuJoCo says of a text, at a random state with quaternions of length 1."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    single = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
    q, v, a = rng.normal(size=model.nq), *rng.normal(size=(2, model.nv))
    for kind, at in zip(model.jnt_type, model.jnt_qposadr, strict=True):
        if kind not in single:
            first = at + 3 * (kind == mujoco.mjtJoint.mjJNT_FREE)
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    data.qpos[:] = q
    mujoco.mj_forward(model, data)
    names = [model.joint(k).name for k in range(model.njnt)]
    found = Measured(text, names, q.tolist(), v.tolist(), a.tolist())
    for count, kind, R, p in (
        (model.nbody, model.body, data.xmat, data.xpos),
        (model.nsite, model.site, data.site_xmat, data.site_xpos),
    ):
        poses = {kind(k).name: np.c_[R[k].reshape(3, 3), p[k]].tolist() for k in range(count)}
        found.frames |= {name: pose for name, pose in poses.items() if name and name != "world"}
    for k in range(model.neq):
        rows = data.efc_pos[(data.efc_id == k) & (data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY)]
        joint = model.eq_type[k] == mujoco.mjtEq.mjEQ_JOINT
        found.ties.append(
            rows.tolist() if joint else [float(np.linalg.norm(x)) for x in (rows[:3], rows[3:])][: len(rows) // 3]
        )
    for k in range(model.njnt):
        if model.jnt_type[k] in single:
            found.limits[str(k)] = model.jnt_range[k].tolist() if model.jnt_limited[k] else None
    if model.nv:
        found.tau, found.M = (x.tolist() for x in _dynamics(model, data, q, v, a))
    return found


def _dynamics(model: Any, data: Any, q: Floats, v: Floats, a: Floats) -> tuple[Floats, Floats]:
    """Torques without dry friction and constraints, and the inertia matrix."""
    import mujoco

    B, acceleration = np.eye(model.nv), a.copy()
    if model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, q[3:7])
        B[:3, :3] = R.reshape(3, 3)
        acceleration[:3] += np.cross(v[3:6], v[:3])
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT
    data.qpos[:], data.qvel[:], data.qacc[:] = q, B @ v, B @ acceleration
    mujoco.mj_inverse(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return B.T @ data.qfrc_inverse, B.T @ M @ B


def recorded() -> dict[str, Measured]:
    """What is recorded, by name."""
    return {name: Measured(**x) for name, x in json.loads(RECORDED.read_text(encoding="utf-8")).items()}


if __name__ == "__main__":
    every = {name: asdict(measured(text, np.random.default_rng(k))) for k, (name, text) in enumerate(texts().items())}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(x)}" for name, x in every.items())
    RECORDED.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
