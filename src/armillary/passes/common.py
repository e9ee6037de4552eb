"""Common subexpressions and dead code: every value is computed once, and only if an output needs it.

Contract: the same outputs, each element from the same operations on the same operands as before, or from fewer of them. Where
something is left out, the laws of `expr` are applied to the rest on the way. A Program without repetitions in which all is
needed comes back as it is.
"""

import numpy as np

from armillary.program import Program, to_graph, to_program


def share(program: Program) -> Program:
    """The Program without repeated and unneeded statements, remade in an interning graph if it has any."""
    if not _repeats(program) and not _idles(program):
        return program
    _, results = to_graph(program)
    return to_program(program.name, program.inputs, results, program.about)


def _repeats(program: Program) -> bool:
    statements = [(op, tuple(arguments)) for _, op, arguments, _, _ in program.statements()]
    return len(set(statements)) < len(statements)


def _idles(program: Program) -> bool:
    """Whether a statement has no result that another or an output uses."""
    used = np.zeros(program.n_values, dtype=bool)
    used[program.args] = True
    used[[v for out in program.outputs for v in out.values]] = True
    starts = program.results
    return not np.logical_or.reduceat(used, starts[:-1]).all() if len(program.ops) else False
