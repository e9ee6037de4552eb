"""Special arguments, lanes that differ, widths and kinds of machine."""

import itertools
import platform

import numpy as np
import pytest

from armillary.expr.ops import OPS
from armillary.runtime.functions import emit, sin_cos
from armillary.runtime.host import host
from armillary.runtime.ir import Block, Body
from reference.lanes import ARITY, DTYPE, compiled

REALS = ("double", "float")
ARITHMETIC = {"add", "sub", "mul", "div", "neg"}
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan)
FUNCTIONS = ["sin cos", *(op for op in OPS if op not in ARITHMETIC and op not in ("sin", "cos"))]

inf, nan, pi = np.inf, np.nan, np.pi
VALUES = {
    "sin": ([0.0, -0.0, inf, -inf, nan], [0.0, -0.0, nan, nan, nan]),
    "cos": ([0.0, -0.0, inf, -inf, nan], [1.0, 1.0, nan, nan, nan]),
    "tan": ([0.0, -0.0, inf, -inf, nan], [0.0, -0.0, nan, nan, nan]),
    "asin": ([0.0, -0.0, 1.0, -1.0, 1.1, -1.1, inf, nan], [0.0, -0.0, pi / 2, -pi / 2, nan, nan, nan, nan]),
    "acos": ([0.0, -0.0, 1.0, -1.0, 1.1, -1.1, inf, nan], [pi / 2, pi / 2, 0.0, pi, nan, nan, nan, nan]),
    "atan": ([0.0, -0.0, 1.0, inf, -inf, nan], [0.0, -0.0, pi / 4, pi / 2, -pi / 2, nan]),
    "sqrt": ([0.0, -0.0, 4.0, inf, -1.0, -inf, nan], [0.0, -0.0, 2.0, inf, nan, nan, nan]),
    "abs": ([0.0, -0.0, -3.0, inf, -inf, nan], [0.0, 0.0, 3.0, inf, inf, nan]),
    "sign": ([0.0, -0.0, 3.0, -3.0, inf, -inf, nan], [0.0, 0.0, 1.0, -1.0, 1.0, -1.0, nan]),
    "exp": ([0.0, -0.0, inf, -inf, nan, 1e9, -1e9], [1.0, 1.0, inf, 0.0, nan, inf, 0.0]),
    "log": ([0.0, -0.0, 1.0, inf, -1.0, -inf, nan], [-inf, -inf, 0.0, inf, nan, nan, nan]),
    "tanh": ([0.0, -0.0, inf, -inf, nan, 1e9, -1e9], [0.0, -0.0, 1.0, -1.0, nan, 1.0, -1.0]),
}


def same(a, b):
    """Equal to the sign of zeros; any NaN is NaN."""
    a, b = np.asarray(a), np.asarray(b)
    return bool(np.all((a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)))


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "plain"])
@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("op", VALUES)
def test_zeros_infinities_and_nan(op, real, fused):
    arguments, expected = VALUES[op]
    (found,) = compiled(op, real, fused=fused)(arguments)
    assert same(found, np.array(expected, DTYPE[real])), found


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("op", ["sin", "tan", "asin", "atan", "tanh"])
def test_tiny_arguments_are_their_own_values(op, real):
    limits = np.finfo(DTYPE[real])
    tiny = np.array(
        [limits.smallest_subnormal, 3 * limits.smallest_subnormal, limits.tiny, limits.tiny * 1.5], DTYPE[real]
    )
    tiny = np.concatenate([tiny, -tiny])
    (found,) = compiled(op, real)(tiny)
    assert same(found, tiny)


@pytest.mark.parametrize("real", REALS)
def test_largest_numbers(real):
    largest = np.finfo(DTYPE[real]).max
    sine, cosine = compiled("sin cos", real)([largest, -largest])
    assert np.allclose(sine**2 + cosine**2, 1) and sine[0] == -sine[1] and cosine[0] == cosine[1]
    assert np.allclose(sine[0] / cosine[0], compiled("tan", real)([largest])[0])
    assert compiled("exp", real)([-largest, largest])[0].tolist() == [0, np.inf]
    assert np.allclose(compiled("log", real)([largest])[0], np.finfo(DTYPE[real]).maxexp * np.log(2))
    assert compiled("atan2", real)([largest, largest, 1], [largest, -largest, largest])[0][:2] == pytest.approx(
        [pi / 4, 3 * pi / 4]
    )


@pytest.mark.parametrize("real", REALS)
def test_results_too_small_to_be_normal(real):
    low = -744.0 if real == "double" else -103.0
    x = np.linspace(low, low + 40, 401).astype(DTYPE[real])
    (found,) = compiled("exp", real)(x)
    assert np.all(found > 0) and found[0] < np.finfo(DTYPE[real]).tiny
    (back,) = compiled("log", real)(found)
    assert np.allclose(back[-200:], x[-200:], rtol=1e-4)


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "plain"])
@pytest.mark.parametrize("real", REALS)
def test_angles_along_axes_and_diagonals_of_infinite_and_empty_planes(real, fused):
    y, x = np.array(list(itertools.product(SPECIAL, SPECIAL)), DTYPE[real]).T
    (found,) = compiled("atan2", real, fused=fused)(y, x)
    expected = np.arctan2(y.astype(np.float64), x.astype(np.float64)).astype(DTYPE[real])
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    assert np.array_equal(np.signbit(found[~np.isnan(found)]), np.signbit(expected[~np.isnan(found)]))
    assert np.allclose(found, expected, rtol=np.finfo(DTYPE[real]).eps, atol=0, equal_nan=True)


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("op", ["abs", "sign", "sqrt", "min", "max", "less", "select"])
def test_operations_mean_what_the_interpreter_means(op, real):
    args = np.array(list(itertools.product(SPECIAL, repeat=ARITY.get(op, 1))), DTYPE[real]).T
    (found,) = compiled(op, real)(*args)
    with np.errstate(invalid="ignore"):
        expected = OPS[op].numpy(*args)
    assert np.array_equal(found, expected, equal_nan=True)
    if op not in ("min", "max"):
        assert same(found, expected)


@pytest.mark.parametrize("op", ["min", "max"])
def test_of_two_zeros_the_second_is_the_smaller_and_the_larger(op):
    assert same(compiled(op, "double")([0.0, -0.0], [-0.0, 0.0])[0], [-0.0, 0.0])


def mixed(op, real, count=96):
    """Arguments that need every way through a function, side by side in one vector."""
    rng = np.random.default_rng(6)
    x = rng.uniform(-1, 1, (ARITY.get(op, 1), count))
    x[:, ::5] *= 1e4
    x[:, ::7] *= 1e30
    x[:, 3::11] = np.inf
    x[:, 4::13] = np.nan
    return x.astype(DTYPE[real])


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("op", FUNCTIONS)
def test_all_widths_give_the_same_bits(op, real):
    args = mixed(op, real)
    one_by_one = compiled(op, real, 1)(*args)
    for width in (2, 4, 8, 16):
        assert all(same(a, b) for a, b in zip(compiled(op, real, width)(*args), one_by_one, strict=True)), width


MACHINES = {"sse2": "", "avx2": "+avx2,+fma", "avx512": "+avx512f,+avx512dq,+avx512vl,+fma"}


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="kinds of x86-64")
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("op", FUNCTIONS)
def test_all_machines_give_the_same_bits(op, machine):
    features = MACHINES[machine]
    if not {f[1:] for f in features.split(",") if f} <= {f[1:] for f in host().features.split(",") if f[0] == "+"}:
        pytest.skip("not on this machine")
    fused = "fma" in features
    for real, width in (("double", 8), ("float", 16)):
        args = mixed(op, real)
        here, there = compiled(op, real, width, fused)(*args), compiled(op, real, width, fused, features)(*args)
        assert all(same(a, b) for a, b in zip(here, there, strict=True)), real


@pytest.mark.parametrize("wanted", ["sin", "cos"])
def test_one_alone_is_the_same_as_both_together(wanted):
    (x,) = mixed("sin", "double")
    both = dict(zip(("sin", "cos"), compiled("sin cos", "double")(x), strict=True))
    assert same(compiled(wanted, "double")(x)[0], both[wanted])


def test_every_operation_has_machine_code():
    for op in OPS.values():
        if op.name not in ARITHMETIC:
            b = Block(Body(), "double", 4)
            if op.name in ("sin", "cos"):
                assert set(sin_cos(b, "%x", frozenset([op.name]))) == {op.name}
            else:
                emit(b, op.name, ["%x", "%y", "%z"][: op.arity])


def test_only_angles_need_helpers():
    for op in FUNCTIONS[1:]:
        body = Body()
        emit(Block(body, "float", 8), op, ["%x", "%y", "%z"][: ARITY.get(op, 1)])
        assert bool(body.helpers) == (op == "tan")
