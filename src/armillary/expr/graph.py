"""Interned expression nodes: within one `Graph`, equal means identical.

A Graph lives as long as one derivation, so the ids of its nodes, and with them the order of commuting operands and
every byte that comes out, depend on the input alone. Ids are in topological order: arguments come before what uses them.
Nodes are made through `Graph.apply`, which first asks the algebraic laws of `laws.py`.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from armillary.errors import ExpressionError
from armillary.expr import numbers
from armillary.expr.numbers import Number, PiMultiple
from armillary.expr.ops import OPS, SOLVE

Law = Callable[..., "Expr | None"]


class Expr:
    """A node: an operation on nodes, a constant, or a symbol. Arithmetic operators make further nodes of the same graph.

    `const` is the number of a constant and None otherwise; `attr` is a symbol's name, the (n, m) of a `solve`, or the
    index of a `result` of one.
    """

    __slots__ = ("args", "attr", "const", "graph", "id", "op")

    def __init__(self, graph: "Graph", op: str, args: "tuple[Expr, ...]", id: int, const: Number | None, attr: Any) -> None:
        self.graph = graph
        self.op = op
        self.args = args
        self.id = id
        self.const = const
        self.attr = attr

    def __add__(self, other: "Operand") -> "Expr":
        return self.graph.apply("add", self, other)

    def __radd__(self, other: "Operand") -> "Expr":
        return self.graph.apply("add", other, self)

    def __sub__(self, other: "Operand") -> "Expr":
        return self.graph.apply("sub", self, other)

    def __rsub__(self, other: "Operand") -> "Expr":
        return self.graph.apply("sub", other, self)

    def __mul__(self, other: "Operand") -> "Expr":
        return self.graph.apply("mul", self, other)

    def __rmul__(self, other: "Operand") -> "Expr":
        return self.graph.apply("mul", other, self)

    def __truediv__(self, other: "Operand") -> "Expr":
        return self.graph.apply("div", self, other)

    def __rtruediv__(self, other: "Operand") -> "Expr":
        return self.graph.apply("div", other, self)

    def __neg__(self) -> "Expr":
        return self.graph.apply("neg", self)

    def __pos__(self) -> "Expr":
        return self

    def __abs__(self) -> "Expr":
        return self.graph.apply("abs", self)

    def __pow__(self, power: int) -> "Expr":
        """Integer powers, by repeated squaring."""
        if type(power) is not int:
            raise ExpressionError(f"the power {power!r} is not an integer; write exp(y*log(x)) or sqrt(x)")
        if power < 0:
            return 1 / self ** (-power)
        result: Expr | None = None
        square = self
        while power:
            if power & 1:
                result = square if result is None else result * square
            power >>= 1
            if power:
                square = square * square
        return self.graph.const(1) if result is None else result

    def sin(self) -> "Expr":
        return self.graph.apply("sin", self)

    def cos(self) -> "Expr":
        return self.graph.apply("cos", self)

    def tan(self) -> "Expr":
        return self.graph.apply("tan", self)

    def arcsin(self) -> "Expr":
        return self.graph.apply("asin", self)

    def arccos(self) -> "Expr":
        return self.graph.apply("acos", self)

    def arctan(self) -> "Expr":
        return self.graph.apply("atan", self)

    def arctan2(self, other: "Operand") -> "Expr":
        return self.graph.apply("atan2", self, other)

    def sqrt(self) -> "Expr":
        return self.graph.apply("sqrt", self)

    def sign(self) -> "Expr":
        return self.graph.apply("sign", self)

    def exp(self) -> "Expr":
        return self.graph.apply("exp", self)

    def log(self) -> "Expr":
        return self.graph.apply("log", self)

    def tanh(self) -> "Expr":
        return self.graph.apply("tanh", self)

    def minimum(self, other: "Operand") -> "Expr":
        return self.graph.apply("min", self, other)

    def maximum(self, other: "Operand") -> "Expr":
        return self.graph.apply("max", self, other)

    def less(self, other: "Operand") -> "Expr":
        """1 where self < other, else 0."""
        return self.graph.apply("less", self, other)

    def select(self, yes: "Operand", no: "Operand") -> "Expr":
        """`yes` where self is not 0, else `no`."""
        return self.graph.apply("select", self, yes, no)

    def named(self, name: str) -> "Expr":
        """The same value; its name is a hint for whoever prints it."""
        if self.const is None and self.args:
            self.graph.hints.setdefault(self.id, name)
        return self

    def __bool__(self) -> bool:
        raise ExpressionError("a symbolic value is neither true nor false; branch on the structure or use select()")

    def __repr__(self) -> str:
        from armillary.expr.infix import infix

        return infix(self)


Operand = Expr | int | float | Fraction | PiMultiple


class Graph:
    """An intern table of expressions, and the hints of names for them."""

    def __init__(self) -> None:
        from armillary.expr.laws import LAWS

        self.nodes: list[Expr] = []
        self.hints: dict[int, str] = {}
        self._table: dict[Any, Expr] = {}
        self._laws: dict[str, tuple[Law, ...]] = LAWS

    def const(self, value: object) -> Expr:
        """The node of a number."""
        number = numbers.normalise(value)
        key = ("const", number)
        node = self._table.get(key)
        if node is None:
            node = self._new("const", (), key, number, None)
        return node

    def symbol(self, name: str) -> Expr:
        """The node of a named unknown."""
        return self.intern("symbol", (), name)

    def lift(self, value: Operand) -> Expr:
        """`value` as a node of this graph: a number becomes a constant, a node of another graph is copied."""
        if isinstance(value, Expr):
            return value if value.graph is self else self.copy((value,))[0]
        return self.const(value)

    def apply(self, op: str, *operands: Operand) -> Expr:
        """op(operands), after the laws: the first law that has an answer gives it."""
        args = tuple([x if isinstance(x, Expr) and x.graph is self else self.lift(x) for x in operands])
        for law in self._laws[op]:
            result = law(self, *args)
            if result is not None:
                return result
        if len(args) == 2 and OPS[op].commutes and args[0].id > args[1].id:
            args = (args[1], args[0])
        return self.intern(op, args)

    def solve(self, matrix: Sequence[Sequence[Operand]], right: Sequence[Sequence[Operand]]) -> list[list[Expr]]:
        """X with matrix · X = right, as one statement with n·m results."""
        n, m = len(matrix), len(right[0])
        args = tuple(self.lift(x) for row in (*matrix, *right) for x in row)
        node = self.intern(SOLVE, args, (n, m))
        return [[self.intern("result", (node,), i * m + j) for j in range(m)] for i in range(n)]

    def intern(self, op: str, args: tuple[Expr, ...], attr: Any = None) -> Expr:
        """The node itself, no laws asked."""
        if attr is None:
            if len(args) == 2:
                key: Any = (op, args[0].id, args[1].id)
            else:
                key = (op, *[a.id for a in args])
        else:
            key = (op, attr, *[a.id for a in args])
        node = self._table.get(key)
        return self._new(op, args, key, None, attr) if node is None else node

    def _new(self, op: str, args: tuple[Expr, ...], key: Any, const: Number | None, attr: Any) -> Expr:
        node = Expr(self, op, args, len(self.nodes), const, attr)
        self._table[key] = node
        self.nodes.append(node)
        return node

    def rebuild(self, node: Expr, args: Sequence[Expr]) -> Expr:
        """The same operation as `node` on other arguments, which are nodes of this graph."""
        if node.const is not None:
            return self.const(node.const)
        if node.attr is not None:
            return self.intern(node.op, tuple(args), node.attr)
        return self.apply(node.op, *args)

    def copy(self, roots: Iterable[Expr], leaves: dict[str, Expr] | None = None) -> list[Expr]:
        """`roots` of another graph remade here; symbols found in `leaves` by name are replaced."""
        roots = list(roots)
        replace = leaves or {}
        made: dict[int, Expr] = {}
        for node in topological(roots):
            if node.op == "symbol":
                made[node.id] = replace.get(node.attr) or self.symbol(node.attr)
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
