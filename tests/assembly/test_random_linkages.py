"""Passive joints in closed form on random mechanisms: all modes meet the constraints, and the state that was drawn is one of them."""

from collections.abc import Iterator

import numpy as np

from armillary.assembly import assemblies
from armillary.geometry.pose import pose
from armillary.kinematics.constraints import constraints
from armillary.models.assembly import Mode
from armillary.robot import tree
from reference.linkages import Floats, Mechanism, Opened, cascade, loop_of_plane, opened, ring_of_sphere
from reference.opaque import Opaque, revealed

RINGS = ("RRRR", "RRRP", "RRPR", "RPRR", "PRRR", "RRPP", "RPRP", "PRPR", "PRRP", "RPPR", "PPRR")
DYADS = ("RRR", "RRP", "RPR", "PRR", "RPP", "PRP", "PPR")


def modes(case: Opened) -> list[Mode]:
    active = tuple(k for k, body in enumerate(case.robot.bodies) if body.actuated)
    return [Mode(case.robot, active, assembly) for assembly in assemblies(case.robot, active)]


def states(case: Opened, found: list[Mode], active: Floats) -> list[Floats]:
    """q of every mode that is reached; those that are not are not numbers."""
    reached: list[Floats] = []
    for mode in found:
        with np.errstate(all="ignore"):
            q, flag = mode.solved(active.tolist(), float)
        values = np.array(q, dtype=float)
        assert bool(flag == 1) == bool(np.isfinite(values).all())
        if flag == 1:
            reached.append(values)
    return reached


def residual(case: Opened, q: Floats) -> float:
    ties = constraints(tree(case.robot, float))
    return max(abs(float(x)) for tie in ties for x in tie.residual(q.tolist()))


def apart(case: Opened, a: Floats, b: Floats) -> float:
    """How far two states are from each other, angles up to whole turns."""
    turns = np.array([body.joint.kind == "revolute" for body in case.robot.bodies])
    away = a - b
    return float(np.abs(np.where(turns, (away + np.pi) % (2 * np.pi) - np.pi, away)).max())


def displaced(case: Opened, q: Floats) -> Floats:
    """How every body has moved from where it was drawn, whatever its frame."""
    robot = tree(case.robot, float)
    moved = [
        np.array(pose(robot, q.tolist(), name, "base").matrix(), dtype=float) @ np.linalg.inv(case.frames[name])
        for name in sorted(case.frames)
    ]
    return np.array(moved)


def mechanisms() -> Iterator[tuple[str, Mechanism]]:
    """Rings and cascades of all kinds, a few of each."""
    for seed in range(7):
        for kinds in RINGS:
            for driven in range(4):
                rng = np.random.default_rng([seed, driven, RINGS.index(kinds)])
                if kinds[:driven] + kinds[driven + 1 :] in ("PPR", "PRP", "RPP") and seed > 2:
                    continue
                yield f"{kinds} {driven}", loop_of_plane(kinds, (driven,), rng)
    for seed in range(12):
        rng = np.random.default_rng([seed, 7])
        yield "RRRRR", loop_of_plane("RRRRR", tuple(rng.choice(5, 2, replace=False).tolist()), rng)
        yield "sphere", ring_of_sphere(int(rng.integers(4)), rng)
    for seed in range(6):
        for dyad in DYADS:
            rng = np.random.default_rng([seed, 9, DYADS.index(dyad)])
            yield f"RRRR + {dyad}", cascade("RRRR", dyad, rng)


def test_random_linkages() -> None:
    """At the state drawn and near it, whichever passive joint is cut: every mode closes the loops, and moves the bodies alike."""
    done = reached = near = 0
    for name, mechanism in mechanisms():
        rng = np.random.default_rng(done)
        openings = mechanism.openings()
        chosen = [openings[k] for k in rng.permutation(len(openings))[:2]]
        step = rng.uniform(-0.4, 0.4, len(mechanism.active))
        compared: list[list[Floats]] = []
        for cut in chosen:
            case = opened(mechanism, cut, rng)
            assert residual(case, case.q) < 1e-12, name
            found = modes(case)
            driven = [k for k, body in enumerate(case.robot.bodies) if body.actuated]
            here = states(case, found, case.q[driven])
            assert min(apart(case, q, case.q) for q in here) < 1e-8, (name, cut)
            # frames may count the driven coordinate either way: the state is where they all agree
            compared.append([displaced(case, q) for q in here])
            for q in [*here, *states(case, found, case.q[driven] + step)]:
                assert residual(case, q) < 1e-10, (name, cut, residual(case, q))
                near += residual(case, q) < 1e-12
                reached += 1
        for one in compared[1:]:
            for D in one:
                assert min(np.abs(D - E).max() for E in compared[0]) < 1e-7, name
            assert len(one) == len(compared[0]), name
        done += 1
    assert done >= 300 and near > 0.99 * reached


def test_steps_run_on_opaque_scalars() -> None:
    """The same numbers come out, to the last bit: which steps there are is known before any number is."""
    for k, (_, mechanism) in enumerate(mechanisms()):
        if k % 5:
            continue
        rng = np.random.default_rng(k)
        case = opened(mechanism, mechanism.openings()[0], rng)
        driven = case.q[[k for k, body in enumerate(case.robot.bodies) if body.actuated]].tolist()
        for mode in modes(case):
            with np.errstate(all="ignore"):
                plain = mode.solved(driven, float)
                hidden = mode.solved([Opaque(x) for x in driven], lambda x: Opaque(float(x)))  # type: ignore[arg-type]
            assert np.array_equal(revealed(hidden[0]), plain[0], equal_nan=True)
            assert revealed(hidden[1]) == plain[1]
