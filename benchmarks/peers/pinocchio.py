"""Pinocchio: from Python as its users call it, and in C++ as fast as its headers and its library go.

The C++ loop is compiled twice, once against the library of the `pin` wheel and once from the headers alone for this very
processor (with both at a time it crashes: they align Eigen's vectors differently). Whichever is faster counts, algorithm
by algorithm. Binaries are kept in `.build` and made again when anything they depend on changes.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import metadata, util
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armillary.expr.evaluate import evaluate as value_of
from armillary.robot import Branch, Description, Formula, Value, tree
from armillary.spatial.transform import walk
from benchmarks.peers import Missing

Floats = NDArray[np.float64]

SOURCE = Path(__file__).with_suffix(".cpp")
BUILD = Path(__file__).parents[1] / ".build"
FLAGS = """-w -std=c++17 -O3 -DNDEBUG -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30
-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12""".split()
BUILDS = {
    "linked": ["-DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION"],
    "native": ["-march=native"],
}
LIBRARY = "pinocchio_default"


# ---- the robot as Pinocchio takes it ----


@dataclass(frozen=True)
class Joint:
    """A joint about or along z of its frame, or one that floats; it stands at [R p] in the frame of joint `parent` (0: the base)."""

    parent: int
    kind: str
    R: Floats
    p: Floats
    mass: float
    center: Floats
    inertia: Floats


def joints(robot: Description, numbers: Mapping[str, float]) -> tuple[Floats, list[Joint]]:
    """(gravity, joints) with numbers for the robot's symbols; rotor inertias and friction are left out."""

    def scalar(x: Value) -> float:
        return float(value_of([x.expr], numbers)[0]) if isinstance(x, Formula) else float(x)

    found = tree(robot, scalar).welded()
    return np.array(list(found.gravity), dtype=float), [_joint(b) for b in found.bodies]


def _joint(body: Branch) -> Joint:
    placed = np.array(walk(body.steps).matrix(), dtype=float)
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = map(float, body.inertia)
    c = np.array([MX, MY, MZ]) / M if M else np.zeros(3)
    about_origin = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
    about_center = about_origin - M * (c @ c * np.eye(3) - np.outer(c, c))
    kind = {"revolute": "R", "prismatic": "P", "free": "F"}[body.joint.kind]
    return Joint(body.parent + 1, kind, placed[:3, :3], placed[:3, 3], M, c, about_center)


# ---- from Python ----


@dataclass(frozen=True)
class Python:
    """`pinocchio` with a model and its data."""

    pin: Any
    model: Any
    data: Any


def python(robot: Description, numbers: Mapping[str, float]) -> Python:
    """The robot in the Python package."""
    if util.find_spec("pinocchio") is None:
        raise Missing("the package `pin` is not installed")
    import pinocchio as pin

    gravity, found = joints(robot, numbers)
    model = pin.Model()
    model.gravity = pin.Motion(gravity, np.zeros(3))
    kinds = {"R": pin.JointModelRZ, "P": pin.JointModelPZ, "F": pin.JointModelFreeFlyer}
    for k, joint in enumerate(found, start=1):
        j = model.addJoint(joint.parent, kinds[joint.kind](), pin.SE3(joint.R, joint.p), f"joint{k}")
        model.appendBodyToJoint(j, pin.Inertia(joint.mass, joint.center, joint.inertia), pin.SE3.Identity())
    return Python(pin, model, model.createData())


# ---- in C++ ----


def times(robot: Description, batch: int, repeats: int, may_compile: bool) -> Mapping[str, tuple[float, str]]:
    """By algorithm, nanoseconds for one state of a batch and the build that took them, the fastest of all builds."""
    return _times(_model_text(robot), batch, repeats, may_compile)


@cache
def _times(text: str, batch: int, repeats: int, may_compile: bool) -> Mapping[str, tuple[float, str]]:
    best: dict[str, tuple[float, str]] = {}
    for build, binary in _binaries(may_compile).items():
        for name, nanoseconds in _run(binary, text, "time", str(batch), str(repeats)).items():
            best[name] = min(best.get(name, (float("inf"), "")), (nanoseconds, build))
    return best


def evaluations(robot: Description, states: Floats, may_compile: bool) -> dict[str, list[dict[str, Floats]]]:
    """By build, tau, qdd and M at each state, a row [q, v, x] with x the acceleration of rnea and the torque of aba."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "states"
        np.savetxt(path, states)
        text, binaries = _model_text(robot), _binaries(may_compile)
        found = {build: _run(binary, text, "evaluate", str(path)) for build, binary in binaries.items()}
    return {b: [{name: np.array(x) for name, x in one.items()} for one in rows] for b, rows in found.items()}


@cache
def _binaries(may_compile: bool) -> Mapping[str, Path]:
    """Every build that can be had; it is `Missing` if none can."""
    found: dict[str, Path] = {}
    why: list[str] = []
    for build in BUILDS:
        try:
            found[build] = _binary(build, may_compile)
        except Missing as reason:
            why.append(str(reason))
    if not found:
        raise Missing(why[0])
    return found


def _model_text(robot: Description) -> str:
    gravity, found = joints(robot, {})
    lines = [f"gravity {_words(gravity)}", f"joints {len(found)}"]
    for j in found:
        placement = np.column_stack([j.R, j.p])
        lines.append(
            f"{j.parent} {j.kind} {_words(placement)} {j.mass!r} {_words(j.center)} {_words(j.inertia[np.triu_indices(3)])}"
        )
    return "\n".join(lines) + "\n"


def _words(numbers: Floats) -> str:
    return " ".join(repr(float(x)) for x in numbers.ravel())


def _run(binary: Path, model: str, what: str, *arguments: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        path.write_text(model)
        done = subprocess.run([binary, what, path, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(f"{binary.name} {what} ended with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def _binary(build: str, may_compile: bool) -> Path:
    """The compiled loop, made now if it is not there."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    prefix = _prefix()
    if compiler is None:
        raise Missing("there is no C++ compiler")
    library = prefix / "lib"
    paths = ["-isystem", str(prefix / "include"), "-isystem", str(prefix / "include" / "eigen3")]
    link = [f"-L{library}", f"-l{LIBRARY}", f"-Wl,-rpath,{library}"] if build == "linked" else []
    command = [compiler, *FLAGS, *BUILDS[build], *paths, str(SOURCE)]
    key = sha256("\0".join([SOURCE.read_text(), *command, *_versions(), _processor()]).encode()).hexdigest()[:16]
    binary = BUILD / f"pinocchio-{build}-{key}"
    if not binary.exists():
        if not may_compile:
            raise Missing("not compiled yet; run once without --quick")
        _say(f"compiling Pinocchio's loop ({build}, about two minutes, kept in {BUILD}) …")
        _compile([*command, *link], binary)
    return binary


def _compile(command: Sequence[str], binary: Path) -> None:
    binary.parent.mkdir(exist_ok=True)
    made = binary.with_suffix(".part")
    done = subprocess.run([*command, "-o", str(made)], capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        raise Missing(f"the C++ loop does not compile: {(errors or ['no reason given'])[0][:200]}")
    made.replace(binary)


def _prefix() -> Path:
    """Where the wheels of cmeel put headers and libraries."""
    spec = util.find_spec("cmeel")
    if spec is None or spec.origin is None:
        raise Missing("the package `pin` is not installed")
    prefix = Path(spec.origin).parents[1] / "cmeel.prefix"
    for needed, wheel in (
        ("include/pinocchio", "pin"),
        ("include/eigen3", "cmeel-eigen"),
        ("include/boost", "cmeel-boost"),
    ):
        if not (prefix / needed).is_dir():
            raise Missing(f"the package `{wheel}` is not installed")
    return prefix


def version() -> str:
    """Pinocchio with its version."""
    try:
        return f"Pinocchio {metadata.version('pin')}"
    except metadata.PackageNotFoundError:
        return "Pinocchio"


def _versions() -> list[str]:
    return [f"{name} {metadata.version(name)}" for name in ("pin", "libpinocchio", "cmeel-eigen", "cmeel-boost")]


def _processor() -> str:
    from armillary.runtime.host import host

    return f"{host().cpu} {host().features}"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
