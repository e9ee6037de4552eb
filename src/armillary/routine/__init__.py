"""Control flow above Programs: `Routine`, its interpreter and text, and the solvers and integrators written in it."""

from armillary.routine.build import assign, call, if_, repeat, return_, while_
from armillary.routine.interpret import Outcome, interpret
from armillary.routine.routine import (
    Assign,
    Call,
    If,
    Place,
    Repeat,
    Return,
    Routine,
    Statement,
    Status,
    Variable,
    While,
)
from armillary.routine.text import outline, parse, render
from armillary.routine.verify import verify

__all__ = [
    "Assign",
    "Call",
    "If",
    "Outcome",
    "Place",
    "Repeat",
    "Return",
    "Routine",
    "Statement",
    "Status",
    "Variable",
    "While",
    "assign",
    "call",
    "if_",
    "interpret",
    "outline",
    "parse",
    "render",
    "repeat",
    "return_",
    "verify",
    "while_",
]
