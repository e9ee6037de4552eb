"""Between the two forms of a computation: a graph of expressions, in which passes work, and a Program."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from armillary.errors import ProgramError
from armillary.expr.graph import Expr, Graph, topological
from armillary.expr.numbers import Number
from armillary.expr.ops import OPS, SOLVE, SOLVE_CODE
from armillary.program.program import About, Input, Output, Program


@dataclass(frozen=True, slots=True)
class Result:
    """An output still to be numbered: what `Output` says, and its elements as expressions, row by row."""

    output: Output
    elements: tuple[Expr, ...]


def to_program(name: str, inputs: Sequence[Input], outputs: Sequence[Result], about: About | None = None) -> Program:
    """The Program of `outputs` (nodes of one graph), whose symbols are the labels of `inputs`.

    Statements stand in the order in which the graph made them, constants in the order of their first use; what no output
    needs is left out, and so are parameters that nothing uses.
    """
    order = topological(element for out in outputs for element in out.elements)
    used = {node.attr for node in order if node.op == "symbol"}
    kept = [x for x in inputs if x.role == "state" or any(label in used for label in x.labels)]
    labels = [label for x in kept for label in x.labels]
    number_of = {label: k for k, label in enumerate(labels)}
    if len(number_of) < len(labels):
        twice = sorted({label for label in labels if labels.count(label) > 1})
        raise ProgramError(f"{name}: the names {', '.join(twice)} stand for more than one input element")

    constants: dict[Number, int] = {}
    value: dict[int, int] = {}
    used_nodes = [a for n in order for a in n.args] + [e for out in outputs for e in out.elements]
    for node in used_nodes:
        if node.const is not None:
            value[node.id] = constants.setdefault(node.const, len(labels) + len(constants))
        elif node.op == "symbol":
            try:
                value[node.id] = number_of[node.attr]
            except KeyError:
                raise ProgramError(
                    f"{name}: the symbol {node.attr!r} is no input; the inputs are {', '.join(labels)}"
                ) from None

    ops: list[int] = []
    args: list[int] = []
    starts = [0]
    widths: list[int] = []
    hints: dict[int, str] = {}
    graph_hints = order[0].graph.hints if order else {}
    codes = {op: row.code for op, row in OPS.items()}
    n_values = len(labels) + len(constants)
    for node in order:
        op = node.op
        if op == "result":
            value[node.id] = value[node.args[0].id] + node.attr
        elif op == SOLVE:
            n, m = node.attr
            value[node.id] = n_values
            n_values += n * m
            ops.append(SOLVE_CODE)
            widths.append(m)
            args.extend([value[a.id] for a in node.args])
            starts.append(len(args))
        elif op != "symbol" and node.const is None:
            value[node.id] = n_values
            n_values += 1
            ops.append(codes[op])
            widths.append(0)
            args.extend([value[a.id] for a in node.args])
            starts.append(len(args))
        if node.id in graph_hints:
            hints[value[node.id]] = graph_hints[node.id]
    return Program(
        name=name,
        inputs=tuple(kept),
        outputs=tuple(replace(out.output, values=tuple(value[e.id] for e in out.elements)) for out in outputs),
        constants=tuple(constants),
        ops=np.array(ops, dtype=np.uint8),
        starts=np.array(starts, dtype=np.int32),
        args=np.array(args, dtype=np.int32),
        widths=np.array(widths, dtype=np.int32),
        hints=hints,
        about=about or About(),
    )


def to_graph(
    program: Program, graph: Graph | None = None, replacements: dict[str, Expr] | None = None
) -> tuple[Graph, list[Result]]:
    """The Program's outputs as nodes of `graph` (a new one by default), laws applied again on the way.

    Input elements become symbols named by their labels, unless `replacements` gives a node for the label.
    """
    g = Graph() if graph is None else graph
    given = replacements or {}
    labels = [label for x in program.inputs for label in x.labels]
    nodes: list[Expr] = [given[label] if label in given else g.symbol(label) for label in labels]
    nodes += [g.const(c) for c in program.constants]
    hints = program.hints
    for k, op, arguments, first, count in program.statements():
        operands = [nodes[a] for a in arguments]
        if op == SOLVE:
            n, m = program.system(k)
            matrix = [operands[i * n : (i + 1) * n] for i in range(n)]
            right = [operands[n * n + i * m : n * n + (i + 1) * m] for i in range(n)]
            nodes += [x for row in g.solve(matrix, right) for x in row]
        else:
            nodes.append(g.apply(op, *operands))
        for value in range(first, first + count):
            if value in hints:
                nodes[value].named(hints[value])
    return g, [Result(out, tuple(nodes[v] for v in out.values)) for out in program.outputs]
