"""Laws of derivatives, series, written-out forms and passes, over random formulas at random points.

Laws of simplification have their tests in `test_laws.py`, texts that are read back theirs in `test_infix.py`.
"""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from armillary.expr.arithmetics import COMPLEXES
from armillary.expr.derivative import jacobian
from armillary.expr.evaluate import evaluate
from armillary.expr.fourier import factored
from armillary.expr.graph import Expr, Graph
from armillary.expr.ops import OPS
from armillary.expr.series import series
from armillary.passes import optimise
from armillary.program import Input, Output, Program, Trace, parse, render, to_graph, to_program
from armillary.program import evaluate as run

from .formulas import NAMES, Formula, close, formulas, points

SMOOTH = tuple(op for op in OPS if op not in ("sign", "abs", "min", "max", "less", "select"))
POLYNOMIAL = ("add", "sub", "mul", "neg", "sin", "cos")
smooth = formulas(ops=SMOOTH, size=8)
some = settings(max_examples=100, deadline=None)


def values(roots: list[Expr], point: dict[str, float]) -> list[float]:
    """Values of roots; points where one is large are thrown away, since rounding grows with them."""
    found = [float(x) for x in evaluate(roots, point)]
    assume(all(abs(x) < 1e5 for x in found))
    return found


def slopes(graph: Graph, roots: list[Expr], reverse: bool = False) -> list[list[Expr]]:
    return jacobian(roots, [graph.symbol(name) for name in NAMES], reverse=reverse)


def same(a: list[float], b: list[float]) -> bool:
    """To 1e-7 of the largest: derivatives of quotients lose some digits where values are large."""
    size = max(1.0, *map(abs, a), *map(abs, b))
    return all(abs(x - y) <= 1e-7 * size for x, y in zip(a, b, strict=True))


# ---- derivatives ----


@some
@given(f=smooth, h=smooth, a=st.integers(-5, 5), b=st.floats(-3, 3), point=points)
def test_derivatives_are_linear(f: Formula, h: Formula, a: int, b: float, point: dict[str, float]) -> None:
    g = Graph()
    u, v = f.build(g), h.build(g)
    du, dv, both = slopes(g, [u, v, a * u + b * v])
    assert same(values(both, point), values([a * x + b * y for x, y in zip(du, dv, strict=True)], point))


@some
@given(f=smooth, h=smooth, point=points)
def test_products_and_quotients(f: Formula, h: Formula, point: dict[str, float]) -> None:
    """(uv)' = u'v + uv', (u/v)' = (u'v - uv')/v²."""
    g = Graph()
    u, v = f.build(g), h.build(g)
    w = v * v + 1
    du, dv, dw, product, quotient = slopes(g, [u, v, w, u * v, u / w])
    assert same(values(product, point), values([x * v + u * y for x, y in zip(du, dv, strict=True)], point))
    assert same(
        values(quotient, point), values([(x * w - u * y) / (w * w) for x, y in zip(du, dw, strict=True)], point)
    )


@some
@given(outer=smooth, inner=smooth, point=points)
def test_chains(outer: Formula, inner: Formula, point: dict[str, float]) -> None:
    """d f(sin(h), y, z) = ∂f/∂x d sin(h) + …"""
    g = Graph()
    middle = inner.build(g).sin()
    f = outer.build(g)
    composed = g.copy([f], {"x": middle})[0]
    df, dm = slopes(g, [f, middle])
    partial = g.copy(df, {"x": middle})
    expected = [partial[0] * dm[k] + (partial[k] if k else 0) for k in range(3)]
    assert same(values(slopes(g, [composed])[0], point), values(expected, point))


@some
@given(f=formulas(), point=points)
def test_forward_is_reverse(f: Formula, point: dict[str, float]) -> None:
    g = Graph()
    roots = [f.build(g), f.build(g) * g.symbol("x")]
    f.value(point)
    for a, b in zip(slopes(g, roots), slopes(g, roots, reverse=True), strict=True):
        assert same(values(a, point), values(b, point))


@some
@given(f=smooth, point=points)
def test_complex_steps(f: Formula, point: dict[str, float]) -> None:
    g = Graph()
    root = f.build(g)
    found = values(slopes(g, [root])[0], point)
    for name, slope in zip(NAMES, found, strict=True):
        stepped: dict[str, complex] = {n: complex(x, 1e-30 if n == name else 0) for n, x in point.items()}
        assert same([complex(evaluate([root], stepped, COMPLEXES)[0]).imag / 1e-30], [slope])


# ---- series ----


def path(g: Graph, order: int) -> dict[str, list[Expr]]:
    """Coefficients of x, y, z along a path through the point."""
    speeds = [(1, -0.5, 0.25), (-0.75, 0.5, 0.1), (0.5, 1, -0.3)]
    return {
        name: [g.symbol(name), *(g.const(c) for c in (*s, *[0] * order)[:order])]
        for name, s in zip(NAMES, speeds, strict=True)
    }


@some
@given(f=smooth, h=smooth, point=points)
def test_series_of_sums_and_products(f: Formula, h: Formula, point: dict[str, float]) -> None:
    """Those of a sum are the sums, those of a product Cauchy's; a longer series begins with the shorter."""
    g = Graph()
    u, v = f.build(g), h.build(g)
    order = 3
    su, sv, total, product = series([u, v, u + v, u * v], path(g, order), order)
    a, b = values(list(su.c), point), values(list(sv.c), point)
    assert same(values(list(total.c), point), [x + y for x, y in zip(a, b, strict=True)])
    cauchy = [sum(a[j] * b[k - j] for j in range(k + 1)) for k in range(order + 1)]
    assert same(values(list(product.c), point), cauchy)
    (shorter,) = series([u], path(g, order - 1), order - 1)
    assert same(values(list(shorter.c), point), a[:order])


@some
@given(f=smooth, point=points)
def test_series_add_up_to_the_function(f: Formula, point: dict[str, float]) -> None:
    """f(x(t)) by its Taylor polynomial of order 6 at a small t."""
    g = Graph()
    root = f.build(g)
    leaves = path(g, 6)
    (s,) = series([root], leaves, 6)
    c = values(list(s.c), point)
    assume(all(abs(x) < 1e3 for x in c))
    t = 1e-3
    there = {n: sum(float(evaluate([x], point)[0]) * t**k for k, x in enumerate(leaves[n])) for n in NAMES}
    assert close(float(evaluate([root], there)[0]), sum(x * t**k for k, x in enumerate(c)))
    assert same([c[1]], [float(np.dot(values(slopes(g, [root])[0], point), [1, -0.75, 0.5]))])


# ---- other forms of the same ----


@some
@given(f=formulas(ops=POLYNOMIAL, size=7), point=points)
def test_factored_keeps_the_value(f: Formula, point: dict[str, float]) -> None:
    g = Graph()
    root = f.build(g)
    expected = f.value(point)
    assert close(evaluate([factored(root)], point)[0], expected)


@some
@given(f=formulas(), point=points)
def test_a_copy_is_the_same(f: Formula, point: dict[str, float]) -> None:
    """In another graph the value; in its own the very node."""
    g = Graph()
    root = f.build(g)
    expected = f.value(point)
    assert g.copy([root]) == [root]
    assert close(evaluate(Graph().copy([root]), point)[0], expected)


def program(fs: list[Formula]) -> Program:
    """x is a state, y and z are parameters."""
    trace = Trace()
    trace.input(Input("x", (), labels=("x",)))
    trace.input(Input("p", (2,), "parameter", labels=("y", "z")))
    trace.output(Output("f", (len(fs),), ()), [f.build(trace.graph) for f in fs])
    return trace.program("formulas")


@some
@given(fs=st.lists(formulas(size=10), min_size=1, max_size=3), point=points)
def test_passes_keep_values(fs: list[Formula], point: dict[str, float]) -> None:
    """And so does the way through text, or through a graph and back."""
    p = program(fs)
    given = {"x": point["x"], "p": [point["y"], point["z"]]}
    expected = [f.value(point) for f in fs]
    assert parse(render(p)).digest == p.digest
    graph, results = to_graph(p)
    del graph
    again = to_program(p.name, p.inputs, results, p.about)
    for same_program in (p, again, optimise(p)):
        assert same(list(run(same_program, given)["f"]), expected)


@some
@given(fs=st.lists(formulas(ops=POLYNOMIAL, size=12), min_size=1, max_size=3), point=points)
def test_passes_keep_values_of_turns(fs: list[Formula], point: dict[str, float]) -> None:
    """Sums, products, sines and cosines alone, which the passes rearrange most."""
    p = program(fs)
    given = {"x": point["x"], "p": [point["y"], point["z"]]}
    expected = [f.value(point) for f in fs]
    assert same(list(run(optimise(p), given)["f"]), expected)
