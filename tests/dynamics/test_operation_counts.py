"""Operations of the models of known arms: mul + add online, at most what is asked for, and at most what was reached before.

Geometry in symbols but for multiples of pi/2, gravity one symbol along z0, base at rest, rotor inertias kept, friction and external
wrenches zero; work on parameters alone is counted apart. Elsewhere: RX-90 513 (OpenSYMORO), general 6R 794 (Khalil and Kleinfinger
1987), derivatives by (q, q', q'') of the Panda 7082 and its Jacobian 139 (Pinocchio through CasADi).
"""

from functools import cache

import pytest

from armillary.formats import load
from armillary.models import derive
from armillary.program import Program, cost, to_graph, to_program
from reference.arms import arm


@cache
def _model(name: str, model: str, grouped: bool) -> Program:
    return derive(arm(name, grouped), model)


@pytest.mark.parametrize(
    ("name", "asked", "reached"),
    [("rx90", 485, 440), ("panda", 619, 574), ("general 6R", 794, 760), ("puma560", 510, 464)],
)
@pytest.mark.parametrize("grouped", [True, False])
def test_inverse_dynamics(name: str, asked: int, reached: int, grouped: bool) -> None:
    """Full parameters cost no more than base parameters: what regrouping does is work on parameters alone."""
    online, _ = cost(_model(name, "inverse-dynamics", grouped))
    assert online.total <= reached <= asked
    assert online.div == 0 and online.other == 0


def test_the_base_parameters_themselves() -> None:
    for name, reached in {"rx90": 440, "panda": 574, "general 6R": 760}.items():
        assert cost(derive(arm(name), "inverse-dynamics", base_parameters=True))[0].total <= reached


@pytest.mark.parametrize(("name", "reached"), [("rx90", 222), ("panda", 351), ("puma560", 266)])
def test_inertia_matrix(name: str, reached: int) -> None:
    assert cost(_model(name, "inertia-matrix", True))[0].total <= reached


@pytest.mark.parametrize(("name", "reached"), [("rx90", 776), ("panda", 1122)])
def test_direct_dynamics(name: str, reached: int) -> None:
    """1780 are asked for of the Panda."""
    assert cost(_model(name, "direct-dynamics", False))[0].total <= reached


@pytest.mark.parametrize(("name", "reached"), [("rx90", 1850), ("panda", 2690)])
def test_derivatives(name: str, reached: int) -> None:
    """By q and q' alone; 5300 are asked for of the Panda."""
    program = _model(name, "inverse-dynamics-derivatives", True)
    _, results = to_graph(program)
    chosen = [r for r in results if r.output.name in ("dtau_dq", "dtau_dqd")]
    assert len(chosen) == 2
    assert cost(to_program("derivatives", program.inputs, chosen))[0].total <= reached


@pytest.mark.parametrize(("name", "mul", "add"), [("rx90", 29, 9), ("puma560", 33, 13), ("panda", 84, 38)])
def test_jacobian(name: str, mul: int, add: int) -> None:
    """94 and 45 are asked for of the Panda."""
    online, _ = cost(_model(name, "jacobian", False))
    assert (online.mul, online.add) <= (mul, add)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_puma_with_its_numbers() -> None:
    assert cost(derive(load("puma560"), "inverse-dynamics", base_parameters=True))[0].total <= 313 <= 350
