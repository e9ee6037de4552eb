"""The subsystems of a robot with closed loops as a table: which equations each has, which forces are unknown in them, and when they are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from armillary.dynamics.closed import Closed
from armillary.dynamics.free_bodies import free_bodies
from armillary.dynamics.subsystems import Order, all_rows, equations
from armillary.models.derivation import Derivation
from armillary.models.subsystems import SUBSYSTEMS, one_motor_each, pattern, solving_order
from armillary.models.summary import aligned
from armillary.robot import Description
from armillary.spatial.blocks import connected


@dataclass(frozen=True, slots=True)
class Size:
    """Of a system of equations: least norm where it has more unknowns than equations."""

    equations: int
    unknowns: int

    @staticmethod
    def of(steps: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> "Size":
        """Of steps together."""
        return Size(sum(len(rows) for rows, _ in steps), sum(len(unknowns) for _, unknowns in steps))

    def __str__(self) -> str:
        return f"{self.equations} × {self.unknowns}"


@dataclass(frozen=True, slots=True)
class Part:
    """One subsystem: its bodies, its equations (by the joint velocities that they belong to), and the number of its block.

    `torques` (by joint) and `forces` (by constraint, with those of its rows that count) are the unknowns in its equations that no
    block before has found.
    """

    name: str
    bodies: tuple[str, ...]
    equations: tuple[str, ...]
    torques: tuple[str, ...]
    forces: tuple[tuple[str, tuple[str, ...]], ...]
    block: int


@dataclass(frozen=True, slots=True)
class Block:
    """The subsystems solved together, the size of their equations, those of the steps, and the numbers of the blocks solved before."""

    subsystems: tuple[str, ...]
    size: Size
    steps: tuple[Size, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Subsystems:
    """How the forces of a robot with closed loops are found, subsystem after subsystem.

    The sizes of other ways are there to compare: all equations `at_once`, `with_multipliers` (accelerations of all joints and forces of the
    loops), and those of the `free_bodies` that the torques need: in plane mechanisms three a body, none where they do not apply.
    """

    robot: str
    ties: tuple[str, ...]
    subsystems: tuple[Part, ...]
    blocks: tuple[Block, ...]
    at_once: Size
    with_multipliers: Size
    free_bodies: tuple[Size, ...]

    @property
    def title(self) -> str:
        """What is cut."""
        return f"{self.robot}: subsystems with {', '.join(self.ties)} cut"

    @property
    def columns(self) -> tuple[str, ...]:
        """The heads of the table."""
        return ("subsystem", "bodies", "equations", "unknowns", "block", "solved with")

    @property
    def rows(self) -> list[list[str]]:
        """The table, a subsystem a row, in the order of the blocks."""
        return [self._row(part) for part in sorted(self.subsystems, key=lambda part: part.block)]

    @property
    def remarks(self) -> list[str]:
        """The steps of each block, and what other ways would solve."""
        lines = [
            f"block {k}: {block.size} in steps of {_listed(block.steps)}"
            for k, block in enumerate(self.blocks, start=1)
            if block.steps != (block.size,)
        ]
        others = [f"{self.at_once} at once", f"{self.with_multipliers} with multipliers"]
        if self.free_bodies:
            others.append(f"with free bodies {_listed(self.free_bodies)}")
        return [*lines, f"other ways: {'; '.join(others)}"]

    def _row(self, part: Part) -> list[str]:
        block = self.blocks[part.block - 1]
        mates = [name for name in block.subsystems if name != part.name]
        after = f", after block {', '.join(map(str, block.after))}" if block.after else ""
        return [
            part.name,
            ", ".join(part.bodies),
            str(len(part.equations)),
            _unknowns(part),
            f"{part.block} ({block.size})",
            (", ".join(mates) or "no other") + after,
        ]

    def __str__(self) -> str:
        table = aligned(self.columns, self.rows, right=(2,))
        return "\n".join([self.title, *(f"  {line}" for line in (*table, *self.remarks))])


def subsystems(description: Description) -> Subsystems:
    """The subsystems of a robot, found from the structure of its equations."""
    SUBSYSTEMS.refuse(description, ())
    d = Derivation(description, {})
    c = one_motor_each(d)
    found = solving_order(d, c)
    place = {n: k for k, block in enumerate(found.blocks, start=1) for n in block.subsystems}
    parts = tuple(_part(d, c, found, n, place[n]) for n in range(len(found.subsystems)))
    blocks = tuple(
        Block(
            tuple(parts[n].name for n in block.subsystems),
            Size.of(block.steps),
            tuple(Size.of([step]) for step in block.steps),
            tuple(k + 1 for k in block.after),
        )
        for block in found.blocks
    )
    nv, joints = d.tree.nv, d.tree.nv + len(c.partition.rows)
    ties = tuple(constraint.name for constraint in c.constraints)
    at_once = Size(nv, len(c.partition.actuated) + len(found.rows))
    return Subsystems(description.name, ties, parts, blocks, at_once, Size(joints, joints), _free_body_sizes(d, c))


def _part(d: Derivation, c: Closed, found: Order, n: int, block: int) -> Part:
    """A subsystem by name."""
    own, names, motors = found.subsystems[n], d.description.v_names, c.partition.actuated
    rows = all_rows(c, found.turned)
    present = pattern(d, equations(c.partition, [rows[i] for i in found.rows]))
    here = [j for _, unknowns in found.blocks[block - 1].steps for j in unknowns]
    unknown = [j for j in sorted(here) if any(present[k][j] for k in own.velocities)]
    return Part(
        roman(n + 1),
        tuple(d.tree.bodies[k].name for k in own.bodies),
        tuple(names[k] for k in own.velocities),
        tuple(names[motors[j]] for j in unknown if j < len(motors)),
        tuple(_by_constraint(c, [found.rows[j - len(motors)] for j in unknown if j >= len(motors)])),
        block,
    )


def _by_constraint(c: Closed, rows: Sequence[int]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The constraints to which rows belong, and what tells the rows of each apart."""
    start = 0
    for constraint in c.constraints:
        names = [name.removeprefix(constraint.name).lstrip(".") for name in constraint.conditions]
        taken = tuple(name for place, name in enumerate(names, start) if place in rows)
        start += len(names)
        if taken:
            yield constraint.name, taken


def _free_body_sizes(d: Derivation, c: Closed) -> tuple[Size, ...]:
    """The parts of the free-body equations, independent of each other, that hold the torques."""
    still = [d.graph.const(0)] * len(c.partition.actuated)
    found = pattern(d, free_bodies(c, still, still, d.base).A)
    parts = [[found[i] for i in rows] for rows in connected(found)]
    motors = range(len(c.partition.actuated))
    return tuple(
        Size(len(rows), sum(map(any, zip(*rows, strict=True))))
        for rows in parts
        if any(row[place] for row in rows for place in motors)
    )


def _listed(sizes: Sequence[Size]) -> str:
    """Sizes one after another, equal neighbours together: 1 (12 times), 6, 1 (6 times)."""
    words: list[str] = []
    for size, same in groupby(sizes):
        often, wide = len(list(same)), size.unknowns > size.equations
        words.append(
            f"{size if wide else size.equations}{', least norm' if wide else ''}"
            + (f" ({often} times)" if often > 1 else "")
        )
    return "; ".join(words) if any("," in word for word in words) else ", ".join(words)


def _unknowns(part: Part) -> str:
    """Torques one by one, forces by constraint; a coupling has one that needs no name of its own."""
    forces = (f"{name} ({' '.join(rows)})" if any(rows) else name for name, rows in part.forces)
    return ", ".join([*(f"Γ {name}" for name in part.torques), *forces])


def roman(n: int) -> str:
    """A number from 1 to 3999 as the Romans wrote it."""
    digits = [("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")]
    digits += [tuple(x.translate(str.maketrans("IVX", marks)) for x in digits[0]) for marks in ("XLC", "CDM", "M  ")]
    return "".join(digits[place][n // 10**place % 10] for place in (3, 2, 1, 0))
