"""What acts on a robot and has no place in a .par file."""

from armillary.errors import FormatError
from armillary.robot import Description


def refuse(robot: Description) -> None:
    """An error for fluids around links and for couplings that give."""
    for what, names in (
        ("fluid around links", [b.name for b in robot.bodies if b.fluid is not None]),
        ("couplings that give", [c.name for c in robot.couplings if c.elastic]),
    ):
        if names:
            raise FormatError(
                f"{robot.name}: a .par file has no place for {what}, and there is one at {', '.join(names)}"
            )
