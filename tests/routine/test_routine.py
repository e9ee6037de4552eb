"""Routines: what they mean against plain Python, their text, and what the verifier refuses."""

from collections.abc import Callable
from math import inf, nan

import numpy as np
import pytest

from armillary.errors import RoutineError
from armillary.program import Input, Output, Program, Trace
from armillary.routine import (
    Call,
    Place,
    Repeat,
    Routine,
    Statement,
    Status,
    Variable,
    assign,
    call,
    if_,
    interpret,
    newton,
    outline,
    parse,
    render,
    repeat,
    return_,
    runge_kutta,
    verify,
    while_,
)
from armillary.routine.routine import walk
from reference.routines import curves, four_bar, pendulum, spinning, unit_quaternion


def linear() -> Program:
    """y = A x, s = |x|², less = s < limit."""
    trace = Trace()
    A = trace.input(Input("A", (2, 2)))
    x = trace.input(Input("x", (2,)))
    (limit,) = trace.input(Input("limit", default=(1e6,)))
    s = x[0] * x[0] + x[1] * x[1]
    trace.output(Output("y", (2,), ()), [A[0] * x[0] + A[1] * x[1], A[2] * x[0] + A[3] * x[1]])
    trace.output(Output("s", (), ()), [s])
    trace.output(Output("small", (), ()), [s.less(limit)])
    return trace.program("linear")


def powers() -> Routine:
    """Rows x, A x, A² x, … while |x|² < limit, at most 8, and how many there are."""
    body = (
        assign("table", nan),
        assign("table[0]", "x"),
        assign("count", 0),
        call(linear(), {"x": "x"}, {"y": "next", "small": "small"}),
        assign("last", 0.5),
        while_(
            "small",
            7,
            [
                assign("table[k+1]", "next"),
                assign("now", "next"),
                call(linear(), {"x": "now"}, {"y": "next", "small": "small", "s": "s"}),
                assign("count", "k"),
            ],
            "k",
        ),
        if_("small", [return_("full")], [assign("last", "next[1]"), return_("large")]),
    )
    return verify(
        Routine(
            "powers",
            linear().inputs,
            (Variable("table", (8, 2), "m", "rows"), Variable("count"), Variable("last")),
            tuple(Variable(n, s) for n, s in (("next", (2,)), ("now", (2,)), ("small", ()), ("s", ()))),
            (Status("full", "eight rows"), Status("large", 'it "grew"')),
            body,
        )
    )


def plain(A: np.ndarray, x: np.ndarray, limit: float) -> tuple[np.ndarray, int, float, str]:
    """The same in Python."""
    table = np.full((8, 2), nan)
    table[0] = x
    count, small, following = 0, x @ x < limit, A @ x
    for k in range(7):
        if not small:
            break
        table[k + 1] = following
        x = following
        following, small, count = A @ x, x @ x < limit, k
    return table, count, 0.5 if small else following[1], "full" if small else "large"


@pytest.mark.parametrize("seed", range(40))
def test_against_plain_python(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A, x, limit = rng.normal(size=(2, 2)), rng.normal(size=2), float(rng.uniform(0.5, 20))
    got = interpret(powers(), {"A": A, "x": x, "limit": limit})
    table, count, last, status = plain(A, x, limit)
    assert np.allclose(got["table"], table, rtol=1e-13, equal_nan=True)
    assert (got["count"], got.status, got.code) == (count, status, ["full", "large"].index(status))
    assert got["last"] == pytest.approx(last, rel=1e-13)


def test_conditions_hold_above_zero() -> None:
    """0, what is negative and NaN do not hold."""
    routine = Routine(
        "sign",
        (Input("x", labels=("x",)),),
        (Variable("y"),),
        (),
        (Status("done"),),
        (if_("x", [assign("y", 1)], [assign("y", -1)]), return_("done")),
    )
    for x, y in ((2, 1), (5e-324, 1), (0, -1), (-0.0, -1), (-3, -1), (nan, -1), (inf, 1), (-inf, -1)):
        assert interpret(verify(routine), {"x": x})["y"] == y


def test_defaults_and_wrong_inputs() -> None:
    given = {"A": np.eye(2) / 2, "x": [1, 0]}
    assert interpret(powers(), given)["count"] == 6
    with pytest.raises(RoutineError, match=r"powers needs the state 'x' of shape \(2,\)"):
        interpret(powers(), {"A": np.eye(2)})
    with pytest.raises(RoutineError, match=r"input 'x' has shape \(3,\); it takes \(2,\)"):
        interpret(powers(), given | {"x": [1, 2, 3]})


# ---- text ----

ROUTINES: dict[str, Callable[[], Routine]] = {
    "powers": powers,
    "newton": lambda: newton(four_bar(), "x", "r", "J"),
    "runge_kutta": lambda: runge_kutta(pendulum(), {"q": "qd", "w": "wd"}, 4, path=True),
    "projected": lambda: runge_kutta(spinning(), {"Q": "Qd", "w": "wd"}, 3, projection=unit_quaternion()),
    "nested": lambda: runge_kutta(newton(curves(), "x", "r", "J"), {"R": "steps"}, 2),
}


@pytest.mark.parametrize("name", ROUTINES)
def test_text_is_read_back(name: str) -> None:
    routine = ROUTINES[name]()
    text = render(routine)
    again = parse(text)
    assert render(again) == text
    assert (again.inputs, again.outputs, again.locals, again.statuses) == (
        routine.inputs,
        routine.outputs,
        routine.locals,
        routine.statuses,
    )
    assert [type(s) for s in walk(again.body)] == [type(s) for s in walk(routine.body)]
    assert str(again) == str(routine) == outline(routine)


def test_what_is_read_back_means_the_same() -> None:
    given = {"A": [[0.3, -1.2], [0.9, 0.4]], "x": [1, 2], "limit": 9}
    one, other = interpret(powers(), given), interpret(parse(render(powers())), given)
    assert one.status == other.status and np.array_equal(one["table"], other["table"], equal_nan=True)


def test_the_form() -> None:
    assert outline(powers()).splitlines()[4:] == [
        'output table [8,2] "m" "rows"',
        'output count [] "" ""',
        'output last [] "" ""',
        'local next [2] "" ""',
        'local now [2] "" ""',
        'local small [] "" ""',
        'local s [] "" ""',
        'status full "eight rows"',
        'status large "it \\"grew\\""',
        "  table = nan",
        "  table[0] = x",
        "  count = 0.0",
        "  call linear(A = A, x = x, limit = limit) -> y = next, small = small",
        "  last = 0.5",
        "  while small at most 7 k",
        "    table[k+1] = next",
        "    now = next",
        "    call linear(A = A, x = now, limit = limit) -> y = next, s = s, small = small",
        "    count = k",
        "  if small",
        "    return full",
        "  else",
        "    last = next[1]",
        "    return large",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("count = k", "count is k", "this is no statement; there are call, =, if, else, repeat, while and return"),
        ("-> y = next, small", "-> z = next, small", "linear has no output 'z'; it has y, s, small"),
        ("call linear(A = A, x = x", "call cubic(A = A, x = x", "nothing is called 'cubic'; texts of linear come before"),
        ("table[k+1]", "table[k*2]", "'table[k*2]' is no place"),
        ("    count = k", "      count = k", "this line is indented like no statement before it"),
        ("local now [2]", "variable now [2]", "this is no input, output, local or status"),
    ],
)  # fmt: skip
def test_errors_name_the_line(old: str, new: str, message: str) -> None:
    text = render(powers())
    number = text[: text.index(old)].count("\n") + 1
    with pytest.raises(RoutineError) as caught:
        parse(text.replace(old, new, 1))
    assert message in str(caught.value) and f"line {number}: " in str(caught.value)


def test_texts_that_are_no_routine() -> None:
    with pytest.raises(RoutineError, match="line 1: a text starts with"):
        parse("hello")
    with pytest.raises(RoutineError, match="no routine at its end"):
        parse("program p\n")


# ---- what the verifier refuses ----


def routine(*body: Statement, **changes: object) -> Routine:
    """A Routine with a vector and a matrix in, the same out, a local, and this body."""
    parts: dict[str, object] = {
        "name": "r",
        "inputs": (Input("v", (2,)), Input("s")),
        "outputs": (Variable("w", (2,)),),
        "locals": (Variable("M", (3, 2)), Variable("t")),
        "statuses": (Status("done"),),
        "body": body,
    }
    return Routine(**(parts | changes))  # type: ignore[arg-type]


END = (assign("w", "v"), return_("done"))
PROGRAM = linear()
A_CALL = {"A": "B", "x": "v", "limit": 1.0}
WITH_B = (Variable("B", (2, 2)), Variable("M", (3, 2)), Variable("t"))


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: routine(*END, statuses=()), "it has no status to return"),
        (lambda: routine(*END, name="2r"), "'2r' is no name"),
        (lambda: routine(*END, locals=(Variable("inf"),)), "'inf' is no name"),
        (lambda: routine(*END, locals=(Variable("w"),)), "two variables are called w"),
        (lambda: routine(*END, statuses=(Status("a"), Status("a"))), "two statuses are called a"),
        (lambda: routine(*END, locals=(Variable("t", (-1,)),)), "t has the shape (-1,)"),
        (lambda: routine(assign("w", "v")), "can reach its end without a status"),
        (lambda: routine(*END, return_("done")), "nothing leads to the return of 'done', which follows a return"),
        (lambda: routine(return_("done")), "on a path that has not written w"),
        (lambda: routine(assign("w", "v"), return_("fine")), "no status 'fine'; it has done"),
        (lambda: routine(assign("w", "s"), *END), "w of shape (2,) cannot take s of shape ()"),
        (lambda: routine(assign("w", "u"), *END), "there is no variable 'u' here; there are v, s, w, M, t"),
        (lambda: routine(assign("v", 0), *END), "v is written; inputs and counters are for reading"),
        (lambda: routine(assign("w[0]", 1), *END), "w[0] is written before w as a whole"),
        (lambda: routine(assign("t", "M[0]"), *END), "M[0] is read on a path that has not written M"),
        (lambda: routine(assign("t", "s[0]"), *END), "s is a scalar, s[0] asks for a row of it"),
        (lambda: routine(assign("M", 0), assign("w", "M[3]"), *END), "M[3] reaches from 3 to 3; M has the rows 0 to 2"),
        (lambda: routine(assign("M", 0), repeat(3, [assign("w", "M[k+1]")], "k"), *END), "M[k+1] reaches from 1 to 3"),
        (lambda: routine(assign("M", 0), repeat(3, [assign("w", "M[k-1]")], "k"), *END), "M[k-1] reaches from -1 to 1"),
        (lambda: routine(assign("M", 0), assign("w", "M[k]"), *END), "M[k]: no loop around it has the counter 'k'"),
        (lambda: routine(repeat(0, [assign("t", 1)]), *END), "repeat 0: a loop has 1 to"),
        (lambda: routine(while_("s", 2**31, [assign("t", 1)]), *END), "a loop has 1 to"),
        (lambda: routine(repeat(2, [assign("t", 1)], "s"), *END), "the counter 's' has the name of a variable"),
        (lambda: routine(repeat(2, [repeat(2, [assign("t", 1)], "k")], "k"), *END), "or of a counter around it"),
        (lambda: routine(repeat(2, [assign("k", 1)], "k"), *END), "k is written; inputs and counters are for reading"),
        (lambda: routine(if_("v", [assign("t", 1)]), *END), "the condition v has shape (2,); a condition is a scalar"),
        (lambda: routine(if_("s", [assign("w", 1)]), return_("done")), "on a path that has not written w"),
        (lambda: routine(while_("s", 9, [assign("w", 1)]), return_("done")), "on a path that has not written w"),
        (lambda: routine(Call(PROGRAM, (), (None, None, None)), *END), "takes 3 inputs and gives 3 outputs"),
        (lambda: routine(call(PROGRAM, {"A": "v", "x": "v", "limit": 0}), *END), "linear takes A of shape (2, 2), v has (2,)"),
        (lambda: routine(call(PROGRAM, {"A": 3.0, "x": "v", "limit": 0}), *END), "linear takes A of shape (2, 2), 3.0 has no shape"),
        (lambda: routine(assign("B", 0), call(PROGRAM, A_CALL, {"y": "t"}), *END, locals=WITH_B), "linear gives shape (2,), t has ()"),
        (lambda: routine(assign("B", 0), call(PROGRAM, A_CALL, status="t"), *END, locals=WITH_B), "has no status to put into t"),
        (lambda: routine(assign("B", 0), assign("w", 0), call(PROGRAM, A_CALL | {"x": "w"}, {"y": "w"}), *END, locals=WITH_B), "the result w overlaps w; put a local between them"),
        (lambda: routine(assign("B", 0), call(PROGRAM, A_CALL, {"s": "t", "small": "t"}), *END, locals=WITH_B), "the result t overlaps t"),
        (lambda: routine(assign("B", 0), call(PROGRAM.with_(name="r"), A_CALL), *END, locals=WITH_B), "'r' names two different things"),
        (lambda: routine(Repeat(2, (assign("t", 1),), "2k"), *END), "'2k' is no name"),
    ],
)  # fmt: skip
def test_what_is_no_routine_is_refused(made: Callable[[], Routine], message: str) -> None:
    with pytest.raises(RoutineError) as caught:
        verify(made())
    assert message in str(caught.value)


def test_rows_a_known_distance_apart_do_not_overlap() -> None:
    fine = routine(
        assign("B", 0),
        assign("M", 0),
        repeat(2, [call(PROGRAM, A_CALL | {"x": "M[k]"}, {"y": "M[k+1]"})], "k"),
        *END,
        locals=WITH_B,
    )
    assert verify(fine) is fine


@pytest.mark.parametrize("text", ["", "x[", "2x", "x[1][2]", "x[k*2]", "x y", "é"])
def test_what_is_no_place(text: str) -> None:
    with pytest.raises(RoutineError, match="is no place; write a variable x, or a row of it"):
        assign(text, 0)


def test_places_are_written_as_they_are_read() -> None:
    for text in ("x", "x[2]", "x[k]", "x[k+1]", "x[k-12]"):
        assert str(assign(text, 0).target) == text
    assert assign(" x[k] ", 0).target == Place("x", "k", 0)


def test_unknown_names_in_a_call() -> None:
    with pytest.raises(RoutineError, match="linear has no input 'b'; it has A, x, limit"):
        call(PROGRAM, {"b": "v"})
