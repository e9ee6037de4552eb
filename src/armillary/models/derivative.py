"""Derivatives of a Program's outputs with respect to its inputs, as a Program."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from armillary.errors import ModelError
from armillary.expr.derivative import jacobian
from armillary.expr.graph import Expr, Graph
from armillary.models.route import operations
from armillary.program import Program, Result, to_graph, to_program, verify
from armillary.program.program import Output
from armillary.robot import Description

MODES = ("auto", "forward", "reverse")
Map = Callable[[Graph, list[Expr]], list[list[Expr]]]
"""The matrix ∂q/∂(motion) for the elements of an input."""


def derivative(
    program: Program, output: str, wrt: Sequence[str], mode: str = "auto", maps: Mapping[str, Map] | None = None
) -> Program:
    """∂output/∂input, an output `d<output>_d<input>` for each input of `wrt`; `maps` turn columns into other directions."""
    if mode not in MODES:
        raise ModelError(f"the mode of a derivative is one of {', '.join(MODES)}, not {mode!r}")
    out = program.output(output)
    inputs = [program.input(name) for name in wrt]
    graph, results = to_graph(program)
    roots = next(list(r.elements) for r in results if r.output.name == output)
    symbols = [graph.symbol(label) for x in inputs for label in x.labels]
    J = _cheapest(roots, symbols, mode)
    found: list[Result] = []
    start = 0
    for x in inputs:
        block = [row[start : start + x.size] for row in J]
        start += x.size
        shape, columns = x.shape, x.labels
        if maps and x.name in maps:
            N = maps[x.name](graph, [graph.symbol(label) for label in x.labels])
            block = [[_dot(row, column) for column in zip(*N, strict=True)] for row in block]
            shape, columns = (len(N[0]),), ()
        per = x.unit if x.unit.isalpha() else f"({x.unit})"
        unit = f"{out.unit}/{per}" if out.unit and x.unit else ""
        doc = f"derivative of {out.name} with respect to {x.name}"
        rows = out.rows if len(out.shape) == 1 else ()
        proto = Output(f"d{out.name}_d{x.name}", (*out.shape, *shape), (), unit, doc, rows, columns if rows else ())
        found.append(Result(proto, tuple(e for row in block for e in row)))
    about = replace(
        program.about,
        model=f"derivative of {output}, {program.about.model or program.name}",
        equation=", ".join(f"∂{output}/∂{name}" for name in wrt),
        source="differentiation on the expression graph",
    )
    return verify(to_program(f"{program.name}_d{output}", program.inputs, found, about))


def _cheapest(roots: list[Expr], symbols: list[Expr], mode: str) -> list[list[Expr]]:
    ways = [
        jacobian(roots, symbols, reverse=reverse)
        for name, reverse in (("forward", False), ("reverse", True))
        if mode in (name, "auto")
    ]
    return min(ways, key=lambda J: operations([x for row in J for x in row]))


def _dot(a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def tangent(description: Description) -> dict[str, Map]:
    """For q: the matrix N with q̇ = N q', the identity but for quaternions."""
    from armillary.kinematics.coordinates import coordinate_rates

    def rates(graph: Graph, q: list[Expr]) -> list[list[Expr]]:
        nv = description.nv
        columns: list[list[Expr]] = []
        for k in range(nv):
            unit = [graph.const(1 if i == k else 0) for i in range(nv)]
            columns.append([graph.lift(x) for x in coordinate_rates([b.joint for b in description.bodies], q, unit)])
        return [list(row) for row in zip(*columns, strict=True)]

    return {"q": rates}
