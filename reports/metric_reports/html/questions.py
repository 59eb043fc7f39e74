"""Questions that a page answers, each with a link to its answer."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from metric_reports.html.anchors import Anchors
from metric_reports.types.run import Record, Subject
from metric_reports.view.table import Variant, apart_of, cutoffs, key_of
from metric_reports.view.words import label

TREC_EVAL = (("pytrec_eval", "ndcg_cut"), ("ir_measures", "nDCG@k"))
"""Functions that compute trec_eval's NDCG; the first that the record has is linked to."""


def questions(record: Record, known: Mapping[str, Mapping[str, Variant]], names: Anchors) -> list[tuple[str, str]]:
    """The questions that this record can answer: text, and fragment of the page's address."""
    identified = {(row["library"], row["function"]): row for row in record["subjects"] if row["variant"]}
    links: list[tuple[str, str]] = []
    trec = next((identified[pair] for pair in TREC_EVAL if pair in identified), None)
    if trec is not None:
        links.append(("Which library computes trec_eval’s NDCG?", mine(names.subjects[key_of(trec)])))
    if ndcg := known.get("ndcg"):
        head = label("ndcg", cutoffs(record)[0])
        links.append((f"What do I write in my paper for {head}?", mine(names.variant(next(iter(ndcg.values()))))))
    links.append(("How do two libraries differ, user by user?", "pair"))
    if record.get("models"):
        links.append(("Does the choice change which model wins?", "models"))
    if "HR001" in names.codes:
        links.append(("Why is a hit rate above 1?", names.codes["HR001"]))
    links.append(("What becomes of a user without relevant items?", "edges"))
    if pair := two_of(record, "average_precision"):
        first, second = (names.subjects[key_of(subject)] for subject in pair)
        title = names.called(pair[0])
        links.append((f"Who computes MAP as {title} does?", mine(first)))
        address = f"pair?{urlencode({'one': first, 'other': second})}"
        links.append((f"How do I turn {title}’s MAP into {names.called(pair[1])}’s?", address))
    return links


def mine(identifier: str) -> str:
    """The fragment of the section "mine" with a function or definition chosen."""
    return f"mine?{urlencode({'is': identifier})}"


def two_of(record: Record, metric: str) -> tuple[Subject, Subject] | None:
    """Functions of two libraries that define a metric differently, Recommenders' first if the record has it."""
    apart = apart_of(record)
    subjects = [
        row
        for row in record["subjects"]
        if row["metric"] == metric and row["variant"] and key_of(row) not in apart and not row.get("diagnostic")
    ]
    subjects.sort(key=lambda row: row["library"] != "recommenders")
    for other in subjects:
        if other["variant"] != subjects[0]["variant"] and other["library"] != subjects[0]["library"]:
            return subjects[0], other
    return None
