"""The commands, one function each, and the table that the fronts read."""

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from armillary import library
from armillary.cli import page
from armillary.cli.bench import bench
from armillary.cli.command import Command, Param
from armillary.cli.given import fixed, numbers, options, pairs, reading
from armillary.cli.show import show
from armillary.cli.written import WAYS, written
from armillary.errors import ModelError, RobotWarning
from armillary.models import CATALOGUE, load
from armillary.models.comparison import COLUMNS
from armillary.models.entry import Entry, entry_named
from armillary.targets import write_files


def robots(json: bool) -> None:
    """The library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        rows = [(name, load(name)) for name in library.names()]
    if json:
        page.data(
            [
                {
                    "name": n,
                    "title": r.name,
                    "joints": r.nv,
                    "bodies": len(r.bodies),
                    "structure": r.structure,
                    "source": r.source,
                }
                for n, r in rows
            ]
        )
        return
    table = [
        [
            n,
            r.name,
            r.nv,
            r.structure,
            len(r.symbols),
            _first_sentence(r.doc),
        ]
        for n, r in rows
    ]
    page.table("", ["name", "robot", "joints", "structure", "symbols", "what it is"], table, right=(2, 4))


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).split(". ")[0].rstrip(".")


def models(model: str, json: bool) -> None:
    """The catalogue, or one model of it."""
    if model:
        e = entry_named(CATALOGUE, model)
        if json:
            page.data(_entry(e))
            return
        page.say(
            f"{e.name}: {e.title}\n  {e.equation}\n  inputs   {', '.join(e.inputs)}\n  outputs  {', '.join(e.outputs)}"
        )
        page.say(f"  accepts  {e.accepts}\n  source   {e.source}")
        page.say(f"  base parameters  {'no: ' + e.regrouping if e.regrouping else 'yes'}")
        if e.options:
            page.say()
            rows = [[o.name, "" if o.default is None else o.default, o.doc] for o in e.options]
            page.table("Options, given as --option NAME=VALUE", ["name", "default", "what it is"], rows)
        return
    if json:
        page.data([_entry(e) for e in CATALOGUE.values()])
        return
    rows = [[e.name, e.title, f"{', '.join(e.inputs)} → {', '.join(e.outputs)}"] for e in CATALOGUE.values()]
    page.table("", ["model", "what it is", "inputs → outputs"], rows)


def _entry(e: Entry) -> Mapping[str, object]:
    """What a script would want to know of a model."""
    options = [{"name": o.name, "type": o.type, "default": o.default, "doc": o.doc} for o in e.options]
    told = {"name": e.name, "title": e.title, "equation": e.equation, "source": e.source, "accepts": e.accepts}
    return told | {"inputs": e.inputs, "outputs": e.outputs, "options": options, "base_parameters": not e.regrouping}


def derive(
    robot: str,
    model: str,
    read: Sequence[str],
    to: str,
    out: str,
    base_parameters: bool,
    settings: Sequence[str],
    chosen: Sequence[str],
    inputs: Sequence[str],
    dtype: str,
    terms: int,
    json: bool,
) -> None:
    """A model of a robot, as source code or as equations."""
    for name, given in (("--out", out), ("--dtype", dtype), ("--terms", terms)):
        if given and not to:
            raise ModelError(f"{name} {given} needs a language to write; add --to, one of {', '.join(WAYS)}")
    r = load(robot, **reading(robot, read))
    entry = entry_named(CATALOGUE, model)
    start = time.perf_counter()
    with page.working(f"deriving {entry.name} of {r.name}"):
        made = r.derive(
            entry.name,
            fixed=fixed(settings),
            inputs=tuple(inputs),
            base_parameters=base_parameters,
            **options(entry, chosen),
        )
    elapsed = 1e3 * (time.perf_counter() - start)
    sources = written(made, to, dtype, terms) if to else {}
    files = write_files(sources, out) if out else []
    shown = "" if out else "\n".join(sources.values())
    if json:
        page.data(
            {
                "robot": robot,
                "title": r.name,
                "model": entry.name,
                "base_parameters": base_parameters,
                "cost": made.cost.as_dict(),
                "setup_cost": made.setup_cost.as_dict(),
                "derive_ms": round(elapsed, 3),
            }
            | ({"files": [str(f) for f in files]} if files else {})
            | ({"text": shown} if shown else {})
        )
        return
    if shown:
        page.say(shown.rstrip())
        return
    page.say(f"{made}\n  derived  in {elapsed:.1f} ms")
    for file in files:
        page.say(f"  wrote    {file}")


def evaluate(
    robot: str,
    model: str,
    values: Sequence[str],
    read: Sequence[str],
    settings: Sequence[str],
    chosen: Sequence[str],
    json: bool,
) -> None:
    """A model at one state, by the reference interpreter."""
    r = load(robot, **reading(robot, read))
    entry = entry_named(CATALOGUE, model)
    given = {name: numbers(name, text) for name, text in pairs(values, "value").items()}
    made = r.derive(entry.name, fixed=fixed(settings), **options(entry, chosen))
    known = {x.name: x for x in made.inputs}
    for name in given:
        if name not in known:
            raise ModelError(f"{made.name} has no input {name!r}; it has {', '.join(known)}")
    for x in made.inputs:
        if x.name not in given and x.default is None:
            labels = f": {', '.join(x.labels)}" if x.size > 1 else ""
            raise ModelError(
                f"{made.name} needs {x.name}, {x.size} number{'s' * (x.size != 1)}{labels}; write {x.name}=…"
            )
        if x.name in given and len(given[x.name]) != x.size:
            raise ModelError(f"{x.name} has {x.size} numbers, {len(given[x.name])} were given")
    result = made.evaluate(**{k: np.reshape(v, known[k].shape) for k, v in given.items()})
    if json:
        page.data({name: value.tolist() for name, value in result.items()})
        return
    for out in made.outputs:
        page.say(f"{out.name}{f' ({out.unit})' if out.unit else ''}")
        found = result[out.name]
        if found.ndim == 1 and out.rows:
            for label, x in zip(out.rows, found, strict=True):
                page.say(f"  {label:<20} {x: .10g}")
        else:
            page.say(
                "  "
                + np.array2string(found, precision=8, suppress_small=True, max_line_width=160).replace("\n", "\n  ")
            )


def base_parameters(robot: str, read: Sequence[str], no_rotors: bool, json: bool) -> None:
    """The base inertial parameters of a robot and how the others are grouped into them."""
    found = load(robot, **reading(robot, read)).base_parameters(rotors=not no_rotors)
    if json:
        page.data(
            {
                "robot": robot,
                "rank": found.rank,
                "kept": list(found.kept),
                "relations": [str(x) for x in found.relations],
            }
        )
        return
    page.say(str(found))


def subsystems(robot: str, read: Sequence[str], json: bool) -> None:
    """The subsystems of a robot with closed loops, and the order in which they are solved."""
    found = load(robot, **reading(robot, read)).subsystems()
    if json:
        page.data(asdict(found) | {"robot": robot, "title": found.robot})
        return
    page.table(found.title, found.columns, found.rows, right=(2,))
    page.say()
    for line in found.remarks:
        page.say(line)


def compare(robot: str, read: Sequence[str], base_parameters: bool, json: bool) -> None:
    """What the equations of motion cost, principle by principle."""
    r = load(robot, **reading(robot, read))
    with page.working(f"deriving the equations of {r.name} again and again"):
        found = r.compare_formulations(base_parameters=base_parameters)
    if json:
        rows = [
            {"name": row.name, "title": row.title, "reason": row.reason}
            | {"cost": {name: c.as_dict() for name, c in row.costs.items()}}
            for row in found.rows
        ]
        page.data({"robot": robot, "title": r.name, "base_parameters": base_parameters, "rows": rows})
        return
    right = range(1, 1 + len(COLUMNS))
    page.table(f"{r.name}: mul + add", ["", *COLUMNS.values(), ""], found.cells, right=right)


_ROBOT = Param("robot", "a robot of the library, or a file (.toml, .par, .urdf, .xml, .csv)", metavar="ROBOT")
_MODEL = Param("model", "a model of the catalogue (see `armillary models`)", metavar="MODEL")
_READ = Param(
    "--read",
    "an option of reading the file, such as snap=1e-4, ignore_mimic=yes or degrees=yes; again for more",
    many=True,
    metavar="NAME=VALUE",
)
_JSON = Param("--json", "print JSON, for scripts", bool)
_SET = Param(
    "--set",
    "fix a parameter or an element of an input before deriving; again for more",
    many=True,
    metavar="NAME=VALUE",
    into="settings",
)
_OPTION = Param(
    "--option",
    "an option of the model, such as frame=tool; again for more",
    many=True,
    metavar="NAME=VALUE",
    into="chosen",
)

COMMANDS = {
    c.name: c
    for c in (
        Command("robots", robots, "List the robots of the library.", (_JSON,), ("armillary robots",)),
        Command(
            "show",
            show,
            "Show a robot: bodies, joints, inertial parameters, frames.",
            (_ROBOT, _READ, _JSON),
            ("armillary show panda",),
        ),
        Command(
            "models",
            models,
            "List the models that can be derived, or explain one of them.",
            (Param("model", "one model, to read about it and its options", default="", metavar="[MODEL]"), _JSON),
            ("armillary models", "armillary models jacobian"),
        ),
        Command(
            "derive",
            derive,
            "Derive a model of a robot, print what it costs, and write it as source code or equations.",
            (
                _ROBOT,
                _MODEL,
                _READ,
                Param("--to", f"the language: {', '.join(WAYS)}", default="", metavar="LANG"),
                Param(
                    "--out", "the folder to write files into; without it the text is printed", default="", metavar="DIR"
                ),
                Param("--base-parameters", "put the base inertial parameters in the place of the full ones", bool),
                _SET,
                _OPTION,
                Param(
                    "--input",
                    "make gravity, base_velocity, base_acceleration or wrench:FRAME an input",
                    many=True,
                    metavar="NAME",
                    into="inputs",
                ),
                Param("--dtype", "double or float, for languages that have both", default="", metavar="TYPE"),
                Param("--terms", "how many terms an element of a closed form may have (60)", int, 0, metavar="N"),
                _JSON,
            ),
            (
                "armillary derive rx90 inverse-dynamics --base-parameters",
                "armillary derive rx90 inverse-dynamics --to c --out build/",
                "armillary derive panda jacobian --option frame=flange --to python",
                "armillary derive rods2r inertia-matrix --to closed-form",
                "armillary derive planar2r direct-dynamics --set q1=0 --json",
            ),
        ),
        Command(
            "eval",
            evaluate,
            "Evaluate a model at one state.",
            (
                _ROBOT,
                _MODEL,
                Param("values", "inputs and parameters: q=0.1,pi/2 L1=0.3", many=True, metavar="NAME=VALUES…"),
                _READ,
                _SET,
                _OPTION,
                _JSON,
            ),
            ("armillary eval planar2r gravity-torques q=0,0",),
        ),
        Command(
            "base-parameters",
            base_parameters,
            "Print the base inertial parameters of a robot and the formulas that group the others into them.",
            (_ROBOT, _READ, Param("--no-rotors", "leave the rotor inertias out", bool), _JSON),
            ("armillary base-parameters rx90",),
        ),
        Command(
            "subsystems",
            subsystems,
            "Print the subsystems of a robot with closed loops, their equations and unknowns, and the order of solving them.",
            (_ROBOT, _READ, _JSON),
            ("armillary subsystems five_bar",),
        ),
        Command(
            "compare",
            compare,
            "Compare what the equations of motion cost by each principle: Newton-Euler, Lagrange, Kane, Gauss and others.",
            (
                _ROBOT,
                _READ,
                Param("--base-parameters", "put the base inertial parameters in the place of the full ones", bool),
                _JSON,
            ),
            ("armillary compare rx90",),
        ),
        Command(
            "bench",
            bench,
            "Measure this machine: how long models take to derive, compile and evaluate.",
            (Param("robot", "the robot to measure with", default="panda", metavar="[ROBOT]"), _READ, _JSON),
            ("armillary bench", "armillary bench ur5"),
        ),
    )
}
"""Every command by name."""
