"""What changed between two records, for people: text for a terminal, Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from metric_reports.audit.audit_page import LONGEST_PAGE, code, escaped, within
from metric_reports.tolerances import FLOAT32
from metric_reports.types.common import Who
from metric_reports.types.diff import BriefFinding, Diff, EdgeChange, LibraryChange, ValueChange, VariantChange
from metric_reports.view.brief import brief
from metric_reports.view.names import plain_name
from metric_reports.view.words import clean, count, full, listing, short, words

LONGEST_NAME, LONGEST_LINE = 120, 300
MOST_UNFOLDED = 40
"""In Markdown a section of more rows is folded."""


class Line(NamedTuple):
    """A change of a subject, which is shown as code where that is possible and may be empty."""

    subject: str
    change: str


def render_text(diff: Diff) -> str:
    """The changes as text without control characters, a heading and lines for each kind."""
    parts = [headline(diff), *(f"  {remark}" for remark in remarks(diff))]
    for title, lines in sections(diff):
        parts += ["", f"{title} ({len(lines)})"]
        parts += [f"  {one_line(': '.join(filter(None, line)))}" for line in lines]
    return "\n".join(parts) + "\n"


def render_markdown(diff: Diff) -> str:
    """The changes as GitHub's Markdown, at most about 60,000 characters, with every text of the records escaped."""
    parts = [f"### {escaped(headline(diff))}", ""]
    parts += [f"{escaped(remark)}\n" for remark in remarks(diff)]
    for title, lines in sections(diff):
        texts = [(line.subject and code(line.subject), escaped(line.change)) for line in lines]
        rows = [f"- {': '.join(filter(None, pair))}" for pair in texts]
        unfolded = "" if len(rows) > MOST_UNFOLDED else " open"
        parts += [f"<details{unfolded}><summary>{title} ({len(rows)})</summary>", ""]
        parts += [*within(rows, LONGEST_PAGE // 10, "changes"), "", "</details>", ""]
    return "\n".join(parts)


def headline(diff: Diff) -> str:
    """The result in a few words."""
    if not diff["changed"]:
        return "Nothing changed"
    counts = [] if diff["bundle"]["same"] else ["the bundle"]
    counts += [count(len(lines), *NAMES[title]) for title, lines in sections(diff)]
    return f"Changed: {listing(counts)}"


def remarks(diff: Diff) -> Iterator[str]:
    """Which records these are, and whether their values can be compared."""
    ends = [
        f"{end} of {origin['created'] or 'an unknown day'} by metric-harness {origin['harness']}"
        for end, origin in (("old", diff["old"]), ("new", diff["new"]))
    ]
    yield one_line(f"{'; '.join(ends)}.")
    if not diff["bundle"]["same"]:
        parts = listing(part.replace("_", " ") for part in diff["bundle"]["parts"]) or "arrays"
        changed = f"The bundle changed ({parts}): values cannot be compared and are not."
        yield one_line(f"{changed} Findings may stem from it.")
    else:
        yield f"Both ran on the same bundle; values closer than {FLOAT32:g} count as equal."


NAMES = {
    "Libraries": ("library", "libraries"),
    "Cut-offs": ("cut-off", "cut-offs"),
    "Functions added": ("function added", "functions added"),
    "Functions removed": ("function removed", "functions removed"),
    "Definitions changed": ("definition", "definitions"),
    "Edge behaviour changed": ("edge behaviour", "edge behaviours"),
    "Values changed": ("value", "values"),
    "New findings": ("new finding", "new findings"),
    "Findings gone": ("finding gone", "findings gone"),
    "Signatures changed": ("signature", "signatures"),
    "Orders of models changed": ("order of models", "orders of models"),
    "The paper's verdicts changed": ("verdict on the paper", "verdicts on the paper"),
}
"""The title of each section, and its words in the headline, singular and plural."""


def sections(diff: Diff) -> Iterator[tuple[str, list[Line]]]:
    """The kinds of change that occur, with their lines."""
    added, removed = diff["cutoffs"]["added"], diff["cutoffs"]["removed"]
    cutoffs = [Line("", f"k = {k} {word}") for word, ks in (("added", added), ("removed", removed)) for k in ks]
    kinds = (
        ("Libraries", [Line(brief(row["library"], LONGEST_NAME), library(row)) for row in diff["libraries"]]),
        ("Cut-offs", cutoffs),
        ("Functions added", [Line(target(row), words(row["metric"])) for row in diff["subjects"]["added"]]),
        ("Functions removed", [Line(target(row), words(row["metric"])) for row in diff["subjects"]["removed"]]),
        ("Definitions changed", [Line(target(row), variant(row)) for row in diff["variants"]]),
        ("Edge behaviour changed", [Line(target(row), edge(row)) for row in diff["edges"]]),
        ("Values changed", [Line(f"{target(row)} k={row['k']}", value(row)) for row in diff["values"] or []]),
        ("New findings", [Line(target(row), finding(row)) for row in diff["findings"]["new"]]),
        ("Findings gone", [Line(target(row), finding(row)) for row in diff["findings"]["gone"]]),
        (
            "Signatures changed",
            [Line(f"{target(row)} k={row['k']}", became(row["old"], row["new"])) for row in diff["signatures"]],
        ),
        (
            "Orders of models changed",
            [
                Line(f"{brief(row['variant'], LONGEST_NAME)} k={row['k']}", became(row["old"], row["new"], "absent"))
                for row in diff["models"]
            ],
        ),
        (
            "The paper's verdicts changed",
            [
                Line(
                    "", f"{row['table']}, {row['library']}, {row['column']}: {became(row['old'], row['new'], 'absent')}"
                )
                for row in diff["paper"]
            ],
        ),
    )
    yield from ((title, lines) for title, lines in kinds if lines)


def target(row: Who) -> str:
    """A function with its release, as the command line names it."""
    return brief(f"{row['library']}=={row['release']}:{row['function']}", LONGEST_NAME)


def became(old: Any, new: Any, missing: str = "unknown") -> str:
    """``old -> new``, with ``missing`` for None."""
    return " -> ".join(brief(missing if value is None else str(value), LONGEST_LINE) for value in (old, new))


def variant(row: VariantChange) -> str:
    """Two definitions in words, and as code."""
    old, new = row["old"], row["new"]
    names = became(old and plain_name(old), new and plain_name(new))
    return f"{names} ({became(row['old'], row['new'])})"


def library(row: LibraryChange) -> str:
    """The releases of a library, before and after."""
    old, new = (None if releases is None else statuses(releases) for releases in (row["old"], row["new"]))
    return became(old, new, "absent")


def statuses(releases: dict[str, str]) -> str:
    """``1.2.1, 1.2.0 (not available)``."""
    return ", ".join(f"{name}{'' if status == 'ran' else ' (not available)'}" for name, status in releases.items())


def edge(row: EdgeChange) -> str:
    """An edge and what happens there, before and after."""
    return f"{words(row['edge'])}: {became(row['old'], row['new'])}"


def value(row: ValueChange) -> str:
    """A value before and after, with full digits if they look the same in short, and the statuses if they differ."""
    ends = (row["old"], row["new"])
    texts = [short(end["value"]) for end in ends]
    if texts[0] == texts[1]:
        texts = [full(end["value"]) for end in ends]
    if ends[0]["status"] != ends[1]["status"]:
        texts = [f"{text} ({words(end['status'])})" for text, end in zip(texts, ends, strict=True)]
    difference = "" if row["difference"] is None else f" (difference {short(row['difference'], 3)})"
    return f"{texts[0]} -> {texts[1]}{difference}"


def finding(row: BriefFinding) -> str:
    """Code, severity and title of a finding."""
    return brief(f"{row['code']} {row['severity']}: {row['title']}", LONGEST_LINE)


def one_line(text: str) -> str:
    """Text of a record on one line, safe to print."""
    return " ".join(clean(text).split())
