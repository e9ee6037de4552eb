"""The pages of the reference that say what tables say: made from them whenever the documentation is built.

mkdocs calls `on_files`; a page is a function without arguments that gives Markdown.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

import armillary as arm
from armillary import library
from armillary.cli import COMMANDS
from armillary.cli.command import Command


def catalogue() -> str:
    """Every model: a table of all, then a section each."""
    entries = list(arm.CATALOGUE.values())
    rows = [
        [
            f"[`{e.name}`](#{e.name})",
            e.title,
            f"{_names(e.inputs)} → {_names(e.outputs)}",
            "no" if e.regrouping else "yes",
        ]
        for e in entries
    ]
    lines = [
        "# The catalogue",
        "",
        "Every model is a method of `Robot` of the same name with underscores, and `armillary derive ROBOT MODEL` in a shell.",
        "All take `fixed` and `inputs`, see [fix and free inputs](../how-to/customise.md); where the last column says so,",
        "also `base_parameters`.",
        "",
        *_table(["model", "what it is", "inputs → outputs", "base parameters"], rows),
    ]
    for e in entries:
        lines += ["", f"## {e.name}", "", f"{e.title[0].upper()}{e.title[1:]}.", "", f"    {e.equation}", ""]
        method = ", ".join(f"{o.name}={o.default!r}" for o in e.options)
        lines += [f"`robot.{e.method}({method})`", ""]
        lines += [f"Accepts {e.accepts}. Source: {e.source}."]
        if e.regrouping:
            lines += ["", f"Not with base parameters: {e.regrouping}."]
        if e.options:
            options = [[f"`{o.name}`", f"`{o.default!r}`", _option(o)] for o in e.options]
            lines += ["", *_table(["option", "default", "what it is"], options)]
    return "\n".join(lines)


def robots() -> str:
    """Every robot of the library: a table of all, then a section each with its source."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arm.RobotWarning)
        known = [(name, arm.load(name)) for name in library.names()]
    rows = [[f"[`{name}`](#{name})", r.name, str(r.nv), r.structure, str(len(r.symbols))] for name, r in known]
    lines = [
        "# The library of robots",
        "",
        'Each is a TOML file with its source cited: `arm.load("rx90")`, `armillary show rx90`.',
        "",
        *_table(["name", "robot", "joint velocities", "structure", "symbols"], rows, right=(2, 4)),
    ]
    for name, r in known:
        joints = ", ".join(f"{b.joint_name or b.name} ({b.joint.kind})" for b in r.bodies)
        lines += ["", f"## {name}", "", f"**{r.name}.** {_flowing(r.doc)}", "", f"Joints: {joints}."]
        if r.frames:
            lines += ["", f"Frames: {', '.join(f'`{f.name}` on {f.body}' for f in r.frames)}."]
        if r.parameters:
            values = [
                [f"`{p.name}`", "" if p.default is None else f"{p.default:g}", p.unit, p.doc]
                for p in r.parameters.values()
            ]
            lines += ["", *_table(["parameter", "default", "unit", "meaning"], values)]
        lines += ["", f"Source: {_flowing(r.source)}"]
    return "\n".join(lines)


def commands() -> str:
    """Every command with its arguments and options."""
    lines = [
        "# Commands",
        "",
        "`armillary COMMAND …`; `armillary COMMAND --help` says the same. How to use them: [the command line](../how-to/command-line.md).",
    ]
    for c in COMMANDS.values():
        lines += ["", f"## {c.name}", "", _flowing(c.doc), "", f"    {_usage(c)}", ""]
        lines += _table(["", "what it is"], [[f"`{p.name}`", p.help] for p in c.params])
        if c.examples:
            lines += ["", *(f"    $ {example}" for example in c.examples)]
    return "\n".join(lines)


_API: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "Robots",
        "armillary",
        ("load", "describe", "revolute", "prismatic", "helical", "spherical", "fixed", "frame", "symbols"),
    ),
    ("A robot and its models", "armillary", ("Robot", "Model")),
    ("Base parameters", "armillary.grouping", ("BaseParameters",)),
    ("Functions", "armillary.runtime", ("Function",)),
    (
        "Programs",
        "armillary.program",
        ("Program", "Trace", "evaluate", "cost", "bind", "split", "package", "render", "parse"),
    ),
    ("Passes", "armillary.passes", ("optimise",)),
    ("Targets", "armillary.targets", ("target", "Target")),
    ("Routines", "armillary.routine", ("Routine", "newton", "runge_kutta", "interpret")),
    ("Files", "armillary.formats", ("load", "save", "Format")),
)
"""What the page shows of Python: (heading, module, names)."""


def python() -> str:
    """Public functions and classes with their docstrings; the models, which the catalogue shows, left out."""
    lines = [
        "# Python",
        "",
        "What `import armillary as arm` gives, then the modules below it. The models themselves, methods of `Robot`, are in",
        "[the catalogue](catalogue.md).",
    ]
    for heading, module, names in _API:
        lines += ["", f"## {heading}"]
        home = import_module(module)
        for name in names:
            prefix = "arm" if module == "armillary" else module
            lines += ["", *_described(f"{prefix}.{name}", name, getattr(home, name))]
    return "\n".join(lines)


PAGES: dict[str, Callable[[], str]] = {
    "reference/catalogue.md": catalogue,
    "reference/robots.md": robots,
    "reference/commands.md": commands,
    "reference/python.md": python,
}
"""Every page that is made, by its place in the documentation."""


def on_files(files: Any, config: Any) -> Any:
    """The pages among those of the documentation."""
    from mkdocs.structure.files import File

    for place, page in PAGES.items():
        files.append(File.generated(config, place, content=page() + "\n"))
    return files


# ---- Markdown ----


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    rule = ["---:" if k in right else "---" for k in range(len(columns))]
    return [f"| {' | '.join(_cell(x) for x in row)} |" for row in (columns, rule, *rows)]


def _cell(text: str) -> str:
    return _flowing(text).replace("|", "\\|")


def _flowing(text: str) -> str:
    return " ".join(text.split())


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"`{x}`" for x in names)


def _option(o: Any) -> str:
    return f"{o.doc}: {', '.join(f'`{x}`' for x in o.choices)}" if o.choices else o.doc


def _usage(c: Command) -> str:
    return " ".join(["armillary", c.name, *(p.metavar or p.name for p in c.params if not p.is_option), "[OPTIONS]"])


# ---- Python ----

WIDE = 88
"""Columns that a signature may take before it has a line for each parameter."""


def _described(path: str, name: str, thing: Any) -> Iterator[str]:
    signature = "" if inspect.isclass(thing) else _signature(thing)
    yield f"### {name}"
    if len(path + signature) > WIDE:
        signature = "(\n" + "".join(f"    {p},\n" for p in _parameters(thing)) + ")"
    yield from ("", "```python", f"{path}{signature}", "```", "", inspect.cleandoc(thing.__doc__ or ""))
    if inspect.isclass(thing):
        rows = [[f"`{member}{said}`", doc] for member, said, doc in _members(thing)]
        if rows:
            yield from ("", *_table(["member", "what it is"], rows))


def _members(cls: type) -> Iterator[tuple[str, str, str]]:
    """(name, signature, first sentence) of what a class says of itself in public, models of the catalogue left out."""
    models = {e.method for e in arm.CATALOGUE.values()}
    for name, member in inspect.getmembers(cls):
        if name.startswith("_") or name in models:
            continue
        doc = inspect.cleandoc(getattr(member, "__doc__", None) or "").split("\n\n")[0]
        if inspect.isfunction(member):
            yield name, _signature(member), doc
        elif isinstance(member, property) or hasattr(member, "func"):
            yield name, "", doc


def _signature(function: Any) -> str:
    """The signature without types: names and defaults are what one reads."""
    return str(inspect.Signature(_parameters(function)))


def _parameters(function: Any) -> list[inspect.Parameter]:
    said = inspect.signature(function).parameters.values()
    return [p.replace(annotation=p.empty) for p in said if p.name != "self"]
