"""The hand-over object: a verified straight-line `Program` with named inputs and outputs; its cost, text, meaning."""

from armillary.program.build import Result, to_graph, to_program
from armillary.program.cost import Cost, cost
from armillary.program.interpret import evaluate, interpret
from armillary.program.package import Package, bind, package, split
from armillary.program.program import About, Input, Output, Program, Role
from armillary.program.text import parse, render
from armillary.program.trace import Trace
from armillary.program.verify import verify

__all__ = [
    "About",
    "Cost",
    "Input",
    "Output",
    "Package",
    "Program",
    "Result",
    "Role",
    "Trace",
    "bind",
    "cost",
    "evaluate",
    "interpret",
    "package",
    "parse",
    "render",
    "split",
    "to_graph",
    "to_program",
    "verify",
]
