"""What every pass promises: the same values, never a dearer Program, the same bytes whatever the hash seed."""

import subprocess
import sys

import numpy as np
import pytest

from armillary.models import derive
from armillary.passes import DEFAULT, PASSES, optimise
from armillary.program import Program, cost, evaluate, parse, render, verify
from reference.arms import arm
from reference.random_programs import random_inputs, random_program
from reference.turning_programs import turning_program

RING = ("add", "sub", "mul", "neg", "sin", "cos")
"""Operations that passes rewrite."""


def same_values(before: Program, after: Program, rng: np.random.Generator) -> None:
    """Every output at five random points, to 1e-12 of the largest value met on the way."""
    for _ in range(5):
        inputs = random_inputs(rng, before)
        with np.errstate(all="ignore"):
            plain = evaluate(before, inputs)
            found = evaluate(after, {x.name: inputs[x.name] for x in after.inputs})
        for name, value in plain.items():
            assert np.abs(found[name] - value).max() <= 1e-12 * max(1.0, float(np.abs(value).max())), name


@pytest.mark.parametrize("name", PASSES)
def test_values_are_kept(name: str) -> None:
    for seed in range(150):
        rng = np.random.default_rng(seed)
        makers = (
            lambda r: random_program(r, 60),
            lambda r: random_program(r, 80, 0, RING),
            lambda r: turning_program(r, 30),
        )
        program = makers[seed % 3](rng)
        same_values(program, verify(PASSES[name](program)), rng)


def test_the_sequence_is_never_dearer() -> None:
    for seed in range(100):
        rng = np.random.default_rng(seed)
        program = turning_program(rng, 40) if seed % 2 else random_program(rng, 100, 1, RING)
        after = optimise(program)
        (online, _), (online_before, _) = cost(after), cost(program)
        assert online.total <= online_before.total
        same_values(program, after, rng)


def test_nothing_is_left_to_gain_by_running_again() -> None:
    for name in ("rx90", "panda"):
        once = derive(arm(name), "inverse-dynamics")
        again = optimise(once)
        assert cost(again)[0].total >= cost(once)[0].total - 2


def test_names_inputs_and_outputs_stay() -> None:
    program = derive(arm("rx90"), "inverse-dynamics", passes=False)
    after = optimise(program)
    assert [x.name for x in after.states] == [x.name for x in program.states]
    assert [(x.name, x.shape, x.unit) for x in after.outputs] == [(x.name, x.shape, x.unit) for x in program.outputs]
    assert after.about == program.about and after.name == program.name
    assert set(after.hints.values()) >= {"GAM3", "WP24", "NE35"}


def test_a_text_of_repetitions_is_shared() -> None:
    text = """program twice
input state x [] "" {x} ""
%0 = sin x
%1 = sin x
%2 = mul %0 %1
%3 = cos x
output y [] "" {} {} "" = %2
"""
    after = PASSES["common"](parse(text))
    assert [line for line in render(after).splitlines() if "=" in line and "output" not in line] == [
        "%0 = sin x",
        "%1 = mul %0 %0",
    ]


SCRIPT = """
import sys
sys.path.insert(0, {path!r})
from reference.arms import arm
from armillary.models import derive
print([derive(arm(n), m).digest for n in ("rx90", "panda") for m in ("inverse-dynamics", "inertia-matrix")])
"""


def test_same_bytes_whatever_the_hash_seed() -> None:
    path = next(p for p in sys.path if p.endswith("tests"))
    runs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT.format(path=path)],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(runs) == 1


def test_the_default_sequence_is_made_of_known_passes() -> None:
    assert set(DEFAULT) <= set(PASSES)
    assert all(PASSES[name].__doc__ for name in PASSES)
