"""Common subexpressions and dead code: every value is computed once, and only if an output needs it.

Contract: the same outputs, each element the same operations on the same operands as before, or fewer of them; the laws
of `expr` have been applied everywhere; statements in an order that depends on the outputs alone.
"""

from armillary.program import Program, to_graph, to_program


def share(program: Program) -> Program:
    """The Program remade in an interning graph, which makes equal statements one and drops what nothing needs."""
    _, results = to_graph(program)
    return to_program(program.name, program.inputs, results, program.about)
