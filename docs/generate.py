"""Writes what is made from data in docs/: rules, variants, libraries, history, calling conventions, verification cases.

    python docs/generate.py

A test makes the pages again and compares. Nobody edits them by hand; in evidence.md only the table is made.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from metric_adapters.conventions.catalogue import entries
from metric_harness.cli.conventions import as_markdown
from metric_harness.history.page import read_history
from metric_harness.identification.constant_scorer import constant_scorer
from metric_harness.identification.findings import documents
from metric_harness.identification.identify import identify
from metric_harness.identification.probes import library_probes, shown_users
from metric_harness.identification.rules import NO_THREAD, Rule, rules
from metric_harness.libraries.describe import Library, Release, SubjectInfo, find_libraries
from metric_harness.recordings.odd_inputs import lines_of, read_odd_inputs
from metric_harness.recordings.read import Recording, read_recording
from metric_harness.site.functions import functions_of
from metric_harness.site.index import headline
from metric_harness.verification.cases import Limits, verification_cases
from metric_harness.verification.library import EDGES, from_recording
from metric_reference.catalogue import CATALOGUE, Entry
from metric_reference.registry import METRICS
from metric_reference.sources import Source
from metric_reference.variant import Variant
from metric_reports.types.history import Change
from metric_reports.types.odd import OddLine

DOCS = Path(__file__).resolve().parent
MADE = "<!-- Made by: python docs/generate.py. Do not edit. -->"
EVIDENCE = ("verified", "probes only", "refused")


def rules_page() -> str:
    """Every rule: code, severity, what it means, what to do, and the condition under which it applies."""
    return "\n".join(
        [
            "# Rules",
            "",
            MADE,
            "",
            "A finding has the code of a rule. `metric-harness explain AP001` prints one of them in the terminal; the "
            "texts and conditions are in `harness/metric_harness/identification/rules.toml`.",
            "",
            "| code | severity | title |",
            "| --- | --- | --- |",
            *(f"| [{each.code}](#{each.code.lower()}) | {each.severity} | {each.title} |" for each in rules().values()),
            "",
            *(line for each in rules().values() for line in _rule(each)),
        ]
    )


def _rule(each: Rule) -> Iterator[str]:
    yield from (f"## {each.code}", "", f"**{each.title}** ({each.severity})", "", each.why, "")
    yield from (f"What to do: {each.advice}", "", f"How to say it to the maintainer: {each.say}", "")
    threads = ", ".join(f"[{subject}]({address})" for address, subject in each.threads)
    yield from (f"Precedents: {threads or NO_THREAD}.", "")
    if each.when:
        conditions = (", ".join(f"{name} = {_values(wanted)}" for name, wanted in case.items()) for case in each.when)
        yield from ("Applies to: " + "; or ".join(conditions) + ".", "")
    else:
        yield from ("Decided from the returned values.", "")


def _values(wanted: object) -> str:
    return " or ".join(f"`{value}`" for value in (wanted if isinstance(wanted, list) else [wanted]))


def variants_page() -> str:
    """Every variant of the catalogue, by metric: name, formula, who uses it."""
    by_metric: dict[str, list[Entry]] = {}
    for entry in CATALOGUE:
        by_metric.setdefault(entry.variant.metric.name, []).append(entry)
    lines = [
        "# Variants",
        "",
        MADE,
        "",
        f"The catalogue holds {len(CATALOGUE)} variants of {len(by_metric)} metrics that a library, a paper or a text "
        "is known to use. `metric-harness variants NAME` prints one of them with a worked example; `metric-harness "
        "variants --all` also lists combinations of choices that nobody is known to use.",
        "",
        "A formula gives the value of one user: *k* is the cut-off, *L* the list, *r* the number of the user's "
        "relevant items, and *rel* at *j* is 1 where the item at rank *j* is relevant. The value of a variant is the "
        "mean over users unless `weight` says otherwise.",
        "",
    ]
    for name, found in by_metric.items():
        lines += [f"## {name}", "", f"{_sentence(METRICS[name].about)}", ""]
        for entry in found:
            lines += _variant(entry)
    return "\n".join(lines)


def _variant(entry: Entry) -> Iterator[str]:
    yield from (f"### `{entry.variant}`", "", f"{_sentence(entry.title)}", "")
    yield from ("```math", entry.variant.metric.formula(), "```", "")
    yield from (f"Used by: {', '.join(map(_source, entry.sources))}.", "")
    if entry.remark:
        yield from (entry.remark, "")


def _source(source: Source) -> str:
    """A link, or the path of a file of the repository."""
    if source.address.startswith("http"):
        return f"[{source.title}]({source.address})"
    return f"{source.title} (`{source.address}`)"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"


def libraries_page() -> str:
    """Every library: its releases, and what each recorded function computes and on what evidence."""
    found = list(find_libraries().values())
    lines = [
        "# Libraries",
        "",
        MADE,
        "",
        "What each function of each library computes, from `library.toml` and the recordings in `adapters/`. "
        "[How a function gets its name](evidence.md) explains *verified*, *probes only* and *refused*. "
        "`metric-harness compare` asks the libraries themselves.",
        "",
        "| library | family | release | functions | verified | probes only | refused |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: |",
    ]
    sections: list[str] = []
    for library in found:
        sections += _library(library)
        for release in library.releases:
            rows = [row for row in _rows(library, release) if row[3] is not None]
            counts = (sum(row[3] == word for row in rows) for word in EVIDENCE)
            cells = " | ".join([str(len(rows)), *map(str, counts)])
            link = f"[{library.name}](#{_anchor(library.name)})"
            lines.append(f"| {link} | {library.family} | {_release(release)} | {cells} |")
    lines += [
        "",
        "These do not install on Python 3.11, or do not load without the network once installed:",
        "",
        "| library | release | error |",
        "| --- | --- | --- |",
    ]
    refused = tomllib.loads((DOCS / "not_installed.toml").read_text(encoding="utf-8"))
    lines += [f"| {name} | {one['release']} | {_cell(one['error'])} |" for name, one in refused.items()]
    return "\n".join([*lines, "", *sections])


def _anchor(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def _release(release: Release) -> str:
    return f"{release.version}{' (paper of 2021)' if release.paper else ''}"


def _library(library: Library) -> Iterator[str]:
    yield from (f"## {library.name}", "", library.summary, "")
    yield from (f"[{library.homepage}]({library.homepage}), {library.licence}. `--libraries {library.key}`", "")
    for release in reversed(library.releases):
        yield from (f"### {library.name} {_release(release)}", "")
        recording = read_recording(library, release)
        origin = f"Commit `{release.commit[:12]}` of {library.repository}. " if release.commit else ""
        recorded = "Not recorded." if recording is None else f"Recorded on {recording.date}, Python {recording.python}."
        yield from (f"{origin}{recorded}", "")
        yield from ("| function | claims | computes | evidence |", "| --- | --- | --- | --- |")
        for info, computes, remark, confidence in _rows(library, release):
            mark = " (diagnostic)" if info.diagnostic else ""
            yield f"| `{info.function}`{mark} | [{info.metric}]({info.address}) | {computes} | {confidence or remark} |"
        yield ""


def _rows(library: Library, release: Release) -> Iterator[tuple[SubjectInfo, str, str, str | None]]:
    """For each function: what it computes, why it was not asked, and the evidence (None where it was not asked)."""
    recording = read_recording(library, release)
    for info in library.subjects_of(release).values():
        yield info, *_computes(info, recording)


def _computes(info: SubjectInfo, recording: Recording | None) -> tuple[str, str, str | None]:
    if recording is None or not recording.answers.get(info.function):
        why = "not recorded" if recording is None else recording.missing.get(info.function, "not recorded")
        return "", " ".join(why.split()), None
    evidence = recording.evidence[info.function]
    suggestion = identify(info.metric, recording.answers[info.function])
    found = from_recording(suggestion, evidence, recording.date).identification
    if found.variant is not None:
        claimed = info.claims is not None and info.claims in found.alternatives
        also = f" or `{info.claims}`, which no input that it takes tells apart" if claimed else ""
        return f"`{found.variant}`{also}", "", evidence["confidence"]
    condition = evidence["condition"]
    return f"no known definition{f' ({condition})' if condition else ''}", "", evidence["confidence"]


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
        "the same number then. `metric-harness record NAME --odd-inputs` asks again.",
        "",
        "*A constant scorer gets*: the value for a user with one relevant item among ten of the same score, at k = 5; "
        "it follows from the variant and from the order in which equal scores are ranked, and is computed, not asked.",
        "",
        "| library | asked | named | verified | as documented | otherwise than documented | fed as by its own "
        "evaluator | not asked |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    sections: list[str] = []
    for library in find_libraries().values():
        rows = [(*row, _verdict(*row)) for row in _rows(library, library.newest())]
        counts = (
            len(rows),
            sum(row[1].startswith("`") for row in rows),
            sum(row[3] == "verified" for row in rows),
            sum(row[4].endswith("as documented") for row in rows),
            sum(row[4].endswith(OTHERWISE) for row in rows),
            sum(_fed(library, row[0]) == TESTED for row in rows),
            len(library.not_asked),
        )
        lines.append(f"| [{library.name}](#{_anchor(library.name)}) | {' | '.join(map(str, counts))} |")
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
    found = identify(info.metric, recording.answers[info.function])
    edges = from_recording(found, recording.evidence[info.function], recording.date).identification.edges
    return constant_scorer(Variant.parse(computes[1 : computes.index("`", 1)]), edges) or ""


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


def conventions_page() -> str:
    """The same as ``metric-harness conventions --format markdown``."""
    return as_markdown(entries())


CASES = re.compile(r"(?s)(<!-- cases: [^>]*-->\n).*?(<!-- end of cases -->)")


def evidence_page() -> str:
    """The page as it is, with the table of the verification cases made anew."""
    table = ["| case | what it holds | k |", "| --- | --- | --- |"]
    for case in verification_cases(Limits(edges=EDGES)):
        table.append(f"| {case.name} | {case.about} | {', '.join(map(str, case.ks))} |")
    rows = "\n".join(table)
    page = (DOCS / "evidence.md").read_text(encoding="utf-8")
    return CASES.sub(lambda found: f"{found[1]}\n{rows}\n\n{found[2]}", page)


COUNT = re.compile(r"(?s)(<!-- count -->).*?(<!-- end of count -->)")


def index_page() -> str:
    """The first page as it is, with the count of what is recorded."""
    head = headline([*functions_of(list(find_libraries().values()))])
    sentence = (
        f"**{head['libraries']} libraries, {head['functions']} functions, {head['ndcg']} variants of NDCG**: "
        "[what each of them computes](functions.md)."
    )
    page = (DOCS / "index.md").read_text(encoding="utf-8")
    return COUNT.sub(lambda found: f"{found[1]}\n{sentence}\n{found[2]}", page)


SEARCHED = """
`metric-harness history LIBRARY` asks the package index for the releases of a library and finds those that changed
what its functions compute. Nine releases, evenly spaced, are asked all probes, each in an environment of its own,
which is removed again; where the answers of two differ, the releases between them are asked by halves. A change that
was taken back between two of the nine is not seen; `--all` asks every release. `--minutes` ends the search early, so
that a change may lie between releases further apart, as its row says. `--write` keeps the history beside the
library's adapter, from where this page is made, and in `history_recordings.json` the answers to all probes of the
releases on both sides of each change, from which a test tells the changes again. `--recordings` asks these alone again.

A release is put together as the described one next above it is (else the one next below): with the same versions of
everything else, so that what differs is the library's. Where that cannot be built or does not start, it gets what its
requirements were on its day, on a Python of that time. A release that still cannot be asked is listed below with its
error; most often the functions had other names then. A function that an adapter knows under its older name too has
its newest one here. A change whose two sides were asked beside different versions of something else says so.
"""


NAMED_CHANGES = {
    "[haystack#12255](https://github.com/deepset-ai/haystack/pull/12255)": (
        "MAP is divided by the hits, and a document listed twice hits twice",
        "Haystack 3.0.0 → 3.1.0, `DocumentMAPEvaluator`",
    ),
    "[torchmetrics#2031](https://github.com/Lightning-AI/torchmetrics/pull/2031)": (
        "what NDCG does with equal scores",
        "TorchMetrics 1.1.1 → 1.1.2, `RetrievalNormalizedDCG`",
    ),
    "[lkpy#309](https://github.com/lenskit/lkpy/issues/309)": (
        "NDCG of 1.21: lists and truth are cut differently",
        "LensKit 0.14.0 → 0.14.1, `ndcg[no rank]`",
    ),
    "[RecTools#266](https://github.com/MTSWebServices/RecTools/pull/266)": (
        "an option for the ideal of NDCG",
        "RecTools 0.12.0 is the first with `NDCG[divide_by_achievable]`",
    ),
    "[recommenders#2309](https://github.com/recommenders-team/recommenders/issues/2309)": (
        "benchmarks print `map` as MAP@k",
        "not found: it changes no function and is in no release",
    ),
}
"""Threads about a change: what each says, and as what the search found it."""


def history_page() -> str:
    """Every change of a definition between releases that was found, newest first, and what could not be asked."""
    found = [(one, history) for one in find_libraries().values() if (history := read_history(one.folder)) is not None]
    lines = ["# History", "", MADE, SEARCHED, "## Changes", ""]
    lines += ["| day | library | releases | function | what changed | shown by | found again by |"]
    lines += ["| --- | --- | --- | --- | --- | --- | --- |"]
    rows = [(change, one) for one, history in found for change in history["changes"]]
    for change, one in sorted(rows, key=lambda row: (row[0]["after_day"], row[1].key), reverse=True):
        lines.append(f"| {' | '.join(_changed(one, change))} |")
    lines += [
        "",
        "## Changes that a thread names",
        "",
        "The search knows no thread. Of the changes that people reported it found four by itself:",
        "",
    ]
    lines += ["| thread | what it says | found as |", "| --- | --- | --- |"]
    lines += [f"| {thread} | {' | '.join(told)} |" for thread, told in NAMED_CHANGES.items()]
    lines += ["", "No other thread that we read names one of the changes above."]
    lines += [
        "",
        "## Libraries",
        "",
        "| library | releases on the index | asked | changes | first of the asked that gives numbers |",
    ]
    lines += ["| --- | --- | ---: | ---: | --- |"]
    for one, history in found:
        ends = " to ".join(_dated(*history[end]) for end in ("oldest", "newest"))
        since: dict[str, list[str]] = {}
        for function, version in history["functions"].items():
            since.setdefault(version, []).append(f"`{function}`")
        functions = "; ".join(f"{version}: {', '.join(names)}" for version, names in since.items())
        counts = f"{len(history['asked'])} | {len(history['changes'])}"
        lines.append(f"| {one.name} | {history['releases']}: {ends} | {counts} | {functions} |")
    lines += ["", "## Releases that could not be asked", "", "| library | releases | error |", "| --- | --- | --- |"]
    for one, history in found:
        reasons: dict[str, list[str]] = {}
        for version, error in history["refused"].items():
            reasons.setdefault(error, []).append(version)
        lines += [f"| {one.name} | {', '.join(who)} | {_cell(error)} |" for error, who in reasons.items()]
    shown = {change["probe"] for _, history in found for change in history["changes"]}
    lines += ["", "## Probes", "", "Items are numbers; each user has a list and relevant items, in brackets.", ""]
    lines += ["| probe | what it shows | users |", "| --- | --- | --- |"]
    for probe in library_probes():
        if probe.name in shown:
            users = "; ".join(
                f"{_items(user['list'])} ({_items(user['relevant'])})" for user in shown_users(probe.case)
            )
            lines.append(f"| `{probe.name}` | {_sentence(probe.about)} | {users} |")
    return "\n".join(lines)


def _items(items: Iterable[int]) -> str:
    return " ".join(map(str, items)) or "nothing"


def _changed(library: Library, change: Change) -> Iterator[str]:
    """The cells of a row about a change."""
    yield change["after_day"]
    yield library.name
    untried = change["untried"]
    named = ", ".join(untried) if len(untried) <= MOST_NAMED else f"{len(untried)} releases"
    between = f" ({named} between them not asked)" if untried else ""
    yield f"{change['before']} → {change['after']}{between}"
    yield f"`{change['function']}`"
    said = [" → ".join(f"`{name}`" for name in change["variants"])] if change["variants"] else []
    said += [f"{edge.replace('_', ' ')}: {one} → {two}" for edge, (one, two) in change["edges"].items()]
    beside = ", ".join(f"{name} {one} → {two}" for name, (one, two) in change["packages"].items())
    said += (
        [f"beside {beside}"] if beside and len(beside) < LONGEST_CELL else ["beside other packages"] if beside else []
    )
    yield "; ".join(said) or "the numbers alone"
    one, two = ("an error" if value is None else f"{float(value):.6g}" for value in change["values"])
    why = "".join(f" ({_cell(error)})" for error in change["errors"])
    yield f"`{change['probe']}`, k = {change['k']}: {one} → {two}{why}"
    ends = f"--from {change['before']} --to {change['after']}"
    yield f"`metric-harness history {library.key} --function {shlex.quote(change['function'])} {ends}`"


LONGEST_CELL, MOST_NAMED = 120, 3


def _dated(version: str, day: str) -> str:
    return f"{version} ({day})" if day else version


def _cell(text: str) -> str:
    """A message as the text of a table's cell."""
    return f"`{text.replace('|', '/').replace('`', chr(39))}`"


def measured() -> str:
    """Which library computes which variant, by its recordings: the catalogue's rows of libraries."""
    rows = []
    for library in find_libraries().values():
        for release in reversed(library.releases):
            functions: dict[str, list[str]] = {}
            for info, computes, *_ in _rows(library, release):
                named = re.match("`([^`]+)`", computes)
                if named and not info.diagnostic:
                    variant = Variant.parse(named[1])
                    plain = str(replace(variant, rounded=None, k=None).canonical())
                    functions.setdefault(plain, []).append(info.function)
            newest = release is library.newest()
            key = library.key if newest else f"{library.key}@{release.version}"
            title, address = f"{library.name} {release.version}", library.homepage
            rows.append({"key": key, "title": title, "address": address, "computes": functions})
    return json.dumps([row for row in rows if row["computes"]], indent=1, ensure_ascii=False)


MEASURED = "../reference/metric_reference/measured.json"
"""What the pages of the catalogue are made with: it is made first."""
PAGES: dict[str, Callable[[], str]] = {
    MEASURED: measured,
    "rules.md": rules_page,
    "variants.md": variants_page,
    "libraries.md": libraries_page,
    "functions.md": functions_page,
    "history.md": history_page,
    "conventions.md": conventions_page,
    "evidence.md": evidence_page,
    "index.md": index_page,
}


def pages(names: Iterable[str] = PAGES) -> Iterator[tuple[Path, str]]:
    """The file and the text of each page."""
    for name in names:
        yield DOCS / name, PAGES[name]().rstrip("\n") + "\n"


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python docs/generate.py", description=__doc__).parse_args()
    ((first, known),) = pages([MEASURED])
    if not first.exists() or first.read_text(encoding="utf-8") != known:
        first.write_text(known, encoding="utf-8")
        os.execv(sys.executable, [sys.executable, *sys.argv])  # the catalogue is read when it is imported
    for path, text in pages():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DOCS.parent))
