"""The order and the cutting of statements: nothing before its arguments, nothing lost, memory never taken twice at a time."""

import numpy as np
import pytest

from armillary.program import Input, Output, Program, Trace
from armillary.runtime import order, task
from armillary.runtime.search import ORDERS
from reference.random_programs import random_program


def chain_of_sines(n: int) -> Program:
    """Sines of inputs, of sums of inputs and of sines, each used at once and at the end."""
    trace = Trace()
    q = trace.input(Input("q", (n,)))
    total = q[0]
    for k in range(1, n):
        total = total + (q[k] - q[k - 1]).sin() * q[k].cos() + (total * 0.5).sin()
    trace.output(Output("y", (2,), ()), [total, total * q[0].sin() * q[0].cos()])
    return trace.program("sines")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("ordered", ORDERS)
def test_arguments_come_first_and_nothing_is_lost(ordered: object, seed: int) -> None:
    program = random_program(np.random.default_rng(seed), size=80)
    units = ordered(program)  # type: ignore[operator]
    made = set(range(program.first_result))
    numbers: list[int] = []
    for unit in units:
        assert all(a in made for x in unit for a in x.args)
        for x in unit:
            numbers.append(x.number)
            made |= set(range(x.first, x.first + x.count))
    assert sorted(numbers) == list(range(len(program.ops)))


@pytest.mark.parametrize("ordered", ORDERS)
def test_sines_of_joint_angles_come_first_and_in_pairs(ordered: object) -> None:
    units = ordered(chain_of_sines(6))  # type: ignore[operator]
    kinds = ["".join(sorted({x.op for x in unit})) for unit in units]
    waves = [k for k, unit in enumerate(units) if unit[0].op in ("sin", "cos")]
    assert kinds[:5] == ["sub"] * 5
    assert waves[:11] == list(range(5, 16))
    assert [[x.op for x in u] for u in units if len(u) > 1] == [["sin", "cos"]]
    assert len({unit[0].args[0] for unit in units if unit[0].op in ("sin", "cos")}) == len(waves)


@pytest.mark.parametrize("segment", [1, 7, 50, 10_000])
def test_places_in_the_frame_are_taken_by_one_value_at_a_time(monkeypatch: pytest.MonkeyPatch, segment: int) -> None:
    monkeypatch.setattr(task, "SEGMENT", segment)
    program = chain_of_sines(40)
    _, run = task.tasks(program, order.as_written(program))
    assert len(run.segments) == -(-sum(map(len, run.segments)) // segment)
    made: dict[int, int] = dict.fromkeys(run.inputs, 0)
    last: dict[int, int] = {}
    for k, unit in enumerate(run.segments):
        for x in (x for u in unit for x in u):
            made[x.first] = k
            for a in x.args:
                last[a] = k
    crossing = {v for v, k in last.items() if v not in run.inputs and program.constant(v) is None and made[v] < k}
    assert crossing <= set(run.slots)
    inner = [v for v in run.slots if v not in run.inputs and v not in run.outputs]
    for v in inner:
        for w in inner:
            if v < w and run.slots[v] == run.slots[w]:
                assert last[v] < made[w] or last[w] < made[v]
    assert max(run.slots.values(), default=0) < run.frame_size
    if segment >= 10_000:
        assert run.frame_size == len(run.inputs) + len(run.outputs)


def test_work_on_parameters_alone_is_setup() -> None:
    trace = Trace()
    (x,) = trace.input(Input("x"))
    (p,) = trace.input(Input("p", role="parameter"))
    trace.output(Output("y", (3,), ()), [x * (p * p).sin(), p, p + 1])
    program = trace.program("split")
    setup, run = task.tasks(program, order.as_written(program))
    assert [x.op for s in setup.segments for u in s for x in u] == ["mul", "sin", "add"]
    assert [x.op for s in run.segments for u in s for x in u] == ["mul"]
    assert setup.outputs == run.given and len(run.given) == 3
