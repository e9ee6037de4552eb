"""Classical DH tables: the converted robot stands where the table's own product of matrices says."""

from pathlib import Path

import numpy as np
import pytest

from armillary.errors import ArmillaryError, FormatError
from armillary.expr.numbers import PI, PiMultiple
from armillary.formats import dh
from armillary.geometry.pose import pose
from armillary.robot import Description, Placement, symbols, tree, value
from reference.pinocchio import elementary


def classical(theta: float, d: float, a: float, alpha: float) -> np.ndarray:
    """Rot(z, θ) Trans(z, d) Trans(x, a) Rot(x, α), written out."""
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [
            [ct, -st * ca, st * sa, a * ct],
            [st, ct * ca, -ct * sa, a * st],
            [0, sa, ca, d],
            [0, 0, 0, 1],
        ]
    )


def end_pose(d: Description, q: np.ndarray) -> np.ndarray:
    return np.array(pose(tree(d, float), q, "end", "base").matrix(), dtype=float)


@pytest.mark.parametrize("seed", range(100))
def test_random_tables(seed: int) -> None:
    """The end frame, and every row's frame: link j is reached before the row's a and α."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, float, float, float, float]] = []
    for _ in range(int(rng.integers(1, 9))):
        theta, alpha = (float(x) for x in rng.choice([0, np.pi / 2, -np.pi / 2, np.pi, *rng.uniform(-3, 3, 4)], 2))
        rows.append(("RPF"[rng.integers(3)], theta, *(float(x) for x in rng.normal(size=2)), alpha))
    d = dh.read(rows)
    q = rng.normal(size=d.nq)
    T, coordinates = np.eye(4), iter(q)
    for j, (kind, theta, shift, a, alpha) in enumerate(rows, start=1):
        theta += next(coordinates) if kind == "R" else 0
        shift += next(coordinates) if kind == "P" else 0
        link = T @ elementary("Rz", theta) @ elementary("Tz", shift)
        ours = np.array(pose(tree(d, float), q, f"link{j}", "base").matrix(), dtype=float)
        assert np.abs(ours - link).max() < 1e-13
        T = T @ classical(theta, shift, a, alpha)
    assert np.abs(end_pose(d, q) - T).max() < 1e-13


UR5 = """
joint; theta; d; a; alpha      # mm and degrees
R; 0;  89.159;    0;     90
R; 0;       0; -425;      0
R; 0;       0; -392.25;   0
R; 0; 109.15;     0;     90
R; 0;  94.65;     0;    -90
R; 0;   82.3;     0;      0
"""


def test_the_ur5_in_degrees_and_millimetres() -> None:
    """Stretched out at q = 0 its flange stands at (-0.81725, -0.19145, -0.005491) m: the maker's own figures."""
    d = dh.read(UR5, degrees=True, millimetres=True, name="ur5")
    T = end_pose(d, np.zeros(6))
    assert np.abs(T[:3, 3] - (-0.81725, -0.19145, -0.005491)).max() < 1e-12
    assert np.abs(T[:3, :3] - [[1, 0, 0], [0, 0, -1], [0, 1, 0]]).max() < 1e-15
    assert (d.name, d.q_names) == ("ur5", ("q1", "q2", "q3", "q4", "q5", "q6"))


def test_right_angles_and_fractions_are_exact() -> None:
    d = dh.read(
        [("R", 90, 0, 0, -90), ("R", 180, 0, 0, 45), ("P", "90.0", 290, 0, 30.5)], degrees=True, millimetres=True
    )
    assert [b.placement.theta for b in d.bodies] == [value("pi/2"), PI, value("pi/2")]
    assert [b.placement.alpha for b in d.bodies] == [0, value("-pi/2"), value("pi/4")]
    assert d.bodies[2].placement.r == value("29/100")
    assert isinstance(d.frames[0].placement.alpha, PiMultiple)


def test_radians_are_taken_as_written_unless_snap_says_otherwise() -> None:
    rows = [("R", 1.5708, 0, 0, np.pi / 2)]
    assert dh.read(rows).bodies[0].placement.theta == 1.5708
    assert dh.read(rows).frames[0].placement.alpha == value("pi/2")
    assert dh.read(rows, snap=1e-4).bodies[0].placement.theta == value("pi/2")


def test_symbols_and_formulas() -> None:
    L1, L2 = symbols("L1 L2")
    d = dh.read([("R", "phi", L1, "2*L1 + 0.1", "pi/2"), ("P", 0, "E", L2, "atan2(1, N)")])
    assert d.bodies[0].placement == Placement.of(theta="phi", r="L1")
    assert d.bodies[1].placement == Placement.of(alpha="pi/2", d="2*L1 + 0.1", r="E")
    assert d.frames[0].placement == Placement.of(alpha="atan2(1, N)", d="L2")
    assert set(d.symbols) == {"phi", "L1", "E", "N", "L2"}


def test_symbolic_angles_of_a_table_in_degrees_are_in_degrees() -> None:
    d = dh.read([("R", 0, 0, 0, "al")], degrees=True)
    assert d.frames[0].placement.alpha == value("al*pi/180")


def test_a_row_may_name_its_coordinate() -> None:
    d = dh.read([("R", "theta1", 0, 0, 0), ("R", "th2 - 90 + phi", 0, 0, 0), ("P", 0, "d3 + L", 0, 0)], degrees=True)
    assert d.q_names == ("theta1", "th2", "d3")
    assert d.bodies[1].placement.theta == value("(phi - 90)*pi/180")
    assert d.bodies[2].placement.r == value("L")


SAME = {
    "commas": "R, 0.1, 0.2, atan2(1, 2), pi/2\nP, 0, 0.3, 0, 0\n",
    "semicolons": "R; 0.1; 0.2; atan2(1, 2); pi/2\nP; 0; 0.3; 0; 0\n",
    "tabs": "R\t0.1\t0.2\tatan2(1, 2)\tpi/2\nP\t0\t0.3\t0\t0\n",
    "quotes": '"R","0.1","0.2",atan2(1, 2),"pi/2"\nP,0,0.3,0,0\n',
    "words": "Revolute, 0.1, 0.2, atan2(1, 2), pi/2\nprismatic, 0, 0.3, 0, 0\n",
    "bars": "| joint | theta | d | a | alpha |\n|---|:---:|---|---|---|\n| R | 0.1 | 0.2 | atan2(1, 2) | pi/2 |\n| P | 0 | 0.3 | 0 | 0 |\n",
    "another order": "alpha, a, theta, d, type\n\n# comment\npi/2, atan2(1, 2), 0.1, 0.2, 0 # hinge\n0, 0, 0, 0.3, 1\n",
    "spaces": "R 0.1 0.2 0.4636476090008061 pi/2\nP 0 0.3 0 0\n",
}


@pytest.mark.parametrize("given", SAME.values(), ids=SAME)
def test_ways_to_write_a_table(given: str) -> None:
    assert dh.read(given) == dh.read([("R", 0.1, 0.2, "atan2(1, 2)", "pi/2"), ("P", 0, 0.3, 0, 0)])


def test_a_file_with_names(tmp_path: Path) -> None:
    path = tmp_path / "two_links.csv"
    path.write_text("name,joint,theta,d,a,alpha\nupper arm,R,0,0,0.5,0\nhand,F,0,0,0.2,0\n")
    d = dh.read(path)
    assert (d.name, d.source) == ("two_links", "two_links.csv")
    assert [b.name for b in d.bodies] == ["upper arm", "hand"]
    assert (d.nv, d.joint_names) == (1, ("joint1",))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("R, 0, 0, 0\n", "line 1: 4 columns, 'R', '0', '0', '0'; there are 5: type, theta, d, a, alpha"),
        ("R,0,0,0,0\nR,0,0,0,0,0\n", "line 2: 6 columns"),
        ("R,0,0,0,0\nX,0,0,0,0\n", "line 2, column type: 'X': allowed are R, P, F"),
        ("R,0,0,,0\n", "line 1, column a: '': it is empty"),
        ("R,0,0,NaN,0\n", "line 1, column a: 'NaN': formula 'NaN', column 1: NaN is not a number"),
        ("R,0,-inf,0,0\n", "line 1, column d: '-inf': formula '-inf', column 2: inf is not a number"),
        ("R,0,1e999,0,0\n", "line 1, column d: '1e999'"),
        ("R,0,2 m,0,0\n", "line 1, column d: '2 m': formula"),
        ("R;0;0,29;0;0\n", "line 1, column d: '0,29'"),
        ("R,0,0,0,import os\n", "line 1, column alpha"),
        ("R,0,0,0,0\nR,0,0,0,-90\n", "line 2, column alpha: '-90': more than a turn in rad; did you mean degrees=True"),
        ("R,q1 + 90,0,0,0\n", "line 1, column theta: 'q1 \\+ 90': more than a turn in rad"),
        ("R,2*th1,0,0,0\n", "line 1, column theta: '2\\*th1': it holds no symbol"),
        ("R,0,0,q2,0\nR,0,0,0,0\n", "'q2' is the name of a coordinate and stands in link2's d"),
        ("joint,theta,d,alpha\nR,0,0,0\n", "line 1: the column a is missing"),
        ("joint,theta,d,a,alpa\nR,0,0,0,0\n", "line 1: the column 'alpa' is unknown; did you mean 'alpha'"),
        ("joint,theta,d,a,alpha,a\nR,0,0,0,0,0\n", "line 1: the column 'a' is there twice"),
        ("# nothing\n\n", "has no rows"),
        ("joint,theta,d,a,alpha\n", "has no rows"),
        ("name,joint,theta,d,a,alpha\nx,R,0,0,0,0\nx,R,0,0,0,0\n", "two bodies or frames are called 'x'"),
        ("name,joint,theta,d,a,alpha\nend,R,0,0,0,0\n", "are called 'end'"),
    ],
)
def test_errors_name_line_and_column(given: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(given)
    with pytest.raises(ArmillaryError, match=message) as caught:
        dh.read(path)
    assert str(path) in str(caught.value)


def test_errors_of_rows_given_by_hand() -> None:
    with pytest.raises(FormatError, match="the table, row 2, column alpha: 'nan'"):
        dh.read([("R", 0, 0, 0, 0), ("R", 0, 0, 0, float("nan"))])
    with pytest.raises(FormatError, match="the table, row 1: '5' is no row"):
        dh.read([5])  # type: ignore[list-item]
    with pytest.raises(FormatError, match="row 1, column a: 'None'"):
        dh.read([("R", 0, 0, None, 0)])  # type: ignore[list-item]
    with pytest.raises(FormatError, match="column alpha: 'pi/2': the table is read in degrees"):
        dh.read([("R", 0, 0, 0, "pi/2")], degrees=True)


@pytest.mark.parametrize(
    "garbage", [b"R," * 900_000, b"\x00\xff" * 900_000, b"(" * 1_900_000, b"x" * 10_000_000], ids=range(4)
)
def test_garbage_is_one_short_error(garbage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "garbage.csv"
    path.write_bytes(garbage)
    with pytest.raises(FormatError) as caught:
        dh.read(path)
    assert len(str(caught.value)) < 800
