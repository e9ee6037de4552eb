"""The benchmark's table: what a row says, what becomes of one that fails, what scripts read. Nothing heavy is measured."""

import json

import pytest
from benchmarks.peers import Missing
from benchmarks.row import Effort, Figure, Peer, Row, Subject, recorded
from benchmarks.table import Line

from benchmarks import __main__ as program
from benchmarks import table

KEYS = {"name", "ours", "peer", "peer_name", "unit", "ratio"}


def test_every_row_has_a_name_of_its_own():
    names = [s.full(row) for s in program.SUBJECTS for row in s.rows]
    assert len(names) == len(set(names)) > 40


def test_the_ratio_says_how_many_times_better():
    assert Figure(10, "ms", Peer(40, "it")).ratio == 4
    assert Figure(40, "ms", recorded(10, "it")).ratio == 0.25
    assert Figure(10, "ms", None, 15).ratio == 1.5


def test_without_a_peer_the_target_stands_beside():
    assert Figure(10, "ms", None, 15).beside == Peer(15, "target")
    assert Figure(10, "ms", recorded(20, "it"), 15).beside == Peer(20, "it (recorded)")
    assert Figure(10, "ms").beside == Peer(None, "")


@pytest.mark.parametrize(("ours", "within"), [(14.9, True), (15, True), (15.1, False)])
def test_a_limit_is_kept_up_to_itself(ours: float, within: bool):
    assert Figure(ours, "ms", None, 15).within is within
    assert Figure(ours, "ms").within is None


def test_a_peer_that_is_not_there_says_why():
    def measure() -> float:
        raise Missing("not installed")

    peer = Peer.measured("it", measure)
    assert peer == Peer(None, "it: not installed")
    assert Figure(1, "ms", peer).ratio is None
    assert Peer.measured("it", lambda: 3.0) == Peer(3.0, "it")


def fine(effort: Effort) -> Figure:
    return Figure(2, "ms", Peer(3, "it"), 1)


def broken(effort: Effort) -> Figure:
    raise RuntimeError("no luck")


@pytest.fixture
def two_rows(monkeypatch: pytest.MonkeyPatch):
    rows = (Row("broken", broken), Row("fine", fine))
    monkeypatch.setattr(program, "SUBJECTS", (Subject("small", "Small things", rows),))


def test_a_row_that_fails_leaves_the_others(two_rows: None, capsys: pytest.CaptureFixture[str]):
    assert program.main(["--quick"]) == 1
    shown, progress = capsys.readouterr()
    assert "failed: RuntimeError: no luck" in shown
    assert "0 of 1 targets kept; missed: small: fine; failed: small: broken" in shown
    assert "small: fine" in progress


def test_results_hold_what_was_measured(two_rows: None, capsys: pytest.CaptureFixture[str]):
    assert program.main(["--quick", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {"name": "small: fine", "ours": 2.0, "peer": 3.0, "peer_name": "it", "unit": "ms", "ratio": 1.5}
    ]


def test_words_choose_rows(two_rows: None, capsys: pytest.CaptureFixture[str]):
    assert program.main(["--quick", "--json", "FINE"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 1
    with pytest.raises(SystemExit):
        program.main(["nothing of that name"])


def test_counting_is_a_row_like_any_other(capsys: pytest.CaptureFixture[str]):
    assert program.main(["--json", "operations: panda jacobian of the last"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert set(found) == KEYS
    assert found["unit"] == "mul + add"
    assert found["ours"] <= 94 + 45
    assert "recorded" in found["peer_name"]


@pytest.mark.parametrize(
    ("x", "text"), [(0.0123, "0.0123"), (1.2345, "1.23"), (3, "3"), (14.54, "14.5"), (712.4, "712"), (48000, "48,000")]
)
def test_numbers_have_three_digits(x: float, text: str):
    assert table.number(x) == text


def test_the_file_has_a_result_a_line():
    found = table.results([Line(f"r{k}", f"small: r{k}", Figure(k, "ms", None, 9)) for k in (1, 2)])
    text = table.text(found)
    assert json.loads(text) == found
    assert len(text.splitlines()) == 4


def test_the_file_that_is_kept_has_no_other_rows():
    if not table.RESULTS.exists():
        pytest.skip("nothing measured yet")
    found = json.loads(table.RESULTS.read_text(encoding="utf-8"))
    assert all(set(x) == KEYS for x in found)
    known = {s.full(row) for s in program.SUBJECTS for row in s.rows}
    assert {x["name"] for x in found} <= known
