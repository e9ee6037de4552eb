"""Names as mathematicians write them: QP1 is q̇₁ with a dot, W12 the x component of the angular velocity of link 2, XX3 stays XX.

Names of intermediate results are those that the algorithms leave: a stem, digits for components (1, 2, 3 are x, y, z), and
the link's number. Names of a robot's parameters are a stem and a number, or words joined by underscores.
"""

import re
from dataclasses import dataclass

from armillary.program.program import Input
from armillary.program.trace import default_labels
from armillary.targets.names import identifier

GREEK = frozenset(
    """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega""".split()
)


@dataclass(frozen=True, slots=True)
class Family:
    """Quantities of one stem: how it is written, how many of its first digits are components, what they are, their unit."""

    tex: str
    components: int
    meaning: str
    unit: str = ""


FAMILIES = {
    "W": Family(r"\omega", 1, "angular velocity of link $j$", "rad/s"),
    "WP": Family(r"\dot{\omega}", 1, "angular acceleration of link $j$", "rad/s²"),
    "V": Family("v", 1, "velocity of the origin of frame $j$", "m/s"),
    "VP": Family(r"\dot{v}", 1, "acceleration of the origin of frame $j$, gravity taken off", "m/s²"),
    "U": Family("U", 2, r"rate matrix $\hat{\dot{\omega}}_j + \hat{\omega}_j \hat{\omega}_j$", "rad/s²"),
    "DV": Family("D", 2, r"products of the components of $\omega_j$", "rad²/s²"),
    "F": Family("F", 1, "force that moves link $j$", "N"),
    "N": Family("N", 1, "moment that moves link $j$", "N·m"),
    "E": Family("f", 1, "force of the antecedent on link $j$", "N"),
    "NE": Family("n", 1, "moment of the antecedent on link $j$", "N·m"),
    "CJ": Family("J^{+}", 2, "inertia of link $j$ and all it carries", "kg·m²"),
    "CMS": Family(r"\mathit{MS}^{+}", 1, "first moment of link $j$ and all it carries", "kg·m"),
    "CM": Family("M^{+}", 0, "mass of link $j$ and all it carries", "kg"),
    "AA": Family("A^{*}", 2, "articulated inertia of link $j$, linear", "kg"),
    "AC": Family("C^{*}", 2, "articulated inertia of link $j$, mixed", "kg·m"),
    "AD": Family("D^{*}", 2, "articulated inertia of link $j$, angular", "kg·m²"),
    "BF": Family(r"\beta", 1, "bias force of articulated link $j$", "N"),
    "BN": Family(r"\mu", 1, "bias moment of articulated link $j$", "N·m"),
    "GV": Family(r"\gamma", 1, "gyroscopic acceleration of link $j$, linear", "m/s²"),
    "GW": Family(r"\varepsilon", 1, "gyroscopic acceleration of link $j$, angular", "rad/s²"),
    "H": Family("H", 0, "articulated inertia about the axis of joint $j$"),
    "TAU": Family(r"\tau", 0, "torque of joint $j$ that is left to move it"),
}
"""Stems of intermediate results. The components are along the axes of frame j."""

_INERTIAL = {stem: (rf"\mathit{{{stem}}}", "kg·m²") for stem in ("XX", "XY", "XZ", "YY", "YZ", "ZZ")}
_INERTIAL |= {stem: (rf"\mathit{{{stem}}}", "kg·m") for stem in ("MX", "MY", "MZ")} | {"M": ("M", "kg")}
_EQUIVALENT = {
    "R": "regrouped: of link $j$, what its joint does not feel counted to the link before",
    "E": r"equivalent: of link $j$, for the same torques, $\mathit{XX} + \mathit{YY} = \mathit{ZZ}$ behind a hinge",
}
FAMILIES |= {
    stem + letter: Family(rf"{tex}^{{\mathrm{{{letter}}}}}", 0, meaning, unit)
    for letter, meaning in _EQUIVALENT.items()
    for stem, (tex, unit) in _INERTIAL.items()
}

VECTORS = {"q": "q", "qd": r"\dot{q}", "qdd": r"\ddot{q}", "tau": r"\Gamma"}
"""Arrays whose elements are numbered, whatever their labels."""

STEMS = {
    "QP": r"\dot{q}",
    "QDP": r"\ddot{q}",
    "GAM": r"\Gamma",
    "IA": r"I_{\mathrm{a}%s}",
    "Ia": r"I_{\mathrm{a}%s}",
    "FV": r"F_{\mathrm{v}%s}",
    "FS": r"F_{\mathrm{s}%s}",
    "th": r"\theta",
}
"""Stems of parameters and joint quantities; %s is where the number goes if not below."""


def family(hint: str) -> tuple[str, str] | None:
    """(stem, digits) of an intermediate result of a known family."""
    found = re.fullmatch(r"([A-Z]+)(\d+)", hint)
    if found and found[1] in FAMILIES and len(found[2]) > FAMILIES[found[1]].components:
        return found[1], found[2]
    return None


def intermediate(hint: str) -> str:
    """The symbol of a named intermediate result."""
    found = family(hint)
    if found is None:
        return name(hint)
    kind = FAMILIES[found[0]]
    digits = found[1]
    if any(c not in "123" for c in digits[: kind.components]):
        return name(hint)
    axes = "".join("xyz"[int(c) - 1] for c in digits[: kind.components])
    return f"{kind.tex}_{{{digits[kind.components :]}{axes}}}"


def wave(op: str, wish: str) -> str:
    """The symbol of a sine or cosine whose name would be S12 or S_alpha."""
    ending = wish[1:].lstrip("_")
    return f"{op[0]}_{{{ending if ending.isdigit() else name(ending)}}}"


def name(label: str) -> str:
    """The symbol of a parameter or any other name."""
    first, *rest = identifier(label).split("_")
    found = re.fullmatch(r"([A-Za-z]+)(\d*)(\w*)", first)
    if found is None:
        return rf"\mathit{{{first}}}"
    stem, number, ending = found.groups()
    below = ",".join(x for x in (number + ending, *rest) if x)
    below = re.sub(r"[A-Za-z]{2,}\d*", lambda word: rf"\mathrm{{{word[0]}}}", below)
    form = STEMS.get(stem) or (rf"\{stem}" if stem in GREEK else stem if len(stem) == 1 else rf"\mathit{{{stem}}}")
    if "%s" in form:
        return form % below
    return f"{form}_{{{below}}}" if below else form


def elements(x: Input) -> list[str]:
    """The symbols of the elements of an input."""
    if x.name not in VECTORS and (x.role == "parameter" or x.labels != default_labels(x.name, x.shape)):
        return [name(label) for label in x.labels]
    return numbered(VECTORS.get(x.name) or name(x.name), x.shape)


def numbered(symbol: str, shape: tuple[int, ...]) -> list[str]:
    """A_{12}: the elements of an array, counted from 1; the symbol itself for a scalar."""
    found = [""]
    separator = "," if any(n > 9 for n in shape) and len(shape) > 1 else ""
    for n in shape:
        found = [f"{before}{separator if before else ''}{k}" for before in found for k in range(1, n + 1)]
    return [indexed(symbol, index) for index in found]


def indexed(symbol: str, index: str) -> str:
    """The symbol with one more index below."""
    if not index:
        return symbol
    head, opened, below = symbol.partition("_{")
    return f"{head}_{{{below[:-1]},{index}}}" if opened and below.endswith("}") else f"{symbol}_{{{index}}}"


_PRIME = r"\prime"


class Symbols:
    """Gives every symbol once: what was given before gets primes."""

    def __init__(self) -> None:
        self._given: set[str] = set()
        self._number = 0

    def give(self, tex: str) -> str:
        """The symbol, or the next of its kind that is free."""
        candidate, primes = tex, 0
        while candidate in self._given:
            primes += 1
            candidate = f"{{{tex}}}^{{{_PRIME if primes == 1 else f'({primes + 1})'}}}"
        self._given.add(candidate)
        return candidate

    def next(self) -> str:
        """An abbreviation without a meaning: t_1, t_2, …"""
        while True:
            self._number += 1
            candidate = f"t_{{{self._number}}}"
            if candidate not in self._given:
                self._given.add(candidate)
                return candidate


def width(tex: str) -> float:
    """About how wide a symbol is, in digits."""
    total = 0.0
    below = 0
    for token in re.findall(r"\\[A-Za-z]+|\\.|[_^]\{|[_^]|[{}]|.", tex):
        if token in ("_{", "^{") or (below and token == "{"):
            below += 1
        elif token == "}" and below:
            below -= 1
        elif token not in ("{", "}", "_", "^", " ") and token not in (
            r"\mathit",
            r"\mathrm",
            r"\dot",
            r"\ddot",
            r"\mathbf",
        ):
            total += 0.7 if below else 1.0
    return total
