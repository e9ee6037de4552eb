"""Inputs fixed before deriving, quantities of the description made inputs, parameters bound: the same numbers, less work."""

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError, ProgramError

RNG = np.random.default_rng(5)


def numbers(model: arm.Model, **given: object) -> dict[str, object]:
    rng = np.random.default_rng(3)
    return {x.name: rng.uniform(0.2, 1, x.shape) for x in model.inputs} | given


@pytest.mark.parametrize(
    ("fixed", "model"),
    [
        ({"q2": "pi/2"}, "inverse-dynamics"),
        ({"q2": 0.3, "QP3": 0, "QDP3": 0}, "inverse-dynamics"),
        ({"QP1": "2*QP2"}, "inverse-dynamics"),
        ({"D3": "L/2", "M6": 0, "XX6": 0}, "inverse-dynamics"),
        ({"q1": 0, "q2": 0, "q3": "0"}, "jacobian"),
        ({"qd": 0}, "bias-torques"),
        ({"qd": [0, 0, 1, 0, 0, 0.5]}, "coriolis-torques"),
        ({"D3": 0.45, "RL4": 0.45}, "direct-dynamics"),
    ],
)
def test_fixing_keeps_the_values_and_lowers_the_cost(fixed: dict[str, object], model: str) -> None:
    r = arm.load("rx90")
    full, part = r.derive(model), r.derive(model, fixed=fixed)
    assert part.cost.total < full.cost.total or (model == "inverse-dynamics" and part.cost.total <= full.cost.total)
    given = numbers(full)
    values = {label: float(v) for x in full.inputs for label, v in zip(x.labels, np.ravel(given[x.name]), strict=True)}
    values["L"] = 0.7
    for name, what in fixed.items():
        labels = next((x.labels for x in full.inputs if x.name == name and x.shape), (name,))
        for label, v in zip(labels, what if isinstance(what, list) else [what] * len(labels), strict=True):
            values[label] = (
                {"pi/2": np.pi / 2, "2*QP2": 2 * values.get("QP2", 0), "L/2": 0.35, "0": 0.0}.get(v, v)
                if isinstance(v, str)
                else v
            )
    whole = full.evaluate(**{x.name: np.reshape([values[label] for label in x.labels], x.shape) for x in full.inputs})
    asked = part.evaluate(**{x.name: np.reshape([values[label] for label in x.labels], x.shape) for x in part.inputs})
    for name, expected in whole.items():
        assert np.allclose(asked[name], expected, rtol=1e-12, atol=1e-12)


def test_wrench_gravity_and_base_motion_as_inputs() -> None:
    """Γ is linear in a wrench: its coefficients are the rows of the Jacobian of the body, in its own frame."""
    r = arm.load("rx90")
    model = r.inverse_dynamics(inputs=("wrench:link6", "gravity"))
    assert [x.name for x in model.states] == ["q", "qd", "qdd", "wrench_link6", "gravity"]
    given = numbers(model)
    J = r.jacobian("link6", "link6").evaluate(
        q=given["q"], **{x.name: given[x.name] for x in r.jacobian("link6", "link6").parameters}
    )["J"]
    wrench = RNG.normal(size=6)
    with_, without = (model.evaluate(**(given | {"wrench_link6": w}))["tau"] for w in (wrench, np.zeros(6)))
    assert np.allclose(with_ - without, J.T @ wrench, rtol=0, atol=1e-12)

    moving = r.inverse_dynamics(inputs=("base_acceleration", "gravity"))
    given = numbers(moving)
    g, a = given["gravity"], given["base_acceleration"].copy()
    a[3:] = 0
    falling = moving.evaluate(**(given | {"base_acceleration": a}))["tau"]
    same = moving.evaluate(**(given | {"base_acceleration": np.zeros(6), "gravity": g - a[:3]}))["tau"]
    assert np.allclose(falling, same, rtol=0, atol=1e-12)


@pytest.mark.parametrize("frame", ["eye", "tool", "foot", "b"])
def test_wrenches_at_any_frame(frame: str) -> None:
    """Γ = Γ₀ + Jᵀ w with the Jacobian of that frame along its own axes; direct dynamics takes the same wrench back."""
    r = arm.describe(
        "r",
        arm.revolute("a", alpha=0.4, mass=2, center=(0.1, 0, 0.2), inertia=(0.1, 0, 0, 0.2, 0, 0.15)),
        arm.prismatic("b", alpha=-1.1, d=0.3, mass=1, center=(0, 0.1, 0), inertia=(0.1, 0, 0, 0.1, 0, 0.1)),
        arm.revolute("c", theta=0.7, d=0.2, mass=1, center=(0.2, 0, 0), inertia=(0.1, 0, 0, 0.3, 0, 0.3)),
        arm.fixed("hand", theta=0.3, r=0.1, mass=0.4),
        arm.frame("tool", gamma=0.2, b=0.1, alpha=1.2, d=0.3, theta=-0.5, r=0.05),
        arm.frame("eye", "b", alpha=0.9, d=-0.2, r=0.1),
        arm.frame("foot", "base", alpha=0.9, d=-0.2, r=0.1),
    )
    q, qd, qdd = RNG.uniform(-1, 1, (3, 3))
    w = RNG.normal(size=6)
    inverse = r.inverse_dynamics(inputs=[f"wrench:{frame}"])
    tau = inverse.evaluate(q=q, qd=qd, qdd=qdd, **{f"wrench_{frame}": w})["tau"]
    without = r.inverse_dynamics().evaluate(q=q, qd=qd, qdd=qdd)["tau"]
    J = np.zeros((6, 3)) if frame == "foot" else r.jacobian(frame, frame).evaluate(q=q)["J"]
    assert np.allclose(tau - without, J.T @ w, rtol=0, atol=1e-13)
    direct = r.direct_dynamics(inputs=[f"wrench:{frame}"])
    assert np.allclose(direct.evaluate(q=q, qd=qd, tau=tau, **{f"wrench_{frame}": w})["qdd"], qdd, rtol=0, atol=1e-11)


def test_what_cannot_be_an_input_is_named() -> None:
    r = arm.load("planar2r")
    for name in ("wrench:toool", "wrench:base", "wrench", "grvity"):
        with pytest.raises(ModelError, match=f"{name!r} cannot be an input; there are gravity, .*wrench:tool"):
            r.inverse_dynamics(inputs=[name])


def test_what_is_no_input_cannot_be_fixed() -> None:
    r = arm.load("planar2r")
    with pytest.raises(ModelError, match="QP7 cannot be fixed: the model has no such input"):
        r.inverse_dynamics(fixed={"QP7": 0})
    for given in (3, ["q1"], "q1"):
        with pytest.raises(ModelError, match=r"fixed is \{name: value\}, such as \{'q1': 0\}, not"):
            r.inverse_dynamics(fixed=given)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="2 elements; 3 values"):
        r.inverse_dynamics(fixed={"qd": [0, 0, 0]})
    with pytest.raises(ModelError, match="cannot be fixed to 'sin\\('"):
        r.inverse_dynamics(fixed={"q1": "sin("})
    with pytest.raises(ModelError, match="'wind' cannot be an input"):
        r.inverse_dynamics(inputs=("wind",))
    with pytest.raises(ModelError, match="'wind' cannot be an input"):
        r.inverse_dynamics(inputs="wind")


def test_one_input_may_be_named_alone() -> None:
    r = arm.load("planar2r")
    assert r.inverse_dynamics(inputs="gravity").digest == r.inverse_dynamics(inputs=["gravity"]).digest


def test_what_is_given_to_evaluate_is_an_input_and_a_number() -> None:
    model = arm.load("rods2r").gravity_torques()
    lengths = {"a1": 0.3, "a2": 0.25, "m1": 0.5, "m2": 0.4}
    with pytest.raises(ProgramError, match="has no input 'G'; it has q, "):
        model.evaluate(q=[0, 0], G=9.81, **lengths)
    for q, said in (
        ("ab", "holds <U2; it takes real numbers"),
        ([1j, 0], "holds complex128"),
        ([[0], [0, 0]], "no array"),
    ):
        with pytest.raises(ProgramError, match=said):
            model.evaluate(q=q, **lengths)
    with pytest.raises(ProgramError, match="m1 = 'heavy': 'heavy' is not a number"):
        model.bind({"m1": "heavy"})
    with pytest.raises(ProgramError, match="q2 = nan: nan cannot be a constant"):
        model.bind({"q": [0, float("nan")]})


def test_binding_derives_nothing_again() -> None:
    model = arm.load("rx90").inverse_dynamics()
    given = numbers(model)
    bound = model.bind({x.name: float(given[x.name]) for x in model.parameters})
    assert not bound.parameters and bound.about.model == model.about.model
    states = {x.name: given[x.name] for x in model.states}
    assert np.allclose(bound.evaluate(**states)["tau"], model.evaluate(**given)["tau"], rtol=1e-12)


def test_inertials_are_fixed_before_they_are_grouped() -> None:
    """XX1 has no effect, XX2 is part of a base parameter: both may be fixed, and the torques are those of the full model."""
    r = arm.load("rx90")
    fixed = {"XX1": 0.3, "XX2": 0.7, "YY2": "XY2/2", "q1": 0.1}
    model = r.inverse_dynamics(base_parameters=True, fixed=fixed)
    full = r.inverse_dynamics(fixed=fixed)
    assert model.about.options[-4:] == (("XX1", "0.3"), ("XX2", "0.7"), ("YY2", "XY2/2"), ("q1", "0.1"))
    values = numbers(full)
    base = r.base_parameters()
    known = {name: float(values[name]) for name in values if name in r.symbols} | {
        "XX2": 0.7,
        "YY2": float(values["XY2"]) / 2,
    }
    known |= {name: known.get(name, 0.5) for name in r.symbols}
    full_values = {x.name: known.get(x.name, values.get(x.name)) for x in full.inputs}
    from armillary.robot.substitute import substitute
    from armillary.robot.value import value

    numeric = arm.Robot.of(substitute(r, {name: value(x) for name, x in known.items()}))
    states = {x.name: values[x.name] for x in model.states}
    expected = full.evaluate(**full_values)["tau"]
    assert np.allclose(
        numeric.inverse_dynamics(base_parameters=True, fixed={"q1": 0.1}).evaluate(**states)["tau"], expected
    )
    assert base.rank == 40
