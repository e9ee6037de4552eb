"""The README's table, from results.json: `python -m benchmarks.readme` writes it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.table import RESULTS, number

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- benchmarks -->", "<!-- /benchmarks -->"
NONE = "*No results are kept yet: `make bench` measures this machine and prints its table.*"


def markdown(results: Sequence[Mapping[str, Any]]) -> str:
    """A row a result, as they stand in the file; a row in bold letters where another subject begins."""
    rows = [("", "Armillary", "beside it", "ratio", "which is"), ("---", "---:", "---:", "---:", "---")]
    before = ""
    for x in results:
        subject, _, name = x["name"].rpartition(": ")
        if subject != before:
            rows.append((f"**{subject}**", "", "", "", ""))
            before = subject
        beside = "" if x["peer"] is None else x["peer_name"]
        rows.append((name, _figure(x, "ours"), _figure(x, "peer"), _figure(x, "ratio"), beside))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _figure(result: Mapping[str, Any], key: str) -> str:
    x = result[key]
    return "" if x is None else f"{number(x)} {'' if key == 'ratio' else result['unit']}".rstrip()


def written(readme: str, results: Path = RESULTS) -> str:
    """The README with the table of these results in it."""
    table = markdown(json.loads(results.read_text(encoding="utf-8"))) if results.exists() else NONE
    before, rest = readme.split(BEGIN, 1)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.split(END, 1)[1]}"


if __name__ == "__main__":
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8")
