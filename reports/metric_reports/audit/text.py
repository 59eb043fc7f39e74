"""The audit as text: one set of lines for the terminal, for ``str(result)`` and for Jupyter."""

from __future__ import annotations

import io
import shlex
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from metric_reports.audit.case_lines import case_lines, named, safe, where_alone
from metric_reports.audit.table import MAX_ROWS, STYLES, condition_lines, error_lines, table_lines
from metric_reports.evidence_line import counted, reach_line
from metric_reports.formats.lines import folded
from metric_reports.types.audit import Audit
from metric_reports.view.words import WIDTH

CONFIDENCE = {"verified": "green", "verified in part": "yellow", "probes only": "yellow", "refused": "bold red"}
LABELS = {"verified in part": "in part"}
"""Words of confidence that are too long for the column of labels."""
LABEL = 14
"""Width of the column of labels, in characters."""
ALTERNATIVES_SHOWN = 2
LONGEST_NOTE = 200
PAGE = '<pre style="white-space: pre-wrap; line-height: 1.35">{code}</pre>'


def audit_lines(record: Audit, width: int = WIDTH, verbose: bool = False) -> list[Text]:
    """An audit, or a comparison of two functions, as lines of at most about ``width`` characters.

    record : as ``to_json`` gives it. Nothing in it is read as markup, and control characters are replaced, so that an
    audited function cannot write to the terminal. verbose : every finding with its advice and its case, and how the
    function is called in full; else only the gravest finding is shown with its advice and case, and several functions
    are one table and their errors.
    """
    lines: list[Text] = []
    compared = "same" in record
    if not compared and len(record["subjects"]) > 1:
        if not verbose:
            lines += [*table_lines(record, width, MAX_ROWS), Text(), *condition_lines(record, width)]
            lines += error_lines(record, width)
            target = shlex.quote(record["subjects"][0]["target"])
            hint = f"`metric-harness audit {safe(target)}` shows one in full, --verbose all."
            return [*lines, Text(summary(record), "bold"), Text(hint, "dim")]
        lines += [*table_lines(record, width), Text()]
    for subject in record["subjects"]:
        lines += [*subject_lines(subject, width, verbose, compared), Text()]
    if compared:
        lines += comparison_lines(record, width)
    return [*lines, Text(summary(record), "bold")]


def plain(record: Audit, width: int = WIDTH, verbose: bool = False) -> str:
    """The lines without style."""
    return "\n".join(line.plain.rstrip() for line in audit_lines(record, width, verbose))


def html(record: Audit) -> str:
    """The lines as one element of HTML, escaped; colours are written into it."""
    console = Console(record=True, file=io.StringIO(), width=10_000, color_system="truecolor", force_terminal=True)
    for line in audit_lines(record):
        console.print(line, soft_wrap=True)
    return console.export_html(inline_styles=True, code_format=PAGE)


def subject_lines(subject: Mapping[str, Any], width: int, verbose: bool, compared: bool) -> Iterator[Text]:
    """One function: its variant, the evidence, its edge behaviour and its findings.

    compared : with another function; then each finding is a line, as the case of the comparison matters.
    """
    evidence = subject["evidence"]
    yield Text(safe(subject["target"]), "underline")
    if subject["variant"] is None:
        claimed = f"; its name claims {spaced(subject['metric'])}" if subject["metric"] else ""
        yield from row("computes", f"{unnamed(subject)}{claimed}", width, "bold red")
    else:
        yield from row("computes", named(subject), width, "bold")
        if subject.get("short_signature"):
            yield from row("signature", subject["short_signature"], width)
    yield from row(
        LABELS.get(evidence["confidence"], evidence["confidence"]),
        evidence["summary"],
        width,
        label_style=CONFIDENCE[evidence["confidence"]],
    )
    if subject["variant"] is not None and evidence.get("reach"):
        yield from row("asked", reach_line(evidence["reach"]), width)
    if subject["expected"]:
        holds = "and that is it" if subject["expected"]["holds"] else "and it is not"
        yield from row("expected", f"{subject['expected']['variant']}, {holds}", width)
    if subject["differs"]:
        unusual = (f"{name} is {own}, usually {common}" for name, (own, common) in subject["differs"].items())
        yield from row("differs", "; ".join(unusual), width)
    yield from calling_lines(subject, width, verbose)
    if subject["edges"]:
        edges = "; ".join(f"{spaced(name)}: {spaced(value)}" for name, value in subject["edges"].items())
        yield from row("at edges", edges, width)
        if subject.get("constant_scorer"):
            yield from row("all equal", f"a constant scorer gets {subject['constant_scorer']}", width)
    if alternatives := subject.get("alternatives"):
        label = "equal there" if subject.get("where") else "fit as well"
        yield from row(label, listed(alternatives, None if verbose else ALTERNATIVES_SHOWN), width)
    if all(finding["code"] != "UNX001" for finding in subject["findings"]):  # UNX001 names the nearest itself
        for neighbour in subject["nearest"]:
            yield from row("nearest", f"{neighbour['variant']}, which fails on {', '.join(neighbour['fails'])}", width)
    if compared:
        yield from map(title, subject["findings"])
    else:
        yield from findings_lines(subject, width, verbose)
        yield from note_lines(subject, width, verbose)


def calling_lines(subject: Mapping[str, Any], width: int, verbose: bool) -> Iterator[Text]:
    """How the function is called, in one line or, if verbose, in full; none where no call gave a number."""
    if not subject["convention"] or not subject["evidence"]["probes"]["answered"]:
        return
    calling: Mapping[str, Any] = subject["calling"] or {"about": "", "why": "", "call": None}
    if not verbose:
        with_call = f"{subject['convention']}; {calling['call']}"
        fits = calling["call"] and len(with_call) <= width - 2 - LABEL
        yield from row("called as", with_call if fits else subject["convention"], width)
        return
    yield from row("called as", subject["convention"], width)
    for text in filter(None, (calling["call"], calling["about"], calling["why"] and f"Why so: {calling['why']}.")):
        yield from row("", text, width)


def findings_lines(subject: Mapping[str, Any], width: int, verbose: bool) -> Iterator[Text]:
    """If verbose, all findings in full; else the gravest in full, notes and edges in one line, others in short."""
    findings = subject["findings"]
    full = findings if verbose else [finding for finding in findings[:1] if finding["severity"] != "note"]
    rest = findings[len(full) :]
    for finding in full:
        yield Text()
        yield from finding_lines(finding, width)
    folded = [finding for finding in rest if foldable(finding)]
    for finding in rest:
        if finding not in folded:
            yield Text()
            yield title(finding)
            yield from indented(finding["message"], width, 6)
    if folded:
        yield Text()
        yield from indented(folded_line(folded), width, 2)
    shown = [question_of(finding["case"]) for finding in full]
    for neighbour in subject["nearest"] if verbose else ():
        if neighbour["case"] is not None and question_of(neighbour["case"]) not in shown:
            yield Text()
            yield from indented(f"The smallest case on which it is not {neighbour['variant']}:", width, 2)
            yield from (Text(f"{'':6}{line}") for line in case_lines(neighbour["case"]))


def note_lines(subject: Mapping[str, Any], width: int, verbose: bool) -> Iterator[Text]:
    """The notes; where some call gave numbers, the outcomes of the calls are one line unless verbose."""
    notes = subject["notes"]
    called = subject["evidence"]["probes"]["answered"] and any(note.startswith("called as ") for note in notes)
    if called and not verbose:
        others = [note for note in notes if not note.startswith("called as ")]
        notes = [*others, "--verbose shows what came of each way of calling it"]
    if notes:
        yield Text()
    for note in notes:
        if note.startswith(" "):  # a line of code
            yield Text(f"  {'':{LABEL}}{safe(note)}")
        else:
            short = note if verbose else textwrap.shorten(safe(note), LONGEST_NOTE, placeholder=" …")
            yield from row("note", short, width)


def foldable(finding: Mapping[str, Any]) -> bool:
    """Whether only the title of a finding is shown at first: it is a note, or a warning about an edge."""
    return finding["severity"] == "note" or (finding["severity"] == "warning" and bool(finding.get("edge")))


def folded_line(folded: Sequence[Mapping[str, Any]]) -> str:
    """``1 warning, 2 notes: USR001 ..., DUP001 ..., TIE001 ...; --verbose shows them``."""
    grades = [finding["severity"] for finding in folded]
    counts = ", ".join(counted(grades.count(grade), grade) for grade in STYLES if grade in grades)
    names = ", ".join(f"{finding['code']} {finding['title']}" for finding in folded)
    return f"{counts}: {names}; --verbose shows {'it' if len(folded) == 1 else 'them'}"


def computed(subject: Mapping[str, Any]) -> str:
    """The definition of a function; why it has no name, where it has none."""
    return named(subject) or unnamed(subject)


def unnamed(subject: Mapping[str, Any]) -> str:
    """Why a function has no name, in a few words."""
    if alone := where_alone(subject):
        return alone
    if fits := subject["evidence"].get("fits"):
        return f"perhaps {fits}"
    if subject["suggested"]:
        return f"no known definition at size (on the probes: {subject['suggested']})"
    if subject["evidence"]["probes"]["answered"]:
        return "none of the known definitions"
    return "nothing known: it gave no number"


def listed(names: Sequence[str], most: int | None) -> str:
    """The first ``most`` names, or all if None, and the number of the others."""
    more = 0 if most is None else len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def question_of(case: Mapping[str, Any] | None) -> tuple[Any, Any] | None:
    """The k and the users of a case, by which equal cases are recognised."""
    return None if case is None else (case["k"], case["users"])


def title(finding: Mapping[str, Any]) -> Text:
    """Code, severity and title of a finding."""
    grade = f"{finding['code']} {finding['severity']}"
    return Text.assemble("  ", (grade, STYLES[finding["severity"]]), f"  {safe(finding['title'])}")


def finding_lines(finding: Mapping[str, Any], width: int) -> Iterator[Text]:
    """A finding with its advice and its case."""
    yield title(finding)
    yield from indented(finding["message"], width, 6)
    yield from indented(f"What to do: {finding['advice']}", width, 6)
    if finding["case"] is not None:
        yield from (Text(f"{'':6}{line}") for line in case_lines(finding["case"]))


def comparison_lines(record: Audit, width: int) -> Iterator[Text]:
    """The result of comparing two functions."""
    names = [subject["target"] for subject in record["subjects"]]
    if record["same"]:
        yield from indented("They agree on every case that was tried.", width, 0)
    in_message = any(finding["code"] == "CMP002" for finding in record["findings"])  # whose message lists the edges
    for name, values in () if in_message else record["edges"].items():
        yield from indented(f"At the edges they differ, {spaced(name)}: {' / '.join(map(spaced, values))}", width, 0)
    for finding in record["findings"]:
        yield from finding_lines({**finding, "case": None}, width)
    if record["case"] is not None:
        yield from (Text(f"{'':6}{line}") for line in case_lines(record["case"], names))
    yield Text()


def summary(record: Audit) -> str:
    """One sentence: the number of functions, of each confidence and of findings; for a comparison, its outcome."""
    subjects = record["subjects"]
    if "same" in record:
        return f"{outcome(record)}."
    graded = [finding["severity"] for subject in subjects for finding in subject["findings"]]
    counts = [counted(graded.count(severity), severity) for severity in STYLES if severity in graded]
    return f"{counted(len(subjects), 'function')}, {confidences(record)}; {', '.join(counts) or 'no findings'}."


def confidences(record: Audit) -> str:
    """How many functions have each confidence: ``3 verified, 1 probes only, 1 refused``."""
    levels = [subject["evidence"]["confidence"] for subject in record["subjects"]]
    return ", ".join(f"{levels.count(word)} {word}" for word in CONFIDENCE if word in levels)


def outcome(record: Audit) -> str:
    """The outcome of a comparison, in a few words."""
    if record["same"]:
        return "Same definition"
    edges = all(finding["code"] == "CMP002" for finding in record["findings"])
    return "Same definition, but they differ at the edges" if edges else "Different definitions"


def row(label: str, content: str, width: int, style: str = "", label_style: str = "") -> Iterator[Text]:
    """A label and its text, wrapped."""
    for index, line in enumerate(wrapped(content, width - 2 - LABEL)):
        name = f"{label if index == 0 else '':{LABEL}}"
        yield Text.assemble("  ", (name, label_style), (line, style))


def indented(content: str, width: int, by: int) -> Iterator[Text]:
    """A paragraph, wrapped and indented."""
    yield from (Text(" " * by + line) for line in wrapped(content, width - by))


def wrapped(content: str, width: int) -> Iterable[str]:
    """A text in lines; a word that is too long, such as a path, is not broken."""
    return folded(safe(content), max(width, 40))


def spaced(word: str) -> str:
    """A word of the JSON as a person writes it."""
    return word.replace("_", " ")
