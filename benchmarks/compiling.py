"""From a Program to machine code: without anything kept on disk, and from the cache.

Each is measured in a process of its own, because the first compilation of a process also starts LLVM.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import armillary as arm
from benchmarks.peers import Missing
from benchmarks.row import Effort, Figure, Peer, Row, Subject

START = """
import sys, time, armillary as arm
cache = sys.argv[1]
from armillary.runtime import compile
robot = arm.load("{robot}")
program = robot.{model}()
start = time.perf_counter()
{work}
print(time.perf_counter() - start)
"""
RX90 = {"robot": "rx90", "model": "inverse_dynamics"}
HUMANOID = {"robot": "humanoid30", "model": "direct_dynamics"}
COMPILED = "compile(program, threads=1, cache=cache)"
GIVEN_PROGRAM = START.format(**RX90, work=COMPILED)
GIVEN_ROBOT = START.format(**RX90, work="compile(robot.inverse_dynamics(), threads=1, cache=cache)")
GIVEN_HUMANOID = START.format(**HUMANOID, work=COMPILED)


def _process(script: str, cache: str) -> float:
    """Milliseconds that the script says it took, in a new process."""
    done = subprocess.run([sys.executable, "-c", script, cache], capture_output=True, text=True, check=True)
    return 1e3 * float(done.stdout)


def _cold(effort: Effort) -> Figure:
    ours = _nothing_kept(GIVEN_PROGRAM, effort)
    return Figure(ours, "ms", Peer.measured("gcc -O3 of the generated C", _gcc), 150)


def _cold_humanoid(effort: Effort) -> Figure:
    return Figure(_nothing_kept(GIVEN_HUMANOID, effort), "ms", None, 3000)


def _nothing_kept(script: str, effort: Effort) -> float:
    """The least time of several processes that start with an empty cache."""

    def run() -> float:
        with tempfile.TemporaryDirectory() as cache:
            return _process(script, cache)

    return min(run() for _ in range(max(3, int(4 * effort.seconds))))


def _cached(script: str, limit: float | None) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        with tempfile.TemporaryDirectory() as cache:
            _process(script, cache)
            runs = max(3, int(4 * effort.seconds))
            return Figure(min(_process(script, cache) for _ in range(runs)), "ms", None, limit)

    return measure


def _again(given_robot: bool, limit: float) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        from armillary.runtime import compile

        robot = arm.load("rx90")
        program = robot.inverse_dynamics()
        with tempfile.TemporaryDirectory() as cache:

            def run() -> object:
                model = robot.inverse_dynamics() if given_robot else program
                return compile(model, threads=1, cache=cache)

            run()
            return Figure(effort.time(run, 1e3), "ms", None, limit)

    return measure


def _gcc() -> float:
    """Milliseconds for gcc to make a shared library of the same model's C, the fastest of three."""
    gcc = shutil.which("gcc")
    if gcc is None:
        raise Missing("there is no gcc")
    from armillary.cli.timing import fastest

    with tempfile.TemporaryDirectory() as folder:
        files = [p for p in arm.load("rx90").inverse_dynamics().write("c", folder) if p.suffix == ".c"]
        sources = [p.name for p in files if p.name != "example.c"]
        command = [gcc, "-O3", "-march=native", "-shared", "-fPIC", *sources, "-lm", "-o", "model.so"]
        return 1e3 * fastest(lambda: subprocess.run(command, cwd=Path(folder), check=True), 0, 3)[0]


SUBJECT = Subject(
    "compile",
    "Compiling",
    (
        Row("RX-90 inverse dynamics, nothing kept, first in its process", _cold),
        Row("Humanoid of 30 joints that floats, direct dynamics, nothing kept, first in its process", _cold_humanoid),
        Row("RX-90 inverse dynamics, from the cache, given the Program", _again(False, 2)),
        Row("RX-90 inverse dynamics, from the cache, given the robot", _again(True, 10)),
        Row(
            "RX-90 inverse dynamics, from the cache, given the Program, first in its process",
            _cached(GIVEN_PROGRAM, None),
        ),
        Row(
            "RX-90 inverse dynamics, from the cache, given the robot, first in its process", _cached(GIVEN_ROBOT, None)
        ),
    ),
)
