"""Everything that the site shows, gathered into one index."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import cast

from metric_harness.conformance.badge import GREEN, drawn
from metric_harness.history.changes import read_history
from metric_harness.libraries.describe import Library, find_libraries
from metric_harness.naming.findings.rules import Rule, rules
from metric_harness.naming.probes.probe import library_probes, users_of
from metric_harness.recordings.known_functions import plain
from metric_harness.recordings.odd_inputs import lines_of, read_odd_inputs
from metric_harness.recordings.read import read_recording
from metric_harness.site.agreement import agreement
from metric_harness.site.chooser import chooser
from metric_harness.site.definitions import definitions_of
from metric_harness.site.functions import functions_of, slug
from metric_harness.site.paper import paper
from metric_harness.site.sampled_row import sampled_of
from metric_harness.site.years import by_year
from metric_harness.system.progress import Reporter
from metric_harness.version import __version__
from metric_reference.registry import METRICS
from metric_reference.signatures.words import ABOUT
from metric_reference.variant import space
from metric_reports.types.history import History
from metric_reports.types.odd import OddLine
from metric_reports.types.site import (
    Headline,
    Index,
    SiteDefinition,
    SiteFunction,
    SiteLibrary,
    SiteMetric,
    SiteRelease,
    SiteRule,
)
from metric_reports.types.site_parts import SiteCensus
from metric_reports.view.words import in_order, label, words

BLUE = "#1f5f8b"
SHORT = {"rmse": "RMSE", "mae": "MAE", "mse": "MSE", "inverted_auc": "Inverted AUC", "truncated_auc": "Truncated AUC"}
"""Labels of metrics that have no column in the report and are written in capitals."""


def gather(reporter: Reporter | None = None, only: Collection[str] | None = None) -> Index:
    """The index of the project's own libraries, from their recordings alone.

    only : the keys of the libraries whose recordings are read; all if None.
    """
    reporter = reporter or Reporter()
    libraries = find_libraries([])
    with reporter.task("Reading recordings", len(libraries)) as advance:
        functions: list[SiteFunction] = []
        for library in libraries.values():
            if only is None or library.key in only:
                functions += functions_of([library])
            advance(1, library.name)
    with reporter.task("Describing definitions"):
        definitions = definitions_of(functions)
    library_rows = [listed_library(library, functions) for library in libraries.values()]
    known = {(row["library"], row["release"], row["function"]): row for row in functions}
    return {
        "metric_harness": __version__,
        "recorded": max(release["recorded"] or "" for row in library_rows for release in row["releases"]),
        "headline": headline(functions),
        "metrics": metrics(list(libraries.values()), functions, definitions),
        "libraries": library_rows,
        "functions": functions,
        "definitions": definitions,
        "rules": [listed_rule(rule) for rule in rules().values()],
        "probes": [
            {
                "name": p.name,
                "about": p.about,
                "k": p.k,
                "edge": p.edge,
                "users": [{**user} for user in users_of(p.case)],
            }
            for p in library_probes()
        ],
        "paper": paper(libraries, known),
        "census": census(),
        "chooser": chooser({row["id"] for row in definitions}),
        "words": ABOUT,
    }


def headline(functions: Sequence[SiteFunction]) -> Headline:
    """How many libraries there are, functions of their newest releases with answers, and verified variants of NDCG."""
    asked = [row for row in functions if row["newest"] and row["confidence"]]
    verified = {row["variant"] or "" for row in asked if row["confidence"] == "verified"}
    return {
        "libraries": len({row["library"] for row in functions}),
        "functions": len(asked),
        "ndcg": sum(variant.startswith("ndcg(") for variant in verified),
    }


def listed_library(library: Library, functions: Sequence[SiteFunction]) -> SiteLibrary:
    """A library with its releases, oldest first."""
    asked = [row for row in functions if row["library"] == library.key and row["newest"] and row["confidence"]]
    verified = sum(row["confidence"] == "verified" for row in asked)
    releases: list[SiteRelease] = []
    for release in library.releases:
        recording = read_recording(library, release)
        releases.append(
            {
                "version": release.version,
                "date": release.date,
                "commit": release.commit,
                "paper": release.paper,
                "recorded": recording.date if recording else None,
                "python": recording.python if recording else "",
                "functions": sum(map(bool, recording.answers.values())) if recording else 0,
            }
        )
    return {
        "key": library.key,
        "name": library.name,
        "page": f"libraries/{library.key}.html",
        "homepage": library.homepage,
        "licence": library.licence,
        "summary": library.summary,
        "family": library.family,
        "functions": len(asked),
        "verified": verified,
        "badge": drawn(f"{verified} of {len(asked)} verified", GREEN if verified == len(asked) else BLUE),
        "releases": releases,
        "not_asked": {**library.not_asked},
        "history": history(library),
        "odd_inputs": odd_inputs(library),
    }


def odd_inputs(library: Library) -> list[OddLine]:
    """What the newest release does with odd inputs: each kind of input and its result."""
    page = read_odd_inputs(library)
    return lines_of(page["answers"]) if page else []


def history(library: Library) -> History | None:
    """The history of a library's releases, the newest change first."""
    page = read_history(library.folder)
    return None if page is None else {**page, "changes": page["changes"][::-1]}


def metrics(
    libraries: Sequence[Library], functions: Sequence[SiteFunction], definitions: Sequence[SiteDefinition]
) -> list[SiteMetric]:
    """The metrics of functions and of the catalogue, in the order of the report's columns."""
    claimed: dict[str, list[SiteFunction]] = {}
    for row in functions:
        claimed.setdefault(row["metric"], []).append(row)
    histories = [(library, read_history(library.folder)) for library in libraries]
    pages: list[SiteMetric] = []
    for key in in_order([*claimed, *(row["metric"] for row in definitions)]):
        rows = claimed.get(key, [])
        by_release: dict[tuple[str, str], list[SiteFunction]] = {}
        for row in rows:
            by_release.setdefault((row["library"], row["release"]), []).append(row)
        with_page = [definition["id"] for definition in definitions if definition["metric"] == key]
        variants = dict.fromkeys(plain(variant) for variant in space(key)) if key in METRICS else {}
        pages.append(
            {
                "key": key,
                "page": f"metrics/{key}.html",
                "label": SHORT.get(key) or label(key, 0).partition("@")[0],
                "words": SHORT.get(key) or words(key),
                "about": METRICS[key].about if key in METRICS else "",
                "sampled": sampled_of(key),
                "agreement": agreement(row for row in rows if row["newest"]),
                "years": by_year(histories, by_release),
                "definitions": with_page,
                "others": [text for text in variants if slug(text) not in with_page],
            }
        )
    return pages


def listed_rule(rule: Rule) -> SiteRule:
    """A rule as ``metric-harness explain`` prints it."""
    return {
        "code": rule.code,
        "page": f"rules/{rule.code}.html",
        "severity": rule.severity,
        "title": rule.title,
        "why": rule.why,
        "advice": rule.advice,
        "say": rule.say,
        "threads": [[*thread] for thread in rule.threads],
        "when": [", ".join(f"{name} = {_either(value)}" for name, value in case.items()) for case in rule.when],
    }


def _either(value: object) -> str:
    """A value, or the values of a list joined by "or"."""
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def census() -> SiteCensus:
    """The counts of ``census.json``."""
    return cast("SiteCensus", json.loads(Path(__file__).with_name("census.json").read_text(encoding="utf-8")))
