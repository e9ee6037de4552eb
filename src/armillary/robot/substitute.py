"""A robot with numbers or formulas in the place of some of its symbols."""

from collections.abc import Mapping
from dataclasses import replace

from armillary.expr.graph import Expr, Graph
from armillary.robot.body import Body, Frame, Inertial
from armillary.robot.contact import POSITION, Contact, Surface
from armillary.robot.cut import Cut
from armillary.robot.description import Base, Description
from armillary.robot.placement import Placement
from armillary.robot.value import Formula, Value, text, value
from armillary.robot.wheel import Wheel


def substitute(description: Description, given: Mapping[str, Value]) -> Description:
    """The description with every symbol of `given` replaced wherever it stands."""
    put = _Put(given)
    base = description.base
    return replace(
        description,
        bodies=tuple(put.body(b) for b in description.bodies),
        wheels=tuple(put.wheel(w) for w in description.wheels),
        frames=tuple(put.frame(f) for f in description.frames),
        cuts=tuple(put.cut(c) for c in description.cuts),
        contacts=tuple(put.contact(c) for c in description.contacts),
        couplings=tuple(replace(c, ratio=put(c.ratio), offset=put(c.offset)) for c in description.couplings),
        base=Base(
            put.placement(base.placement),
            (put(base.gravity[0]), put(base.gravity[1]), put(base.gravity[2])),
            tuple(put(x) for x in base.velocity),
            tuple(put(x) for x in base.acceleration),
        ),
    )


class _Put:
    """Puts the given values in for symbols."""

    def __init__(self, given: Mapping[str, Value]) -> None:
        self.given = given

    def __call__(self, x: Value) -> Value:
        if not isinstance(x, Formula) or not any(name in self.given for name in x.symbols):
            return x
        graph = Graph()
        leaves: dict[str, Expr] = {}
        for name in x.symbols:
            if name in self.given:
                y = self.given[name]
                leaves[name] = graph.copy([y.expr])[0] if isinstance(y, Formula) else graph.const(y)
        return value(graph.copy([x.expr], leaves)[0])

    def wheel(self, wheel: Wheel) -> Wheel:
        roller = None if wheel.roller is None else self(wheel.roller)
        return Wheel(wheel.name, wheel.body, self(wheel.radius), roller)

    def placement(self, placement: Placement) -> Placement:
        return Placement(**{name: self(x) for name, x in placement.items()})

    def frame(self, frame: Frame) -> Frame:
        return replace(frame, placement=self.placement(frame.placement))

    def cut(self, cut: Cut) -> Cut:
        return replace(cut, a=self.frame(cut.a), b=self.frame(cut.b), **{name: self(x) for name, x in cut.losses})

    def contact(self, contact: Contact) -> Contact:
        inside = _Put({name: x for name, x in self.given.items() if name not in POSITION})
        surfaces = tuple(Surface(text(inside(Formula(s.text)))) for s in contact.surfaces)
        return replace(contact, point=self.frame(contact.point), on=self.frame(contact.on), surfaces=surfaces)

    def body(self, body: Body) -> Body:
        return replace(
            body,
            placement=self.placement(body.placement),
            inertia=Inertial(*(self(x) for x in body.inertia)),
            IA=self(body.IA),
            FV=self(body.FV),
            FS=self(body.FS),
            stiffness=self(body.stiffness),
            reference=self(body.reference),
            pitch=self(body.pitch),
            wrench=tuple(self(x) for x in body.wrench),
        )
