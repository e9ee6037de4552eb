"""One derivation: a description in symbols, the inputs a model asks for, the outputs it gives, and the Program they make."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from armillary.errors import ExpressionError, ModelError
from armillary.expr.graph import Expr, Graph, symbols_in
from armillary.expr.numbers import Number
from armillary.expr.parse import parse
from armillary.kinematics.motion import BaseMotion, base_motion
from armillary.models.meaning import meanings
from armillary.program.program import About, Input, Output, Program
from armillary.program.trace import Trace
from armillary.robot import BASE, Description, Formula, Frame, Tree, Value, tree, value
from armillary.robot.description import unknown_frame
from armillary.robot.substitute import substitute
from armillary.spatial.vector import ZERO

Fixed = Mapping[str, Any]
"""Numbers or formulas for inputs, by the label of an element or the name of a whole input."""

RATES = {"qd": ("QP", "/s"), "qdd": ("QDP", "/s²"), "tau": ("GAM", "")}
"""The letters of SYMORO for joint velocities, accelerations and torques, and what they add to the unit of q."""


class Derivation:
    """A robot's description as expressions of one graph.

    Symbols of the description become parameters of the Program, but for those in `states`, whole groups of which are
    inputs that change from call to call (a wrench, gravity). `fixed` puts numbers or formulas in for inputs. `kept` are
    the symbols of the base inertial parameters by body and parameter, where the description has nothing but these.
    `original` is the description as the user knows it, whose tip is meant where no frame is named. `notes`
    are what the model should say of how it was made.
    """

    def __init__(
        self,
        description: Description,
        fixed: Fixed,
        states: Sequence[Input] = (),
        kept: Mapping[tuple[str, str], str] | None = None,
        original: Description | None = None,
    ) -> None:
        self.description = description
        self.kept = kept
        self.original = description if original is None else original
        self.taken_frame = ""
        self.notes: list[tuple[str, str]] = []
        self.graph = Graph()
        self.trace = Trace(self.graph)
        self.states = tuple(states)
        self._fixed = dict(fixed)
        self._open_states()
        self._met: set[str] = set()
        self._values: dict[str, Expr] = {}
        self._inputs: dict[str, list[Expr]] = {}
        self._symbols = set(description.symbols) - {label for x in self.states for label in x.labels}

    def _open_states(self) -> None:
        """What a whole group of states is fixed to, element by element."""
        for x in self.states:
            if x.name in self._fixed:
                self._fixed |= dict(zip(x.labels, _elements(x, self._fixed.pop(x.name)), strict=True))

    # ---- the robot in symbols ----

    def scalar(self, given: Value) -> Any:
        """A value of the description: a number, or an expression in which fixed symbols have been replaced."""
        if not isinstance(given, Formula):
            return self.graph.const(given)
        made = self._values.get(given.text)
        if made is None:
            leaves = {name: self.leaf(name) for name in given.symbols}
            plain = given.text in leaves
            made = leaves[given.text] if plain else self.graph.copy([given.expr], leaves)[0]
            self._values[given.text] = made
        return made

    def leaf(self, name: str) -> Expr:
        """A symbol, or what it is fixed to."""
        if name in self._fixed:
            self._met.add(name)
            return self._given(name, self._fixed[name])
        return self.graph.symbol(name)

    @cached_property
    def tree(self) -> Tree:
        """The bodies that move, links behind fixed joints joined with those that carry them."""
        return self.links.welded()

    @cached_property
    def links(self) -> Tree:
        """All links, also those behind fixed joints."""
        return tree(self.description, self.scalar)

    @cached_property
    def base(self) -> BaseMotion:
        """The base's motion, gravity taken off its acceleration."""
        return base_motion(self.tree)

    @cached_property
    def bare(self) -> Tree:
        """The moving bodies without friction, springs and external wrenches, on a base at rest."""
        bodies = tuple(replace(b, FV=0, FS=0, elastic=False, wrench=(ZERO, ZERO)) for b in self.tree.bodies)
        return replace(self.tree, bodies=bodies, base_velocity=(ZERO, ZERO), base_acceleration=(ZERO, ZERO))

    def frame(self, name: str | None) -> str:
        """A frame by name; without a name the tip, where there is one."""
        d = self.description
        if name is not None:
            if name not in d.frame_names:
                raise unknown_frame(d, name)
            return name
        self.taken_frame = default_frame(self.original)
        return self.taken_frame

    @property
    def known(self) -> dict[str, float]:
        """Values of parameters: those fixed to numbers, and defaults."""
        defaults = {name: p.default for name, p in self.description.parameters.items() if p.default is not None}
        return defaults | {name: float(x) for name, x in self._fixed.items() if isinstance(x, Number)}

    @property
    def settled(self) -> Description:
        """The description with what its symbols are fixed to in their place."""
        given = {name: value(self._given(name, x)) for name, x in self._fixed.items() if name in self._symbols}
        return substitute(self.description, given) if given else self.description

    # ---- inputs and outputs ----

    @property
    def q(self) -> list[Expr]:
        """Joint coordinates."""
        labels = self.description.q_names
        units = {u for b in self.description.bodies if (u := b.joint.units[0])}
        unit = units.pop() if len(units) == 1 else ""
        return self.input(Input("q", (self.description.nq,), "state", unit, "joint coordinates", labels))

    @property
    def qd(self) -> list[Expr]:
        """Joint velocities."""
        return self._rate("qd", "joint velocities")

    @property
    def qdd(self) -> list[Expr]:
        """Joint accelerations."""
        return self._rate("qdd", "joint accelerations")

    @property
    def tau(self) -> list[Expr]:
        """Joint torques and forces."""
        return self._rate("tau", "joint torques and forces")

    @property
    def still(self) -> list[Expr]:
        """As many zeros as there are joint velocities."""
        return [self.graph.const(0)] * self.description.nv

    def _rate(self, name: str, doc: str) -> list[Expr]:
        nv = self.description.nv
        labels = tuple(f"{RATES[name][0]}{k}" for k in range(1, nv + 1))
        return self.input(Input(name, (nv,), "state", self._unit(name), doc, labels))

    def _unit(self, name: str) -> str:
        return self.unit(name, range(self.description.nv))

    def unit(self, name: str, places: Sequence[int]) -> str:
        """The unit of velocities, accelerations or torques at these places; nothing where joints differ in it."""
        per = RATES[name][1]
        every = [b.joint for b in self.description.bodies for _ in range(b.joint.nv)]
        joints = [every[k] for k in places]
        units = {(j.units[0] or "rad") + per if per else j.units[1] for j in joints}
        return units.pop() if len(units) == 1 else ""

    def input(self, like: Input) -> list[Expr]:
        """The elements of an input, declared the first time it is asked for."""
        if like.name not in self._inputs:
            labels = (
                tuple(f"{x}_" if x in self._symbols else x for x in like.labels)
                if like.role == "state"
                else like.labels
            )
            like = replace(like, labels=labels)
            self._fix(like)
            self._inputs[like.name] = self.trace.input(like)
        return self._inputs[like.name]

    def output(
        self, name: str, shape: Sequence[int], elements: Any, unit: str = "", doc: str = "", **names: Any
    ) -> None:
        """An output: nested lists of expressions and numbers."""
        rows, columns = tuple(names.get("rows", ())), tuple(names.get("columns", ()))
        proto = Output(name, tuple(shape), (), unit, doc, rows, columns)
        self.trace.output(proto, elements)

    def torques(self, name: str, elements: Any, doc: str) -> None:
        """An output with an element for each joint velocity, in the unit of its torque or force."""
        self.output(name, (self.description.nv,), elements, self._unit("tau"), doc, rows=self.description.v_names)

    def accelerations(self, name: str, elements: Any, doc: str) -> None:
        """An output with an element for each joint acceleration."""
        self.output(name, (self.description.nv,), elements, self._unit("qdd"), doc, rows=self.description.v_names)

    @property
    def inertia_unit(self) -> str:
        """The unit of the inertia matrix, where all elements have one."""
        return {"N·m": "kg·m²", "N": "kg"}.get(self._unit("tau"), "")

    def _fix(self, like: Input) -> None:
        """Note what elements of an input are fixed to."""
        if like.name in self._fixed:
            self._met.add(like.name)
            for label, x in zip(like.labels, _elements(like, self._fixed[like.name]), strict=True):
                self.trace.fixed[label] = self._given(label, x)
        for label in like.labels:
            if label in self._fixed:
                self._met.add(label)
                self.trace.fixed[label] = self._given(label, self._fixed[label])

    def _given(self, name: str, value: Any) -> Expr:
        try:
            if isinstance(value, Formula):
                value = value.text
            return parse(value, self.graph) if isinstance(value, str) else self.graph.const(value)
        except ExpressionError as error:
            raise ModelError(f"{name} cannot be fixed to {value!r}: {error}") from None

    # ---- the Program ----

    def program(self, name: str, about: About) -> Program:
        """What was traced, with every symbol that is no state as a parameter."""
        for like in self.states:
            self.input(like)
        ignored = sorted(set(self._fixed) - self._met - self._symbols)
        labels = [label for x in self.trace.inputs for label in x.labels]
        if ignored:
            known = ", ".join([x.name for x in self.trace.inputs] + labels + sorted(self._symbols))
            raise ModelError(f"{', '.join(ignored)} cannot be fixed: the model has no such input; it has {known}")
        declared = set(labels)
        self._give_way(declared)
        used = {node.attr: None for node in self.graph.nodes if node.op == "symbol"}
        names = [s for s in self.description.symbols if s in used] + [s for s in used if s not in self._symbols]
        known = meanings(self.description)
        for symbol in names:
            if symbol not in declared:
                p = known.get(symbol)
                default = None if p is None or p.default is None else (p.default,)
                unit, doc = ("", "") if p is None else (p.unit, p.doc)
                self.trace.inputs.append(Input(symbol, (), "parameter", unit, doc, (symbol,), default))
        return self.trace.program(name, about)

    def _give_way(self, declared: Collection[str]) -> None:
        """Inputs and outputs that are called like a parameter of the model get an underscore, as their labels do."""
        taken = set(symbols_in([x for r in self.trace.results for x in r.elements])) - set(declared)

        def free(name: str) -> str:
            return f"{name}_" if name in taken else name

        self.trace.inputs[:] = [replace(x, name=free(x.name)) for x in self.trace.inputs]
        self.trace.results[:] = [
            replace(r, output=replace(r.output, name=free(r.output.name))) for r in self.trace.results
        ]


def _elements(like: Input, given: Any) -> list[Any]:
    """A value for each element of an input; one number or formula stands for all."""
    several = isinstance(given, Sequence | np.ndarray) and not isinstance(given, str)
    values: list[Any] = [*cast(Sequence[Any], given)] if several else [given] * like.size
    if len(values) != like.size:
        raise ModelError(f"{like.name} has {like.size} elements; {len(values)} values were given to fix it to")
    return values


TOOLS = ("tool", "tool0", "tcp", "ee", "ee_link", "end", "end_effector", "flange", "tip")
"""What people call the frame at a robot's end."""


def default_frame(d: Description) -> str:
    """The one frame on the one tip, or the tip itself; an error where there are several to choose from."""
    tips = d.tips
    if not d.bodies:
        return BASE
    if len(tips) == 1:
        on_tip: list[Frame] = [f for f in d.frames if f.body == tips[0]]
        tools = [f for f in on_tip if f.name.lower() in TOOLS]
        if len(on_tip) == 1 or tools:
            return (tools or on_tip)[0].name
        return tips[0]
    raise ModelError(f"{d.name} has the tips {', '.join(tips)}; name the frame that is meant")
