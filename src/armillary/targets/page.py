"""A function being written: the names that its values have so far, and the text of every line."""

from collections.abc import Iterable, Mapping, Sequence

from armillary.program.program import Program
from armillary.targets.names import Namer, wishes
from armillary.targets.notation import Notation, Text
from armillary.targets.schedule import LINE, Operation, expression, schedule, write

_UNNAMED = "t1000"


class Page:
    """The lines of a Program in `plan`, to be named one after another; `inputs` are the texts of the input elements.

    `given` are names of results decided beforehand, `taken` those that are not to be used again; `limit` is the width of an
    expression, `longest` the length of a name.
    """

    def __init__(
        self,
        program: Program,
        notation: Notation,
        inputs: Sequence[str],
        taken: Iterable[str],
        given: Mapping[int, str] | None = None,
        limit: int = LINE,
        longest: int | None = None,
    ) -> None:
        texts = [Text(text) for text in inputs] + [notation.number(c) for c in program.constants]
        self._notation = notation
        self._wished = wishes(program)
        self._given = given or {}
        self.namer = Namer(taken, longest)
        self.names = dict(enumerate(texts))

        def leaf(value: int) -> int:
            if value < program.first_result:
                return len(texts[value].text)
            return len(self._given.get(value) or self._wished.get(value, _UNNAMED))

        self.plan = schedule(program, notation, leaf, limit)

    def name(self, value: int) -> str:
        """A name for a result, from now on its text: the one given beforehand, the one it would like, or t1, t2, …"""
        wish = self._wished.get(value)
        name = self._given.get(value) or (self.namer.name(wish) if wish else self.namer.next())
        self.names[value] = Text(name)
        return name

    def call(self, names: Mapping[int, str]) -> None:
        """Texts for values that are named together, the results of a system."""
        self.names |= {value: Text(text) for value, text in names.items()}

    def expression(self, line: Operation) -> str:
        """The right-hand side of a line."""
        return expression(self.plan, self._notation, self.names, line).text

    def value(self, value: int) -> str:
        """What stands for a value: its name, a number, or the expression that was folded into this place."""
        return write(self.plan, self._notation, self.names, value).text

    def system(self, line: Operation) -> tuple[list[list[str]], list[list[str]]]:
        """The rows of A and of B in A X = B."""
        n, m = self.plan.program.system(line.number)
        cells = [self.value(a) for a in line.args]
        matrix, right = cells[: n * n], cells[n * n :]
        return [matrix[i * n : (i + 1) * n] for i in range(n)], [right[i * m : (i + 1) * m] for i in range(n)]
