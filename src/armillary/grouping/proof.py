"""The proof that base parameters are base parameters, in exact arithmetic modulo a prime.

*Not fewer.* The regressor, its rows taken at several states, is block triangular: torque i depends on what lies outside
of joint i alone. Its rank is at least the sum of the ranks of the blocks on its diagonal, torque i by the parameters of
body i; and a rank modulo a prime is never more than the rank.

*Not more.* The torques with the grouped parameters are those with all parameters, both evaluated at random states with
random parameters: an identity between rational functions that holds at a random point of a field of 1e24 elements.

Both are done at a point that is not the one where the rules were decided; there the rules must come out the same.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from armillary.dynamics.newton_euler import gather, link_wrench
from armillary.dynamics.observability import ELEVEN
from armillary.dynamics.regressor import unit_wrenches
from armillary.errors import ModelError
from armillary.grouping.echelon import eliminated
from armillary.grouping.field import Field
from armillary.grouping.relations import Place, inertia_of, relations
from armillary.grouping.residue import Residue, residue_at, residue_of
from armillary.grouping.structure import Structure, structure, without_inertia
from armillary.kinematics.motion import BaseMotion, link_motions
from armillary.robot.body import INERTIAL
from armillary.robot.description import Description
from armillary.robot.tree import Branch, Tree, tree
from armillary.spatial.vector import Vector

SPARE = 2
"""States beyond as many as the largest block has parameters that are tried before the rank is taken to be short."""

CHECKS = 2
"""States at which the torques are compared."""


State = tuple[list[Residue], list[Residue], list[Residue], BaseMotion]
"""q, q', q'' and the base's motion."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was found: the rank of the regressor over `states` states modulo `prime`, and torques equal at `checks` states."""

    rank: int
    prime: int
    states: int
    checks: int

    def __str__(self) -> str:
        return (
            f"rank {self.rank} over {self.states} states modulo {self.prime}, "
            f"torques with the grouped parameters the same at {self.checks} further states"
        )


def prove(description: Description, rotors: bool, kept: Sequence[Place], seed: int) -> Proof:
    """The proof for the parameters `kept`, at the point that `seed` names."""
    rules = structure(description, rotors, seed)
    found = relations(rules)
    _must(list(found) == list(kept), description, "the rules come out otherwise at another point")
    field = rules.samples.point.field
    robot = tree(without_inertia(description), lambda x: residue_at(rules.samples, x))
    states = _States(robot, field, seed)
    rank, used = _rank(robot, rules, states, rotors)
    _must(rank == len(kept), description, f"the regressor has the rank {rank}, and {len(kept)} parameters are kept")
    for _ in range(CHECKS):
        given = [[*(states.number() for _ in INERTIAL), states.rotor(body)] for body in robot.bodies]
        grouped = _grouped(rules, given, rotors)
        state = states.draw()
        same = _torques(robot, given, field, state) == _torques(robot, grouped, field, state)
        _must(same, description, "the torques are others with the parameters grouped")
    return Proof(rank, field.prime, used, CHECKS)


def _must(holds: bool, description: Description, failed: str) -> None:
    """An error of ours that no user can cause, and that must not pass unseen even where assertions are off."""
    if not holds:
        raise ModelError(f"{description.name}: the base parameters are not proven: {failed}; please report this robot")


class _States:
    """Random positions, velocities, accelerations, and base motions in the components that the description has."""

    def __init__(self, robot: Tree, field: Field, seed: int) -> None:
        self.robot = robot
        self.field = field
        self.rng = random.Random(f"states {seed}")

    def number(self) -> Residue:
        """Any element."""
        return Residue(self.field, self.rng.randrange(1, self.field.prime))

    def rotor(self, body: Branch) -> Residue:
        """A rotor's inertia, which only a joint of one velocity has."""
        return self.number() if len(body.motion) == 1 else Residue(self.field, 0)

    def draw(self) -> State:
        """q, q', q'' and the base's motion."""
        q: list[Residue] = []
        for body in self.robot.bodies:
            start = body.joint.quaternion
            q += [self._coordinate() for _ in range(body.joint.nq if start is None else start)]
            q += [] if start is None else self._quaternion()
        rates = [[self.number() for _ in range(self.robot.nv)] for _ in range(2)]
        return q, rates[0], rates[1], self._base()

    def _coordinate(self) -> Residue:
        """A length and, independent of it, an angle."""
        unit = pow(self.field.generator, self.rng.randrange(self.field.cycle), self.field.prime)
        return Residue(self.field, self.rng.randrange(1, self.field.prime), lambda: unit)

    def _quaternion(self) -> list[Residue]:
        """The square of a quaternion over its norm: (w² - |v|², 2 w v) / (w² + |v|²) has length 1."""
        p = self.field.prime
        w, *v = (self.rng.randrange(1, p) for _ in range(4))
        square = sum(x * x for x in v)
        inverse = self.field.inverse(w * w + square)
        return [Residue(self.field, x * inverse % p) for x in (w * w - square, *(2 * w * x for x in v))]

    def _base(self) -> BaseMotion:
        (_, spin), (push, twist) = self.robot.base_velocity, self.robot.base_acceleration
        zero = Residue(self.field, 0)
        w = [self.number() if residue_of(s, self.field) else zero for s in spin]
        turned = [residue_of(s, self.field) or residue_of(t, self.field) for s, t in zip(spin, twist, strict=True)]
        dw = [self.number() if t else zero for t in turned]
        dv = [self.number() if residue_of(a, self.field) else zero for a in push]
        return BaseMotion(Vector(*w), Vector(*dw), Vector(*dv) - self.robot.gravity)


def _rank(robot: Tree, rules: Structure, states: _States, rotors: bool) -> tuple[int, int]:
    """Σ rank of the blocks on the diagonal, and how many states it took."""
    field = states.field
    blocks: list[list[list[int]]] = [[] for _ in robot.bodies]
    wanted = [len(link.rules) for link in rules.links]
    ranks = [0] * len(blocks)
    used = 0
    while ranks != wanted and used < len(ELEVEN) + SPARE:
        used += 1
        q, qd, qdd, base = states.draw()
        for k, (body, motion) in enumerate(zip(robot.bodies, link_motions(robot, q, qd, qdd, base), strict=True)):
            torques = zip(*(body.along(f, n) for f, n in unit_wrenches(motion)), strict=True)
            for row, acceleration in zip(torques, qdd[body.v], strict=True):
                blocks[k].append(
                    [residue_of(x, field) for x in (*row, acceleration if rotors and len(body.motion) == 1 else 0)]
                )
            blocks[k], _ = eliminated(blocks[k], field.prime)
            ranks[k] = len(blocks[k])
    return sum(ranks), used


def _grouped(rules: Structure, given: list[list[Residue]], rotors: bool) -> list[list[Any]]:
    """The parameters of every body of the tree after regrouping."""
    samples = rules.samples
    place = {link.body: k for k, link in enumerate(rules.links)}
    grouped: list[list[Any]] = [[0] * len(ELEVEN) for _ in given]
    if not rotors:
        for row, full in zip(grouped, given, strict=True):
            row[-1] = full[-1]
    for (body, kept), terms in relations(rules).items():
        total = sum(samples.residue(x) * given[place[b]][p].value for (b, p), x in terms.items())
        grouped[place[body]][kept] = Residue(samples.point.field, total % samples.prime)
    return grouped


def _torques(robot: Tree, parameters: list[list[Any]], field: Field, state: State) -> list[int]:
    """Γ of the tree with the given inertial parameters, without friction."""
    q, qd, qdd, base = state
    bodies = tuple(_with_inertia(body, row) for body, row in zip(robot.bodies, parameters, strict=True))
    heavy = replace(robot, bodies=bodies)
    motions = link_motions(heavy, q, qd, qdd, base)
    own = [link_wrench(body, motion) for body, motion in zip(bodies, motions, strict=True)]
    wrenches, _ = gather(heavy, own, [m.T for m in motions])
    torques: list[int] = []
    for body, (f, n) in zip(bodies, wrenches, strict=True):
        rotor = [body.IA * a for a in qdd[body.v]]
        torques += [residue_of(t + r, field) for t, r in zip(body.along(f, n), rotor, strict=True)]
    return torques


def _with_inertia(body: Branch, row: list[Any]) -> Branch:
    return replace(body, inertia=inertia_of(row), IA=row[-1])
