"""What wheels demand of the joint velocities: they neither slip forwards nor slide along their axles (Campion et al. 1996).

The wheel is seen from its carrier: the last fork, or the platform itself. There its axle a, the vertical up, forward t = a × up and
the contact C are constant, and the wheel only turns about a by φ'. With v_C the velocity of the point of the carrier at C, the
wheel's own point there has v_C - r φ' t, and

    slip:        t·v_C - r φ' = 0
    slide:       a·v_C = 0
    Swedish:     d·v_C - r cos γ φ' = 0,     d = cos γ t + sin γ a

the last because the roller on the ground rolls freely across its axis d. These rows hold velocities and no positions: they are
non-holonomic. The components of v_C in the carrier's frame change with q'' = 0 only because forks turn; from the platform outwards

    v_k = ᵏR_i (v_i + ω_i × ⁱP_k),    δ_k = ᵏR_i δ_i - β'_k e_k × v_k,    δ_platform = 0

with e_k the axis of fork k, and J̇ q' is δ along the row's direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.geometry.pose import pose
from armillary.kinematics.constraint import Constraint, Row
from armillary.robot.joints.kind import UP
from armillary.robot.tree import Gear, Rolling, Scalars, Tree, way_from_host
from armillary.spatial.scalar import cos, sin
from armillary.spatial.transform import walk
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class RollingContact:
    """A wheel on the ground."""

    tree: Tree
    wheel: Rolling

    @property
    def name(self) -> str:
        return self.wheel.name

    @property
    def holonomic(self) -> bool:
        return False

    @property
    def conditions(self) -> tuple[str, ...]:
        """The direction of each row: forwards, or along the roller's axis, and along the axle."""
        return (f"{self.name}.slip", f"{self.name}.slide")[: 2 if self.wheel.roller is None else 1]

    def residual(self, q: Scalars) -> list[Any]:
        """Nothing: no position is forbidden."""
        return []

    # ---- seen from the carrier ----

    @property
    def carrier(self) -> str:
        """The last fork, or the platform."""
        return self.tree.bodies[(self.wheel.platform, *self.wheel.forks)[-1]].name

    def up(self, q: Scalars) -> Vector:
        """The vertical, which no fork's angle changes."""
        platform = self.tree.bodies[self.wheel.platform].name
        return pose(self.tree, q, self.carrier, platform).rotation.apply_inverse(UP)

    def axle(self) -> tuple[Vector, Vector]:
        """Its direction a, and the wheel's centre."""
        steps, _ = way_from_host(self.tree, self.tree.bodies[self.wheel.body])
        T = walk(steps)
        return T.rotation.apply(UP), T.position

    def contact(self, q: Scalars) -> Vector:
        """The point on the ground."""
        return self.axle()[1] - self.up(q) * self.wheel.radius

    def directions(self, q: Scalars) -> list[tuple[Vector, Any]]:
        """d of each row, and what of it is forward: d·t, None for the axle."""
        a, _ = self.axle()
        t = a.cross(self.up(q))
        if self.wheel.roller is None:
            return [(t, 1), (a, None)]
        c, s = cos(self.wheel.roller), sin(self.wheel.roller)
        return [(t * c + a * s, c)]

    # ---- velocities ----

    def rows(self, q: Scalars, *, closed: bool = True) -> list[Row]:
        """A row over all joint velocities for each condition."""
        tree, wheel = self.tree, self.wheel
        contact = self.contact(q)
        found: list[Row] = []
        for d, forward in self.directions(q):
            row: Row = [0] * tree.nv
            turning = () if forward is None and not wheel.swings else wheel.forks
            for k in (wheel.platform, *turning):
                body = tree.bodies[k]
                T = pose(tree, q, body.name, self.carrier)
                for column, (v, w) in zip(range(tree.nv)[body.v], body.motion, strict=True):
                    angular = T.rotation.apply(w)
                    row[column] = d.dot(T.rotation.apply(v) + angular.cross(contact - T.position))
            if forward is not None:
                row[tree.bodies[wheel.body].v.start] = -wheel.radius * forward
            found.append(row)
        return found

    # ---- accelerations ----

    def drift(self, q: Scalars, qd: Scalars) -> list[Any]:
        """J̇ q' of the rows."""
        tree, wheel = self.tree, self.wheel
        last = tree.bodies[wheel.platform]
        (v, w), delta = last.twist(qd), ZERO
        for k in wheel.forks:
            body = tree.bodies[k]
            T = pose(tree, q, body.name, last.name)
            _, turning = body.twist(qd)
            v = T.rotation.apply_inverse(v + w.cross(T.position))
            w = T.rotation.apply_inverse(w) + turning
            delta = T.rotation.apply_inverse(delta) - turning.cross(v)
            last = body
        return [d.dot(delta) for d, _ in self.directions(q)]


@dataclass(frozen=True, slots=True)
class SteeringGear:
    """Three axles that meet in one point, or are parallel: Ackermann's condition.

    The line of an axle in the plane of the platform, n its direction and P a point of it, is ρ = (n_x, n_y, P_x n_y - P_y n_x); that is
    what the wheel's slide takes of the platform's velocities. Three lines meet where

        Φ = det(ρ_1, ρ_2, ρ_3) = 0

    For two steered wheels the track w apart and L before a fixed axle this is L sin(β_l - β_r) = w sin β_l sin β_r, which is
    cot β_r - cot β_l = w/L and regular straight ahead too. Along q', ρ̇ = β' ρ' with n' = e × n, e the fork's axis, and ρ'' = -ρ.
    """

    tree: Tree
    gear: Gear

    @property
    def name(self) -> str:
        return self.gear.name

    @property
    def holonomic(self) -> bool:
        return True

    @property
    def conditions(self) -> tuple[str, ...]:
        return (f"{self.name}.meet",)

    def lines(self, q: Scalars) -> list[tuple[Row, Row, int | None]]:
        """(ρ, ρ', place of the fork or None) of each axle."""
        found: list[tuple[Row, Row, int | None]] = []
        for place in self.gear.wheels:
            contact = RollingContact(self.tree, self.tree.wheels[place])
            wheel = contact.wheel
            T = pose(self.tree, q, contact.carrier, self.tree.bodies[wheel.platform].name)
            a, centre = contact.axle()
            n = T.rotation.apply(a)
            if not wheel.forks:
                found.append((_line(n, centre), [0, 0, 0], None))
                continue
            # a steered wheel stands beside its fork's axis, which is therefore a point of its axle
            turned = T.rotation.apply(UP).cross(n)
            found.append((_line(n, T.position), _line(turned, T.position), wheel.forks[-1]))
        return found

    def residual(self, q: Scalars) -> list[Any]:
        """Φ(q) (m)."""
        return [_determinant([line for line, _, _ in self.lines(q)])]

    def rows(self, q: Scalars, *, closed: bool = True) -> list[Row]:
        """∂Φ̇/∂q'."""
        lines = self.lines(q)
        row: Row = [0] * self.tree.nv
        for k, (_, turned, fork) in enumerate(lines):
            if fork is not None:
                column = self.tree.bodies[fork].v.start
                row[column] = row[column] + _determinant([turned if i == k else x for i, (x, _, _) in enumerate(lines)])
        return [row]

    def drift(self, q: Scalars, qd: Scalars) -> list[Any]:
        """J̇ q' while Φ = 0: 2 Σ det(ρ'_i, ρ'_j, ρ_k) β'_i β'_j over pairs."""
        lines = self.lines(q)
        total: Any = 0
        for k, (line, _, _) in enumerate(lines):
            forks = [fork for i, (_, _, fork) in enumerate(lines) if i != k and fork is not None]
            if len(forks) == 2:
                moved = [line if i == k else turned for i, (_, turned, _) in enumerate(lines)]
                rates = [qd[self.tree.bodies[fork].v.start] for fork in forks]
                total = total + 2 * _determinant(moved) * rates[0] * rates[1]
        return [total]


def wheels(tree: Tree) -> list[Constraint]:
    """Every wheel, then all steering gear."""
    return [
        *(RollingContact(tree, wheel) for wheel in tree.wheels),
        *(SteeringGear(tree, gear) for gear in tree.gears),
    ]


def _line(n: Vector, P: Vector) -> Row:
    return [n.x, n.y, P.x * n.y - P.y * n.x]


def _determinant(rows: Sequence[Row]) -> Any:
    a, b, c = (Vector(*row) for row in rows)
    return a.dot(b.cross(c))
