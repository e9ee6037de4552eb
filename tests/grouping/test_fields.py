"""Angles in prime fields: what holds of sines holds of their residues, and no more."""

from fractions import Fraction

import pytest

from armillary.expr.graph import Graph
from armillary.expr.parse import parse
from armillary.grouping.field import BITS, KNOWN, FieldTooSmall, field_for, is_prime, searched
from armillary.grouping.point import Point


def test_the_field_that_is_written_down_is_the_one_that_is_found() -> None:
    for turns, cycle in KNOWN.items():
        assert searched(turns) == cycle
    field = field_for()
    assert is_prime(field.prime) and is_prime(field.cycle) and field.cycle < 1 << BITS
    assert field.prime - 1 == field.turns * field.cycle


@pytest.mark.parametrize("n", [2, 3, 37, 41, 2**31 - 1, 2**61 - 1])
def test_primes(n: int) -> None:
    assert is_prime(n)


@pytest.mark.parametrize("n", [1, 4, 561, 41 * 43, 3215031751, 3825123056546413051, (2**31 - 1) * (2**61 - 1)])
def test_composites(n: int) -> None:
    """Carmichael numbers and strong pseudoprimes to small bases among them."""
    assert not is_prime(n)


def same(a: str, b: str, denominator: int = 1) -> bool:
    """Whether two formulas have one value at a random point."""
    point, g = Point(field_for(denominator), 5), Graph()
    return point.value(parse(a, g)) == point.value(parse(b, g))


def cosine(angle: str, denominator: int = 1) -> int:
    """The residue of the cosine of a number."""
    return Point(field_for(denominator), 5).cos_sin(parse(angle))[0]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("sin(x)**2 + cos(x)**2", "1"),
        ("sin(x + y)", "sin(x)*cos(y) + cos(x)*sin(y)"),
        ("cos(2*x)", "1 - 2*sin(x)**2"),
        ("cos(x/2)**2", "(1 + cos(x))/2"),
        ("tan(x)", "sin(x)/cos(x)"),
        ("sin(pi/10 + x)", "cos(2*pi/5 - x)"),
        ("sqrt(a)*sqrt(a)", "a"),
    ],
)
def test_identities(a: str, b: str) -> None:
    assert same(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("sin(x)", "x"),
        ("sin(x)", "sin(y)"),
        ("sqrt(a)", "sqrt(b)"),
        ("0.1 + x", "0.2 + x"),
    ],
)
def test_what_is_not_the_same(a: str, b: str) -> None:
    assert not same(a, b)


def test_cosines_of_numbers() -> None:
    p = field_for().prime
    assert 2 * cosine("pi/4") ** 2 % p == 1 and 2 * cosine("pi/3") % p == 1
    assert 2 * (cosine("pi/5") - cosine("2*pi/5")) % p == 1
    assert cosine("3.1416") == (2 * cosine("1.5708") ** 2 - 1) % p
    assert cosine("0.75") == (4 * cosine("0.25") ** 3 - 3 * cosine("0.25")) % p
    assert cosine("1.5708") != 0 and cosine("3.1416") != p - 1 and cosine("pi/2") == 0


def test_multiples_of_pi_find_their_field() -> None:
    with pytest.raises(FieldTooSmall):
        cosine("pi/7")
    p = field_for(7).prime
    assert 2 * (cosine("pi/7", 7) - cosine("2*pi/7", 7) + cosine("3*pi/7", 7)) % p == 1


def test_roots_of_unity() -> None:
    field = field_for(7)
    p = field.prime
    z = field.unit(Fraction(1, 7), 0)
    assert pow(z, 7, p) == p - 1 and field.i * field.i % p == p - 1
    assert pow(field.generator, field.cycle, p) == 1 != field.generator
    c, s = field.cos_sin(field.unit(Fraction(2, 7), 12345))
    assert (c * c + s * s) % p == 1
