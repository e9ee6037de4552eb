"""Code for lesser processors than this one, run on this one: narrower vectors, no fused operations."""

from collections.abc import Iterator

import numpy as np
import pytest
from llvmlite import binding

from armillary.errors import CompileError
from armillary.program import Input, Output, Program, Trace, evaluate
from armillary.runtime import code, compile, host, jit

PROCESSORS = {
    "avx2": ("haswell", "+sse2,+avx,+avx2,+fma,-avx512f,-avx512dq", 4, True),
    "avx": ("sandybridge", "+sse2,+sse4.2,+avx,-avx2,-fma,-avx512f,-avx512dq", 2, False),
    "sse2": ("x86-64", "+sse2,-avx,-avx2,-fma,-avx512f,-avx512dq", 2, False),
}


@pytest.fixture(params=PROCESSORS)
def processor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, bool]]:
    """(doubles in a vector, whether there are fused operations) of a processor that this one can do the work of."""
    name, features, width, fused = PROCESSORS[request.param]
    if "x86_64" not in binding.get_default_triple():
        pytest.skip("these are processors of another family")
    wanted = {f[1:] for f in features.split(",") if f.startswith("+")}
    if not all(binding.get_host_cpu_features().get(f, False) for f in wanted):
        pytest.skip("this processor has less")
    caches = (host.host, jit._machine, code.support)
    for cached in caches:
        cached.cache_clear()
    monkeypatch.setattr(binding, "get_host_cpu_name", lambda: name)
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: Features(features))
    yield width, fused
    for cached in caches:
        cached.cache_clear()


class Features:
    """What LLVM says of a processor."""

    def __init__(self, text: str) -> None:
        self.text = text

    def flatten(self) -> str:
        return self.text


def program() -> Program:
    """Arithmetic, functions and a system of two equations."""
    trace = Trace()
    q = trace.input(Input("q", (5,)))
    (s,) = trace.input(Input("s"))
    (p,) = trace.input(Input("p", role="parameter"))
    mixed = [x.sin() * s + y.cos() * p for x, y in zip(q, q[1:] + q[:1], strict=True)]
    solved = trace.graph.solve([[q[0] + 5, q[1]], [q[2], s + 7]], [[mixed[0]], [mixed[1]]])
    trace.output(Output("y", (5,), ()), mixed)
    trace.output(Output("z", (4,), ()), [solved[0][0], solved[1][0], q[3].exp(), q[4].tanh()])
    return trace.program("program")


@pytest.mark.parametrize("dtype", ["double", "float"])
def test_lesser_processors(processor: tuple[int, bool], dtype: str) -> None:
    width, fused = processor
    here = host.host()
    assert here.width("double") == width and here.width("float") == 2 * width and here.fused == fused
    f = compile(program(), dtype=dtype, cache=False)
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 4, 7, 8, 33):
        inputs = {"q": rng.normal(size=(n, 5)), "s": rng.normal(size=n), "p": 0.7}
        want = evaluate(program(), inputs)
        for q in (inputs["q"], np.asfortranarray(inputs["q"]), inputs["q"][::-1].copy()[::-1]):
            got = f(q.astype(f.dtype), inputs["s"].astype(f.dtype), parameters={"p": 0.7})
            for result, name in zip(got, ("y", "z"), strict=True):
                np.testing.assert_allclose(result, want[name], rtol=1e-12 if dtype == "double" else 1e-4, atol=1e-6)


def test_this_processor_has_a_name_and_a_key() -> None:
    here = host.host()
    assert here.cpu and here.cpu in here.key
    assert here.width("float") == 2 * here.width("double")


def test_what_llvm_does_not_accept_is_an_error() -> None:
    for text in ("define void @f() {", "define i64 @f() {\na:\n  %x = phi i64 [ 0, %a ]\n  ret i64 %x\n}"):
        with pytest.raises(CompileError, match="LLVM does not accept"):
            jit.object_code(text)
    with pytest.raises(CompileError, match="cannot be loaded"):
        jit.load([b"nonsense"], ["f"])
