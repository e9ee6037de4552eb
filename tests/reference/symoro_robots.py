"""Robots of SYMORO and others by their modified DH tables: facts to make `.par` texts from, written apart from our writer.

`par_text` gives links inertial parameters of symbols, as SYMORO's own files do, and writes all sections.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

GEOMETRY = ("ant", "sigma", "b", "d", "r", "gamma", "alpha", "mu", "theta")
DYNAMICS = ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M", "IA", "FV", "FS")
WRENCH = ("FX", "FY", "FZ", "CX", "CY", "CZ")


@dataclass(frozen=True)
class Table:
    """One robot, and the columns of its table that are not 0 throughout."""

    name: str
    type: int
    NL: int
    NJ: int
    base: str
    columns: dict[str, list[str]] = field(default_factory=dict)

    @property
    def NF(self) -> int:
        return len(self.columns["ant"])

    def column(self, key: str) -> Sequence[str]:
        """The elements of one key."""
        return self.columns.get(key, ["0"] * self.NF)


# name, type (0 serial, 1 tree, 2 closed loop), links, joints, base
_TABLES = """
RX90 0 6 6 fixed
  ant 0 1 2 3 4 5
  mu 1 1 1 1 1 1
  alpha 0 pi/2 0 -pi/2 pi/2 -pi/2
  d 0 0 D3 0 0 0
  theta th1 th2 th3 th4 th5 th6
  r 0 0 0 RL4 0 0
SR400 2 8 9 fixed
  ant 0 1 2 3 4 5 1 7 8 3
  sigma 0 0 0 0 0 0 0 0 0 2
  mu 1 1 0 1 1 1 1 0 0 0
  gamma 0 0 0 0 0 0 0 0 0 pi/2
  b 1 0 0 0 0 0 0 0 0 0
  alpha 0 -pi/2 0 -pi/2 pi/2 -pi/2 -pi/2 0 0 0
  d 0 d2 d3 d4 0 0 d2 -d8 d3 -d8
  theta th1 th2 th3 th4 th5 th6 th7 th8 th9 0
  r 0 0 0 r4 0 0 0 0 0 0
Stanford 0 6 6 fixed
  ant 0 1 2 3 4 5
  sigma 0 0 1 0 0 0
  alpha 0 -pi/2 pi/2 0 -pi/2 pi/2
  theta th1 th2 0 th4 th5 th6
  r 0 RL2 r3 0 0 0
Stanford4 0 4 4 fixed
  ant 0 1 2 3
  sigma 0 0 1 0
  alpha 0 -pi/2 pi/2 0
  theta th1 th2 0 th4
  r 0 RL2 r3 0
AKR3000 2 10 12 fixed
  ant 0 1 1 1 3 4 2 7 8 9 5 6 7 2
  sigma 0 0 0 0 1 1 0 0 0 0 0 0 2 2
  mu 1 0 0 0 1 1 0 1 1 1 0 0 0 0
  gamma 0 0 0 0 0 0 0 0 0 0 0 0 gam13 gam14
  alpha 0 pi/2 pi/2 pi/2 -pi/2 -pi/2 0 -pi/2 pi/2 -pi/2 pi/2 pi/2 0 0
  d 0 0 D3 D4 0 0 D7 0 0 0 0 0 D13 D14
  theta t1 t2 t3 t4 0 0 t7 t8 t9 t10 t11 t12 0 0
  r 0 0 0 0 r5 r6 0 RL8 0 0 0 0 0 0
TwoLoops 2 8 10 fixed
  ant 0 1 2 3 4 1 4 3 7 6 8 11
  sigma 0 0 0 0 0 0 0 0 0 0 2 2
  mu 1 1 1 0 1 0 0 0 0 0 0 0
  gamma 0 0 0 0 0 0 g12+pi/2 0 0 0 g12+pi/2 0
  b 0 0 0 0 0 d12*cos(g12) 0 0 0 0 0 0
  alpha 0 pi/2 0 0 pi/2 pi/2 0 0 0 0 0 0
  d 0 0 d3 d4 0 -d12*sin(g12) d7 0 d4 d3 d7 0
  theta th1 th2 th3 th4 th5 th6 th7 th8 th9 th10 0 0
testLoop 2 4 5 fixed
  ant 0 1 0 3 4 2
  sigma 0 0 0 0 0 2
  mu 1 0 1 0 0 0
  d 0 d 0 d d d
  theta th1 th2 th3 th4 th5 0
RX90_sample 0 6 6 fixed
  ant 0 1 2 3 4 5
  mu 1 1 1 1 1 1
  alpha 0 pi/2 0 -pi/2 pi/2 -pi/2
  d 0 0 D3 0 0 0
  theta th1 th2 th3 th4 th5 th6
  r 0 0 0 RL4 0 0
SR400_sample 2 8 9 fixed
  ant 0 1 2 3 4 5 1 7 8 3
  sigma 0 0 0 0 0 0 0 0 0 2
  mu 1 1 0 1 1 1 1 0 0 0
  gamma 0 0 0 0 0 0 0 0 0 pi/2
  alpha 0 -pi/2 0 -pi/2 pi/2 -pi/2 -pi/2 0 0 0
  d 0 D2 D3 D4 0 0 D2 D8 D3 -D8
  theta th1 th2 th3 th4 th5 th6 th7 th8 th9 0
  r 0 0 0 RL4 0 0 0 0 0 0
Planar2R_sample 0 2 2 fixed
  ant 0 1
  mu 1 1
  d 0 L1
  theta q1 q2
CartPole_sample 0 2 2 fixed
  ant 0 1
  sigma 1 0
  mu 1 1
  alpha pi/2 pi/2
  theta pi/2 th2
  r r1 0
SimpleLoop 2 3 4 fixed
  ant 0 1 0 3 2
  sigma 0 0 0 0 2
  mu 1 0 0 0 0
  d 0 D2 D3 D3 D2
  theta th1 th2 th3 th4 0
SimpleLoop2 2 3 4 fixed
  ant 0 0 2 3 1
  sigma 1 0 0 0 2
  mu 1 0 0 0 0
  alpha 0 pi/2 0 0 pi/2
  d 0 0 D3 D3 0
  theta 0 th2 th3 th4 0
  r r 0 0 0 0
Puma560 0 6 6 fixed
  ant 0 1 2 3 4 5
  mu 1 1 1 1 1 1
  alpha 0 -pi/2 0 -pi/2 pi/2 -pi/2
  d 0 0 D3 D4 0 0
  theta th1 th2 th3 th4 th5 th6
  r 0 0 RL3 RL4 0 0
UR5 0 6 6 fixed
  ant 0 1 2 3 4 5
  mu 1 1 1 1 1 1
  alpha 0 pi/2 0 0 pi/2 -pi/2
  d 0 0 D3 D4 0 0
  theta th1 th2 th3 th4 th5 th6
  r RL1 0 0 RL4 RL5 RL6
SCARA 0 4 4 fixed
  ant 0 1 2 3
  sigma 0 0 0 1
  mu 1 1 1 1
  d 0 D2 D3 0
  theta th1 th2 th3 0
  r 0 0 0 r4
LWR7 0 7 7 fixed
  ant 0 1 2 3 4 5 6
  mu 1 1 1 1 1 1 1
  alpha 0 pi/2 -pi/2 -pi/2 pi/2 pi/2 -pi/2
  theta th1 th2 th3 th4 th5 th6 th7
  r 0 0 RL3 0 RL5 0 0
Panda7 0 7 7 fixed
  ant 0 1 2 3 4 5 6
  mu 1 1 1 1 1 1 1
  alpha 0 -pi/2 pi/2 pi/2 -pi/2 pi/2 pi/2
  d 0 0 0 D4 D5 0 D7
  theta th1 th2 th3 th4 th5 th6 th7
  r RL1 0 RL3 0 RL5 0 0
Tree2 1 4 4 fixed
  ant 0 1 0 3
  mu 1 1 1 1
  gamma g1 0 g3 0
  alpha 0 pi/2 0 pi/2
  d 0 D2 0 D4
  theta th1 th2 th3 th4
TreeTorso 1 5 5 fixed
  ant 0 1 2 1 4
  mu 1 1 1 1 1
  alpha 0 pi/2 0 pi/2 0
  d 0 D2 D3 D4 D5
  theta th1 th2 th3 th4 th5
Planar2R 0 2 2 fixed
  ant 0 1 2
  sigma 0 0 2
  mu 1 1 0
  d 0 D2 D3
  theta th1 th2 0
PPlanar 0 3 3 fixed
  ant 0 1 2
  sigma 0 1 0
  mu 1 1 1
  alpha pi/2 pi/2 0
  theta th1 0 th3
  r 0 r2 0
Gantry3P3R 0 6 6 fixed
  ant 0 1 2 3 4 5
  sigma 1 1 1 0 0 0
  mu 1 1 1 1 1 1
  alpha 0 -pi/2 -pi/2 0 -pi/2 pi/2
  theta 0 -pi/2 -pi/2 th4 th5 th6
  r r1 r2 r3 0 0 0
Float2R 0 2 2 floating
  ant 0 1
  mu 1 1
  alpha pi/2 0
  d 0 D2
  theta th1 th2
FloatRX90 0 6 6 floating
  ant 0 1 2 3 4 5
  mu 1 1 1 1 1 1
  alpha 0 pi/2 0 -pi/2 pi/2 -pi/2
  d 0 0 D3 0 0 0
  theta th1 th2 th3 th4 th5 th6
  r 0 0 0 RL4 0 0
MobileRX90 0 6 6 mobile
  ant 0 1 2 3 4 5
  mu 1 1 1 1 1 1
  alpha 0 pi/2 0 -pi/2 pi/2 -pi/2
  d 0 0 D3 0 0 0
  theta th1 th2 th3 th4 th5 th6
  r 0 0 0 RL4 0 0
FlexRX90 0 6 6 fixed
  ant 0 1 2 3 4 5
  mu 1 1 1 1 1 1
  alpha 0 pi/2 0 -pi/2 pi/2 -pi/2
  d 0 0 D3 0 0 0
  theta th1 th2 th3 th4 th5 th6
  r 0 0 0 RL4 0 0
Chain12 0 12 12 fixed
  ant 0 1 2 3 4 5 6 7 8 9 10 11
  mu 1 1 1 1 1 1 1 1 1 1 1 1
  alpha 0 pi/2 0 -pi/2 pi/2 0 -pi/2 pi/2 0 -pi/2 pi/2 0
  d 0 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12
  theta th1 th2 th3 th4 th5 th6 th7 th8 th9 th10 th11 th12
Chain12g 0 12 12 fixed
  ant 0 1 2 3 4 5 6 7 8 9 10 11
  mu 1 1 1 1 1 1 1 1 1 1 1 1
  alpha 0 pi/2 0 -pi/2 pi/2 0 -pi/2 pi/2 0 al10 pi/2 -pi/2
  d 0 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12
  theta th1 th2 th3 th4 th5 th6 th7 th8 th9 th10 th11 th12
Serial6g 0 6 6 fixed
  ant 0 1 2 3 4 5
  mu 1 1 1 1 1 1
  gamma g1 g2 g3 g4 g5 g6
  b b1 b2 b3 b4 b5 b6
  alpha al1 al2 al3 al4 al5 al6
  d D1 D2 D3 D4 D5 D6
  theta th1 th2 th3 th4 th5 th6
  r RL1 RL2 RL3 RL4 RL5 RL6
"""


def _read(text: str) -> Iterator[Table]:
    found: Table | None = None
    for line in text.strip().splitlines():
        words = line.split()
        if line.startswith(" ") and found:
            found.columns[words[0]] = words[1:]
            continue
        if found:
            yield found
        found = Table(words[0], *map(int, words[1:4]), words[4])
    if found:
        yield found


TABLES = tuple(_read(_TABLES))


def table(name: str) -> Table:
    """The robot of that name."""
    return next(t for t in TABLES if t.name == name)


def par_text(t: Table, **replaced: Sequence[object]) -> str:
    """The file as SYMORO writes it: every key once, comments between the sections; `replaced` are vectors to put instead.

    What is said of links begins with the base where that moves, and the base's motion has names then.
    """
    moves = t.base != "fixed"
    numbers = range(0 if moves else 1, t.NL + 1)
    last = ["0"] * (len(numbers) - 1)
    sections: list[tuple[str, dict[str, Sequence[object]]]] = [
        ("Geometric parameters", {key: t.column(key) for key in GEOMETRY}),
        (
            "Dynamic parameters and external forces",
            {key: [f"{key}{j}" for j in numbers] for key in DYNAMICS}
            | {key: [*last, f"{key}{t.NL}"] for key in WRENCH},
        ),
        (
            "Joint parameters",
            {key: [0] * t.NJ for key in ("eta", "k")}
            | {key: [f"{key}{j}" for j in range(1, t.NJ + 1)] for key in ("QP", "QDP", "GAM")},
        ),
        (
            "Speed and acceleration of the base",
            {key: [f"{key[:-1]}{axis}b" if moves else 0 for axis in "XYZ"] for key in ("W0", "WP0", "V0", "VP0")},
        ),
        ("Matrix of gravity", {"G": [0, 0, "G3"]}),
        ("Transformation of 0 frame position fT0", {"Z": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}),
    ]
    lines = [
        f"(* File {t.name}.par *)",
        "",
        f"(* Robotname = '{t.name}' *)",
        f"NL = {t.NL}",
        f"NJ = {t.NJ}",
        f"NF = {t.NF}",
        f"Type = {t.type} (* {('Simple', 'Tree', 'Closed loop')[t.type]} *)",
        f"is_floating = {t.base == 'floating'}",
        f"is_mobile = {t.base == 'mobile'}",
    ]
    for title, vectors in sections:
        lines += ["", f"(* {title} *)"]
        lines += [f"{key} = {{{','.join(map(str, replaced.get(key, c)))}}}" for key, c in vectors.items()]
    return "\n".join([*lines, "", "(* End of definition *)", ""])
