"""The page of the functions of each library's newest release."""

from __future__ import annotations

import re

from made_pages.computed import function_rows
from made_pages.page import MADE, anchor
from metric_harness.libraries.describe import Library, SubjectInfo, find_libraries
from metric_harness.naming.findings.finding import documents
from metric_harness.naming.identify import identify
from metric_harness.naming.library_evidence import from_recording
from metric_harness.recordings.odd_inputs import lines_of, read_odd_inputs
from metric_harness.recordings.read import read_recording
from metric_harness.site.functions import constant
from metric_reference.variant import Variant
from metric_reports.types.odd import OddLine


def functions_page() -> str:
    """Every public metric function of each library's newest release: asked or why not, claim, variant, verdict."""
    lines = [
        "# Functions",
        "",
        MADE,
        "",
        "Every public metric function of every library's newest release: what it was found to compute, beside what its "
        "documentation says, or why it is not asked. `library.toml` lists the latter under `[not_asked]`; a test "
        "compares both with the library's own modules. What older releases compute is on the page of "
        "[libraries](libraries.md).",
        "",
        "*Fed as by its own evaluator*: a test runs the library's own evaluation end to end and gets the same number "
        "from the function as it is asked here, with the same lists and judgements. *No evaluator*: the functions are "
        "what the library's users call, and nothing in it calls them.",
        "",
        "*Odd inputs*: the same question in a form that the library was perhaps not written for, and whether it gives "
        "the same number then. `metric-harness library record NAME --odd-inputs` asks again.",
        "",
        "*A constant scorer gets*: the value for a user with one relevant item among ten of the same score, at k = 5; "
        "it follows from the variant and from the order in which equal scores are ranked, and is computed, not asked; "
        "where equal scores follow a rule of the function's own, it is that rule.",
        "",
        "| library | asked | named | verified | as documented | otherwise than documented | fed as by its own "
        "evaluator | not asked |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    sections: list[str] = []
    for library in find_libraries().values():
        rows = [(*row, _verdict(*row)) for row in function_rows(library, library.newest())]
        counts = (
            len(rows),
            sum(row[1].startswith("`") for row in rows),
            sum(row[3] == "verified" for row in rows),
            sum(row[4].endswith("as documented") for row in rows),
            sum(row[4].endswith(OTHERWISE) for row in rows),
            sum(_fed(library, row[0]) == TESTED for row in rows),
            len(library.not_asked),
        )
        lines.append(f"| [{library.name}](#{anchor(library.name)}) | {' | '.join(map(str, counts))} |")
        sections += [f"## {library.name}", ""]
        odd = read_odd_inputs(library)
        if library.no_evaluator:
            sections += [f"It has no evaluator of its own: {library.no_evaluator}.", ""]
        if library.evaluator:
            sections += [f"Its own evaluator, as the test runs it: {library.evaluator}", ""]
        sections.append(
            "| function | asked | claim | variant | verdict | fed as by its own evaluator | a constant scorer gets |"
        )
        sections.append("| --- | --- | --- | --- | --- | --- | --- |")
        for info, computes, remark, confidence, verdict in rows:
            claim = f"`{info.claims}`" if info.claims else f"{info.metric}"
            asked = "yes" if confidence else f"no: {remark}"
            cells = (
                asked,
                f"[{claim}]({info.address})",
                computes,
                verdict,
                _fed(library, info),
                _constant(library, info, computes),
            )
            sections.append(f"| `{info.function}` | {' | '.join(cells)} |")
        sections += [f"| `{name}` | no: {reason} | | | | | |" for name, reason in library.not_asked.items()]
        sections.append("")
        if odd is not None:
            sections += ["Odd inputs, asked on " + odd["date"] + ":", ""]
            sections += [f"- {_odd_line(line)}" for line in lines_of(odd["answers"])] + [""]
    return "\n".join([*lines, "", *sections])


def _odd_line(line: OddLine) -> str:
    functions = ", ".join(f"`{name}`" for name in line["functions"])
    said = f"**{line['said']}**" if line["outcome"] == "other" else line["said"]
    return f"{line['about'][0].upper()}{line['about'][1:]}: {functions}: {said}"


def _constant(library: Library, info: SubjectInfo, computes: str) -> str:
    """What a scorer that gives every item the same score gets; empty where that does not follow from the answers."""
    recording = read_recording(library, library.newest())
    if recording is None or not computes.startswith("`"):
        return ""
    answers = recording.answers[info.function]
    found = identify(info.metric, answers)
    known = from_recording(found, recording.evidence[info.function], recording.date, info)
    return constant(info, known.identification, answers)


OTHERWISE = "otherwise than documented"
TESTED = "tested"


def _fed(library: Library, info: SubjectInfo) -> str:
    """Whether a test compares the function with the library's own evaluation, or why it cannot."""
    if info.function in library.not_run:
        return f"not run: {library.not_run[info.function]}"
    if library.no_evaluator:
        return "no evaluator"
    return TESTED if library.evaluator else "no test"


def _verdict(info: SubjectInfo, computes: str, remark: str, confidence: str | None) -> str:
    """The evidence, and whether the documentation says the same, where it is exact enough."""
    if confidence is None or info.claims is None or not computes.startswith("`"):
        return confidence or ""
    found = [Variant.parse(text) for text in re.findall(r"`([^`]+)`", computes)]
    return f"{confidence}, {'as documented' if documents(info.claims, found) else OTHERWISE}"
