"""What the scripts of a page read: functions, definitions, signatures, users and probes, each text stored once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from metric_reports.record import to_json_number
from metric_reports.types.run import Cell, Citation, Record, Subject
from metric_reports.view.table import Key, Variant, apart_of, key_of, number_of, severities
from metric_reports.view.words import EDGES, clean, label, words

FOOTNOTE = re.compile(r"\\footnote\{\\texttt\{(.*)\}\}")
HOLE = "⟨signature⟩"
"""Stands for the signature as TeX, which a citation holds several times."""
GRAVITY = {"error": 3, "warning": 2, "note": 1}


class Texts:
    """Texts numbered in the order in which they come, each once."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text."""
        return self.known.setdefault(clean(text), len(self.known))

    def numbers(self, text: str, separator: str) -> list[int]:
        """The numbers of the parts of a text, which share much with those of others."""
        return [self.number(part) for part in text.split(separator)]


def page_data(
    record: Record,
    known: Mapping[str, Mapping[str, Variant]],
    ids: Mapping[Key, str],
    place: Callable[[Variant], str],
) -> dict[str, Any]:
    """The data of a page. ``ids``: of the functions' sections; ``place``: of a definition's.

    A function is a row of values, named by ``columns``; its release is the number of one among ``libraries``.
    """
    texts = Texts()
    cells: dict[Key, list[Cell]] = {}
    for cell in record["cells"]:
        cells.setdefault(key_of(cell), []).append(cell)
    variants = [variant for found in known.values() for variant in found.values()]
    numbers = {(variant.metric, variant.printed): index for index, variant in enumerate(variants)}
    signatures = {
        short: cell["signature"] or short for cell in record["cells"] if (short := cell.get("signature_short"))
    }
    libraries = [
        {"library": one["name"], "title": one["title"], "release": one["release"], "family": one.get("family", "")}
        for one in record["libraries"]
    ]
    places = {(one["library"], one["release"]): index for index, one in enumerate(libraries)}
    apart, grave = apart_of(record), gravest(record)
    cited, stated = record.get("citations", {}), record.get("publications", {})
    probes = [probe["name"] for probe in record["probes"]]

    def function(subject: Subject) -> dict[str, Any]:
        key = key_of(subject)
        return {
            "id": ids[key],
            "release": places[key[:2]],
            "name": subject["function"],
            "metric": subject["metric"],
            "variant": numbers.get((subject["metric"], subject["variant"] or "")),
            "apart": apart.get(key, ""),
            "severity": grave.get(key, 0),
            "edges": texts.number(",".join(subject["edges"].get(edge, "") for edge in EDGES)),
            "cells": {
                str(cell["k"]): [
                    to_json_number(number_of(cell)),
                    1 if cell["status"] == "not_available" else 0,
                    texts.number(cell.get("signature_short") or ""),
                ]
                for cell in cells.get(key, [])
            },
            "answers": texts.number(",".join(answers_of(subject, probes))),
        }

    functions = [function(subject) for subject in record["subjects"] if not subject.get("diagnostic")]
    data = {
        "metrics": {metric: [words(metric), label(metric, 0).removesuffix("@0")] for metric in known},
        "edges": list(EDGES.values()),
        "variants": [
            {
                "metric": one.metric,
                "letter": one.letter,
                "name": one.name,
                "printed": one.printed,
                "id": place(one),
                "stated": [source["title"] for source in stated.get(one.printed, [])],
            }
            for one in variants
        ],
        "libraries": libraries,
        "columns": list(functions[0]) if functions else [],
        "functions": [list(one.values()) for one in functions],
        "signatures": {
            texts.number(short): signature_data(texts, full, cited.get(short)) for short, full in signatures.items()
        },
        "pairs": [
            [
                *(numbers.get((pair["metric"], printed), -1) for printed in pair["variants"]),
                pair["k"],
                pair["users"],
                pair["equal"],
                pair["higher"],
                pair["lower"],
                pair["mean"],
                pair["largest"],
            ]
            for pair in record.get("user_pairs", [])
        ],
        "probes": [
            {
                "name": probe["name"],
                "about": probe["about"],
                "k": probe["k"],
                "users": [
                    [user["list"], [int(hit) for hit in user["hits"]], user["relevant"], user.get("gains", [])]
                    for user in probe["users"]
                ],
            }
            for probe in record["probes"]
        ],
    }
    return {**data, "texts": list(texts.known)}


def gravest(record: Record) -> dict[Key, int]:
    """3 for a function with an error among its findings, 2 for warnings, 1 for notes."""
    out: dict[Key, int] = {}
    for (_, key), severity in severities(record).items():
        out[key] = max(out.get(key, 0), GRAVITY[severity])
    return out


def embedded(data: Any) -> Markup:
    """Data as JSON for a ``script`` element: no text in it can end the element."""
    text = clean(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def answers_of(subject: Subject, probes: Sequence[str]) -> list[str]:
    """Its answer to each probe, with as many digits as tell two answers apart; empty where there is none."""
    given = {answer["probe"]: answer["value"] for answer in subject.get("answers", [])}
    return [
        "" if (value := given.get(probe)) is None else f"{value:.7g}" if isinstance(value, float) else str(value)
        for probe in probes
    ]


def signature_data(texts: Texts, full: str, citation: Citation | None) -> list[Any]:
    """A signature in full, and its citation: as TeX once, and the parts of sentence, LaTeX and BibTeX around that."""
    parts: list[Any] = [texts.numbers(full, "|")]
    if citation is None:
        return parts
    found = FOOTNOTE.search(citation["latex"])
    tex = found[1] if found else HOLE
    kinds = ((citation["sentence"], "; "), (citation["latex"], "\n"), (citation["bibtex"], "\n"))
    return [
        *parts,
        texts.number(tex),
        *(texts.numbers(text.replace(tex, HOLE), separator) for text, separator in kinds),
    ]
