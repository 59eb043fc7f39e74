"""The variants that have a page: formula, example, citation, names elsewhere, vectors, and who computes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from metric_harness.identification.described import describe
from metric_harness.identification.hand_calculation import arithmetic
from metric_harness.identification.probes import library_probes
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
from metric_reports.types.run import Case
from metric_reports.types.site import SiteDefinition, SiteExample, SiteFunction, SiteVector
from metric_reports.view.names import plain_name

USUAL_K = 20
"""The cut-off of the citations on the pages; the chooser takes any."""


def definitions_of(functions: Sequence[SiteFunction]) -> list[SiteDefinition]:
    """Each variant of the catalogue and each that a recorded function computes, the usual one of a metric first."""
    computed = {str(Variant.parse(row["variant"])) for row in functions if row["variant"]}
    names = {plain(entry.variant) for entry in CATALOGUE} | {plain(Variant.parse(text)) for text in computed}
    variants = sorted(map(Variant.parse, names), key=lambda one: (one != standard(one.metric.name), str(one)))
    by_page: dict[str, list[str]] = {}
    for row in functions:
        if row["definition"]:
            by_page.setdefault(row["definition"], []).append(row["id"])
    return [definition(variant, by_page) for variant in variants]


def definition(variant: Variant, by_page: dict[str, list[str]]) -> SiteDefinition:
    """One variant. by_page : the functions that compute what has a page, by the page's name."""
    about = describe(variant, USUAL_K)
    pages = dict.fromkeys([slug(str(variant)), *(slug(plain(twin)) for twin in twins(variant))])
    return {
        "id": slug(str(variant)),
        "page": f"variants/{slug(str(variant))}.html",
        "variant": str(variant),
        "metric": variant.metric.name,
        "title": plain_name(str(variant)),
        "known_as": about["title"] or "",
        "remark": about["remark"],
        "choices": about["choices"],
        "formula": about["formula"],
        "same_as": about["same_as"],
        "needs": about["needs"],
        "rules": about["findings"],
        "sources": about["used_by"],
        "names": [
            {"system": n.system, "name": n.name, "exact": n.exact, "sentence": n.sentence, "source": n.source}
            for n in names_of(Signature(variant))
        ],
        "citation": citation(Signature(variant.at(USUAL_K))),
        "example": None if about["example"] is None else worked(variant, about["example"]),
        "vectors": vectors().get(str(variant), []),
        "functions": [function for page in pages for function in by_page.get(page, [])],
    }


def citation(signature: Signature) -> Any:
    """The texts of a signature, those of ``metric-harness cite``."""
    return {
        "k": signature.variant.k,
        "signature": str(signature),
        "short": signature.short(),
        "sentence": sentence(signature),
        "latex": latex(signature),
        "bibtex": bibtex(signature, __version__),
    }


def worked(variant: Variant, case: Case) -> SiteExample:
    """The example with the arithmetic of this variant, and of the usual one where that gives another number."""
    probe = next(one for one in library_probes() if one.name == case["probe"])
    shown = [variant] if case["value"] == case["standard_value"] else [variant, Variant.parse(case["standard"])]
    lines = [f"{one}: {line}" for one in shown for line in arithmetic(one, probe.case, case["k"])]
    return {"case": case, "arithmetic": lines}


@cache
def vectors() -> dict[str, list[SiteVector]]:
    """The test vectors of each definition, by its printed form."""
    page = json.loads(VECTORS.read_text(encoding="utf-8"))
    out: dict[str, list[SiteVector]] = {}
    for index, one in enumerate(page["definitions"]):
        rows = [(case, case["values"][index]) for case in page["cases"] if case["values"][index] is not None]
        out[plain(Variant.parse(one["name"]))] = [
            {"case": case["name"], "about": case["about"], "exact": exact, "value": to_json_number(float(value))}
            for case, (exact, value) in rows
        ]
    return out
