"""What a Program costs: operations by kind, those on parameters alone (setup) apart from the rest (online)."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from armillary.expr.ops import NAMES, OPS, SOLVE_CODE, solve_cost
from armillary.program.program import Program


@dataclass(frozen=True, slots=True)
class Cost:
    """Counts of operations; `trig` are calls of trigonometric functions, `other` of anything else. Negation is free."""

    mul: int = 0
    add: int = 0
    div: int = 0
    trig: int = 0
    other: int = 0

    def __add__(self, b: "Cost") -> "Cost":
        return Cost(self.mul + b.mul, self.add + b.add, self.div + b.div, self.trig + b.trig, self.other + b.other)

    @property
    def total(self) -> int:
        """mul + add: the figure that models are compared by."""
        return self.mul + self.add

    def as_dict(self) -> dict[str, int]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __str__(self) -> str:
        parts = [f"{self.mul} mul", f"{self.add} add"]
        parts += [f"{n} {name}" for name, n in (("div", self.div), ("trig", self.trig), ("other", self.other)) if n]
        return " + ".join(parts)


_COLUMN = np.array(
    [["mul", "add", "div", "trig", "other", "free"].index(OPS[name].cost) if name in OPS else 6 for name in NAMES]
)


def cost(program: Program) -> tuple[Cost, Cost]:
    """(online, setup) of a Program."""
    setup = program.setup
    return _count(program, ~setup), _count(program, setup)


def _count(program: Program, chosen: NDArray[np.bool_]) -> Cost:
    counts = np.bincount(_COLUMN[program.ops[chosen]], minlength=7)
    total = Cost(*(int(c) for c in counts[:5]))
    for k in np.flatnonzero(chosen & (program.ops == SOLVE_CODE)):
        total += Cost(**solve_cost(*program.system(int(k))))
    return total
