"""The chooser: a few questions about a metric, and the variant that belongs to each combination of answers."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path

from metric_harness.recordings.known_functions import plain
from metric_harness.site.functions import slug
from metric_reference.catalogue import by_variant
from metric_reference.registry import METRICS
from metric_reference.signatures.signature import usual_parts, word
from metric_reference.signatures.words import KEYS, LATER
from metric_reference.variant import Variant
from metric_reports.types.site_parts import SiteChoice, SiteQuestion
from metric_reports.view.names import plain_name

CUT = "cut"
"""The choice that is asked together with the metric: whether the list is cut at k."""


@cache
def table() -> dict[str, dict[str, dict[str, str]]]:
    """The content of ``chooser.toml``: each value in words, by metric and choice."""
    return tomllib.loads(Path(__file__).with_name("chooser.toml").read_text(encoding="utf-8"))


def chooser(pages: Collection[str]) -> list[SiteChoice]:
    """The questions about each metric; pages : the ids of the definitions that have one."""
    return [questions_about(name, pages) for name in table()]


def questions_about(name: str, pages: Collection[str]) -> SiteChoice:
    """The questions about one metric, and its definitions by the answers."""
    metric, questions = METRICS[name], table()[name]
    choices = {choice: list(values) for choice, values in questions.items()}
    if CUT in metric.choices() and (name, CUT) not in LATER:  # a later part has no place in older signatures
        choices[CUT] = list(metric.choices()[CUT])
    known = {}
    for values in itertools.product(*choices.values()):
        variant = Variant(metric(**dict(zip(choices, values, strict=True))))
        page, entry = slug(plain(variant)), by_variant().get(str(variant.canonical()))
        title = entry.title if entry else name.replace("_", " ")
        known[" ".join(values)] = [page if page in pages else "", title, plain_name(str(variant))]
    usual = metric()
    return {
        "metric": name,
        "parts": usual_parts(name),
        "questions": [question(choice, words) for choice, words in questions.items()],
        "cuts": CUT in choices,
        "known": known,
        "relevance": usual.relevance,
        "lists": bool(usual.lists),
    }


def question(choice: str, words: dict[str, str]) -> SiteQuestion:
    """A choice, and each of its values with its word in a signature and its meaning."""
    return {
        "choice": choice,
        "part": KEYS.get(choice, choice),
        "values": [[value, word(value), meaning] for value, meaning in words.items()],
    }
