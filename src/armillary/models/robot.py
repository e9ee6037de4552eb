"""`Robot`: a description with its models as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from armillary import formats
from armillary.models.bundle import Bundle
from armillary.models.derive import derive
from armillary.models.methods import Methods
from armillary.models.model import Model
from armillary.models.summary import counted, freedom
from armillary.robot import Description, make
from armillary.robot.lock import lock
from armillary.robot.part import Part
from armillary.targets.names import identifier

if TYPE_CHECKING:
    from armillary.grouping import BaseParameters


@dataclass(frozen=True)
class Robot(Methods, Description):
    """What a robot is, and every model of the catalogue as a method.

    Make one with `armillary.load` from a library name or a file, or with `armillary.describe` by hand.
    """

    @staticmethod
    def of(description: Description) -> Robot:
        """The description as a robot."""
        return Robot(**{f.name: getattr(description, f.name) for f in fields(Description)})

    def derive(
        self,
        model: str,
        *,
        fixed: Mapping[str, Any] | None = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
        passes: bool = True,
        **options: Any,
    ) -> Model:
        """The model of that name in the catalogue; see `armillary.models.derive.derive`."""
        program = derive(
            self, model, fixed=fixed, inputs=inputs, base_parameters=base_parameters, passes=passes, **options
        )
        return Model.of(program, self)

    def base_parameters(self, *, rotors: bool = True) -> BaseParameters:
        """The base inertial parameters: which there are, and the formulas that group the others into them."""
        from armillary.grouping import base_parameters

        return base_parameters(self, rotors=rotors)

    def with_parts(self, *parts: Part, parameters: Mapping[str, Any] | None = None) -> Robot:
        """The robot with further parts, made by `armillary.fixed`, `revolute`, … and `frame`.

        They hang on bodies or on frames: `robot.with_parts(arm.fixed("payload", "tool0", M="mp"))`.
        """
        return Robot.of(make.extend(self, *parts, parameters=parameters))

    def lock(self, positions: Mapping[str, object]) -> Robot:
        """The robot with some joints held in place: `robot.lock({"finger1": 0.02, "finger2": 0.02})`.

        Joints are named by their own name or by that of the body that they carry; their coordinates are gone from q.
        """
        return Robot.of(lock(self, positions))

    def bundle(self, *models: Model | str, name: str = "") -> Bundle:
        """Several models (or names of some) as one module of source code that shares the work on parameters."""
        made = [m if isinstance(m, Model) else self.derive(m) for m in models]
        return Bundle.of(name or identifier(self.name).lower(), made)

    def save(self, path: str | Path) -> None:
        """Write the description to a file, in the format its ending names."""
        formats.save(self, path)

    def __str__(self) -> str:
        joints = ", ".join(f"{b.joint_name or b.name} ({b.joint.kind})" for b in self.bodies)
        return f"{self.name}: {counted(len(self.bodies), 'body', 'bodies')}, {freedom(self.nv)}\n  {joints}"


Said = ParamSpec("Said")


def _robot(described: Callable[Said, Description]) -> Callable[Said, Robot]:
    """The same function, giving the description as a robot."""

    @wraps(described)
    def robot(*args: Said.args, **kwargs: Said.kwargs) -> Robot:
        return Robot.of(described(*args, **kwargs))

    return robot


load = _robot(formats.load)
describe = _robot(make.describe)
