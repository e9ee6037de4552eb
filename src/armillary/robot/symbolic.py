"""The same robot with symbols for its numbers, which become the symbols' default values."""

from collections.abc import Iterator
from dataclasses import replace

from armillary.expr.numbers import PiMultiple
from armillary.robot.body import INERTIAL, Body, Inertial
from armillary.robot.description import Description, Parameter
from armillary.robot.mounting import beneath
from armillary.robot.placement import Placement
from armillary.robot.value import Formula, Value

LETTERS = {"gamma": "g", "b": "b", "alpha": "al", "d": "D", "beta": "be", "theta": "t", "r": "RL"}
"""What the symbols for γ, b, α, d, β, θ, r begin with; the number of the body or frame follows."""


def symbolic(description: Description, *, geometry: bool = True, inertials: bool = True) -> Description:
    """Lengths, and angles that are no multiples of pi/2, as D3, RL4, al5; all ten inertials and IA as XX1 … IA1.

    Zero lengths and angles stay zero; inertials become symbols whatever they are. Formulas stay as they are, and so do
    gravity, friction and wrenches, and what places wheels on the ground.
    """
    namer = _Namer(description)
    standing = {name for wheel in description.wheels for name in beneath(description, wheel)}
    bodies = tuple(
        replace(
            body,
            placement=namer.placement(body.placement, number)
            if geometry and body.name not in standing
            else body.placement,
            **(namer.inertials(body, number) if inertials else {}),
        )
        for number, body in enumerate(description.bodies, 1)
    )
    frames = tuple(
        replace(frame, placement=namer.placement(frame.placement, number)) if geometry else frame
        for number, frame in enumerate(description.frames, len(bodies) + 1)
    )
    return replace(description, bodies=bodies, frames=frames, parameters={**description.parameters, **namer.made})


class _Namer:
    """Makes symbols that the description does not have yet."""

    def __init__(self, description: Description) -> None:
        self.made: dict[str, Parameter] = {}
        self._taken = {*description.symbols, *description.parameters, *description.q_names}

    def placement(self, placement: Placement, number: int) -> Placement:
        return Placement(**dict(self._named(placement, number)))

    def _named(self, placement: Placement, number: int) -> Iterator[tuple[str, Value]]:
        for name, x in placement.items():
            right = x == 0 or (isinstance(x, PiMultiple) and x.ratio.denominator <= 2)
            yield name, x if right else self._symbol(f"{LETTERS[name]}{number}", x)

    def inertials(self, body: Body, number: int) -> dict[str, Inertial | Value]:
        pairs = zip(INERTIAL, body.inertia, strict=True)
        ten = Inertial(*(self._symbol(f"{name}{number}", x) for name, x in pairs))
        IA = self._symbol(f"IA{number}", body.IA) if body.joint.nv == 1 else body.IA
        return {"inertia": ten, "IA": IA}

    def _symbol(self, name: str, x: Value) -> Value:
        """A symbol with the default x; x itself where it is a formula."""
        if isinstance(x, Formula):
            return x
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        self.made[name] = Parameter(name, float(x))
        return Formula(name)
