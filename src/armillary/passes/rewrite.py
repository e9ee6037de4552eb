"""What rewriting passes share: a Program remade statement by statement in a new graph, a rule having the first word on each."""

from collections.abc import Callable

from armillary.expr.graph import Expr, Graph
from armillary.expr.laws import MAKERS
from armillary.expr.ops import SOLVE
from armillary.program import Program, Result, to_program

Rule = Callable[[int, str, list[int], list[Expr]], Expr | None]
"""(value, operation, arguments as values, arguments as new nodes) → the node that stands for the value, None for the same operation."""


def remade(program: Program, rule_for: Callable[[Graph, list[Expr]], Rule]) -> Program:
    """The Program with every value replaced as the rule says that `rule_for(new graph, nodes so far by value)` gives.

    The Program itself where the rule has nothing to say.
    """
    graph = Graph()
    nodes: list[Expr] = [graph.symbol(label) for x in program.inputs for label in x.labels]
    nodes += [graph.const(c) for c in program.constants]
    rule = rule_for(graph, nodes)
    hints = program.hints
    spoke = False
    for k, op, arguments, first, _ in program.statements():
        operands = [nodes[a] for a in arguments]
        if op == SOLVE:
            n, m = program.system(k)
            right = [operands[n * n + i * m : n * n + (i + 1) * m] for i in range(n)]
            nodes += [x for row in graph.solve([operands[i * n : (i + 1) * n] for i in range(n)], right) for x in row]
            continue
        found = rule(first, op, arguments, operands)
        if found is None:
            found = MAKERS[op](graph, *operands)
        else:
            spoke = True
        nodes.append(found)
    for value, hint in hints.items():
        nodes[value].named(hint)
    if not spoke:
        return program
    results = [Result(out, tuple(nodes[v] for v in out.values)) for out in program.outputs]
    return to_program(program.name, program.inputs, results, program.about)
