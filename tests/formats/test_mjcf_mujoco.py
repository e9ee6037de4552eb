"""MJCF against MuJoCo: all that is read, in files by hand and random ones, as recorded and, where it is installed, as it is.

Its soft constraints are left out of the forces and compared by what they measure.
"""

from importlib.util import find_spec
from itertools import count

import numpy as np
import pytest

from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.errors import RobotError
from armillary.formats import mjcf
from armillary.geometry.pose import pose
from armillary.kinematics.motion import base_motion
from armillary.robot import Description, Limits, Tree, tree
from armillary.robot.tree import Mount
from reference.mujoco_peer import Measured, measured, recorded
from reference.random_mjcf import Floats, random_mjcf


def matrix(T: object) -> Floats:
    return np.array([[float(x) for x in row] for row in T.matrix()])  # type: ignore[attr-defined]


def close(a: object, b: object, what: str) -> None:
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    assert np.linalg.norm(a - b) <= 1e-9 * max(1.0, float(np.linalg.norm(b))), what


def check(d: Description, said: Measured) -> None:
    """One robot at one state."""
    robot, q, v, a = tree(d, float), *(np.array(x) for x in (said.q, said.v, said.a))
    assert (d.nq, d.nv) == (len(q), len(v))
    assert all(name in ("", own) for name, own in zip(said.joints, d.joint_names, strict=True))
    for name, T in said.frames.items():
        close(matrix(pose(robot, q, name, "world"))[:3], T, name)
    for k, bounds in said.limits.items():
        [ours] = d.bodies[int(k)].limits or [Limits()]
        close([ours.lower or 0, ours.upper or 0], bounds or [0, 0], "limits")
        assert (ours.lower is None) == (bounds is None)
    check_ties(d, robot, q, said)
    if d.nv:
        lost = np.array([float(b.FS) for b in d.bodies for _ in range(b.joint.nv)]) * np.sign(v)  # type: ignore[arg-type]
        close(inverse_dynamics(robot, q, v, a, base_motion(robot)), said.tau + lost, "torques")
        close(np.reshape(inertia_matrix(robot, q), (d.nv, d.nv)), said.M, "inertia matrix")


def check_ties(d: Description, robot: Tree, q: Floats, said: Measured) -> None:
    """Constraints in the order of the file; a coupling has no cut joint."""
    names = [body.name for body in robot.bodies]
    coordinates = dict(zip(d.q_names, q, strict=True))

    def place(mount: Mount) -> Floats:
        k, T = mount
        return matrix(pose(robot, q, names[k] if k >= 0 else "base", "world")) @ matrix(T)

    cuts, couplings = iter(robot.cuts), iter(d.couplings)
    for k, found in zip(count(), said.ties, strict=False):
        if k == len(said.ties) - 1 and d.couplings:  # the random files have it last
            c = next(couplings)
            ours = coordinates[c.joint] - float(c.ratio) * coordinates[c.leader] - float(c.offset)  # type: ignore[arg-type]
            close([ours], found, "coupling")
            continue
        cut = next(cuts)
        a, b = place(cut.a), place(cut.b)
        close(np.linalg.norm(a[:3, 3] - b[:3, 3]), found[0], cut.name)
        assert cut.kind.kind == ("spherical" if len(found) == 1 else "fixed")
        if len(found) == 2:
            half = np.sqrt(max(0.0, 3 - np.trace(a[:3, :3].T @ b[:3, :3]))) / 2
            assert abs(half - found[1]) < 1e-7, cut.name
    assert next(cuts, None) is None and next(couplings, None) is None


def read(text: str) -> Description | None:
    """The robot; none where a constraint holds together what is one body, which MuJoCo allows."""
    try:
        return mjcf.read(text)
    except RobotError as error:
        assert "give it two links that joints move against each other" in str(error)
        return None


@pytest.mark.parametrize("name", recorded())
def test_what_is_recorded(name: str) -> None:
    said = recorded()[name]
    d = read(said.text)
    if d is not None:
        check(d, said)


def test_most_of_what_is_recorded_can_be_read() -> None:
    """With constraints of every kind among it."""
    robots = [d for said in recorded().values() if (d := read(said.text)) is not None]
    assert len(robots) >= 25
    assert {cut.kind.kind for d in robots for cut in d.cuts} == {"spherical", "fixed"}
    assert sum(len(d.couplings) for d in robots) >= 4
    assert {body.joint.kind for d in robots for body in d.bodies} == {"revolute", "prismatic", "spherical", "free"}


@pytest.mark.parametrize("seed", range(200 if find_spec("mujoco") else 1))
def test_random_files(seed: int) -> None:
    pytest.importorskip("mujoco")
    rng = np.random.default_rng([seed, 5])
    text, _ = random_mjcf(rng, 1 + seed % 9, floats=seed % 3 == 0, tied=seed % 2 == 0)
    d = read(text)
    if d is not None:
        check(d, measured(text, rng))
