"""The variants that have a page: formula, example, citation, names in other systems, test vectors, and functions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from metric_harness.naming.findings.described import describe
from metric_harness.naming.findings.hand_calculation import arithmetic
from metric_harness.naming.probes.probe import library_probes
from metric_harness.recordings.known_functions import plain
from metric_harness.site.functions import slug
from metric_harness.version import __version__
from metric_reference.catalogue import CATALOGUE
from metric_reference.signatures.methods import bibtex, latex, sentence
from metric_reference.signatures.names import names_of
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant, standard, twins
from metric_reference.vectors.build import FILE as VECTORS
from metric_reports.record import to_json_number
from metric_reports.types.common import ShownCase
from metric_reports.types.site import SiteDefinition, SiteExample, SiteFunction, SiteVector
from metric_reports.view.names import plain_name

USUAL_K = 20
"""The cut-off in the citations on the pages; in the chooser it can be set."""


def definitions_of(functions: Sequence[SiteFunction]) -> list[SiteDefinition]:
    """The variants of the catalogue and those that recorded functions compute, the usual one of each metric first."""
    computed = {str(Variant.parse(row["variant"])) for row in functions if row["variant"]}
    names = {plain(entry.variant) for entry in CATALOGUE} | {plain(Variant.parse(text)) for text in computed}
    variants = sorted(map(Variant.parse, names), key=lambda each: (each != standard(each.metric.name), str(each)))
    ids_by_definition: dict[str, list[str]] = {}
    for row in functions:
        if row["definition"]:
            ids_by_definition.setdefault(row["definition"], []).append(row["id"])
    return [definition(variant, ids_by_definition) for variant in variants]


def definition(variant: Variant, ids_by_definition: dict[str, list[str]]) -> SiteDefinition:
    """One variant. ids_by_definition : the ids of the functions that compute each definition."""
    description = describe(variant, USUAL_K)
    same = dict.fromkeys([slug(str(variant)), *(slug(plain(twin)) for twin in twins(variant))])
    return {
        "id": slug(str(variant)),
        "page": f"variants/{slug(str(variant))}.html",
        "variant": str(variant),
        "metric": variant.metric.name,
        "title": plain_name(str(variant)),
        "known_as": description["title"] or "",
        "remark": description["remark"],
        "choices": description["choices"],
        "formula": description["formula"],
        "same_as": description["same_as"],
        "needs": description["needs"],
        "rules": description["findings"],
        "sources": description["used_by"],
        "names": [
            {"system": n.system, "name": n.name, "exact": n.exact, "sentence": n.sentence, "source": n.source}
            for n in names_of(Signature(variant))
        ],
        "citation": citation(Signature(variant.at(USUAL_K))),
        "example": None if description["example"] is None else worked(variant, description["example"]),
        "vectors": vectors().get(str(variant), []),
        "functions": [function for name in same for function in ids_by_definition.get(name, [])],
    }


def citation(signature: Signature) -> Any:
    """The texts that ``metric-harness signature cite`` prints for a signature."""
    return {
        "k": signature.variant.k,
        "signature": str(signature),
        "short": signature.short(),
        "sentence": sentence(signature),
        "latex": latex(signature),
        "bibtex": bibtex(signature, __version__),
    }


def worked(variant: Variant, case: ShownCase) -> SiteExample:
    """The example with the arithmetic of this variant, and of the usual one if that gives another number."""
    probe = next(probe for probe in library_probes() if probe.name == case["probe"])
    (usual,) = case["candidates"]
    shown = [variant] if case["value"] == usual["value"] else [variant, Variant.parse(usual["variant"])]
    lines = [f"{each}: {line}" for each in shown for line in arithmetic(each, probe.case, case["k"])]
    return {"case": case, "arithmetic": lines}


@cache
def vectors() -> dict[str, list[SiteVector]]:
    """The test vectors of each definition, by its printed form."""
    page = json.loads(VECTORS.read_text(encoding="utf-8"))
    by_variant: dict[str, list[SiteVector]] = {}
    for index, row in enumerate(page["definitions"]):
        values = [(case, case["values"][index]) for case in page["cases"] if case["values"][index] is not None]
        by_variant[plain(Variant.parse(row["name"]))] = [
            {"case": case["name"], "about": case["about"], "exact": exact, "value": to_json_number(float(value))}
            for case, (exact, value) in values
        ]
    return by_variant
