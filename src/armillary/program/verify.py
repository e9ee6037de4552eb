"""Whether a Program is one: every pass, parser and builder hands over what this accepts."""

from math import prod

import numpy as np

from armillary.errors import ProgramError
from armillary.expr.ops import NAMES, OPS, SOLVE_CODE
from armillary.program.program import Program

_ARITY = np.array([OPS[name].arity if name in OPS else 0 for name in NAMES])


def verify(program: Program) -> Program:
    """The Program itself, when names are unique, shapes fit, and every operation has its arguments, made before it."""

    def wrong(what: str) -> ProgramError:
        return ProgramError(f"program {program.name!r} does not verify: {what}")

    names = [x.name for x in program.inputs] + [x.name for x in program.outputs]
    if len(set(names)) < len(names):
        raise wrong(f"a name is used twice among the inputs and outputs {', '.join(names)}")
    labels = [label for x in program.inputs for label in x.labels]
    if len(set(labels)) < len(labels):
        raise wrong("two input elements have one label")
    for x in program.inputs:
        if len(x.labels) != x.size:
            raise wrong(f"input {x.name!r} of shape {x.shape} has {len(x.labels)} labels")
        if x.default is not None and len(x.default) != x.size:
            raise wrong(f"input {x.name!r} of shape {x.shape} has {len(x.default)} default values")
    if program.ops.size and int(program.ops.max()) >= len(NAMES):
        raise wrong(f"there is no operation {int(program.ops.max())}; the last is {len(NAMES) - 1}")
    n = len(program.ops)
    if len(program.starts) != n + 1 or len(program.widths) != n or int(program.starts[-1]) != len(program.args):
        raise wrong("the arrays of statements have different lengths")
    if int(program.starts[0]) != 0 or (np.diff(program.starts) < 0).any():
        raise wrong("the arguments of the statements do not follow one another")
    counts = np.diff(program.starts)
    first = np.repeat(program.results[:-1], counts)
    apart = (counts != _ARITY[program.ops]) & (program.ops != SOLVE_CODE)
    early = (program.args < 0) | (program.args >= first)
    if apart.any():
        k = int(np.argmax(apart))
        op = NAMES[int(program.ops[k])]
        raise wrong(f"statement {k} is {op!r} with {int(counts[k])} arguments; it takes {OPS[op].arity}")
    if early.any():
        place = int(np.argmax(early))
        k, a = int(np.searchsorted(program.starts, place, side="right")) - 1, int(program.args[place])
        op = NAMES[int(program.ops[k])]
        raise wrong(f"statement {k} ({op}) uses value {a} before it is made (values so far: {int(first[place])})")
    for out in program.outputs:
        if prod(out.shape) != len(out.values):
            raise wrong(f"output {out.name!r} of shape {out.shape} has {len(out.values)} elements")
        if any(not 0 <= v < program.n_values for v in out.values):
            raise wrong(f"output {out.name!r} names a value that does not exist")
    return program
