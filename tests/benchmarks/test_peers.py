"""The peers of the benchmark do the same work: their numbers, on the robots that are measured, are ours."""

import numpy as np
import pytest
from benchmarks.peers import Missing, kane, pinocchio

import armillary as arm
from benchmarks import robots


@pytest.mark.parametrize("name", ["rx90", "panda", "gantry6"])
def test_pinocchio_from_python_is_given_the_same_robot(name: str):
    robot = arm.load(name)
    numbers = robots.values(robot)
    peer = pinocchio.python(robot, numbers)
    q, v, a = np.random.default_rng(0).uniform(-1, 1, (3, robot.nv))
    tau = robot.inverse_dynamics(fixed=numbers).evaluate(q=q, qd=v, qdd=a)["tau"]
    theirs = peer.pin.rnea(peer.model, peer.data, q, v, a)
    assert np.abs(tau - theirs).max() <= 1e-12 * np.abs(theirs).max()


def test_a_binary_that_may_not_be_compiled_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: object):
    monkeypatch.setattr(pinocchio, "BUILD", tmp_path)
    with pytest.raises(Missing):
        pinocchio._binary("native", False)


@pytest.mark.filterwarnings("default")
def test_kane_has_the_same_equations():
    sympy = pytest.importorskip("sympy")
    rng = np.random.default_rng(1)
    q, u, tau = rng.uniform(-1, 1, (3, 2))
    lengths = {f"{x}{k}": float(rng.uniform(0.1, 1)) for x in ("L", "c", "m", "I") for k in (1, 2)} | {"g": 9.81}
    M, f = kane.equations(2)
    state = {"q": q, "u": u, "tau": tau}
    functions = {sympy.Function(f"{x}{k + 1}")(sympy.Symbol("t")): v[k] for x, v in state.items() for k in range(2)}
    numbers = {sympy.Symbol(name): value for name, value in lengths.items()}
    theirs = [np.array(e.subs(functions).subs(numbers), dtype=float) for e in (M, f)]
    robot = robots.planar(2)
    fixed = {s: lengths[s] for s in robot.symbols}
    A = robot.inertia_matrix(fixed=fixed).evaluate(q=q)["A"]
    H = robot.bias_torques(fixed=fixed).evaluate(q=q, qd=u)["H"]
    assert np.allclose(theirs[0], A, rtol=1e-12)
    assert np.allclose(theirs[1].ravel(), tau - H, rtol=1e-12)


def test_chains_of_different_lengths_begin_alike():
    long, short = robots.chain(5), robots.chain(3)
    assert long.bodies[:3] == short.bodies
    assert len({b.placement for b in long.bodies}) == 5
