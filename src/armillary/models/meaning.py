"""What the symbols of a description mean, told from where they stand: XX2 is a moment of inertia of link 2."""

from armillary.robot import Description, Formula
from armillary.robot.description import Parameter
from armillary.robot.fluid import COEFFICIENTS

_AXES = {"X": "x", "Y": "y", "Z": "z"}
_LENGTHS = {"b": "z", "d": "x", "r": "z"}
_ANGLES = ("gamma", "alpha", "beta", "theta")
_LOSSES = {"IA": "rotor inertia seen at", "FV": "viscous friction of", "FS": "Coulomb friction of"}

_FLUID = {
    "C": ("m", "centre of the fluid around"),
    "D": ("N·s²/m²", "resistance to shifts of"),
    "E": ("N·m·s²/rad²", "resistance to turns of"),
    "A": ("kg", "added mass of"),
    "B": ("kg·m²", "added inertia of"),
}


def meanings(description: Description) -> dict[str, Parameter]:
    """A unit and a meaning for each symbol that is the whole of some value; what the description says itself comes first."""
    found: dict[str, Parameter] = {}
    for body in description.bodies:
        slides = body.joint.sigma == 1
        for name, x in body.values():
            if isinstance(x, Formula) and (x.text,) == x.symbols:
                unit, doc = _meaning(name, body.name, body.joint_name or body.name, slides)
                found.setdefault(x.text, Parameter(x.text, None, unit, doc))
    for c in description.couplings:
        slides = description.joint_body(c.joint).joint.sigma == 1
        for name, x in c.values():
            if isinstance(x, Formula) and (x.text,) == x.symbols:
                unit, doc = _of_coupling(name, slides, description.joint_body(c.leader).joint.sigma == 1)
                found.setdefault(x.text, Parameter(x.text, None, unit, f"{doc} of {c.name}"))
    for name, p in description.parameters.items():
        told = found.get(name, Parameter(name))
        found[name] = Parameter(name, p.default, p.unit or told.unit, p.doc or told.doc)
    return found


def _of_coupling(name: str, slides: bool, leader_slides: bool) -> tuple[str, str]:
    """(unit, doc) of one parameter of a coupling whose joints slide or turn."""
    length = "m" if slides else "rad"
    match name:
        case "stiffness":
            return "N/m" if slides else "N·m/rad", "stiffness"
        case "damping":
            return "N·s/m" if slides else "N·m·s/rad", "damping"
        case "ratio":
            return "" if slides == leader_slides else f"{length}/{'m' if leader_slides else 'rad'}", "ratio"
        case _:
            return length, "offset"


def _meaning(name: str, body: str, joint: str, slides: bool) -> tuple[str, str]:
    """(unit, doc) of one parameter of a body."""
    if name == "M":
        return "kg", f"mass of {body}"
    if name in ("MX", "MY", "MZ"):
        return "kg·m", f"first moment of {body} along {_AXES[name[1]]}"
    if len(name) == 2 and set(name) <= set("XYZ"):
        kind = "moment" if name[0] == name[1] else "product"
        return "kg·m²", f"{kind} of inertia {name} of {body} about its frame's origin"
    if name in _LOSSES:
        units = {"IA": "kg", "FV": "N·s/m", "FS": "N"} if slides else {"IA": "kg·m²", "FV": "N·m·s/rad", "FS": "N·m"}
        return units[name], f"{_LOSSES[name]} {joint}"
    if name == "stiffness":
        return "N/m" if slides else "N·m/rad", f"stiffness of the spring of {joint}"
    if name == "reference":
        return "m" if slides else "rad", f"coordinate at which the spring of {joint} is slack"
    if name in _LENGTHS:
        return "m", f"{name} of {body}, a length along {_LENGTHS[name]}"
    if name in _ANGLES:
        return "rad", f"{name} of {body}"
    if name == "pitch":
        return "m/rad", f"pitch of {joint}"
    if name in COEFFICIENTS:
        unit, doc = _FLUID[name[1]]
        return unit, f"{doc} {body} along {_AXES[name[2]]}"
    force = name[0] == "F"
    return ("N" if force else "N·m"), f"{'force' if force else 'couple'} {name} that {body} exerts on its environment"
