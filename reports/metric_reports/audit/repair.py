"""The repair of a function as text: the change as a diff, and the smallest case before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from metric_reports.audit.case_lines import case_lines, safe
from metric_reports.audit.text import CONFIDENCE, LABELS, computed, indented, row, spaced
from metric_reports.evidence_line import counted
from metric_reports.types.audit import Audit
from metric_reports.view.words import WIDTH


def repair_lines(record: Audit, width: int = WIDTH) -> Iterator[Text]:
    """The function, what it computes, and the change that was found; the diff is not wrapped, so that it applies."""
    (subject,) = record["subjects"]
    repair = subject["repair"]
    yield Text(safe(subject["target"]), "underline")
    yield from row("computes", computed(subject), width, "bold" if subject["variant"] else "bold red")
    yield from row("asked for", repair["asked"], width)
    if repair["outcome"] == "unchanged":
        yield from evidence_lines(subject["evidence"], width)
        yield from (Text(), Text("It is verified as that already: there is nothing to change.", "bold"))
        return
    if repair["outcome"] == "none":
        tried = f"{counted(repair.get('tried', 0), 'change')} tried in {repair.get('seconds', 0):.0f} s"
        yield from (Text(), Text(f"No small change does it: {tried}, none verified.", "bold"))
        return
    yield from row("changes", ", ".join(repair["about"]), width)
    yield from row("then", repair["asked"], width, "bold")
    yield from evidence_lines(repair["evidence"], width)
    if repair["edges"]:
        apart = (
            f"{spaced(name)}: {spaced(old)} before, {spaced(new)} then" for name, (old, new) in repair["edges"].items()
        )
        yield from row("at edges", "; ".join(apart), width)
    yield Text()
    for line in repair["diff"].splitlines():
        yield Text(safe(line), {"+": "green", "-": "red"}.get(line[:1], ""))
    if (case := repair["case"]) is not None:
        yield Text()
        yield from (Text(f"  {line}") for line in case_lines(before_and_after(case), ("before",)))
    yield Text()
    done = "The file is changed." if repair.get("applied") else "The file is as it was; --apply changes it."
    yield from indented(done, width, 0)


def evidence_lines(evidence: Mapping[str, Any], width: int) -> Iterator[Text]:
    """What a name rests on."""
    word = evidence["confidence"]
    yield from row(LABELS.get(word, word), evidence["summary"], width, label_style=CONFIDENCE[word])


def before_and_after(case: Mapping[str, Any]) -> dict[str, Any]:
    """A case in which the number after the change stands between the one before and the definition's."""
    after = {"variant": "after", "value": case["after"]}
    return {**case, "candidates": [after, *case["candidates"]]}
