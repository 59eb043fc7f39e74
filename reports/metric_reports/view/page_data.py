"""The data for a page's scripts: functions, definitions, signatures, users and probes, each text stored once."""

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
PLACEHOLDER = "⟨signature⟩"
"""Stands for the signature as TeX, which a citation repeats."""
GRAVITY = {"error": 3, "warning": 2, "note": 1}


class Texts:
    """Distinct texts, numbered in the order of their first use."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text."""
        return self.index.setdefault(clean(text), len(self.index))

    def numbers(self, text: str, separator: str) -> list[int]:
        """The numbers of a text's parts, many of which other texts share."""
        return [self.number(part) for part in text.split(separator)]


def page_data(
    record: Record,
    known: Mapping[str, Mapping[str, Variant]],
    ids: Mapping[Key, str],
    variant_id: Callable[[Variant], str],
) -> dict[str, Any]:
    """The data of a page. ids : of the functions' sections; variant_id : gives the id of a definition's section.

    A function is a row of values, named by ``columns``; its release is an index into ``libraries``.
    """
    texts = Texts()
    cells: dict[Key, list[Cell]] = {}
    for cell in record["cells"]:
        cells.setdefault(key_of(cell), []).append(cell)
    variants = [variant for by_printed in known.values() for variant in by_printed.values()]
    numbers = {(variant.metric, variant.printed): index for index, variant in enumerate(variants)}
    signatures = {
        short: cell["signature"] or short for cell in record["cells"] if (short := cell.get("signature_short"))
    }
    libraries = [
        {"library": row["name"], "title": row["title"], "release": row["release"], "family": row.get("family", "")}
        for row in record["libraries"]
    ]
    release_numbers = {(row["library"], row["release"]): index for index, row in enumerate(libraries)}
    apart, gravities = apart_of(record), gravest(record)
    citations, publications = record.get("citations", {}), record.get("publications", {})
    probes = [probe["name"] for probe in record["probes"]]

    def function(subject: Subject) -> dict[str, Any]:
        key = key_of(subject)
        return {
            "id": ids[key],
            "release": release_numbers[key[:2]],
            "name": subject["function"],
            "metric": subject["metric"],
            "variant": numbers.get((subject["metric"], subject["variant"] or "")),
            "apart": apart.get(key, ""),
            "severity": gravities.get(key, 0),
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
                "metric": variant.metric,
                "letter": variant.letter,
                "name": variant.name,
                "printed": variant.printed,
                "id": variant_id(variant),
                "stated": [source["title"] for source in publications.get(variant.printed, [])],
            }
            for variant in variants
        ],
        "libraries": libraries,
        "columns": list(functions[0]) if functions else [],
        "functions": [list(row.values()) for row in functions],
        "signatures": {
            texts.number(short): signature_data(texts, full, citations.get(short)) for short, full in signatures.items()
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
    return {**data, "texts": list(texts.index)}


def gravest(record: Record) -> dict[Key, int]:
    """3 for a function with an error among its findings, 2 for warnings, 1 for notes."""
    gravities: dict[Key, int] = {}
    for (_, key), severity in severities(record).items():
        gravities[key] = max(gravities.get(key, 0), GRAVITY[severity])
    return gravities


def embedded(data: Any) -> Markup:
    """Data as JSON for a ``script`` element: no text in it can end the element."""
    text = clean(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def answers_of(subject: Subject, probes: Sequence[str]) -> list[str]:
    """A function's answer to each probe, to seven digits; empty where it gave none."""
    answers = {answer["probe"]: answer["value"] for answer in subject.get("answers", [])}
    return [
        "" if (value := answers.get(probe)) is None else f"{value:.7g}" if isinstance(value, float) else str(value)
        for probe in probes
    ]


def signature_data(texts: Texts, full: str, citation: Citation | None) -> list[Any]:
    """A full signature; if it is cited, also its TeX, and the sentence, LaTeX and BibTeX with a placeholder for it."""
    signature = texts.numbers(full, "|")
    if citation is None:
        return [signature]
    footnote = FOOTNOTE.search(citation["latex"])
    tex = footnote[1] if footnote else PLACEHOLDER
    kinds = ((citation["sentence"], "; "), (citation["latex"], "\n"), (citation["bibtex"], "\n"))
    return [
        signature,
        texts.number(tex),
        *(texts.numbers(text.replace(tex, PLACEHOLDER), separator) for text, separator in kinds),
    ]
