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
    from numpy.typing import ArrayLike

    from armillary.grouping import BaseParameters
    from armillary.grouping.loops import LoopBaseParameters
    from armillary.models.assembly_modes import AssemblyModes
    from armillary.models.closure import LoopClosure
    from armillary.models.comparison import Comparison
    from armillary.models.equilibrium import Equilibrium, Modes
    from armillary.models.mobility import Mobility
    from armillary.models.singularity import Singularity
    from armillary.models.subsystem_table import Subsystems


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

    def equilibrium(
        self,
        q: ArrayLike | None = None,
        *,
        free: Sequence[str] | None = None,
        torques: ArrayLike | None = None,
        parameters: Mapping[str, float] | None = None,
        independent: Sequence[str] = (),
    ) -> Equilibrium:
        """Where the joints without motors come to rest, found from `q`; see `armillary.models.equilibrium`."""
        from armillary.models.equilibrium import equilibrium

        return equilibrium(self, q, free=free, torques=torques, parameters=parameters, independent=independent)

    def modes(
        self,
        q: ArrayLike | None = None,
        *,
        free: Sequence[str] | None = None,
        parameters: Mapping[str, float] | None = None,
        independent: Sequence[str] = (),
    ) -> Modes:
        """How the joints without motors swing about the equilibrium `q`: frequencies and shapes."""
        from armillary.models.equilibrium import modes

        return modes(self, q, free=free, parameters=parameters, independent=independent)

    def compare_formulations(self, *, base_parameters: bool = False) -> Comparison:
        """What A, H, Γ and q'' cost by each principle that there is, beside the models to use; `str` makes a table of it."""
        from armillary.models.comparison import compare

        return compare(self, base_parameters=base_parameters)

    def mobility(self, parameters: Mapping[str, float] | None = None) -> Mobility:
        """Of a robot on wheels: in how many ways its platform can move, and steering turn these; its type."""
        from armillary.models.mobility import mobility

        return mobility(self, parameters)

    def loop_closure(self, *, fixed: Mapping[str, Any] | None = None, most: int = 20) -> LoopClosure:
        """Passive coordinates from active ones by Newton's method: a Routine to write or to compile."""
        from armillary.models.closure import loop_closure

        return loop_closure(self, fixed=fixed, most=most)

    def assembly_modes(
        self, q_a: ArrayLike, *, starts: int = 1000, seed: int = 0, parameters: Mapping[str, float] | None = None
    ) -> AssemblyModes:
        """The ways to assemble the robot with its active coordinates at `q_a`, sought by Newton's method from random starts."""
        from armillary.models.assembly_modes import assembly_modes

        return assembly_modes(self, q_a, starts=starts, seed=seed, parameters=parameters)

    def singularity(
        self,
        q: ArrayLike,
        *,
        frame: str | None = None,
        point: bool = False,
        parameters: Mapping[str, float] | None = None,
    ) -> Singularity:
        """What is singular about a state at which the loops close, for the platform or another frame (its origin alone, if `point`)."""
        from armillary.models.singularity import singularity

        return singularity(self, q, frame=frame, point=point, parameters=parameters)

    def subsystems(self) -> Subsystems:
        """The trees that are left when the loops are cut, and the order in which their equations give all forces."""
        from armillary.models.subsystem_table import subsystems

        return subsystems(self)

    def loop_base_parameters(
        self, values: Mapping[str, float] | None = None, q: Sequence[float] | None = None, *, rotors: bool = True
    ) -> LoopBaseParameters:
        """The base inertial parameters with closed loops, for these lengths and the way to assemble that the state q shows.

        Exact, and in formulas, where in that way every passive coordinate is a sum of active ones.
        """
        from armillary.grouping.loops import loop_base_parameters
        from armillary.models.assembly import straight

        return loop_base_parameters(self, values, q, rotors=rotors, way=straight(self, values, q))

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
        return f"{self.name}: {counted(len(self.bodies), 'body', 'bodies')}, {freedom(self)}\n  {joints}"


Said = ParamSpec("Said")


def _robot(described: Callable[Said, Description]) -> Callable[Said, Robot]:
    """The same function, giving the description as a robot."""

    @wraps(described)
    def robot(*args: Said.args, **kwargs: Said.kwargs) -> Robot:
        return Robot.of(described(*args, **kwargs))

    return robot


load = _robot(formats.load)
describe = _robot(make.describe)
