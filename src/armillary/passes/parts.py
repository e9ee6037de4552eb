"""What the sums and products of a Program consist of, and which of its values parameters alone decide."""

import numpy as np

from armillary.program import Program

SUMS = ("add", "sub")
PRODUCTS = ("mul",)


class Parts:
    """Sums and products over several statements: one that is used once, by a sum or product of its kind, is `inner` to that.

    Indexed by value: `once` whether it is used once, `early` whether parameters alone decide it, `ops` and `args` of the statement
    that makes it. Sums and products that parameters alone decide are nobody's inner parts.
    """

    def __init__(self, program: Program) -> None:
        outputs = np.array([v for out in program.outputs for v in out.values], dtype=np.int64)
        uses = np.bincount(np.concatenate([program.args, outputs]), minlength=program.n_values)
        self.once: list[bool] = (uses == 1).tolist()
        self.early: list[bool] = []
        for x in program.inputs:
            self.early += [x.role == "parameter"] * x.size
        self.early += [True] * len(program.constants)
        self.ops = [""] * program.first_result
        self.args: list[list[int]] = [[]] * program.first_result
        self.inner = [False] * program.n_values
        setup = program.setup.tolist()
        for (_, op, arguments, _, count), early in zip(program.statements(), setup, strict=True):
            self.early += [early] * count
            self.ops += [op] * count
            self.args += [arguments] * count
            kind = SUMS if op in SUMS else PRODUCTS
            if op in kind:
                for a in arguments:
                    self.inner[a] = self.once[a] and self.ops[a] in kind and not self.early[a]

    def roots(self, kind: tuple[str, ...]) -> list[int]:
        """The values that are whole sums (or products) and are worked out online."""
        return [v for v, op in enumerate(self.ops) if op in kind and not self.inner[v] and not self.early[v]]

    def terms(self, value: int) -> list[tuple[int, int]]:
        """(sign, value) of the terms of a sum, from left to right."""
        found: list[tuple[int, int]] = []
        stack = [(1, value)]
        while stack:
            sign, v = stack.pop()
            if v == value or self.inner[v]:
                a, b = self.args[v]
                stack.append((sign if self.ops[v] == "add" else -sign, b))
                stack.append((sign, a))
            else:
                found.append((sign, v))
        return found

    def factors(self, value: int) -> list[int]:
        """The factors of a product, from left to right."""
        found: list[int] = []
        stack = [value]
        while stack:
            v = stack.pop()
            if v == value or self.inner[v]:
                a, b = self.args[v]
                stack.append(b)
                stack.append(a)
            else:
                found.append(v)
        return found
