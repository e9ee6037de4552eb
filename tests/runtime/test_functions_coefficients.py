"""Where the numbers in the compiled functions come from: best polynomials and digits of π, found again."""

import math

import mpmath
import numpy as np
import pytest
from mpmath import atan, cos, exp, log, mp, sin, sqrt

from armillary.runtime.functions.circular import COSINE, SINE
from armillary.runtime.functions.exponential import EXPONENTIAL, LOG2, LOGARITHM
from armillary.runtime.functions.inverse import ARC_TANGENT
from armillary.runtime.functions.pi import HALF_PI, HALF_PI_BITS, TWO_OVER_PI, TWO_OVER_PI_BITS, half_pi_pieces
from reference.minimax import error, fit

SLACK = 1 + 1e-6
"""How much larger a remainder may be than half a step, for the step was counted in rounded arithmetic."""

EIGHTH_TURN = (math.pi / 4 * SLACK) ** 2
HALF_OCTAVE = math.log(2) / 2 * SLACK

FITS = {
    "sine": (
        SINE["double"],
        lambda z: (1 - sin(sqrt(z)) / sqrt(z)) / z,
        lambda z: z * sqrt(z) / sin(sqrt(z)),
        (0, EIGHTH_TURN),
        -57.8,
    ),
    "sine in single precision": (
        SINE["float"],
        lambda z: (1 - sin(sqrt(z)) / sqrt(z)) / z,
        lambda z: z * sqrt(z) / sin(sqrt(z)),
        (0, EIGHTH_TURN),
        -27.9,
    ),
    "cosine": (
        COSINE["double"],
        lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2,
        lambda z: z**2 / cos(sqrt(z)),
        (0, EIGHTH_TURN),
        -63.9,
    ),
    "cosine in single precision": (
        COSINE["float"],
        lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2,
        lambda z: z**2 / cos(sqrt(z)),
        (0, EIGHTH_TURN),
        -32.9,
    ),
    "arc tangent": (
        ARC_TANGENT,
        lambda z: (1 - atan(sqrt(z)) / sqrt(z)) / z,
        lambda z: z * sqrt(z) / atan(sqrt(z)),
        (0, (math.sqrt(2) - 1) ** 2 * SLACK),
        -59.4,
    ),
    "exponential": (
        EXPONENTIAL,
        lambda r: (exp(r) - 1 - r) / r**2,
        lambda r: abs(r**2 / (exp(r) - 1)),
        (-HALF_OCTAVE, HALF_OCTAVE),
        -59.9,
    ),
    "logarithm": (
        LOGARITHM,
        lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2) / z,
        lambda z: z / 2,
        (0, ((math.sqrt(2) - 1) / (math.sqrt(2) + 1)) ** 2 * SLACK),
        -59.4,
    ),
}


@pytest.mark.parametrize("name", FITS)
def test_coefficients_are_those_of_the_best_polynomial(name):
    coefficients, function, weight, (low, high), _ = FITS[name]
    real = np.float32 if "single" in name else np.float64
    assert fit(function, weight, low, high, len(coefficients), real) == coefficients


@pytest.mark.parametrize("name", FITS)
def test_polynomials_are_as_close_as_they_say(name):
    coefficients, function, weight, (low, high), bits = FITS[name]
    assert math.log2(error(function, weight, low, high, coefficients)) < bits


def test_digits_of_pi():
    with mp.workprec(2000):
        assert mpmath.floor(mp.pi / 2 * 2**HALF_PI_BITS) == HALF_PI
        assert mpmath.floor(2 / mp.pi * mpmath.mpf(2) ** TWO_OVER_PI_BITS) == TWO_OVER_PI


def test_pieces_of_half_pi_are_short_and_leave_little():
    with mp.workprec(300):
        pieces = half_pi_pieces(33, 20, 33, 53)
        assert all(
            p * 2.0 ** (w - 1) == int(p * 2.0 ** (w - 1)) for p, w in zip(pieces, (33, 53, 86, 139), strict=True)
        )
        assert 0 < mp.pi / 2 - sum(mpmath.mpf(p) for p in pieces) < mpmath.mpf(2) ** -138


def test_parts_of_log_2():
    with mp.workprec(300):
        assert LOG2[0] * 2**42 == int(LOG2[0] * 2**42)
        assert abs(mp.log(2) - mpmath.mpf(LOG2[0]) - mpmath.mpf(LOG2[1])) < mpmath.mpf(2) ** -96
