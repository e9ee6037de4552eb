"""Interned expression nodes: within one `Graph`, equal means identical.

A Graph lives as long as one derivation, so the ids of its nodes, and with them the order of commuting operands and
every byte that comes out, depend on the input alone. Ids are in topological order: arguments come before what uses
them. Nodes are made through `Graph.apply`, which applies the algebraic laws of `laws.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from armillary.errors import ExpressionError
from armillary.expr import arithmetic, functions, numbers
from armillary.expr.laws import MAKERS
from armillary.expr.numbers import Number, PiMultiple
from armillary.expr.ops import OPS, RESULT, SOLVE


class Expr:
    """A node: an operation on nodes, a constant, or a symbol. Arithmetic operators make further nodes of its graph.

    `const` is the number of a constant and None otherwise; `attr` is a symbol's name, the (n, m) of a `solve`, or the
    index of a `result` of one. NumPy's functions on object arrays work through the methods of the same names.
    """

    __slots__ = ("args", "attr", "const", "graph", "id", "op")

    def __init__(
        self, graph: Graph, op: str, args: tuple[Expr, ...], id: int, const: Number | None = None, attr: Any = None
    ) -> None:
        self.graph = graph
        self.op = op
        self.args = args
        self.id = id
        self.const = const
        self.attr = attr

    def __add__(self, other: Operand) -> Expr:
        x = self.graph.operand(other)
        return NotImplemented if x is None else arithmetic.add(self.graph, self, x)

    def __radd__(self, other: Operand) -> Expr:
        x = self.graph.operand(other)
        return NotImplemented if x is None else arithmetic.add(self.graph, x, self)

    def __sub__(self, other: Operand) -> Expr:
        x = self.graph.operand(other)
        return NotImplemented if x is None else arithmetic.subtract(self.graph, self, x)

    def __rsub__(self, other: Operand) -> Expr:
        x = self.graph.operand(other)
        return NotImplemented if x is None else arithmetic.subtract(self.graph, x, self)

    def __mul__(self, other: Operand) -> Expr:
        x = self.graph.operand(other)
        return NotImplemented if x is None else arithmetic.multiply(self.graph, self, x)

    def __rmul__(self, other: Operand) -> Expr:
        x = self.graph.operand(other)
        return NotImplemented if x is None else arithmetic.multiply(self.graph, x, self)

    def __truediv__(self, other: Operand) -> Expr:
        x = self.graph.operand(other)
        return NotImplemented if x is None else arithmetic.divide(self.graph, self, x)

    def __rtruediv__(self, other: Operand) -> Expr:
        x = self.graph.operand(other)
        return NotImplemented if x is None else arithmetic.divide(self.graph, x, self)

    def __pow__(self, exponent: int | float | Fraction) -> Expr:
        """Powers that are integers or halves of one, by repeated squaring."""
        return arithmetic.power(self.graph, self, numbers.normalise(exponent))

    def __neg__(self) -> Expr:
        return arithmetic.negate(self.graph, self)

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return functions.absolute(self.graph, self)

    def sin(self) -> Expr:
        return functions.sin(self.graph, self)

    def cos(self) -> Expr:
        return functions.cos(self.graph, self)

    def tan(self) -> Expr:
        return functions.tan(self.graph, self)

    def arcsin(self) -> Expr:
        return functions.asin(self.graph, self)

    def arccos(self) -> Expr:
        return functions.acos(self.graph, self)

    def arctan(self) -> Expr:
        return functions.atan(self.graph, self)

    def arctan2(self, other: Operand) -> Expr:
        return functions.atan2(self.graph, self, self.graph.lift(other))

    def sqrt(self) -> Expr:
        return functions.sqrt(self.graph, self)

    def sign(self) -> Expr:
        return functions.sign(self.graph, self)

    def exp(self) -> Expr:
        return functions.exp(self.graph, self)

    def log(self) -> Expr:
        return functions.log(self.graph, self)

    def tanh(self) -> Expr:
        return functions.tanh(self.graph, self)

    def minimum(self, other: Operand) -> Expr:
        return functions.minimum(self.graph, self, self.graph.lift(other))

    def maximum(self, other: Operand) -> Expr:
        return functions.maximum(self.graph, self, self.graph.lift(other))

    def less(self, other: Operand) -> Expr:
        """1 where self < other, else 0."""
        return functions.less(self.graph, self, self.graph.lift(other))

    def select(self, yes: Operand, no: Operand) -> Expr:
        """`yes` where self is not 0, else `no`."""
        return functions.select(self.graph, self, self.graph.lift(yes), self.graph.lift(no))

    def named(self, name: str) -> Expr:
        """The same value; its name is a hint for whoever prints it."""
        if self.args:
            self.graph.hints.setdefault(self.id, name)
        return self

    def __bool__(self) -> bool:
        raise ExpressionError("a symbolic value is neither true nor false; branch on the structure or use select()")

    def __repr__(self) -> str:
        from armillary.expr.infix import preview

        return preview(self)


Operand = Expr | int | float | Fraction | PiMultiple
"""What may stand beside a node in a formula."""


class Graph:
    """An intern table of expressions, and the hints of names for them.

    `sums`, `products`, `differences` and `negations` are the tables of the operations that derivations are made of.
    """

    def __init__(self) -> None:
        self.nodes: list[Expr] = []
        self.hints: dict[int, str] = {}
        self._constants: dict[Number, Expr] = {}
        self._tables: dict[str, dict[Any, Expr]] = {op: {} for op in (*OPS, SOLVE, RESULT, "symbol")}
        self.sums = self._tables["add"]
        self.products = self._tables["mul"]
        self.differences = self._tables["sub"]
        self.negations = self._tables["neg"]

    def const(self, value: object) -> Expr:
        """The node of a number."""
        if type(value) is not int or value not in self._constants:
            value = numbers.normalise(value)
        node = self._constants.get(value)
        if node is None:
            node = Expr(self, "const", (), len(self.nodes), value)
            self._constants[value] = node
            self.nodes.append(node)
        return node

    def symbol(self, name: str) -> Expr:
        """The node of a named unknown."""
        return self.intern("symbol", (), name)

    def lift(self, value: Operand) -> Expr:
        """`value` as a node of this graph: a number becomes a constant, a node of another graph is copied."""
        if isinstance(value, Expr):
            return value if value.graph is self else self.copy((value,))[0]
        return self.const(value)

    def operand(self, value: Operand) -> Expr | None:
        """`value` as a node of this graph, None for an array, whose elements are for NumPy to go through."""
        if isinstance(value, Expr):
            return value if value.graph is self else self.copy((value,))[0]
        return None if getattr(value, "ndim", 0) else self.const(value)

    def apply(self, op: str, *operands: Operand) -> Expr:
        """op(operands), after the laws."""
        return MAKERS[op](self, *[x if isinstance(x, Expr) and x.graph is self else self.lift(x) for x in operands])

    def solve(self, matrix: Sequence[Sequence[Operand]], right: Sequence[Sequence[Operand]]) -> list[list[Expr]]:
        """X with matrix · X = right, as one statement. Columns of zeros need none, and a 1 x 1 matrix is a divisor."""
        n = len(matrix)
        if n == 0 or len(right) != n or any(len(row) != n for row in matrix) or len({len(row) for row in right}) != 1:
            raise ExpressionError(
                f"solve needs an n x n matrix and n rows of right-hand sides of one length, "
                f"not rows of {[len(row) for row in matrix]} and {[len(row) for row in right]}"
            )
        a = [[self.lift(x) for x in row] for row in matrix]
        b = [[self.lift(x) for x in row] for row in right]
        if n == 1:
            return [[arithmetic.divide(self, x, a[0][0]) for x in b[0]]]
        columns = [j for j in range(len(b[0])) if any(row[j].const != 0 for row in b)]
        result = [[self.const(0)] * len(row) for row in b]
        if columns:
            args = (*[x for row in a for x in row], *[row[j] for row in b for j in columns])
            node = self.intern(SOLVE, args, (n, len(columns)))
            for k, (i, j) in enumerate(product(range(n), columns)):
                result[i][j] = self.intern(RESULT, (node,), k)
        return result

    def intern(self, op: str, args: tuple[Expr, ...], attr: Any = None) -> Expr:
        """The node itself, no laws asked."""
        table = self._tables[op]
        key = args if attr is None else (attr, args)
        node = table.get(key)
        if node is None:
            node = Expr(self, op, args, len(self.nodes), None, attr)
            table[key] = node
            self.nodes.append(node)
        return node

    def new(self, table: dict[Any, Expr], op: str, args: tuple[Expr, ...]) -> Expr:
        """A node that is not in its table yet."""
        nodes = self.nodes
        node = Expr(self, op, args, len(nodes))
        table[args] = node
        nodes.append(node)
        return node

    def rebuild(self, node: Expr, args: Sequence[Expr]) -> Expr:
        """The same operation as `node` on other arguments, which are nodes of this graph."""
        if node.const is not None:
            return self.const(node.const)
        if node.attr is not None:
            return self.intern(node.op, tuple(args), node.attr)
        return self.apply(node.op, *args)

    def copy(self, roots: Iterable[Expr], leaves: Mapping[str, Expr] | None = None) -> list[Expr]:
        """`roots` of another graph remade here; symbols found in `leaves` by name are replaced."""
        roots = list(roots)
        replace = leaves or {}
        made: dict[int, Expr] = {}
        for node in topological(roots):
            if node.op == "symbol":
                made[node.id] = replace[node.attr] if node.attr in replace else self.symbol(node.attr)
            else:
                made[node.id] = self.rebuild(node, [made[a.id] for a in node.args])
            hint = node.graph.hints.get(node.id)
            if hint is not None:
                made[node.id].named(hint)
        return [made[r.id] for r in roots]


def topological(roots: Iterable[Expr]) -> list[Expr]:
    """Every node that `roots` (of one graph) depend on, in order of id: arguments first."""
    seen: dict[int, Expr] = {}
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.id not in seen:
            seen[node.id] = node
            stack.extend(node.args)
    return [seen[i] for i in sorted(seen)]


def symbol(name: str) -> Expr:
    """A symbol to write formulas with by hand, in a graph of its own."""
    return Graph().symbol(name)


def symbols_in(roots: Iterable[Expr]) -> list[str]:
    """The names that `roots` depend on, in order of first making."""
    return [node.attr for node in topological(roots) if node.op == "symbol"]
