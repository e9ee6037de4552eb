"""Robots by the name of the library's or by their file."""

from pathlib import Path

import pytest

from armillary import library
from armillary.errors import FormatError
from armillary.formats import FORMATS, load, options, save
from armillary.robot.make import describe, revolute


@pytest.mark.parametrize("name", ["rx90", "RX90", "RX-90", "rx_90", "Rx 90"])
def test_names_of_the_library_are_taken_as_people_write_them(name):
    assert load(name) == load(library.path("rx90"))


def test_a_robot_is_saved_and_loaded(tmp_path: Path):
    robot = describe("r", revolute("a", d="L"), doc="ü")
    for path in (tmp_path / "r.toml", str(tmp_path / "R.TOML")):
        save(robot, path)
        assert load(path) == robot


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "rx91",
            "no robot 'rx91' in the library; it has akr3000, .*files end in .toml, .par.*; did you mean 'rx90'",
        ),
        ("stanfrod", "did you mean 'stanford'"),
        ("xyzzy", "it has akr"),
        ("", "no robot ''"),
        ("some/folder/arm", "no robot 'some/folder/arm'"),
        ("arm.toml", "arm.toml cannot be read"),
        ("arm.step", "no robot 'arm.step'"),
        ("a\0b", "no robot"),
        ("x" * 100_000, "no robot"),
    ],
)
def test_what_cannot_be_loaded(source, said):
    with pytest.raises(FormatError, match=said) as raised:
        load(source)
    assert len(str(raised.value)) < 1000


def test_a_file_of_an_unknown_kind_is_named(tmp_path: Path):
    file = tmp_path / "arm.step"
    file.write_text("ISO-10303-21;")
    with pytest.raises(
        FormatError, match=r"arm.step: the suffix says what kind of file it is; known are .toml, .par, .urdf"
    ):
        load(file)


def test_what_cannot_be_saved(tmp_path: Path):
    robot = describe("r", revolute("a"))
    with pytest.raises(FormatError, match="the suffix says"):
        save(robot, tmp_path / "r.step")
    with pytest.raises(FormatError, match="cannot be written"):
        save(robot, tmp_path / "no" / "folder" / "r.toml")


def test_suffixes_belong_to_one_format_each_or_their_roots_tell_them_apart():
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    for suffix in set(suffixes):
        rows = [row for row in FORMATS.values() if suffix in row.suffixes]
        assert len(rows) == 1 or len({row.root for row in rows} - {""}) == len(rows)
    assert all(name == row.name for name, row in FORMATS.items())


def test_xml_is_told_apart_by_its_outermost_element(tmp_path: Path):
    file = tmp_path / "arm.xml"
    file.write_text('<robot name="r"><link name="a"/></robot>')
    assert load(file).frame_names == ("world", "base", "a") and "floating" in options(file)
    file.write_text('<?xml version="1.0"?><!-- robot --><mujoco><worldbody><body name="b"/></worldbody></mujoco>')
    assert load(file).frame_names == ("world", "base", "b") and "massless_meshes" in options(file)
    assert load(file).name == "arm"
    with pytest.raises(FormatError, match="without an option 'floating'; they have snap, massless_meshes"):
        load(file, floating=True)
    file.write_text("<sdf/>")
    with pytest.raises(FormatError, match=r"outermost element is <sdf>; read are <robot> \(urdf\), <mujoco> \(mjcf\)"):
        load(file)
    file.write_text("<sdf>")
    with pytest.raises(FormatError, match=r"arm\.xml is not XML"):
        load(file)
    with pytest.raises(FormatError, match=r"no\.xml cannot be read"):
        load(tmp_path / "no.xml")
    with pytest.raises(FormatError, match=r"\.xml files are only read; robots are written to \.toml, \.par"):
        save(describe("r", revolute("a")), tmp_path / "r.xml")


def test_options_are_those_of_the_format():
    with pytest.raises(FormatError, match="toml files are read without an option 'snap'; they have none"):
        load("rx90", snap=1e-4)
    with pytest.raises(FormatError, match=r"'snapp'.*did you mean 'snap'"):
        load("arm.urdf", snapp=1e-4)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"snap": "abc"}, "snap is an angle from 0 to 0.1 rad, not 'abc'"),
        ({"snap": -1e-6}, "snap is an angle"),
        ({"snap": 2}, "snap is an angle"),
        ({"snap": float("nan")}, "snap is an angle"),
        ({"snap": True}, "snap is an angle"),
        ({"snap": None}, "snap is an angle"),
        ({"ignore_mimic": "no"}, "ignore_mimic is True or False, not 'no'"),
        ({"snapp": 1e-4}, "without an option 'snapp'; they have snap, ignore_mimic, floating; did you mean 'snap'"),
    ],
)
def test_options_that_do_not_fit(tmp_path: Path, given, said):
    file = tmp_path / "arm.urdf"
    file.write_text('<robot name="r"><link name="a"/></robot>')
    with pytest.raises(FormatError, match=said):
        load(file, **given)


def test_the_options_of_a_source_are_those_of_its_kind():
    assert options("rx90") == {} == options("arm.toml")
    assert set(options("arm.urdf")) == {"snap", "ignore_mimic", "floating"}
    assert set(options("arm.csv")) == {"name", "degrees", "millimetres", "snap"}
    assert options("arm.urdf")["ignore_mimic"] is False
