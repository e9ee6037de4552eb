"""From nothing: the interpreter started, the package imported, a first answer given."""

import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from benchmarks.peers import Missing, pinocchio
from benchmarks.row import Effort, Figure, Peer, Row, Subject

TIMED_IMPORT = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"

COMMAND = "from armillary.cli import main; main(['robots'])"

FIRST_COST = """
import armillary as arm
print(arm.load("rx90").inverse_dynamics(base_parameters=True).cost)
"""


def _imported(package: str, effort: Effort) -> float:
    """Milliseconds that an import takes in a new interpreter."""
    if importlib.util.find_spec(package) is None:
        raise Missing("not installed")
    command = [sys.executable, "-c", TIMED_IMPORT.format(package)]

    def run() -> float:
        return 1e3 * float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return min(run() for _ in range(max(5, int(6 * effort.seconds))))


def _importing(effort: Effort) -> Figure:
    peer = Peer.measured(f"{pinocchio.version()} import", lambda: _imported("pinocchio", effort))
    return Figure(_imported("armillary", effort), "ms", peer, 250)


def _process(*arguments: str) -> Callable[[Effort], Figure]:
    """A new process from its start to its end, beside one that only imports the peer."""

    def measure(effort: Effort) -> Figure:
        peer = Peer.measured(
            f"{pinocchio.version()}, nothing but imported", lambda: _lasting(effort, "-c", "import pinocchio")
        )
        return Figure(_lasting(effort, *arguments), "ms", peer)

    return measure


def _lasting(effort: Effort, *arguments: str) -> float:
    command = [sys.executable, *arguments]

    def run() -> float:
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
            spent = time.perf_counter() - start
        if done.returncode:
            raise Missing(done.stderr.strip().splitlines()[-1])
        return 1e3 * spent

    return min(run() for _ in range(max(3, int(4 * effort.seconds))))


SUBJECT = Subject(
    "start",
    "Starting",
    (
        Row("import armillary", _importing),
        Row("armillary robots", _process("-c", COMMAND)),
        Row("the RX-90's cost with base parameters", _process("-c", FIRST_COST)),
    ),
)
