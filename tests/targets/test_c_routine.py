"""The C of Routines, compiled with every warning an error, against the interpreter."""

from collections.abc import Callable
from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from armillary.program import About, Input, Output, Program, Trace
from armillary.routine import (
    DORMAND_PRINCE,
    Routine,
    Status,
    Variable,
    assign,
    call,
    if_,
    interpret,
    newton,
    repeat,
    return_,
    runge_kutta,
    verify,
    while_,
)
from armillary.targets import header, target
from reference.gcc import compiled, compiles_as_cpp, example
from reference.routines import curves, four_bar, pendulum, quadrature, spinning, unit_quaternion

CURVES = newton(curves(), "x", "r", "J")
FOUR_BAR = newton(four_bar(), "x", "r", "J", name="close_loop")
SPIN = {"Q": "Qd", "w": "wd"}


def same(routine: Routine, dtype: str = "double", tolerance: float = 1e-12, **given: object) -> str:
    """The compiled Routine and the interpreter end alike; the status."""
    got, expected = compiled(routine, dtype=dtype).routine(**given), interpret(routine, given)  # type: ignore[arg-type]
    assert (got.status, got.code) == (expected.status, expected.code)
    for name, array in expected.outputs.items():
        assert np.allclose(got[name], array, rtol=tolerance, atol=tolerance, equal_nan=True), name
    return got.status


def test_newton() -> None:
    rng = np.random.default_rng(1)
    for a in rng.uniform(-1, 2, size=20):
        assert same(CURVES, x_start=[1.4, 1.2] + 0.2 * rng.normal(size=2), R=2.0, a=float(a)) == "converged"
    assert same(CURVES, x_start=[0.0, 0.0], R=2.0) == "singular"
    assert same(newton(curves(), "x", "r", "J", most=2), x_start=[3.0, 1.0], R=2.0) == "not_converged"
    lengths = {"l1": 1.0, "l2": 3.0, "l3": 2.5, "l4": 3.2}
    for q in np.linspace(0, 6, 10):
        assert same(FOUR_BAR, x_start=[0.7, 1.6], q=q, **lengths) == "converged"


def test_runge_kutta() -> None:
    rates = {"q": "qd", "w": "wd"}
    for tableau in (DORMAND_PRINCE, None):
        kind = {} if tableau is None else {"tableau": tableau}
        routine = runge_kutta(pendulum(), rates, 50, path=True, **kind)  # type: ignore[arg-type]
        assert same(routine, q_start=[1.0], w_start=[0.3], h=0.02) == "finished"
    assert same(runge_kutta(quadrature(), {"x": "xd"}, 5, time="t"), x_start=1.0, t_start=0.5, h=0.1) == "finished"
    projected = runge_kutta(spinning(), SPIN, 20, projection=unit_quaternion(), path=True)
    assert same(projected, Q_start=[1, 0, 0, 0], w_start=[0.1, 2, 0.3], h=0.02) == "finished"


def test_single_precision() -> None:
    routine = runge_kutta(spinning(), SPIN, 20)
    assert same(routine, "float", 1e-5, Q_start=[1, 0, 0, 0], w_start=[0.1, 2, 0.3], h=0.02) == "finished"


def test_a_routine_that_calls_a_routine() -> None:
    routine = runge_kutta(CURVES, {"R": "steps"}, 3, path=True, name="growing")
    assert same(routine, R_start=2.0, x_start=[nan, 1.0], h=0.1) == "no_rate"
    assert same(routine, R_start=2.0, x_start=[1.0, 1.0], h=0.0) == "finished"
    source = target("c").files(routine)["growing.c"]
    assert "static curves_newton_status curves_newton(" in source and "CURVES_NEWTON_SINGULAR = 2" in source


def everything() -> Routine:
    """Every statement, scalars and rows in every place, names that C has taken, locals that nothing reads."""
    trace = Trace()
    a = trace.input(Input("a", (2,)))
    (b,) = trace.input(Input("b"))
    trace.output(Output("sum", (2,), ()), [a[0] + b, a[1] - b])
    trace.output(Output("both", (), ()), [a[0] * a[1]])
    trace.output(Output("nothing", (0,), ()), [])
    move = trace.program("double")
    return verify(
        Routine(
            "main",
            (Input("int", (2,)), Input("x", labels=("x",)), Input("unused", (3,)), Input("none", (0,))),
            (Variable("cube", (3, 2, 2)), Variable("y"), Variable("list", (4,)), Variable("void", (0,))),
            (Variable("s"), Variable("u", (2,)), Variable("unread"), Variable("dead", (2,)), Variable("k_2")),
            (Status("a"), Status("A"), Status("h")),
            (
                assign("cube", -inf),
                assign("list", nan),
                assign("void", 0),
                assign("y", 1e-3),
                assign("unread", "x"),
                assign("dead", "int"),
                assign("u", "int"),
                repeat(3, [call(move, {"a": "int", "b": "k"}, {"sum": "u"})], "k"),
                repeat(4, [assign("list[k]", "k")], "k"),
                repeat(3, [repeat(2, [assign("y", "list[k+1]")])], "k"),
                assign("s", "x"),
                while_(
                    "s",
                    5,
                    [
                        call(move, {"a": "u", "b": 2.5}, {"sum": "dead", "both": "s"}),
                        call(move, {"a": "int", "b": "y"}, {"both": "list[0]"}),
                        if_("list[2]", [assign("u", "dead")]),
                        if_("x", [assign("list[1]", "s")], [assign("list[1]", inf), assign("y", "x")]),
                    ],
                ),
                assign("cube[1]", 7),
                assign("cube[2]", "cube[1]"),
                assign("k_2", "s"),
                if_("k_2", [return_("A")]),
                if_("list[3]", [return_("h")], [return_("a")]),
            ),
            About("robot */", 'a "model"'),
        )
    )


def test_every_statement() -> None:
    routine = everything()
    for x in (-1.0, 0.0, 0.5, 3.0, nan, inf):
        for pair in ([1.0, 2.0], [-1.0, 2.0], [nan, 0.0]):
            same(routine, int=pair, x=x, unused=[0, 0, 0], none=[])
    compiles_as_cpp(target("c").files(routine))


@pytest.mark.parametrize(
    "made", [lambda: CURVES, lambda: FOUR_BAR, everything], ids=["curves", "four_bar", "everything"]
)
def test_the_example_runs(made: Callable[[], Routine]) -> None:
    printed = example(made())
    assert printed["status"] in (0, 1, 2)
    if made() is CURVES:
        x = printed["x"][0]
        assert printed["status"] == 0 and x @ x == pytest.approx(0.3**2, abs=1e-12)


def test_golden(golden: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header, "armillary_version", lambda: "x.y.z")
    for name, text in target("c").files(FOUR_BAR).items():
        golden(f"c/close_loop/{name}", text)


def test_the_same_routine_gives_the_same_bytes() -> None:
    first = target("c").files(newton(four_bar(), "x", "r", "J"))
    assert target("c").files(newton(four_bar(), "x", "r", "J")) == first
    assert all(len(line) <= header.WIDTH for text in first.values() for line in text.splitlines())


def test_names_of_programs_that_c_has_taken() -> None:
    program: Program = replace(curves(), name="malloc")
    assert same(newton(program, "x", "r", "J", name="solve"), x_start=[1.0, 1.0], R=2.0) == "converged"
