"""Questions that a page answers, each with the place of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from metric_reports.html.anchors import Anchors
from metric_reports.types.run import Record, Subject
from metric_reports.view.table import Variant, apart_of, cutoffs, key_of
from metric_reports.view.words import label

TREC_EVAL = (("pytrec_eval", "ndcg_cut"), ("ir_measures", "nDCG@k"))
"""Functions that stand for trec_eval's NDCG, whichever the record has."""


def questions(record: Record, known: Mapping[str, Mapping[str, Variant]], names: Anchors) -> list[tuple[str, str]]:
    """The questions that this record can answer: text and fragment."""
    found = {(one["library"], one["function"]): one for one in record["subjects"] if one["variant"]}
    out: list[tuple[str, str]] = []
    trec = next((found[pair] for pair in TREC_EVAL if pair in found), None)
    if trec is not None:
        out.append(
            ("Which library computes trec_eval’s NDCG?", f"mine?{urlencode({'is': names.subjects[key_of(trec)]})}")
        )
    first = next((variant for variant in known.get("ndcg", {}).values()), None)
    if first is not None:
        head = label("ndcg", cutoffs(record)[0])
        place = names.variant(first)
        out.append((f"What do I write in my paper for {head}?", f"mine?{urlencode({'is': place})}"))
    out.append(("How do two libraries differ, user by user?", "pair"))
    if record.get("models"):
        out.append(("Does the choice change which model wins?", "models"))
    if "HR001" in names.codes:
        out.append(("Why is a hit rate above 1?", names.codes["HR001"]))
    out.append(("What becomes of a user without relevant items?", "edges"))
    if several := two_of(record, "average_precision"):
        one, other = several
        title = names.called(one)
        out.append((f"Who computes MAP as {title} does?", f"mine?{urlencode({'is': names.subjects[key_of(one)]})}"))
        pair = urlencode({"one": names.subjects[key_of(one)], "other": names.subjects[key_of(other)]})
        out.append((f"How do I turn {title}’s MAP into {names.called(other)}’s?", f"pair?{pair}"))
    return out


def two_of(record: Record, metric: str) -> tuple[Subject, Subject] | None:
    """Two functions of a metric with different definitions: Recommenders' first, where the record has it."""
    apart = apart_of(record)
    those = [
        one
        for one in record["subjects"]
        if one["metric"] == metric and one["variant"] and key_of(one) not in apart and not one.get("diagnostic")
    ]
    those.sort(key=lambda one: one["library"] != "recommenders")
    others = [one for one in those if one["variant"] != those[0]["variant"] and one["library"] != those[0]["library"]]
    return (those[0], others[0]) if others else None
