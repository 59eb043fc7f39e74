"""The audit as text: one set of lines for the terminal, for ``str(result)`` and for Jupyter."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from harness.record import Record, from_json_number
from harness.shrink import differ

WIDTH = 100
STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}
USERS_SHOWN = 6
"""Users of a case that the text shows; JSON holds all of them."""
LABEL = 14
"""Characters of the column that names what stands beside it."""
PAGE = '<pre style="white-space: pre-wrap; line-height: 1.35">{code}</pre>'


def audit_lines(record: Record, width: int = WIDTH) -> list[Text]:
    """An audit, or a comparison of two functions, as lines of at most about ``width`` characters.

    record : as :meth:`harness.auditing.AuditResult.to_json` gives it. Nothing in it is read as markup, and control
    characters are replaced, so that an audited function cannot write to the terminal.
    """
    lines: list[Text] = []
    whole = "same" not in record
    for subject in record["subjects"]:
        lines += [*subject_lines(subject, width, whole), Text()]
    if not whole:
        lines += comparison_lines(record, width)
    return [*lines, Text(summary(record), "bold")]


def plain(record: Record, width: int = WIDTH) -> str:
    """The lines without style."""
    return "\n".join(line.plain.rstrip() for line in audit_lines(record, width))


def html(record: Record) -> str:
    """The lines as one element of HTML, escaped; colours are written into it."""
    console = Console(record=True, file=io.StringIO(), width=10_000, color_system="truecolor", force_terminal=True)
    for line in audit_lines(record):
        console.print(line, soft_wrap=True)
    return console.export_html(inline_styles=True, code_format=PAGE)


def subject_lines(subject: Mapping[str, Any], width: int, whole: bool = True) -> Iterator[Text]:
    """One function: what it computes, how it behaves, what is to be said of it.

    whole : each finding with its message and case; else a line each, for a comparison, whose own case matters.
    """
    yield Text(safe(subject["target"]), "underline")
    if subject["variant"] is None:
        claimed = f"; its name claims {spaced(subject['metric'])}" if subject["metric"] else ""
        yield from row("computes", f"{unnamed(subject)}{claimed}", width, "bold red")
    else:
        yield from row("computes", subject["variant"], width, "bold")
    yield from row(subject["evidence"]["confidence"], evidence_line(subject["evidence"]), width)
    if subject["expected"]:
        holds = "and that is it" if subject["expected"]["holds"] else "and it is not"
        yield from row("expected", f"{subject['expected']['variant']}, {holds}", width)
    if subject["convention"]:
        yield from row("called as", subject["convention"], width)
    if subject["edges"]:
        text = "; ".join(f"{spaced(name)}: {spaced(value)}" for name, value in subject["edges"].items())
        yield from row("at edges", text, width)
    if subject["alternatives"]:
        yield from row("fit as well", ", ".join(subject["alternatives"]), width)
    if all(finding["code"] != "UNX001" for finding in subject["findings"]):  # which names them itself
        for near in subject["nearest"]:
            yield from row("nearest", f"{near['variant']}, which fails on {', '.join(near['fails'])}", width)
    for note in subject["notes"]:
        yield from row("note", note, width)
    if not whole:
        yield from map(title, subject["findings"])
        return
    shown = []
    for finding in subject["findings"]:
        yield Text()
        yield from finding_lines(finding, width)
        shown.append(asked(finding["case"]))
    for near in subject["nearest"]:
        if near["case"] is not None and asked(near["case"]) not in shown:
            yield Text()
            yield from indented(f"The smallest case on which it is not {near['variant']}:", width, 2)
            yield from (Text(f"{'':6}{line}") for line in case_lines(near["case"]))


def unnamed(subject: Mapping[str, Any]) -> str:
    """Why a function has no name, in a few words."""
    if subject["rivals"]:
        return "one of several definitions, depending on how it is called"
    if subject["suggested"]:
        return f"no known definition at size (on the probes: {subject['suggested']})"
    if subject["evidence"]["probes"]["answered"]:
        return "none of the known definitions"
    return "nothing that can be said: it gave no number"


def evidence_line(evidence: Mapping[str, Any]) -> str:
    """What a name rests on, in one line."""
    probes = f"{evidence['probes']['answered']} of {evidence['probes']['of']} probes"
    if not evidence["questions"]:
        return f"{probes}; {evidence['reason']}"
    cutoffs = evidence["cutoffs"]
    size = (
        f"{counted(evidence['questions'], 'question')} at size ({counted(evidence['users'], 'user')}, "
        f"k = {cutoffs[0]} to {cutoffs[-1]}, {evidence['values']:,} numbers)"
    )
    if evidence["confidence"] == "verified":
        return f"{probes}; {size}, all equal {'to 1e-12' if evidence['agreement'] == 'same' else 'in float32'}"
    return f"{probes}; {size} agree; then: {evidence['reason']}"


def asked(case: Mapping[str, Any] | None) -> tuple[Any, Any] | None:
    """What was asked in a case."""
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


def comparison_lines(record: Record, width: int) -> Iterator[Text]:
    """What came of holding two functions against each other."""
    names = [subject["target"] for subject in record["subjects"]]
    if record["same"]:
        yield from indented("They agree on every case that was tried.", width, 0)
    said = any(finding["code"] == "CMP002" for finding in record["findings"])
    for name, values in () if said else record["edges"].items():
        yield from indented(f"At the edges they differ, {spaced(name)}: {' / '.join(map(spaced, values))}", width, 0)
    for finding in record["findings"]:
        yield from finding_lines({**finding, "case": None}, width)
    if record["case"] is not None:
        yield from (Text(f"{'':6}{line}") for line in case_lines(record["case"], names))
    yield Text()


def case_lines(case: Mapping[str, Any], names: Sequence[str] = ("returned",)) -> list[str]:
    """A case for checking by hand: lists with hits in brackets, what was returned, what each candidate gives, how.

    names : what to call the function, or the two functions of a comparison.
    """
    lines = [f"k = {case['k']}; hits in brackets, ranks past k after the bar"]
    for number, user in enumerate(case["users"][:USERS_SHOWN], start=1):
        who = f"user {number}: " if len(case["users"]) > 1 else ""
        lines.append(f"  {who}list {drawn(user, case['k'])}   relevant {relevant(user)}")
        if "scores" in user:
            scores = " ".join("none" if score is None else f"{score:.6g}" for score in user["scores"])
            lines.append(f"  {who}scores of item 0 and on: {scores}")
    if len(case["users"]) > USERS_SHOWN:
        lines.append(f"  and {counted(len(case['users']) - USERS_SHOWN, 'more user')}")
    if len(names) == 1:
        given = [(names[0], case["value"])]
    else:
        given = [(f"{name} returned", value) for name, value in zip(names, (case["value"], case["other"]), strict=True)]
    given += [(candidate["variant"], candidate["value"]) for candidate in case["candidates"]]
    texts = numbers([from_json_number(value) for _, value in given])
    if case["value"] is None and case["error"]:
        texts[0] = case["error"]
    wide = max(len(name) for name, _ in given)
    lines += [f"{name:{wide}}  {text}" for (name, _), text in zip(given, texts, strict=True)]
    lines += [f"  {line}" for line in case["arithmetic"]]
    return [safe(line) for line in lines]


def drawn(user: Mapping[str, Any], k: int) -> str:
    """A list with hits in brackets and a bar behind rank k."""
    ranks = [f"[{item}]" if hit else f"{item}" for item, hit in zip(user["list"], user["hits"], strict=True)]
    if len(ranks) > k:
        ranks.insert(k, "|")
    return " ".join(ranks) or "(empty)"


def relevant(user: Mapping[str, Any]) -> str:
    """The relevant items, with their gains where some gain is not 1."""
    if set(user["gains"]) <= {1.0}:
        return " ".join(map(str, user["relevant"])) or "(none)"
    pairs = zip(user["relevant"], user["gains"], strict=True)
    return " ".join(f"{item} (gain {gain:g})" for item, gain in pairs)


def numbers(values: Sequence[float | None]) -> list[str]:
    """Numbers with six digits, or with all of them where six do not show that two differ."""

    def written(digits: int) -> list[str]:
        return ["no number" if v is None else "NaN" if v != v else f"{v:.{digits}g}" for v in values]

    texts = written(6)
    hidden = any(texts[i] == texts[j] and differ(values[i], values[j]) for i in range(len(values)) for j in range(i))
    return written(17) if hidden else texts


def summary(record: Record) -> str:
    """One sentence: how many functions and findings; of a comparison, whether the two are the same."""
    subjects = record["subjects"]
    if "same" in record:
        return f"{outcome(record)}."
    known = sum(subject["identified"] for subject in subjects)
    graded = [finding["severity"] for subject in subjects for finding in subject["findings"]]
    counts = [counted(graded.count(severity), severity) for severity in STYLES if severity in graded]
    return f"{counted(len(subjects), 'function')}, {known} identified; {', '.join(counts) or 'no findings'}."


def outcome(record: Record) -> str:
    """What came of a comparison, in a few words."""
    if record["same"]:
        return "Same definition"
    edges = all(finding["code"] == "CMP002" for finding in record["findings"])
    return "Same definition, but they differ at the edges" if edges else "Different definitions"


def counted(number: int, word: str) -> str:
    """``1 note``, ``2 notes``."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def row(label: str, content: str, width: int, style: str = "") -> Iterator[Text]:
    """A label and what stands beside it, wrapped."""
    for index, line in enumerate(wrapped(content, width - 2 - LABEL)):
        yield Text.assemble(f"  {label if index == 0 else '':{LABEL}}", (line, style))


def indented(content: str, width: int, by: int) -> Iterator[Text]:
    """A paragraph, wrapped and moved in."""
    yield from (Text(" " * by + line) for line in wrapped(content, width - by))


def wrapped(content: str, width: int) -> Iterable[str]:
    """A text in lines; a word that is too long, such as a path, stays whole."""
    return textwrap.wrap(safe(content), max(width, 40), break_long_words=False, break_on_hyphens=False) or [""]


def spaced(word: str) -> str:
    """A word of the JSON as a person writes it."""
    return word.replace("_", " ")


def safe(content: str) -> str:
    """A text without what could steer a terminal: control characters and direction overrides."""
    return "".join(char if char.isprintable() else " " if char in "\n\t" else "\ufffd" for char in content)
