"""Control flow above Programs: `Routine`, its interpreter and text, and the solvers and integrators written in it."""

from armillary.routine.build import assign, call, if_, repeat, return_, while_
from armillary.routine.interpret import Outcome, interpret
from armillary.routine.newton import newton
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
from armillary.routine.runge_kutta import runge_kutta
from armillary.routine.tableau import DORMAND_PRINCE, EULER, HEUN, RK4, TABLEAUS, Tableau
from armillary.routine.text import outline, parse, render
from armillary.routine.verify import verify

__all__ = [
    "DORMAND_PRINCE",
    "EULER",
    "HEUN",
    "RK4",
    "TABLEAUS",
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
    "Tableau",
    "Variable",
    "While",
    "assign",
    "call",
    "if_",
    "interpret",
    "newton",
    "outline",
    "parse",
    "render",
    "repeat",
    "return_",
    "runge_kutta",
    "verify",
    "while_",
]
