"""<actuator> and <tendon>: which joints have motors.

Of an actuator is read what it acts on, and the armature and the damping that it adds to its joint, times the square of its
gear. How a motor makes its torque (gains, dynamics, a force range) is not: a model has torques for inputs. An actuator on a
fixed tendon drives all its joints. Those at sites and on bodies are wrenches on links, see `inputs=["wrench:…"]`.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from armillary.errors import near_match
from armillary.formats.attributes import coefficient, numbers
from armillary.formats.frames import Joint
from armillary.formats.mjcf import known
from armillary.formats.mjcf.defaults import ACTUATORS, Defaults
from armillary.formats.xml import Element
from armillary.robot import JOINTS

ACTING = ("stiffness", "damping", "frictionloss", "armature")
"""What a tendon may do to its joints."""


def tendons(sections: list[Element], defaults: Defaults) -> dict[str, list[str]]:
    """The joints of each tendon with a name. Tendons that push or pull of themselves are refused."""
    found: dict[str, list[str]] = {}
    for section in sections:
        for given in section.children:
            if given.tag not in ("fixed", "spatial"):
                raise known.refused(given, ("fixed", "spatial"))
            tendon = defaults.applied(given)
            for name in ACTING:
                if name in tendon.attributes and numbers(tendon, name).any():
                    raise tendon.error(
                        f"<{tendon.tag} {name}> acts on several joints at once and is not read; take it out"
                    )
            if name := tendon.attributes.get("name", ""):
                found[name] = [joint.attributes.get("joint", "") for joint in tendon.all("joint")]
    return found


def driven(
    sections: list[Element],
    joints: Mapping[str, Joint],
    reached: Mapping[str, list[str]],
    followers: Collection[str],
    defaults: Defaults,
) -> list[Joint]:
    """The joints, each told whether it has a motor: as actuators say.

    Where the file has no actuator, every hinge and slide has one that is not among `followers`, which other joints move.
    """
    actuators = [defaults.applied(given) for section in sections for given in section.children]
    if not actuators:
        return [
            replace(joint, actuated=joint.kind in ("revolute", "prismatic") and joint.name not in followers)
            for joint in joints.values()
        ]
    found = {key: replace(joint, actuated=False) for key, joint in joints.items()}
    for actuator in actuators:
        if actuator.tag not in ACTUATORS:
            raise known.refused(actuator, ACTUATORS)
        names = _reached(actuator, joints, reached)
        gear = float(numbers(actuator, "gear")[0]) if "gear" in actuator.attributes else 1.0
        armature, damping = (gear**2 * coefficient(actuator, name) for name in ("armature", "damping"))
        if (armature or damping) and (len(names) != 1 or JOINTS[joints[names[0]].kind].nv > 1):
            raise actuator.error(
                f"<{actuator.tag}> has armature or damping and acts on no single hinge or slide; say them of the joints"
            )
        for name in names:
            joint = found[name]
            found[name] = replace(joint, actuated=True, IA=joint.IA + armature, FV=joint.FV + damping)
    return list(found.values())


def _reached(actuator: Element, joints: Mapping[str, Joint], reached: Mapping[str, list[str]]) -> list[str]:
    """The joints that an actuator acts on."""
    given = actuator.attributes
    if "tendon" in given:
        if given["tendon"] not in reached:
            raise actuator.error(
                f"<{actuator.tag} tendon> is {given['tendon'][:80]!r}, and there is no tendon of that name"
                f"{near_match(given['tendon'], reached)}"
            )
        names = reached[given["tendon"]]
    else:
        names = [given[end] for end in ("joint", "jointinparent") if end in given]
    for name in names:
        if name not in joints or joints[name].kind == "fixed":
            raise actuator.error(
                f"<{actuator.tag}> acts on the joint {name[:80]!r}, and there is no joint of that name"
                f"{near_match(name, joints)}"
            )
    return names
