"""The same robot with symbols for its numbers."""

import warnings

from armillary.formats import load
from armillary.robot import Description, Formula
from armillary.robot.make import describe, frame, revolute, spherical
from armillary.robot.symbolic import symbolic


def with_defaults(d: Description) -> list[tuple[str, float]]:
    """Every value, symbols replaced by their defaults."""
    defaults = {name: p.default for name, p in d.parameters.items()}
    return [(name, float(defaults[x.text] if isinstance(x, Formula) else x)) for name, x in d.values()]  # type: ignore[arg-type]


def test_the_panda_with_symbols_is_the_panda_at_their_defaults():
    panda = load("panda")
    general = symbolic(panda)
    assert with_defaults(general) == with_defaults(panda)
    lengths = {str(x) for b in general.bodies for x in (b.placement.d, b.placement.r) if x != 0}
    assert lengths == {"RL1", "RL3", "D4", "D5", "RL5", "D7"}
    assert all(b.placement.alpha == a.placement.alpha for a, b in zip(panda.bodies, general.bodies, strict=True))
    assert len([s for s in general.symbols if not s.startswith(("RL", "D"))]) == 77


def test_formulas_right_angles_and_zeros_stay():
    robot = describe("r", revolute("a", d="L", alpha="pi/3", gamma="pi"), spherical("b", mass=1), frame("tool", r=0.1))
    general = symbolic(robot, inertials=False)
    a = general.bodies[0].placement
    assert [str(x) for _, x in a.items()] == ["pi", "0", "al1", "L", "0", "0", "0"]
    assert general.frames[0].placement.r == Formula("RL3")
    assert general.bodies[1] == robot.bodies[1]
    assert symbolic(robot, geometry=False).bodies[1].IA == 0


def test_new_symbols_keep_clear_of_those_there_are():
    robot = describe("r", revolute("a", d="M1", coordinates="XX1"), parameters={"XY1": 3})
    general = symbolic(robot).bodies[0].inertia
    assert [str(x) for x in general][:3] == ["XX1_", "XY1_", "XZ1"]
    assert str(general.M) == "M1_"


def test_the_published_puma_still_warns_when_it_is_read():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        load("puma560")
    assert ["link3" in str(w.message) for w in caught] == [True]
