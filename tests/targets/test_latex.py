"""Generated LaTeX: read back as a person reads it, it computes what the Program does; it is balanced, and looks as it did."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import armillary as arm
from armillary.errors import TargetError
from armillary.program import Input, Output, Program, Trace, evaluate
from armillary.targets import target
from armillary.targets.latex import body
from armillary.targets.latex.equations import Equation, equations, output_symbol
from armillary.targets.latex.formula import joined
from armillary.targets.latex.prose import mathematics, prose
from armillary.targets.latex.symbols import elements, intermediate, name, numbered
from armillary.targets.latex.typed import typed
from reference.latex_reader import Reader, rows_of
from reference.random_programs import random_inputs, random_program
from reference.written_programs import inertia_matrix, inverse_dynamics, pose


def values(program: Program, given: dict[str, Any]) -> dict[str, float]:
    """The value of every symbol, equation by equation; no symbol is defined twice."""
    found = equations(program, 17, 80)
    known: dict[str, float] = {}
    for x in program.inputs:
        known |= dict(zip(elements(x), map(float, np.ravel(given[x.name])), strict=True))

    def define(e: Equation) -> None:
        right = joined(e.right)
        if e.left.startswith(r"\begin{pmatrix}"):
            A, B = right.split(r"^{-1}")
            matrix, side = ([[Reader(c, known).value() for c in row] for row in rows_of(part)] for part in (A, B))
            unknown = rows_of(e.left)
            for row, solved in zip(unknown, np.linalg.solve(matrix, side), strict=True):
                for symbol, x in zip(row, solved, strict=True):
                    assert symbol not in known
                    known[symbol] = float(x)
        elif e.left.startswith(r"\text") or e.left.endswith("_{ji}"):
            return
        else:
            assert e.left not in known, e.left
            known[e.left] = Reader(right, known).value()

    for e in (*found.constants, *(e for group in found.waves for e in group), *found.steps):
        define(e)
    for matrix, rows in found.results:
        for e in rows:
            define(e)
        if matrix:
            head, cells = matrix.split(" = ", 1)
            plain = re.sub(r"\\mathbf\{(.)\}", r"\1", head)
            places = iter(numbered(plain, np.shape(rows_of(cells))))
            for cell in (c for row in rows_of(cells) for c in row):
                place = next(places)
                computed = Reader(cell, known).value()
                assert known.setdefault(place, computed) == computed
    return known


@pytest.mark.parametrize("seed", range(60))
def test_read_back_it_computes_what_the_program_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = random_program(rng, size=int(rng.integers(10, 100)))
    given: dict[str, Any] = random_inputs(rng, program)
    known = values(program, given)
    for out_name, expected in evaluate(program, given).items():
        out = program.output(out_name)
        got = [known[s] for s in numbered(output_symbol(out), out.shape)]
        np.testing.assert_allclose(np.reshape(got, out.shape), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("make", [inverse_dynamics, inertia_matrix, pose])
def test_models_read_back(make: Callable[[], Program]) -> None:
    program = make()
    given: dict[str, Any] = random_inputs(np.random.default_rng(1), program)
    known = values(program, given)
    for out_name, expected in evaluate(program, given).items():
        out = program.output(out_name)
        got = [known[s] for s in numbered(output_symbol(out), out.shape)]
        np.testing.assert_allclose(np.reshape(got, out.shape), expected, rtol=1e-12)


def balanced(text: str) -> bool:
    """Braces, environments and paired brackets close in the order in which they were opened."""
    opened: list[str] = []
    plain = re.sub(r"(?m)^%.*$", "", text).replace(r"\{", "").replace(r"\}", "")
    for found in re.finditer(r"\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}|\\left\(|\\right\)|[{}]", plain):
        word = found[0]
        if word.startswith((r"\begin", r"\left")) or word == "{":
            opened.append(found[1] or word)
        elif not opened or opened.pop() != (found[2] or {"}": "{", r"\right)": r"\left("}[word]):
            return False
    return not opened


@pytest.mark.parametrize("seed", range(20))
def test_documents_are_balanced_and_lines_fit(seed: int) -> None:
    rng = np.random.default_rng(seed + 1000)
    program = random_program(rng, size=int(rng.integers(10, 200)))
    (text,) = target("latex").files(program).values()
    assert balanced(text)
    assert text.endswith("\\end{document}\n") and "  " not in body(program)
    narrow = body(program, line=40)
    assert balanced(narrow) and narrow.count(r"\\") >= body(program).count(r"\\")


def test_symbols() -> None:
    assert intermediate("W312") == r"\omega_{12z}"
    assert intermediate("DV123") == "D_{3xy}"
    assert intermediate("U231") == "U_{1yz}"
    assert intermediate("WP11") == r"\dot{\omega}_{1x}"
    assert intermediate("CM4") == "M^{+}_{4}"
    assert intermediate("A21") == "A_{21}"
    assert name("QDP1") == r"\ddot{q}_{1}"
    assert name("XX1") == r"\mathit{XX}_{1}"
    assert name("alpha") == r"\alpha" and name("θ3") == r"\theta_{3}"
    assert name("FV2") == r"F_{\mathrm{v}2}"
    assert name("Ia3") == name("IA3") == r"I_{\mathrm{a}3}"
    assert intermediate("XXE1") == r"\mathit{XX}^{\mathrm{E}}_{1}" and intermediate("MR12") == r"M^{\mathrm{R}}_{12}"
    assert name("m_tool") == r"m_{\mathrm{tool}}"
    assert numbered("A", (2, 2)) == ["A_{11}", "A_{12}", "A_{21}", "A_{22}"]
    assert numbered("A", (1, 11))[-1] == "A_{1,11}"
    assert numbered("F_{0}", (2,)) == ["F_{0,1}", "F_{0,2}"]


def test_prose_and_equations_typed_in_unicode() -> None:
    assert prose("Stäubli 50 % & #1_a {b} N·m") == r"Stäubli 50 \% \& \#1\_a \{b\} N$\cdot$m"
    assert mathematics("Γ = A(q) q'' + H(q, q')") == r"\Gamma = A(q) \ddot{q} + H(q, \dot{q})"
    assert mathematics("½ q̇ᵀ A q̇") == r"\tfrac{1}{2} \dot{q}^{T} A \dot{q}"
    assert mathematics("f_j = Σ ʲR_k f_k") == r"f_{j} = \sum ^{j}R_{k} f_{k}"
    assert mathematics("A(q) with energy") == r"A(q) \text{ with energy }"
    assert mathematics("C skew-symmetric, of r to f") == r"C \text{ skew-symmetric, of }r \text{ to }f"
    assert mathematics("q'' = A⁻¹ Γ") == r"\ddot{q} = A^{-1} \Gamma"
    assert prose("A⁻¹, x₁₂, 10⁻¹²") == r"A$^{-1}$, x$_{12}$, 10$^{-12}$"


def formula(make: Callable[[Any, Any, Any], Any], **options: Any) -> str:
    """The right-hand side of y for three inputs a, b, c."""
    trace = Trace()
    a, b, c = (trace.input(Input(n))[0] for n in "abc")
    trace.output(Output("y", (), ()), [make(a, b, c)])
    (line,) = (x for x in body(trace.program("p"), **options).splitlines() if x.startswith("y"))
    return line.removeprefix("y &= ")


def test_formulas_as_a_person_writes_them() -> None:
    assert formula(lambda a, b, c: a.sin() + (b - (c - a))) == "s_{a} + b - c + a"
    assert formula(lambda a, b, c: a * a * b) == r"a^{2}\,b"
    assert formula(lambda a, b, c: -a * b + c) == r"c - a\,b"
    assert formula(lambda a, b, c: (a + b) / (2 * c)) == r"\frac{a + b}{2\,c}"
    assert formula(lambda a, b, c: a * (b + c) * 0.5) == r"\tfrac{1}{2}\,(b + c)\,a"
    assert formula(lambda a, b, c: a * (b + a * (b + c))) == r"\bigl(b + (b + c)\,a\bigr)\,a"
    assert formula(lambda a, b, c: (a + b + a) * c * 0.5) == r"\tfrac{1}{2}\,(2\,a + b)\,c"
    assert formula(lambda a, b, c: b + a * 2 + (c - a / 3)) == r"b + \tfrac{5}{3}\,a + c"
    assert typed("XX1*cos(alpha)**2 + tanh(a + 1)**3") == r"\mathit{XX}_{1}\,\cos^{2} \alpha + \tanh^{3}(a + 1)"
    assert formula(lambda a, b, c: abs(a - b).sqrt()) == r"\sqrt{\lvert a - b \rvert}"
    assert formula(lambda a, b, c: a * 1.23456789e-7) == r"1.23457 \cdot 10^{-7}\,a"
    assert formula(lambda a, b, c: a * 1.23456789e-7, digits=3) == r"1.23 \cdot 10^{-7}\,a"
    assert formula(lambda a, b, c: a.less(b).select(c, 1)) == (
        r"\begin{cases} c & \text{if } a < b \\ 1 & \text{otherwise} \end{cases}"
    )


def test_a_meaning_that_is_a_formula_is_set_as_one() -> None:
    """The relation of a base parameter; words that only begin like one stay words."""
    trace = Trace()
    a, b = (
        trace.input(Input(name, (), "parameter", "kg", doc))[0]
        for name, doc in (("M1R", "= M1 + D3**2*(M2 + M3) - M4/2"), ("M5", "= all that is left"))
    )
    trace.output(Output("y", (), ()), [a + b])
    (text,) = target("latex").files(trace.program("sum")).values()
    assert r"$= M_{1} + D_{3}^{2}\,(M_{2} + M_{3}) - \tfrac{1}{2}\,M_{4}$" in text and "= all that is left" in text


@pytest.mark.parametrize("model", ["inverse-dynamics", "inertia-matrix", "direct-dynamics"])
def test_every_named_constant_has_a_meaning(model: str) -> None:
    """The symbols of constants, their numbers left out, stand in the table, one row for all of one unit and meaning."""
    (text,) = arm.load("rx90").derive(model).source("latex").values()
    table, equations = text.split(r"\end{longtable}")
    named = set(re.findall(r"(\\mathit\{\w+\}|M)\^\{\\mathrm\{([RE])\}\}_\{\d", equations))
    assert named
    for stem, letter in named:
        assert rf"${stem}^{{\mathrm{{{letter}}}}}_{{j}}$" in table
    assert len(re.findall(r"(regrouped|equivalent): of link", table)) <= 3


def test_long_sums_break_before_a_sign_outside_brackets() -> None:
    trace = Trace()
    x = trace.input(Input("x", (12,)))
    total = x[0] * (x[1] - x[2])
    for k in range(3, 12):
        total = total + x[k] * x[k - 1]
    trace.output(Output("y", (), ()), [total])
    lines = body(trace.program("p"), line=30).splitlines()
    assert len(lines) > 4
    assert all(line.startswith(r"&\quad {} +") for line in lines[2:-1])


def test_large_matrices_are_given_by_their_elements() -> None:
    trace = Trace()
    x = trace.input(Input("x", (12,)))
    zero = trace.graph.const(0)
    rows = [[x[i] * x[j] if i <= 2 or j <= 2 else zero for j in range(12)] for i in range(12)]
    trace.output(Output("A", (12, 12), ()), rows)
    text = body(trace.program("p"))
    assert "pmatrix" not in text and r"A_{1,12} &= " in text and "A_{12,1} &=" not in text
    assert r"\text{all other elements} &= 0" in text and "A_{ji} &= A_{ij}" in text


def test_options_are_checked() -> None:
    with pytest.raises(TargetError, match="digits is from 1 to 17, not 0"):
        target("latex").files(pose(), digits=0)
    with pytest.raises(TargetError, match="line is at least 20"):
        body(pose(), line=3)


def test_a_program_of_nothing() -> None:
    (text,) = target("latex").files(Trace().program("empty")).values()
    assert balanced(text) and body(Trace().program("empty")).strip() == ""


@pytest.mark.parametrize("make", [inverse_dynamics, inertia_matrix, pose])
def test_golden(make: Callable[[], Program], golden: Callable[[str, str], None]) -> None:
    for file, text in target("latex").files(make()).items():
        golden(f"latex/{file}", text)
