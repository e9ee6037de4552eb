"""Every command as a person types it, through both fronts: what is printed, exit codes, JSON for scripts."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import armillary as arm
from armillary.cli import COMMANDS, main
from armillary.cli.command import run
from armillary.cli.plain_front import parse as plain
from armillary.cli.rich_front import parse as rich
from armillary.models import load


def armillary(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(words)
    printed = capsys.readouterr()
    return int(stop.value.code or 0), printed.out, printed.err


@pytest.mark.parametrize("front", [plain, rich])
def test_both_fronts_read_alike(front) -> None:  # type: ignore[no-untyped-def]
    words = "derive rx90 inverse-dynamics --set D3=0.3 --set QP1=0 --option a=b --input gravity --base-parameters --json".split()
    command, values = front(COMMANDS, words)
    assert command.name == "derive"
    assert values == {
        "robot": "rx90",
        "model": "inverse-dynamics",
        "read": [],
        "to": "",
        "out": "",
        "base_parameters": True,
        "settings": ["D3=0.3", "QP1=0"],
        "chosen": ["a=b"],
        "inputs": ["gravity"],
        "dtype": "",
        "terms": 0,
        "json": True,
    }
    command, values = front(COMMANDS, ["eval", "planar2r", "pose", "q=0,0", "x=1"])
    assert values["values"] == ["q=0,0", "x=1"]
    assert front(COMMANDS, ["models"])[1]["model"] == ""


def test_robots_and_models(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = armillary(capsys, "robots", "--json")
    robots = json.loads(out)
    assert code == 0 and len(robots) >= 14 and all(r["source"] for r in robots)
    code, out, _ = armillary(capsys, "models")
    assert code == 0 and "inverse-dynamics" in out
    code, out, _ = armillary(capsys, "models", "jacobian")
    assert code == 0 and "expressed_in" in out
    code, out, _ = armillary(capsys, "models", "jacobian", "--json")
    told = json.loads(out)
    assert code == 0 and [o["name"] for o in told["options"]] == ["frame", "expressed_in", "via"] and told["source"]
    code, out, _ = armillary(capsys, "models", "--json")
    assert told in json.loads(out)


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = armillary(capsys, "show", "planar2r")
    assert code == 0 and "link2" in out and "0.00833" in out and "Saha" in out
    code, out, _ = armillary(capsys, "show", "planar2r", "--json")
    assert json.loads(out)["bodies"][1]["d"] == "0.3"


def test_show_says_what_rolls(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = armillary(capsys, "show", "car")
    assert code == 0 and "Wheels" in out and re.search(r"front left +front_left +steering +r", out)
    assert re.search(r"steering gear +front left, front right, rear left", out)
    code, out, _ = armillary(capsys, "show", "mecanum4", "--json")
    found = json.loads(out)["wheels"]
    assert code == 0 and [w["roller"] for w in found] == ["-pi/4", "pi/4", "pi/4", "-pi/4"]
    assert {w["kind"] for w in found} == {"Swedish"}


def test_show_says_all_that_is_not_zero(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """External wrenches of bodies, the base's place and motion; nothing of them where there are none."""
    file = tmp_path / "moved.toml"
    file.write_text(
        'name = "moved"\n[base]\nr = "h"\nvelocity = [0, "v", 0, 0, 0, 2]\nacceleration = [1, 0, 0, 0, 0, 0]\n'
        '[[body]]\nname = "link"\nZZ = 1\nwrench = [0, "FY", 0, 0, 0, 0.5]\n'
    )
    code, out, _ = armillary(capsys, "show", str(file))
    assert code == 0
    assert "Base in the world: r = h\nBase velocity (0, v, 0) m/s, (0, 0, 2) rad/s\n" in out
    assert "Base acceleration (1, 0, 0) m/s², (0, 0, 0) rad/s²\n" in out and "CZ" in out and "0.5" in out
    code, out, _ = armillary(capsys, "show", str(file), "--json")
    assert json.loads(out)["base"]["velocity"] == ["0", "v", "0", "0", "0", "2"]
    code, out, _ = armillary(capsys, "show", "pendulum")
    assert "Base" not in out and "Wrench" not in out


def test_derive_says_what_it_costs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = armillary(capsys, "derive", "planar2r", "inverse-dynamics", "--json")
    found = json.loads(out)
    columns = {"mul", "add", "div", "trig", "other"}
    assert code == 0 and {"robot", "model", "base_parameters", "cost", "setup_cost", "derive_ms"} <= set(found)
    assert set(found["cost"]) == columns == set(found["setup_cost"])
    code, out, _ = armillary(capsys, "derive", "planar2r", "inverse-dynamics")
    assert code == 0 and "cost" in out and f"{found['cost']['mul']} mul" in out


def test_how_a_file_is_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = tmp_path / "my table.csv"
    table.write_text("type,theta,d,a,alpha\nR,0,400,25,-90.001\nR,0,0,455,0\n")
    said = ("--read", "degrees=yes", "--read", "millimetres=yes", "--read", "snap=1e-4")
    code, out, _ = armillary(capsys, "show", str(table), "--json", *said)
    bodies = json.loads(out)["bodies"]
    assert code == 0 and bodies[1]["alpha"] == "-pi/2" and bodies[1]["d"] == "1/40"
    code, _, err = armillary(capsys, "show", str(table), "--read", "degrees=perhaps")
    assert code == 1 and "degrees is yes or no, not 'perhaps'" in err
    code, _, err = armillary(capsys, "derive", str(table), "pose", "--read", "snap=1,2")
    assert code == 1 and "snap is one number" in err


def test_a_finger_that_mimics_is_freed_from_the_shell(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "gripper.urdf"
    joint = '<joint name="{0}" type="prismatic"><parent link="palm"/><child link="{0} finger"/>{1}</joint>'
    file.write_text(
        '<robot name="gripper"><link name="palm"/><link name="left finger"/><link name="right finger"/>'
        + joint.format("left", "")
        + joint.format("right", '<mimic joint="left"/>')
        + "</robot>"
    )
    code, out, _ = armillary(capsys, "show", str(file))
    assert code == 0 and "Couplings" in out and "right with left" in out
    code, out, _ = armillary(capsys, "show", str(file), "--json")
    [coupling] = json.loads(out)["couplings"]
    assert coupling == {"name": "right with left", "joint": "right", "leader": "left", "ratio": "1", "offset": "0"}
    code, out, _ = armillary(capsys, "show", str(file), "--read", "ignore_mimic=yes", "--json")
    assert code == 0 and json.loads(out)["q"] == ["left", "right"] and json.loads(out)["couplings"] == []


def test_show_says_what_closes_loops(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = armillary(capsys, "show", "five_bar")
    assert code == 0 and "Cut joints" in out and "side b" in out
    code, out, _ = armillary(capsys, "show", "five_bar", "--json")
    [cut] = json.loads(out)["cuts"]
    assert code == 0 and cut["kind"] == "revolute" and {"a", "b", "a_d", "b_d", "FV"} <= cut.keys()


def test_show_says_what_touches(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "rod.toml"
    wall = arm.contact("tip", arm.side("rod", d=2), "y - h")
    arm.describe("rod", arm.prismatic("cart"), arm.revolute("rod", alpha="pi/2"), wall).save(file)
    code, out, _ = armillary(capsys, "show", str(file))
    assert code == 0 and "Contacts" in out and "rod: d = 2" in out and "y - h" in out
    code, out, _ = armillary(capsys, "show", str(file), "--json")
    [contact] = json.loads(out)["contacts"]
    assert (contact["point"], contact["point_d"], contact["on"], contact["surfaces"]) == ("rod", "2", "base", ["y - h"])


def test_compare(capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each principle, the reason where there is none for this robot, the same figures as JSON."""
    code, out, _ = armillary(capsys, "compare", "planar2r")
    lines = out.splitlines()
    assert code == 0 and "mul + add" in lines[0] and lines[1].split() == ["A", "H", "Γ", "q''"]
    assert "link1 hangs on a hinge that is not the first of three in a row" in out
    code, out, _ = armillary(capsys, "compare", "planar2r", "--base-parameters", "--json")
    told = json.loads(out)
    rows = {row["name"]: row for row in told["rows"]}
    assert code == 0 and told["base_parameters"] and len(rows) == 10
    assert set(rows["gauss"]["cost"]) == {"A", "H", "tau", "qdd"} and not rows["euler-angles"]["cost"]
    assert rows["euler-angles"]["reason"] and not rows["kane"]["reason"]
    assert (
        rows["the catalogue"]["cost"]["tau"] == load("planar2r").inverse_dynamics(base_parameters=True).cost.as_dict()
    )


def test_bench_gives_parameters_their_values(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """rods2r has nothing but symbols."""
    monkeypatch.setattr("armillary.cli.bench.MODELS", ("gravity-torques",))
    code, out, _ = armillary(capsys, "bench", "rods2r", "--json")
    (row,) = json.loads(out)["models"]
    assert code == 0 and row["model"] == "gravity-torques" and row["batch_ns"] > 0


def test_fixing_makes_it_cheaper(capsys: pytest.CaptureFixture[str]) -> None:
    def total(*more: str) -> int:
        _, out, _ = armillary(capsys, "derive", "planar3r", "inverse-dynamics", "--json", *more)
        cost = json.loads(out)["cost"]
        return int(cost["mul"] + cost["add"])

    assert total("--set", "QP3=0", "--set", "QDP3=0") < total()
    assert total("--set", "qd=0", "--set", "qdd=0") < total("--set", "qd=0")


@pytest.mark.parametrize("language", ["c", "python", "matlab", "latex", "text"])
def test_derive_writes_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, language: str) -> None:
    code, out, _ = armillary(capsys, "derive", "planar2r", "pose", "--to", language, "--out", str(tmp_path))
    written = list(tmp_path.iterdir())
    assert code == 0 and written and all(file.name in out for file in written)
    code, out, _ = armillary(capsys, "derive", "planar2r", "pose", "--to", language)
    assert code == 0 and "Planar 2R" in out


def test_derive_writes_closed_forms(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The rods' A22 is m2 a2²/3, on the screen and in a file, as text and as LaTeX."""
    words = ("derive", "rods2r", "inertia-matrix", "--to")
    code, out, _ = armillary(capsys, *words, "closed-form")
    assert code == 0 and out.splitlines()[2] == "A22 = 1/3*m2*a2**2"
    code, out, _ = armillary(capsys, *words, "closed-form-latex", "--out", str(tmp_path))
    (file,) = tmp_path.iterdir()
    assert code == 0 and file.suffix == ".tex" and r"\begin{aligned}" in file.read_text()
    words = ("derive", "rx90", "gravity-torques", "--to", "closed-form", "--terms")
    assert "at most 1 are printed" in armillary(capsys, *words, "1")[2]
    assert armillary(capsys, *words, "60")[0] == 0


def test_eval(capsys: pytest.CaptureFixture[str]) -> None:
    """The lecture's gravity torques of the two-link arm stretched out."""
    code, out, _ = armillary(capsys, "eval", "planar2r", "gravity-torques", "q=0,0", "--json")
    assert code == 0 and json.loads(out)["G"] == pytest.approx([2.40345, 0.4905])
    code, out, _ = armillary(capsys, "eval", "planar2r", "pose", "q=pi/2,-pi/2")
    assert code == 0 and "0.3" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "rx91"), "did you mean 'rx90'"),
        (("derive", "planar2r", "invers-dynamics"), "did you mean 'inverse-dynamics'"),
        (("derive", "planar2r", "pose", "--option", "fram=x"), "did you mean 'frame'"),
        (("derive", "planar2r", "pose", "--option", "frame=x"), "tool"),
        (("derive", "planar2r", "pose", "--to", "cobol"), "there is no target 'cobol'"),
        (("derive", "planar2r", "pose", "--set", "L9=1"), "L9"),
        (("derive", "planar2r", "pose", "--set", "q1"), "NAME=VALUE"),
        (("derive", "planar2r", "pose", "--out", "build"), "--out build needs a language to write"),
        (("derive", "planar2r", "pose", "--dtype", "float"), "--dtype float needs a language to write"),
        (("derive", "panda", "inverse-dynamics", "--to", "closed-form"), "written out would be pages"),
        (
            ("derive", "planar2r", "pose", "--to", "c", "--terms", "9"),
            "--terms is for closed-form and closed-form-latex",
        ),
        (("derive", "planar2r", "pose", "--to", "closed-form", "--dtype", "float"), "closed-form has no option dtype"),
        (("show", "planar2r", "--read", "snap=1e-4"), "toml files are read without an option 'snap'"),
        (("eval", "planar2r", "pose"), "needs q"),
        (("eval", "planar2r", "pose", "q=1"), "q has 2 numbers, 1 were given"),
        (("eval", "planar2r", "pose", "q=1,x"), "no number"),
        (("eval", "planar2r", "pose", "q=0,0", "q=1,1"), "q is given twice, as '0,0' and as '1,1'"),
        (("derive", "planar2r", "kinetic-energy", "--base-parameters"), "base parameters"),
    ],
)
def test_errors_say_what_to_do(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    code, out, err = armillary(capsys, *words)
    assert code == 1 and not out and err.startswith("error: ") and said in err and err.count("\n") == 1


def test_wrong_usage_is_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert armillary(capsys, "derive", "planar2r")[0] == 2
    assert armillary(capsys, "dance")[0] == 2
    assert armillary(capsys, "--help")[0] == 0


def test_every_example_in_the_help_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS.values():
        for example in command.examples:
            words = example.split()[1:]
            if words[0] != "bench":
                assert armillary(capsys, *words)[0] == 0, example


def test_ctrl_c_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    from dataclasses import replace

    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    assert run(replace(COMMANDS["robots"], run=interrupted), {}) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_without_the_extra_it_works_all_the_same() -> None:
    """typer and rich made impossible to import."""
    block = "import sys; sys.modules['typer'] = sys.modules['rich'] = None; from armillary.cli import main; main(sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", block, "models"], capture_output=True, text=True)
    assert done.returncode == 0 and "inverse-dynamics" in done.stdout
    done = subprocess.run(
        [sys.executable, "-c", block, "derive", "planar2r", "pose", "--json"], capture_output=True, text=True
    )
    assert done.returncode == 0 and json.loads(done.stdout)["model"] == "pose"


def test_subsystems(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = armillary(capsys, "subsystems", "five_bar")
    assert code == 0 and "crank2, coupler2" in out and "other ways: 4 × 4 at once" in out
    code, out, _ = armillary(capsys, "subsystems", "five_bar", "--json")
    told = json.loads(out)
    assert code == 0 and [part["name"] for part in told["subsystems"]] == ["I", "II"]
    assert told["robot"] == "five_bar" and told["blocks"][0]["size"] == {"equations": 4, "unknowns": 4}
    code, _, err = armillary(capsys, "subsystems", "rx90")
    assert code == 1 and "has nothing that ties its joints together" in err
