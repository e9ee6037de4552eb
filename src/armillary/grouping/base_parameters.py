"""Base inertial parameters: the fewest with which the torques are what they are, and what each of them stands for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from armillary.dynamics.observability import ELEVEN
from armillary.expr.collector import collector_paused
from armillary.expr.graph import Expr, Graph
from armillary.grouping.names import free_name, given_values, parameter_names
from armillary.grouping.proof import Proof, prove
from armillary.grouping.regrouped import substituted, symbolic
from armillary.grouping.relations import Combination, Place, Relation, relations
from armillary.grouping.structure import Structure, structure
from armillary.robot.body import INERTIAL
from armillary.robot.description import Description
from armillary.robot.value import Formula, Value

DECIDED_AT, PROVEN_AT = 0, 1
"""The seeds of the two random points."""


@dataclass(frozen=True)
class BaseParameters:
    """The base inertial parameters of a robot, rotor inertias counted among them or left as they are.

    Friction, external wrenches and geometry are not touched. Torques, the inertia matrix, Coriolis and gravity terms and
    accelerations are the same with the base parameters alone; reaction wrenches and energies are not. A base that moves is
    taken to move in any way along and about those of its axes for which the description has a component that is not 0.
    """

    robot: Description
    rotors: bool
    structure: Structure

    @cached_property
    def names(self) -> Mapping[Place, str]:
        """What each parameter is called: by its own symbol if it has one for itself, else like ZZ2, of the second body."""
        return parameter_names(self.robot, self.given)

    @cached_property
    def given(self) -> Mapping[Place, Value]:
        """The parameters as the robot has them."""
        return given_values(self.robot)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """(body, parameter) of those that are kept, bodies as they stand in the description."""
        return tuple(sorted((link.body, rule.kept) for link in self.structure.links for rule in link.rules))

    @cached_property
    def kept(self) -> tuple[str, ...]:
        """The parameters that stay, each alone or with others grouped into it."""
        return tuple(self.names[place] for place in self.places)

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """(body's name, parameter) of those that are kept: the columns of the regressor that stay."""
        return tuple((self.robot.bodies[body].name, ELEVEN[parameter]) for body, parameter in self.places)

    @property
    def rank(self) -> int:
        """How many base parameters there are: the rank of the regressor."""
        return len(self.places)

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """What each base parameter stands for, in expressions of one graph."""
        with collector_paused():
            g = Graph()
            formula = self.structure.samples.formula
            copies = iter(g.copy([formula(x) for terms in self._combinations.values() for x in terms.values()]))
            symbols = {place: g.symbol(name) for place, name in self.names.items()}
            found: list[Relation] = []
            for place, combination in self._combinations.items():
                terms = {p: (self.names[p], next(copies)) for p in combination}
                expr = _factored(g, ((symbols[p], x) for p, (_, x) in terms.items()))
                found.append(Relation(place, self.names[place], self._symbol(place), terms, expr))
            return tuple(found)

    @cached_property
    def grouped(self) -> Mapping[str, tuple[str, ...]]:
        """The parameters that are no longer there, with the base parameters that they went into."""
        into: dict[str, list[str]] = {}
        kept = set(self.kept)
        for relation in self.relations:
            for name, _ in relation.terms.values():
                if name not in kept:
                    into.setdefault(name, []).append(relation.symbol)
        return {name: tuple(symbols) for name, symbols in into.items()}

    @cached_property
    def without_effect(self) -> tuple[str, ...]:
        """The parameters that no torque depends on."""
        met = {place for terms in self._combinations.values() for place in terms}
        counted = len(INERTIAL) + self.rotors
        return tuple(name for place, name in self.names.items() if place not in met and place[1] < counted)

    @cached_property
    def proof(self) -> Proof:
        """The proof in exact arithmetic that these parameters are enough and that none can be spared."""
        return prove(self.robot, self.rotors, self.places, PROVEN_AT)

    @property
    def description(self) -> Description:
        """The robot with its base parameters: symbols for them where its inertial parameters have any, else numbers."""
        return self.symbolic if any(isinstance(x, Formula) for x in self.given.values()) else self.substituted

    @cached_property
    def symbolic(self) -> Description:
        """The robot with a symbol of its own for each base parameter that others are grouped into: ZZ1R.

        The relation is the symbol's doc, and its value the symbol's default where the robot has numbers for it.
        """
        return symbolic(self.robot, self.relations, self.given, self.rotors)

    @cached_property
    def substituted(self) -> Description:
        """The robot with the value of each base parameter: a number, or a formula in the robot's own symbols."""
        return substituted(self.robot, self.relations, self.given, self.rotors)

    def __str__(self) -> str:
        lines = [f"{self.rank} base inertial parameters of {self.robot.name}"]
        lines += [str(r) for r in self.relations]
        if self.without_effect:
            lines.append(f"without effect: {', '.join(self.without_effect)}")
        lines.append(f"proof: {self.proof}")
        return "\n".join(lines)

    def latex(self) -> str:
        """The relations as an aligned environment; a parameter that stays alone has only its name."""
        from armillary.targets.latex.symbols import name
        from armillary.targets.latex.typed import typed

        rows = [f"  {name(r.symbol)}" + (f" &= {typed(r.formula)}" if r.grouped else " &") for r in self.relations]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    @cached_property
    def _combinations(self) -> Mapping[Place, Combination]:
        with collector_paused():
            return relations(self.structure)

    def _symbol(self, place: Place) -> str:
        """The name of a base parameter: that of the parameter, with an R if others are grouped into it."""
        name = self.names[place]
        return name if self._combinations[place] == {place: 1} else free_name(f"{name}R", "R", self._taken)

    @cached_property
    def _taken(self) -> set[str]:
        return {*self.robot.symbols, *self.robot.parameters}


def base_parameters(description: Description, *, rotors: bool = True) -> BaseParameters:
    """The base inertial parameters of a robot; with `rotors` the inertias IA are regrouped with those of the links."""
    with collector_paused():
        return BaseParameters(description, rotors, structure(description, rotors, DECIDED_AT))


def _factored(g: Graph, terms: Iterable[tuple[Expr, Expr]]) -> Expr:
    """Σ coefficient · parameter, parameters of one coefficient together."""
    sums: dict[int, tuple[Expr, Expr]] = {}
    for symbol, coefficient in terms:
        held = sums.get(coefficient.id)
        sums[coefficient.id] = (coefficient, symbol if held is None else held[1] + symbol)
    total = g.const(0)
    for coefficient, together in sums.values():
        total = total + coefficient * together
    return total
