"""What the equations of motion of one robot cost by each principle, beside the models of the catalogue that are made to be cheap."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from armillary.dynamics.formulations import DIRECT, FORMULATIONS
from armillary.errors import ModelError
from armillary.models.derive import derive
from armillary.passes import optimise
from armillary.program import Cost, Program, cost, to_graph, to_program
from armillary.robot import Description

COLUMNS = {"A": "A", "H": "H", "tau": "Γ", "qdd": "q''"}
"""What is compared, by the names of outputs, and its letter."""

CATALOGUE = "the catalogue"
OPEN = {"A": "inertia-matrix", "H": "bias-torques", "tau": "inverse-dynamics", "qdd": "direct-dynamics"}
CLOSED = {name: f"closed-{model}" for name, model in OPEN.items()} | {"H": "closed-bias"}
"""The models that are made to be cheap."""


@dataclass(frozen=True, slots=True)
class Row:
    """One principle: online costs of what it gives, each alone, or the reason why it is not for this robot."""

    name: str
    title: str
    costs: Mapping[str, Cost]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A row for each principle, and one for the catalogue's own models."""

    robot: str
    rows: tuple[Row, ...]

    @property
    def cells(self) -> list[list[str]]:
        """Name, mul + add of each column, and what it is or why it is not there."""
        return [
            [row.name, *(str(row.costs[c].total) if c in row.costs else "" for c in COLUMNS), row.reason or row.title]
            for row in self.rows
        ]

    def __str__(self) -> str:
        lines = [["", *COLUMNS.values(), ""], *self.cells]
        wide = [max(len(line[k]) for line in lines) for k in range(len(COLUMNS) + 1)]
        table = [
            "  ".join(
                [line[0].ljust(wide[0]), *(x.rjust(w) for x, w in zip(line[1:-1], wide[1:], strict=True)), line[-1]]
            )
            for line in lines
        ]
        return "\n".join([f"{self.robot}: mul + add", *(line.rstrip() for line in table)])


def compare(robot: Description, *, base_parameters: bool = False) -> Comparison:
    """Every formulation that the robot has."""

    def made(model: str, **options: Any) -> Program:
        return derive(robot, model, base_parameters=base_parameters, passes=False, **options)

    rows: list[Row] = []
    for name, formulation in FORMULATIONS.items():
        found: dict[str, Cost] = {}
        reason = "for trees, and the robot's joints are tied together" if robot.ties else ""
        if not reason:
            found, reason = _costs(lambda name=name: made("formulation", principle=name))
        if name in DIRECT and (not robot.ties or name == "gauss"):
            direct, why_not = _costs(lambda name=name: made("formulation-direct-dynamics", principle=name))
            found, reason = found | direct, "" if direct else reason or why_not
        rows.append(Row(name, formulation.title, found, reason))
    own: dict[str, Cost] = {}
    for name, model in (CLOSED if robot.ties else OPEN).items():
        parts, _ = _costs(lambda model=model: made(model))
        for price in parts.values():
            own[name] = price
    rows.append(Row(CATALOGUE, "the models that are made to be cheap", own))
    return Comparison(robot.name, tuple(rows))


def _costs(made: Callable[[], Program]) -> tuple[dict[str, Cost], str]:
    """The online cost of each output alone, after the passes; or why there is no such model."""
    try:
        program = made()
    except ModelError as error:
        return {}, str(error)
    _, results = to_graph(program)
    parts = {r.output.name: optimise(to_program(program.name, program.inputs, [r])) for r in results}
    return {name: cost(part)[0] for name, part in parts.items()}, ""
