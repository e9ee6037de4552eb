"""What models cost: multiplications and additions of one evaluation, work on parameters alone left out.

The protocol: geometry symbolic except multiples of π/2; gravity one symbol along z0; base at rest; rotor inertias kept;
friction and external wrenches zero; a b is one multiplication, x² one, 2x one, a ± b one addition, -a nothing. The peers'
equations were counted by the same rules.
"""

from collections.abc import Callable

import armillary as arm
from armillary.models import Model, Robot
from benchmarks.robots import in_symbols, with_numbers
from benchmarks.row import Effort, Figure, Peer, Row, Subject, recorded


def _counted(
    name: str,
    derive: Callable[[Robot], Model],
    limit: float | None,
    peer: Peer | None,
    robot: Callable[[str], Robot] = in_symbols,
) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        return Figure(derive(robot(name)).cost.total, "mul + add", peer, limit)

    return measure


def _base(robot: Robot) -> Model:
    return robot.inverse_dynamics(base_parameters=True)


def _direct(robot: Robot) -> Model:
    return robot.direct_dynamics()


def _matrix(robot: Robot) -> Model:
    return robot.inertia_matrix(base_parameters=True)


def _derivatives(robot: Robot) -> Model:
    return robot.inverse_dynamics_derivatives()


def _beyond_solving(effort: Effort) -> Figure:
    """Torques from the active coordinates, less what it takes to find the passive ones."""
    robot = arm.load("sr400")
    torques = robot.closed_inverse_dynamics(mode=0, base_parameters=True)
    return Figure(
        torques.cost.total - robot.loop_solution(mode=0).cost.total, "mul + add", recorded(745, SYMORO_TREE), 590
    )


def _flange(robot: Robot) -> Model:
    return robot.jacobian(frame="flange")


def _last_joint(robot: Robot) -> Model:
    return robot.jacobian(frame="link7")


SYMORO = "OpenSYMORO"
SYMORO_TREE = "OpenSYMORO, the open tree alone"
CASADI = "Pinocchio through CasADi, numbers put in"

SUBJECT = Subject(
    "operations",
    "Operations of one evaluation, work on parameters alone left out",
    (
        Row("RX-90 inverse dynamics, base parameters", _counted("rx90", _base, 485, recorded(287 + 226, SYMORO))),
        Row("Panda inverse dynamics, base parameters", _counted("panda", _base, 619, recorded(361 + 288, SYMORO))),
        Row(
            "serial 6R inverse dynamics, base parameters", _counted("serial6r", _base, 794, recorded(479 + 376, SYMORO))
        ),
        Row(
            "Puma 560 inverse dynamics, base parameters, its numbers",
            _counted("puma560", _base, 350, recorded(203 + 150, SYMORO), with_numbers),
        ),
        Row("SR-400 inverse dynamics, base parameters, beyond solving its loop", _beyond_solving),
        Row("RX-90 inertia matrix, base parameters", _counted("rx90", _matrix, None, recorded(195 + 133, SYMORO))),
        Row("Panda inertia matrix, base parameters", _counted("panda", _matrix, None, recorded(316 + 216, SYMORO))),
        Row("Panda direct dynamics", _counted("panda", _direct, 1780, recorded(1075 + 890, CASADI))),
        Row(
            "Panda inverse dynamics and its derivatives by q, q', q''",
            _counted("panda", _derivatives, 5300, recorded(3683 + 3399, CASADI)),
        ),
        Row("Panda Jacobian of the last joint", _counted("panda", _last_joint, 94 + 45, recorded(94 + 45, CASADI))),
        Row("Panda Jacobian of the flange", _counted("panda", _flange, 94 + 45, None)),
    ),
)
