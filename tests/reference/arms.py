"""Arms whose operation counts are known from elsewhere, in symbols: geometry, inertial parameters and gravity along z0."""

from armillary.robot import INERTIAL, JOINTS, Base, Body, Description, Inertial, Placement
from armillary.robot.value import value

Row = dict[str, object]
"""gamma, b, alpha, d, r of one joint; theta is the joint's coordinate."""

RX90: list[Row] = [
    {},
    {"alpha": "pi/2"},
    {"d": "D3"},
    {"alpha": "-pi/2", "r": "RL4"},
    {"alpha": "pi/2"},
    {"alpha": "-pi/2"},
]
PUMA: list[Row] = [
    {},
    {"alpha": "-pi/2"},
    {"d": "D3", "r": "RL3"},
    {"alpha": "-pi/2", "d": "D4", "r": "RL4"},
    {"alpha": "pi/2"},
    {"alpha": "-pi/2"},
]
PANDA: list[Row] = [
    {"r": "RL1"},
    {"alpha": "-pi/2"},
    {"alpha": "pi/2", "r": "RL3"},
    {"alpha": "pi/2", "d": "D4"},
    {"alpha": "-pi/2", "d": "D5", "r": "RL5"},
    {"alpha": "pi/2"},
    {"alpha": "pi/2", "d": "D7"},
]
GENERAL: list[Row] = [{}, *({"alpha": f"AL{j}", "d": f"D{j}", "r": f"RL{j}"} for j in range(2, 7))]
ARMS = {"rx90": RX90, "puma560": PUMA, "panda": PANDA, "general 6R": GENERAL}


def arm(name: str, grouped: bool = False) -> Description:
    """The arm by name; `grouped` leaves the base parameters that the rules of Gautier and Khalil keep for hinges alone.

    Of the first link only ZZ remains. Of each further one YY, MZ and M go, and IA where it acts as ZZ of the link before
    it does: at the first joint, and at the second one when the first two axes are perpendicular.
    """
    bodies: list[Body] = []
    for j, row in enumerate(ARMS[name], start=1):
        gone = set[str]()
        if grouped:
            gone = set(INERTIAL) - {"ZZ"} | {"IA"} if j == 1 else {"YY", "MZ", "M"}
            gone |= {"IA"} if j == 2 and row.get("alpha") in ("pi/2", "-pi/2") else set()
        numbers = [value(0 if x in gone else f"{x}{j}") for x in INERTIAL]
        bodies.append(
            Body(
                f"link{j}",
                f"link{j - 1}" if j > 1 else "base",
                JOINTS["revolute"],
                Placement.of(**row),
                Inertial(*numbers),
                IA=value(0 if "IA" in gone else f"IA{j}"),
                joint_name=f"joint{j}",
                coordinates=(f"th{j}",),
                velocities=(f"th{j}",),
            )
        )
    return Description(name, tuple(bodies), base=Base(gravity=(0, 0, value("G3"))))
