"""What each inertial parameter of a robot is called, alone and with others grouped into it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from armillary.dynamics.observability import ELEVEN
from armillary.grouping.relations import Place
from armillary.robot.body import Body
from armillary.robot.description import Description
from armillary.robot.value import Formula, Value


def eleven(body: Body) -> Iterator[Value]:
    """XX … M and IA as the description has them."""
    yield from body.inertia
    yield body.IA


def given_values(description: Description) -> Mapping[Place, Value]:
    """Every inertial parameter and rotor inertia of the description."""
    return {(k, p): x for k, body in enumerate(description.bodies) for p, x in enumerate(eleven(body))}


def parameter_names(description: Description, given: Mapping[Place, Value]) -> Mapping[Place, str]:
    """A name of its own for each: the symbol that is its value if nothing else has that, else like ZZ2, of the second body."""
    texts = Counter(x.text for _, x in description.values() if isinstance(x, Formula))
    usual = {place: f"{ELEVEN[place[1]]}{place[0] + 1}" for place in given}
    others = set(usual.values())
    names: dict[Place, str] = {}
    for place, x in given.items():
        own = _own(x, texts)
        if own == usual[place] or (own and own not in others):
            names[place] = own
        else:
            names[place] = free_name(usual[place], "_", description.symbols)
    return names


def column_names(description: Description) -> Mapping[tuple[str, str], str]:
    """By body or coupling and parameter, FV and FS too: the symbol that is its value if it stands nowhere else, else like ZZ_link2."""
    met = Counter(name for _, x in description.values() if isinstance(x, Formula) for name in x.symbols)
    given = {
        (part.name, name): x for part in (*description.bodies, *description.couplings) for name, x in part.values()
    }
    usual = {(body, name): f"{name}_{body}" for body, name in given}
    others = set(usual.values())
    own = {key: _own(x, met) for key, x in given.items()}
    return {key: own[key] if own[key] and own[key] not in others else usual[key] for key in given}


def _own(x: Value, met: Counter[str]) -> str:
    """The symbol that is the value, if it was met once; else nothing."""
    return x.text if isinstance(x, Formula) and x.text.isidentifier() and met[x.text] == 1 else ""


def free_name(name: str, ending: str, taken: Collection[str]) -> str:
    """The name, with the ending as often as it takes not to be `taken`."""
    while name in taken:
        name += ending
    return name
