"""A Program's text is the Program: what is rendered is parsed back, and an error names the line."""

import numpy as np
import pytest

from armillary.errors import ProgramError
from armillary.program import Input, Output, Program, Trace, parse, render
from reference.random_programs import random_program


def same(a: Program, b: Program) -> bool:
    """Equal in all but what they are a model of."""
    return (a.name, a.inputs, a.outputs, a.hints, a.digest) == (b.name, b.inputs, b.outputs, b.hints, b.digest)


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_are_read_back(seed: int) -> None:
    program = random_program(np.random.default_rng(seed), size=10 + 3 * seed, systems=seed % 4)
    text = render(program)
    assert same(parse(text), program)
    assert render(parse(text)) == text


def test_the_form() -> None:
    trace = Trace()
    q = trace.input(Input("q", (2,), unit="rad", doc="joint positions", labels=("th1", "th2")))
    (L,) = trace.input(Input("L", role="parameter", unit="m", labels=("L",), default=(0.5,)))
    x = trace.graph.solve([[q[0], 1], [L, q[1]]], [[1], [0]])
    trace.output(Output("tau", (3,), (), "N·m"), [(L * q[1].cos()).named("F1"), -1.5, x[1][0].named("X2")])
    assert render(trace.program("idm")) == (
        "program idm\n"
        'input state q [2] "rad" {th1 th2} "joint positions"\n'
        'input parameter L [] "m" {L} "" = 0.5\n'
        ";X2: %0 %1 = solve(2,1) th1 1 L th2 1 0\n"
        "%2 = cos th2\n"
        "F1: %3 = mul L %2\n"
        'output tau [3] "N·m" {} {} "" = %3 -1.5 %1\n'
    )


@pytest.mark.parametrize(
    "label",
    [
        "pi",
        "1",
        "50%",
        "%0",
        "a b",
        "{x}",
        "x\\u0",
        "a,b",
        "a;b",
        "A[0,1]",
        "é",
        "1e5",
        "-x",
        "Pi",
        "pi/2",
        "\u2028",
        'q"',
    ],
)
def test_labels_may_be_any_text(label: str) -> None:
    trace = Trace()
    a, b = trace.input(Input("v", (2,), labels=(label, "other")))
    trace.output(Output("w", (3,), (), doc="two\nlines", rows=(label, "b", "c")), [a + b, a, 1 - a])
    program = trace.program("p")
    assert same(parse(render(program)), program)


def test_elements_of_matrices_stand_as_they_are_called() -> None:
    trace = Trace()
    A = trace.input(Input("J", (1, 2)))
    trace.output(Output("w", (), ()), [A[0] * A[1]])
    assert "%0 = mul J[0,0] J[0,1]\n" in render(trace.program("p"))


GOOD = 'program p\ninput state x [] "" {x} ""\n%0 = sin x\noutput y [] "" {} {} "" = %0\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a program starts with"),
        (GOOD.replace("sin x", "sine x"), "line 3: there is no operation 'sine'"),
        (GOOD.replace("%0 = sin", "%1 = sin"), "line 3: the next result is %0, not %1"),
        (GOOD.replace("sin x", "sin x x"), "statement 0 is 'sin' with 2 arguments"),
        (GOOD.replace("sin x", "add x z"), "'z' is neither a number nor a value"),
        (GOOD.replace("sin x", "sin %0"), "uses value 1 before it is made"),
        (GOOD.replace("= %0", "= %7"), "%7 is used but never made"),
        (GOOD.replace("state", "guess"), "line 2: an input is a state or a parameter, not 'guess'"),
        (GOOD + "rubbish\n", "line 5: this is no input, statement or output"),
        (GOOD.replace("x []", "x [a]"), "line 2"),
        (GOOD.replace("output y []", "output y [2]"), "output 'y' of shape (2,) has 1 elements"),
    ],
)
def test_errors_name_the_line(text: str, message: str) -> None:
    assert parse(GOOD).digest
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert message in str(caught.value)
