"""The page of the changes of definitions between releases."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from made_pages.page import MADE, cell, sentence
from metric_harness.history.changes import read_history
from metric_harness.libraries.describe import Library, find_libraries
from metric_harness.naming.probes.probe import library_probes, users_of
from metric_reports.types.history import Change

SEARCHED = """
`metric-harness library history LIBRARY` asks the package index for the releases of a library and finds those that
changed what its functions compute. Nine releases, evenly spaced, are asked all probes, each in an environment of its
own, which is removed again; where the answers of two differ, the releases between them are asked by halves. A change
that was taken back between two of the nine is not seen; `--all` asks every release. `--minutes` ends the search early,
so that a change may lie between releases further apart, as its row says. `--write` keeps the history beside the
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
        lines += [f"| {one.name} | {', '.join(who)} | {cell(error)} |" for error, who in reasons.items()]
    shown = {change["probe"] for _, history in found for change in history["changes"]}
    lines += ["", "## Probes", "", "Items are numbers; each user has a list and relevant items, in brackets.", ""]
    lines += ["| probe | what it shows | users |", "| --- | --- | --- |"]
    for probe in library_probes():
        if probe.name in shown:
            users = "; ".join(f"{_items(user['list'])} ({_items(user['relevant'])})" for user in users_of(probe.case))
            lines.append(f"| `{probe.name}` | {sentence(probe.about)} | {users} |")
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
    why = "".join(f" ({cell(error)})" for error in change["errors"])
    yield f"`{change['probe']}`, k = {change['k']}: {one} → {two}{why}"
    ends = f"--from {change['before']} --to {change['after']}"
    yield f"`metric-harness library history {library.key} --function {shlex.quote(change['function'])} {ends}`"


LONGEST_CELL, MOST_NAMED = 120, 3


def _dated(version: str, day: str) -> str:
    return f"{version} ({day})" if day else version
