"""Prime fields in which angles live: integers modulo a prime p, with roots of unity for the multiples of pi.

A field of p elements has a cyclic group of p - 1 units. With p - 1 = N P, P prime and N divisible by what the angles of a
robot need, exp(iπ a/b) is an element of order dividing N, so that identities between sines of multiples of pi hold in
the field as they do for numbers, and exp(iφ) for any other φ a random element of order P, whose rational multiples
all exist.
"""

import random
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd

BITS = 70
"""Size of P. What is not 0 is taken for 0 with a probability of about its degree in 2^BITS."""

USUAL = 720
"""Denominators of multiples of pi that the usual field knows: divisors of this number."""

KNOWN = {4 * USUAL: 1180591620717411301649}
"""P by N where the search need not be made again."""

TRIED = 1 << 17

_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


class FieldTooSmall(Exception):
    """The field has no exp(iπ / denominator); one for its multiples has to be made."""

    def __init__(self, denominator: int) -> None:
        super().__init__(f"no root of unity for pi/{denominator}")
        self.denominator = denominator


@dataclass(frozen=True, slots=True)
class Field:
    """Integers modulo `prime` = `turns` · `cycle` + 1; `root` has order `turns`, `generator` order `cycle`; i² = -1."""

    prime: int
    turns: int
    cycle: int
    root: int
    generator: int
    i: int

    def inverse(self, x: int) -> int:
        """1 / x."""
        return pow(x, -1, self.prime)

    def fraction(self, x: Fraction) -> int:
        """The residue of a fraction; every double is one."""
        return x.numerator * self.inverse(x.denominator) % self.prime

    def unit(self, turn: Fraction, multiple: int) -> int:
        """exp(iπ turn) times the generator to the power `multiple`."""
        exponent = turn * self.turns / 2
        if exponent.denominator != 1:
            raise FieldTooSmall(turn.denominator)
        p = self.prime
        return pow(self.root, exponent.numerator, p) * pow(self.generator, multiple, p) % p

    def cos_sin(self, unit: int) -> tuple[int, int]:
        """((z + 1/z) / 2, (z - 1/z) / 2i) of z = exp(iφ)."""
        p = self.prime
        back = pow(unit, -1, p)
        half = (p + 1) // 2
        return (unit + back) * half % p, (back - unit) * half * self.i % p


@lru_cache(maxsize=32)
def field_for(denominator: int = 1) -> Field:
    """The largest field below a bound in which every multiple of pi / `denominator` is known; the same at every call."""
    turns = 4 * USUAL * (denominator // gcd(USUAL, denominator))
    cycle = KNOWN.get(turns) or searched(turns)
    prime = turns * cycle + 1
    rng = random.Random(prime)
    factors = _prime_factors(turns)
    while True:
        root = pow(rng.randrange(2, prime), cycle, prime)
        if all(pow(root, turns // f, prime) != 1 for f in factors):
            break
    generator = 1
    while generator == 1:
        generator = pow(rng.randrange(2, prime), turns, prime)
    return Field(prime, turns, cycle, root, generator, pow(root, turns // 4, prime))


def _prime_factors(n: int) -> list[int]:
    """The prime factors; what has none below `TRIED` counts as one."""
    factors: list[int] = []
    for f in range(2, TRIED):
        if f * f > n:
            break
        if n % f == 0:
            factors.append(f)
            while n % f == 0:
                n //= f
    return [*factors, n] if n > 1 else factors


def searched(turns: int) -> int:
    """The largest P below the bound for a given N."""
    return next(cycle for cycle in range((1 << BITS) - 1, turns, -2) if _is_split(turns * cycle + 1, cycle))


def _is_split(prime: int, cycle: int) -> bool:
    """Whether both are primes; most that are not fail the first, cheap test."""
    return pow(2, prime - 1, prime) == 1 and is_prime(cycle) and is_prime(prime)


def is_prime(n: int) -> bool:
    """The test of Miller and Rabin with twelve bases, a proof below 3.3e24 and without known exception beyond."""
    for p in _WITNESSES:
        if n % p == 0:
            return n == p
    if n < 2:
        return False
    twos = (n - 1 & 1 - n).bit_length() - 1
    odd = (n - 1) >> twos
    return all(_passes(n, base, odd, twos) for base in _WITNESSES)


def _passes(n: int, base: int, odd: int, twos: int) -> bool:
    x = pow(base, odd, n)
    if x in (1, n - 1):
        return True
    for _ in range(twos - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False
