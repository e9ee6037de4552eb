"""Elementary functions in machine code are right to 1 ulp: dense sweeps against long doubles, hard places against mpmath."""

import mpmath
import numpy as np
import pytest
from mpmath import mp

from armillary.runtime.functions.pi import HALF_PI, HALF_PI_BITS
from armillary.runtime.functions.turns import NEAR
from reference.lanes import DTYPE, compiled
from reference.ulps import DIGITS, error, errors, every_binade, has_long_double

REALS = ("double", "float")
needs_long_double = pytest.mark.skipif(not has_long_double, reason="long doubles are doubles here")


def sweep(op, real, rng, count=100_000):
    """Arguments all over the domain of a function, most of them where it is neither flat nor constant."""
    dtype = DTYPE[real]
    spread = {
        "asin": (-1, 1),
        "acos": (-1, 1),
        "exp": (-760, 720) if real == "double" else (-110, 90),
        "log": (0, 4),
        "tanh": (-24, 24),
    }.get(op, (-1e5, 1e5))
    near_one = 1 + rng.uniform(-1, 1, count) * 2.0 ** rng.uniform(-54, 0, count)
    parts = [rng.uniform(*spread, count), rng.uniform(-1, 1, count), rng.uniform(-8, 8, count), near_one, -near_one]
    return np.concatenate([*(p.astype(dtype) for p in parts), every_binade(dtype, 40, rng)])


@needs_long_double
@pytest.mark.parametrize("fused", [True, False], ids=["fused", "plain"])
@pytest.mark.parametrize("real", REALS)
def test_sine_and_cosine_stay_within_an_ulp(real, fused):
    rng = np.random.default_rng(1)
    quarters = rng.integers(1, 63_000, 100_000)
    near_zeros = (
        quarters * np.longdouble(np.pi / 2) * (1 + rng.uniform(-1, 1, quarters.size) * 2.0 ** rng.uniform(-60, 0))
    )
    x = np.concatenate([sweep("sin", real, rng), near_zeros.astype(DTYPE[real])])
    sine, cosine = compiled("sin cos", real, fused=fused)(x)
    assert errors(sine, x, op="sin").max() < 0.9
    assert errors(cosine, x, op="cos").max() < 0.9


@needs_long_double
@pytest.mark.parametrize("fused", [True, False], ids=["fused", "plain"])
@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("op", ["tan", "asin", "acos", "atan", "exp", "log", "tanh"])
def test_functions_of_one_argument_stay_within_an_ulp(op, real, fused):
    x = sweep(op, real, np.random.default_rng(2), 30_000)
    (y,) = compiled(op, real, fused=fused)(x)
    assert errors(y, x, op=op).max() < (0.9 if real == "double" else 0.501)


@needs_long_double
@pytest.mark.parametrize("fused", [True, False], ids=["fused", "plain"])
@pytest.mark.parametrize("real", REALS)
def test_angles_of_points_stay_within_an_ulp(real, fused):
    rng = np.random.default_rng(3)
    any_size = every_binade(DTYPE[real], 40, rng)
    with np.errstate(over="ignore", under="ignore"):
        like_size = any_size * np.exp(rng.normal(size=any_size.size) * 8).astype(DTYPE[real])
    near_diagonal = any_size / 2 * rng.uniform(0.999, 1.001, any_size.size).astype(DTYPE[real])
    y = np.concatenate([any_size, any_size, any_size / 2, rng.uniform(-1, 1, 50_000).astype(DTYPE[real])])
    x = np.concatenate(
        [rng.permutation(any_size), like_size, near_diagonal, rng.uniform(-1, 1, 50_000).astype(DTYPE[real])]
    )
    (angle,) = compiled("atan2", real, fused=fused)(y, x)
    assert errors(angle, y, x, op="atan2").max() < 0.9


@needs_long_double
@pytest.mark.parametrize("fused", [True, False], ids=["fused", "plain"])
@pytest.mark.parametrize("real", REALS)
def test_next_to_every_quarter_turn_that_is_near(real, fused):
    """Those for which no far path is taken, where the remainder is least and cancellation worst: a pure rounding is left."""
    quarters = np.arange(1, int(NEAR[real] * 2 / np.pi))
    half_pi = np.longdouble(HALF_PI >> (HALF_PI_BITS - 63)) / np.longdouble(2) ** 63
    x = (quarters * half_pi).astype(DTYPE[real])
    sine, cosine = compiled("sin cos", real, fused=fused)(x)
    assert errors(sine, x, op="sin").max() < 0.501
    assert errors(cosine, x, op="cos").max() < 0.501


def hard_angles(real):
    """The floats next to multiples of π/2, small and huge, and the two closest of all of their precision."""
    dtype = DTYPE[real]
    rng = np.random.default_rng(4)
    exponents = range(int(np.finfo(dtype).maxexp) - 1)
    quarters = [int(rng.integers(1 << 52, 1 << 53)) * 2**e >> 52 for e in exponents for _ in range(2)]
    with mp.workdps(DIGITS):
        nearest = [float(k * mp.pi / 2) for k in [*range(1, 200), *quarters]]
    closest = [6381956970095103 * 2.0**797] if real == "double" else [16367173 * 2.0**72]
    return np.array([*closest, *nearest, np.finfo(dtype).max]).astype(dtype)


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "plain"])
@pytest.mark.parametrize("real", REALS)
def test_next_to_multiples_of_a_quarter_turn(real, fused):
    x = hard_angles(real)
    sine, cosine = compiled("sin cos", real, fused=fused)(x)
    (tangent,) = compiled("tan", real, fused=fused)(x)
    with mp.workdps(DIGITS):
        for a, s, c, t in zip(x, sine, cosine, tangent, strict=True):
            exact_c, exact_s = mpmath.cos_sin(mpmath.mpf(float(a)))
            assert error(s, exact_s, DTYPE[real]) < 0.9, a
            assert error(c, exact_c, DTYPE[real]) < 0.9, a
            assert error(t, exact_s / exact_c, DTYPE[real]) < 0.9, a


def test_the_angle_closest_to_a_quarter_turn_has_the_cosine_that_is_published():
    """Muller, Elementary Functions (2016), section 11.1: -4.68716592425462761112e-19."""
    _, cosine = compiled("sin cos", "double")([6381956970095103 * 2.0**797])
    assert cosine[0] == -4.68716592425462761112e-19


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "plain"])
@pytest.mark.parametrize("op", ["tan", "asin", "acos", "atan", "exp", "log", "tanh"])
def test_against_many_digits(op, fused):
    """The same in double precision without long doubles."""
    rng = np.random.default_rng(5)
    low, high = {"asin": (-1, 1), "acos": (-1, 1), "exp": (-745, 709), "log": (0, 4), "tanh": (-20, 20)}.get(
        op, (-99, 99)
    )
    x = np.concatenate([rng.uniform(low, high, 300), rng.uniform(0, 1, 100), 1 - 2.0 ** -np.arange(1, 54)])
    (y,) = compiled(op, "double", fused=fused)(x)
    with mp.workdps(60):
        assert max(error(b, getattr(mpmath, op)(mpmath.mpf(a)), np.float64) for a, b in zip(x, y, strict=True)) < 0.9
