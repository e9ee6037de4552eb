"""Imports point downwards only, and never round in a circle."""

import ast
from collections.abc import Iterator
from pathlib import Path

import armillary

ROOT = Path(armillary.__file__).parent
BELOW = {
    "errors": set(),
    "expr": {"errors"},
    "spatial": {"errors"},
    "robot": {"errors", "expr", "spatial"},
    "geometry": {"spatial", "robot"},
    "kinematics": {"spatial", "robot", "geometry"},
    "dynamics": {"spatial", "robot", "geometry", "kinematics"},
    "library": set(),
    "formats": {"errors", "expr", "spatial", "robot", "library"},
    "program": {"errors", "expr"},
    "routine": {"errors", "expr", "program"},
    "passes": {"errors", "expr", "program"},
    "targets": {"errors", "expr", "program", "routine"},
    "runtime": {"errors", "expr", "program", "routine"},
    "grouping": {"errors", "expr", "spatial", "robot", "geometry", "kinematics", "dynamics", "targets"},
    "assembly": {"errors", "expr", "spatial", "robot", "geometry", "grouping"},
    "models": {
        *("errors", "expr", "spatial", "robot", "geometry", "kinematics", "dynamics", "library", "formats"),
        *("program", "routine", "passes", "targets", "runtime", "grouping", "assembly"),
    },
    "cli": {"errors", "robot", "library", "formats", "targets", "models"},
}
"""What each layer may import beside itself. The package's own __init__ names the public faces and is left out."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(ROOT.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        name = ".".join(("armillary", *(parts[:-1] if parts[-1] == "__init__" else parts)))
        if name != "armillary":
            yield name, ast.parse(file.read_text(encoding="utf-8"))


def imported(tree: ast.AST, everywhere: bool) -> Iterator[str]:
    """Modules of ours that a module imports: at its top, or anywhere; what only the type checker reads is left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "armillary":
            yield from (f"{node.module}.{a.name}" for a in node.names)
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("armillary."))
        elif everywhere or isinstance(node, ast.If | ast.Try):
            yield from imported(node, everywhere)


def test_layers() -> None:
    wrong: list[str] = []
    for name, tree in modules():
        layer = name.split(".")[1]
        for target in imported(tree, everywhere=True):
            other = target.split(".")[1]
            if other != layer and other not in BELOW[layer]:
                wrong.append(
                    f"{name} imports {target}: {layer} may import {', '.join(sorted(BELOW[layer])) or 'nothing'}"
                )
    assert not wrong, "\n".join(wrong)


def test_no_layer_is_missing() -> None:
    assert {name.split(".")[1] for name, _ in modules()} == set(BELOW)


def test_no_cycles() -> None:
    names = {name for name, _ in modules()}
    edges: dict[str, set[str]] = {}
    for name, tree in modules():
        found: set[str] = set()
        for target in imported(tree, everywhere=False):
            while target not in names and "." in target:
                target = target.rpartition(".")[0]
            if target in names and target != name:
                found.add(target)
        edges[name] = found
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        assert name not in path, " → ".join([*path[path.index(name) :], name])
        if name not in done:
            for target in sorted(edges[name]):
                visit(target, [*path, name])
            done.add(name)

    for name in sorted(edges):
        visit(name, [])
