"""The chooser: what a few questions about a metric ask, and which variant the answers make."""

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
from metric_reference.signatures.words import ABOUT, KEYS
from metric_reference.variant import Variant
from metric_reports.types.site_parts import SiteChoice, SiteQuestion
from metric_reports.view.names import plain_name

CUT = "cut"
"""Asked together with the metric: the list is cut at k, or not at all."""


@cache
def table() -> dict[str, dict[str, dict[str, str]]]:
    """The page ``chooser.toml``: metric, choice, and each value in words."""
    return tomllib.loads(Path(__file__).with_name("chooser.toml").read_text(encoding="utf-8"))


def chooser(pages: Collection[str]) -> list[SiteChoice]:
    """What is asked about each metric; pages : the names of the definitions that have one."""
    return [questions_about(name, pages) for name in table()]


def questions_about(name: str, pages: Collection[str]) -> SiteChoice:
    """The questions about one metric, and its definitions by the answers."""
    metric, asked = METRICS[name], dict(table()[name])
    choices = {**{choice: list(values) for choice, values in asked.items()}}
    if CUT in metric.choices():
        choices[CUT] = list(metric.choices()[CUT])
    known = {}
    for values in itertools.product(*choices.values()):
        variant = Variant(metric(**dict(zip(choices, values, strict=True))))
        page, entry = slug(plain(variant)), by_variant().get(str(variant.canonical()))
        title = entry.title if entry else name.replace("_", " ")
        known[" ".join(values)] = [page if page in pages else "", title, plain_name(str(variant))]
    usual = METRICS[name]()
    return {
        "metric": name,
        "parts": usual_parts(name),
        "questions": [question(choice, words) for choice, words in asked.items()],
        "cuts": CUT in choices,
        "known": known,
        "relevance": usual.relevance,
        "lists": bool(usual.lists),
    }


def question(choice: str, words: dict[str, str]) -> SiteQuestion:
    """A choice with each of its values: the value, its word in a signature, and what it means."""
    return {
        "choice": choice,
        "part": KEYS.get(choice, choice),
        "values": [[value, word(value), meaning] for value, meaning in words.items()],
    }


def words_of_signatures() -> dict[str, dict[str, str]]:
    """What each word of the parts that every signature has means, as half a sentence."""
    return ABOUT
