"""How Functions are called: one state, batches of any size and layout, results given or made, parameters, threads, errors."""

import gc
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

from armillary.errors import ArmillaryError, CompileError, ModelError
from armillary.program import Input, Output, Program, Trace, evaluate
from armillary.runtime import Function, compile, function
from armillary.runtime import threads as cores

Floats = NDArray[np.float64]


def several() -> Program:
    """Inputs of three shapes, three outputs."""
    trace = Trace()
    q = trace.input(Input("q", (5,)))
    s = trace.input(Input("s"))[0]
    A = trace.input(Input("A", (2, 3)))
    y = [x.sin() * s + A[k] for k, x in enumerate(q)]
    trace.output(Output("y", (5,), ()), y)
    trace.output(Output("M", (2, 3), ()), [a * s + y[0] for a in A])
    trace.output(Output("e", (), ()), [sum(y[1:], y[0])])
    return trace.program("several")


def single() -> Program:
    """y = (sin a_k + b_k a_0)."""
    trace = Trace()
    a, b = trace.input(Input("a", (7,))), trace.input(Input("b", (7,)))
    trace.output(Output("y", (7,), ()), [x.sin() + y * a[0] for x, y in zip(a, b, strict=True)])
    return trace.program("single")


def with_parameters() -> Program:
    """y = x L² + cos(m_0) m_1."""
    trace = Trace()
    x = trace.input(Input("x", (3,)))
    L = trace.input(Input("L", role="parameter", default=(0.5,)))[0]
    m = trace.input(Input("m", (2,), "parameter"))
    trace.output(Output("y", (3,), ()), [v * (L * L) + m[0].cos() * m[1] for v in x])
    return trace.program("with_parameters")


@pytest.fixture(scope="module", params=["double", "float"])
def f(request: pytest.FixtureRequest) -> Function:
    return compile(several(), dtype=request.param, cache=False)


@pytest.fixture(scope="module")
def g() -> Function:
    return compile(single(), cache=False)


def states(rng: np.random.Generator, n: int | None, dtype: object) -> list[Floats]:
    lead = () if n is None else (n,)
    return [rng.uniform(-1, 1, (*lead, *shape)).astype(dtype) for shape in ((5,), (), (2, 3))]


def agree(f: Function, args: list[Floats], got: object = None) -> None:
    """The results are the interpreter's, one by one."""
    want = evaluate(several(), dict(zip(("q", "s", "A"), args, strict=True)))
    results = f(*args) if got is None else got
    tolerance = 1e-14 if f.dtype == np.float64 else 1e-5
    for name, array in want.items():
        result = getattr(results, name)
        assert result.shape == array.shape and result.dtype == f.dtype
        np.testing.assert_allclose(result, array, atol=tolerance)


# ---- sizes and layouts ----


@pytest.mark.parametrize("n", [None, *range(41)])
def test_any_number_of_states(f: Function, n: int | None) -> None:
    agree(f, states(np.random.default_rng(0), n, f.dtype))


def test_a_batch_and_single_states_have_the_very_same_results(f: Function) -> None:
    args = states(np.random.default_rng(1), 21, f.dtype)
    whole = f(*args)
    for k in range(21):
        one = f(*(a[k] for a in args))
        for array, row in zip(whole, one, strict=True):
            np.testing.assert_array_equal(array[k], row)


def layouts(a: Floats) -> dict[str, Floats]:
    """The same numbers in memory in every way."""
    wide = np.zeros((len(a), *(2 * n for n in a.shape[1:])), a.dtype)
    every_second = wide[(slice(None), *(slice(None, None, 2) for _ in a.shape[1:]))]
    every_second[...] = a
    padded = np.zeros((2 * len(a), *a.shape[1:]), a.dtype)
    padded[::2] = a
    raw = np.zeros(a.nbytes + 1, np.uint8)
    unaligned = raw[1:].view(a.dtype).reshape(a.shape)
    unaligned[...] = a
    swapped = a.astype(a.dtype.newbyteorder())
    return {
        "rows": a,
        "columns": np.asfortranarray(a),
        "every second element": every_second,
        "every second row": padded[::2],
        "backwards": a[::-1].copy()[::-1],
        "elements backwards": np.flip(np.flip(a, -1).copy(), -1),
        "axes swapped": np.swapaxes(np.swapaxes(a, -1, -2).copy(), -1, -2) if a.ndim > 2 else a,
        "unaligned": unaligned,
        "other byte order": swapped,
        "another type": a.astype(np.longdouble),
        "read only": np.lib.stride_tricks.as_strided(a, writeable=False),
    }


@pytest.mark.parametrize("layout", layouts(np.zeros((1, 1))))
@pytest.mark.parametrize("n", [1, 5, 8, 19, 37])
def test_arrays_of_any_layout(f: Function, layout: str, n: int) -> None:
    args = states(np.random.default_rng(n), n, f.dtype)
    for k in range(3):
        changed = list(args)
        changed[k] = layouts(args[k])[layout]
        agree(f, args, f(*changed))
    agree(f, args, f(*(layouts(a)[layout] for a in args)))


def test_rows_far_apart_and_backwards_are_read_where_they_stand(g: Function) -> None:
    memory = np.random.default_rng(0).normal(size=(40, 50))
    a, b = memory[::-3, 3:38:5], memory[39:11:-2, 40:26:-2]
    np.testing.assert_array_equal(g(a, b), g(a.copy(), b.copy()))


def test_one_state_beside_a_batch_stands_for_all_its_rows(f: Function) -> None:
    q, s, A = states(np.random.default_rng(2), 11, f.dtype)
    agree(f, [q, np.broadcast_to(s[3], 11), np.broadcast_to(A[2], (11, 2, 3))], f(q, s[3], A[2]))
    agree(f, [q, np.broadcast_to(s[3], 11), A], f(q, s[3:4], A))
    assert f(q[:1], s[0], A[0]).y.shape == (1, 5)
    assert f(q[:0], s[:1], A[0]).M.shape == (0, 2, 3)
    agree(f, [np.broadcast_to(q[4], (11, 5)), s, A], f(np.broadcast_to(q[4], (11, 5)), s, A))


def test_lists_integers_and_other_precisions_are_taken(f: Function) -> None:
    q, s, A = states(np.random.default_rng(3), None, np.float32)
    agree(f, [q, s, A], f(q.tolist(), float(s), A.tolist()))
    agree(f, [q, s, A], f(q.astype(np.float32), s.astype(np.float64), A))
    agree(f, [np.arange(5.0), np.float64(2), np.ones((2, 3))], f(range(5), 2, np.ones((2, 3), dtype=bool)))
    agree(f, [q, s, A], f(q, A=A, s=s))


# ---- results ----


def test_results_are_an_array_or_a_named_tuple(f: Function, g: Function) -> None:
    results = f(*states(np.random.default_rng(0), 3, f.dtype))
    assert results._fields == ("y", "M", "e") and isinstance(results, tuple)
    assert isinstance(g(np.zeros(7), np.zeros(7)), np.ndarray)
    assert isinstance(f([0] * 5, 0, [[0] * 3] * 2), type(results))


@pytest.mark.parametrize("n", [None, 0, 1, 9])
def test_results_go_where_the_caller_wants_them(f: Function, n: int | None) -> None:
    args = states(np.random.default_rng(4), n, f.dtype)
    lead = () if n is None else (n,)
    y = np.zeros((*lead, 11), f.dtype)[..., ::-2][..., :5]
    M = np.asfortranarray(np.zeros((*lead, 2, 3), np.float64))
    results = f(*args, out=(y, M, None))
    assert results.y is y and results.M is M
    want = f(*args)
    np.testing.assert_array_equal(y, want.y)
    np.testing.assert_array_equal(M, want.M)


def test_a_result_may_overwrite_an_input(g: Function) -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 100, 7))
    want = g(a, b)
    np.testing.assert_array_equal(g(a.copy(), in_place := b.copy(), out=in_place), want)
    for shift in (-1, 1):
        memory = np.zeros((102, 7))
        shifted = memory[1:101]
        shifted[...] = a
        np.testing.assert_array_equal(g(shifted, b, out=memory[1 + shift : 101 + shift]), want)
    memory = np.zeros(1000)
    memory[:700] = a.ravel()
    np.testing.assert_array_equal(g(memory[:700].reshape(100, 7), b, out=memory[3:703].reshape(100, 7)), want)


def test_calls_leave_no_references_behind(f: Function) -> None:
    args = states(np.random.default_rng(0), 9, f.dtype)
    before = [sys.getrefcount(a) for a in args], sys.getrefcount(f)
    kept = f(*args)
    for _ in range(50):
        kept = f(*args)
        f(*(a.tolist() for a in args))
    assert ([sys.getrefcount(a) for a in args], sys.getrefcount(f)) == before
    assert all(sys.getrefcount(x) == 3 for x in kept)
    assert gc.is_tracked(kept)


def test_a_function_is_freed_and_its_call_keeps_it_alive() -> None:
    call = compile(single(), cache=False).__call__
    gc.collect()
    np.testing.assert_array_equal(call(np.zeros(7), np.zeros(7)), np.zeros(7))
    np.testing.assert_array_equal(call([0] * 7, np.zeros(7)), np.zeros(7))


# ---- the way without machine code for calls ----


def test_without_the_call_in_machine_code_all_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from armillary.runtime import code

    monkeypatch.setattr(code, "layout", lambda: None)
    code.support.cache_clear()
    try:
        f = compile(several(), cache=False)
    finally:
        code.support.cache_clear()
    assert type(f.__call__).__name__ == "method"
    for n in (None, 0, 1, 7, 8, 30):
        agree(f, states(np.random.default_rng(0), n, f.dtype))


# ---- parameters ----


def test_parameters_bound_set_and_given_are_the_same() -> None:
    program = with_parameters()
    x = np.random.default_rng(0).normal(size=(6, 3))
    values = {"L": 2.0, "m": [0.3, 4.0]}
    want = evaluate(program, {"x": x, **values})["y"]
    f = compile(program, cache=False)
    np.testing.assert_allclose(f(x, parameters=values), want, rtol=1e-15)
    np.testing.assert_allclose(f.at(values)(x), want, rtol=1e-15)
    np.testing.assert_allclose(compile(program, parameters=values, cache=False)(x), want, rtol=1e-15)
    partly = compile(program, parameters={"m": [0.3, 4.0]}, cache=False)
    np.testing.assert_allclose(partly(x, parameters={"L": 2}), want, rtol=1e-15)
    np.testing.assert_allclose(partly(x), evaluate(program, {"x": x, "m": [0.3, 4.0]})["y"], rtol=1e-15)
    out = np.zeros((6, 3))
    assert f(x=x, parameters=values, out=out) is out
    np.testing.assert_allclose(out, want, rtol=1e-15)


def test_work_on_parameters_is_done_once_for_equal_values() -> None:
    f = compile(with_parameters(), cache=False)
    assert f.at({"m": [1, 2]}) is f.at({"m": np.array([1.0, 2.0]), "L": 0.5})
    assert f.at({"m": [1, 2]}) is not f.at({"m": [1, 3]})
    for k in range(100):
        f.at({"m": [k, 2]})
    assert len(f._sets) == function._SETS


def test_missing_and_unknown_parameters_are_named() -> None:
    f = compile(with_parameters(), cache=False)
    assert f.parameters is None
    with pytest.raises(ModelError, match="needs values for m"):
        f(np.zeros(3))
    with pytest.raises(ModelError, match="needs values for m"):
        f(np.zeros(3), parameters={"L": 1})
    with pytest.raises(ModelError, match="no parameter k; it has L, m"):
        f.at({"k": 1})
    with pytest.raises(ModelError, match="m has 2 elements; 3"):
        f.at({"m": [1, 2, 3]})
    with pytest.raises(ModelError, match="m takes real numbers"):
        f.at({"m": "ab"})
    for given in (3, "ab", [1, 2]):
        with pytest.raises(ModelError, match=r"parameters are given as \{name: value\}, not as"):
            f.at(given)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="parameters go together"):
        f(np.zeros(3), L=1)


# ---- threads ----


def test_threads_share_a_batch_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(function, "_SHARE", 100)
    args = states(np.random.default_rng(0), 1003, np.float64)
    alone = compile(several(), threads=1, cache=False)(*args)
    for n in (2, 3, 7):
        together = compile(several(), threads=n, cache=False)(*args)
        for a, b in zip(alone, together, strict=True):
            np.testing.assert_array_equal(a, b)


def test_batches_release_the_interpreter() -> None:
    g = compile(single(), threads=1, cache=False)
    a = np.zeros((200_000, 7))
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.perf_counter()
    for _ in range(10):
        g(a, a, out=a)
    end = time.perf_counter()
    done.set()
    ticker.join()
    assert sum(start < t < end for t in ticks) > 20


def test_many_threads_may_call_at_once(f: Function) -> None:
    args = states(np.random.default_rng(0), 50, f.dtype)
    want = f(*args)
    with ThreadPoolExecutor(8) as pool:
        for got in pool.map(lambda _: f(*args), range(200)):
            np.testing.assert_array_equal(got.y, want.y)


def test_shares_cover_all_rows_once() -> None:
    for rows in (1, 7, 8, 100, 1001):
        for threads in (1, 2, 5):
            seen = np.zeros(rows, int)

            def work(begin: int, end: int, seen: NDArray[np.int64] = seen) -> None:
                seen[begin:end] += 1

            cores.share_out(work, rows, threads, 8)
            assert (seen == 1).all()


# ---- errors ----


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((np.zeros(4), 0, np.zeros((2, 3))), r"q has shape \(4,\); it takes \(5,\), or \(N, 5\)"),
        ((np.zeros((2, 5)), np.zeros(3), np.zeros((2, 3))), "s is a batch of 3, q one of 2"),
        ((np.zeros((1, 2, 5)), 0, np.zeros((2, 3))), "q has shape"),
        ((1, 0, np.zeros((2, 3))), r"q has shape \(\)"),
        ((np.zeros(5), 0, np.zeros((3, 2))), r"A has shape \(3, 2\)"),
        ((np.zeros(5) * 1j, 0, np.zeros((2, 3))), "q holds complex128"),
        ((["a"] * 5, 0, np.zeros((2, 3))), "q holds <U1"),
        (([1, [2, 3]], 0, np.zeros((2, 3))), "q is no array"),
        ((None, 0, np.zeros((2, 3))), "q holds object"),
        ((np.zeros(5), 0), "A was not given"),
        ((np.zeros(5), 0, np.zeros((2, 3)), 1), "takes q, s, A: 3 arrays; 4 were given"),
    ],
)
def test_arguments_that_do_not_fit_are_named(f: Function, args: tuple[object, ...], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        f(*args)


def test_names_that_do_not_fit_are_named(f: Function) -> None:
    with pytest.raises(ModelError, match="no input 'v'"):
        f(np.zeros(5), 0, v=1)
    with pytest.raises(ModelError, match="q was given twice"):
        f(np.zeros(5), 0, np.zeros((2, 3)), q=1)


def test_places_for_results_that_do_not_fit_are_named(g: Function) -> None:
    a = np.zeros((3, 7))
    for out, message in (
        (np.zeros((2, 7)), r"out for y has shape \(2, 7\); the result has \(3, 7\)"),
        ([a, a], "out holds 2 arrays; there are 1 outputs"),
        (np.zeros((3, 7), int), "must be a writable array of real numbers; it holds int64"),
        ("abc", "out for y is a str"),
    ):
        with pytest.raises(ModelError, match=message):
            g(a, a, out=out)
    a.flags.writeable = False
    with pytest.raises(ModelError, match="writable"):
        g(a, a, out=a)


def test_options_that_do_not_exist_are_named() -> None:
    with pytest.raises(CompileError, match="dtype is 'double' or 'float', not 'half'"):
        compile(single(), dtype="half")
    with pytest.raises(CompileError, match="threads"):
        compile(single(), threads=0)
    with pytest.raises(ArmillaryError, match="no input 'zz'"):
        compile(single(), parameters={"zz": 1})


def test_a_function_says_what_it_is(g: Function) -> None:
    assert repr(g) == "<Function single(a, b) -> y, float64>"
