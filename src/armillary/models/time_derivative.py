"""Derivatives of a Program's outputs in time, of any order, by Taylor series on the graph.

q moves with q', q' with q'', q'' with a new input q''' and so on; every other input has derivatives of its own, new
inputs too. Quaternions follow their angular velocity: q̇ = ½ q ⊗ (0, ω).
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import factorial
from numbers import Integral

from armillary.errors import ModelError
from armillary.expr.graph import Expr, Graph
from armillary.expr.series import Series, series
from armillary.kinematics.coordinates import coordinate_rates
from armillary.program import Program, Result, to_graph, to_program, verify
from armillary.program.program import Input
from armillary.program.trace import default_labels
from armillary.robot import Description
from armillary.robot.joints import Joint

RATES = ("qd", "qdd", "qddd", "qdddd")
"""Velocities, accelerations, jerks, …; those after them are q5d, q6d, …"""

DOCS = {"qd": "joint velocities", "qdd": "joint accelerations", "qddd": "joint jerks"}


def time_derivative(program: Program, order: int, description: Description | None) -> Program:
    """Every output's derivative of that order."""
    if isinstance(order, bool) or not isinstance(order, Integral) or order < 1:
        raise ModelError(f"the order of a time derivative is 1, 2, …, not {order!r}")
    maker = _Inputs(program, order, description)
    leaves = maker.leaves()
    graph, results = to_graph(program, maker.graph)
    found: list[Result] = []
    for r in results:
        coefficients = series(r.elements, leaves, order)
        elements = tuple(x.c[order] * factorial(order) for x in coefficients)
        unit = f"{r.output.unit}/s{'' if order == 1 else f'^{order}'}" if r.output.unit else ""
        name = f"{r.output.name}_d{order}t"
        doc = f"time derivative{'' if order == 1 else f' of order {order}'} of {r.output.doc or r.output.name}"
        found.append(Result(replace(r.output, name=name, unit=unit, doc=doc), elements))
    used = {n.attr for n in graph.nodes if n.op == "symbol"}
    inputs = [x for x in maker.inputs if x in program.inputs or any(label in used for label in x.labels)]
    power = "" if order == 1 else f" of order {order}"
    d = "d" if order == 1 else f"d{order}"
    about = replace(
        program.about,
        model=f"time derivative{power} of the {program.about.model or program.name}",
        equation=", ".join(f"{d}{r.output.name}/dt{d[1:]}" for r in results),
        source="Taylor series on the expression graph",
    )
    return verify(to_program(f"{program.name}_d{order}t", inputs, found, about))


class _Inputs:
    """The inputs of the derivative, and the series of the program's own."""

    def __init__(self, program: Program, order: int, description: Description | None) -> None:
        self.program = program
        self.order = order
        self.description = description
        self.graph = Graph()
        self.inputs: list[Input] = list(program.inputs)

    def leaves(self) -> dict[str, list[Expr]]:
        """The coefficients of every state element."""
        found: dict[str, list[Expr]] = {}
        for x in self.program.states:
            found |= dict(zip(x.labels, self._series(x), strict=True))
        return found

    def _symbols(self, name: str, like: Input) -> list[Expr]:
        """The elements of an input, made where it is missing."""
        known = next((x for x in self.inputs if x.name == name), None)
        if known is None:
            known = replace(like, name=name, labels=default_labels(name, like.shape))
            self.inputs.append(known)
        return [self.graph.symbol(label) for label in known.labels]

    def _series(self, x: Input) -> list[list[Expr]]:
        own = [self.graph.symbol(label) for label in x.labels]
        d = self.description
        if d is not None and x.name == "q":
            if x.size != d.nq:
                raise ModelError("a time derivative needs all of q as input; some of its elements were fixed before")
            rates = [self._rate(k, d.nv) for k in range(1, self.order + 1)]
            return coordinate_series([b.joint for b in d.bodies], own, rates)
        place = rate_order(x.name)
        if d is not None and place:
            following = [self._rate(place + k, d.nv) for k in range(1, self.order + 1)]
        else:
            following = [
                self._symbols(f"{x.name}_d{k}t", replace(x, unit="", doc=f"{x.name}, its time derivative of order {k}"))
                for k in range(1, self.order + 1)
            ]
        return [
            [e, *(f[i] * Fraction(1, factorial(k)) for k, f in enumerate(following, start=1))]
            for i, e in enumerate(own)
        ]

    def _rate(self, order: int, nv: int) -> list[Expr]:
        """The derivative of the coordinates of that order."""
        name = rate_name(order)
        known = next((x for x in self.program.inputs if x.name == name), None)
        if known is not None and known.size != nv:
            raise ModelError(f"a time derivative needs all of {name} as input; some of its elements were fixed before")
        before = rate_name(order - 1)
        unit = next((x.unit for x in self.inputs if x.name == before), "")
        return self._symbols(
            name, Input(name, (nv,), unit=_faster(unit), doc=DOCS.get(name, f"time derivative of {before}"))
        )


def coordinate_series(joints: Sequence[Joint], q: Sequence[Expr], rates: Sequence[Sequence[Expr]]) -> list[list[Expr]]:
    """The coefficients of every coordinate: k q_k = the coefficient k - 1 of N(q) q', from q', q'', …"""
    speed = [[r[i] * Fraction(1, factorial(k)) for k, r in enumerate(rates)] for i in range(len(rates[0]))]
    found = [[e] for e in q]
    for k in range(1, len(rates) + 1):
        moved = coordinate_rates(joints, [Series(c) for c in found], [Series(s[:k]) for s in speed])
        for c, m in zip(found, moved, strict=True):
            c.append(m.c[k - 1] * Fraction(1, k))
    return found


def moving(name: str, elements: Sequence[Expr], motion: Sequence[Sequence[Expr]]) -> dict[str, Sequence[Expr]]:
    """The series of every element of an input by its symbol; an error where one was fixed, and with it how the model depends on it."""
    if any(x.op != "symbol" for x in elements):
        raise ModelError(
            f"the model has derivatives by {name} in it: none of its elements can be fixed before they are taken; give them with "
            "every call, or lock joints that stand still"
        )
    return {x.attr: c for x, c in zip(elements, motion, strict=True)}


def rate_name(order: int) -> str:
    """q, qd, qdd, qddd, qdddd, q5d, q6d, …"""
    return ("q", *RATES)[order] if order <= len(RATES) else f"q{order}d"


def rate_order(name: str) -> int:
    """The other way round; 0 for what is no derivative of q."""
    if name in RATES:
        return RATES.index(name) + 1
    found = re.fullmatch(r"q([1-9]\d*)d", name)
    return int(found[1]) if found and int(found[1]) > len(RATES) else 0


def _faster(unit: str) -> str:
    """The unit of a rate: rad, rad/s, rad/s², rad/s³."""
    if not unit or "," in unit:
        return ""
    base, slash, power = unit.partition("/s")
    return f"{base}/s{'' if not slash else str(int(power.translate(_PLAIN) or 1) + 1).translate(_RAISED)}"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
