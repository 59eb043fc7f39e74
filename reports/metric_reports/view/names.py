"""The plain name of a definition, made from its printed form."""

from __future__ import annotations

import re
from functools import cache

from metric_reports.view.choice_words import CHOICES, HEADS, PARAMETERS, PLAINEST, SHARED
from metric_reports.view.words import words

PRINTED = re.compile(r"(?P<metric>\w+)(\((?P<choices>[^()]*)\))?(@(?P<k>\d+))?")
PREPOSITIONS = ("over ", "of ", "by ", "inside ", "up to ", "from ", "against ", "after ", "per ", "among ", "within ")
"""A phrase that begins with one follows the name after a space, any other after a comma."""


@cache
def plain_name(printed: str) -> str:
    """A printed form in plain words: ``AP over min(k, relevant)``; any other text unchanged."""
    parsed = parts(printed)
    if parsed is None:
        return printed
    name, phrases = parsed
    for phrase in phrases:
        name += (" " if phrase.startswith(PREPOSITIONS) else ", ") + phrase
    return name


@cache
def label_of(printed: str, below: str = "") -> str:
    """The plain name without the metric's own, for use below a heading: ``over min(k, relevant)``.

    below : the metric of the heading; a definition of another metric keeps the full name.
    """
    parsed = parts(printed)
    if parsed is None:
        return printed
    name, phrases = parsed
    metric = printed.partition("(")[0]
    if not phrases or name != HEADS.get(metric, words(metric)) or metric != (below or metric):
        return plain_name(printed)
    return ", ".join(phrases)


def parts(printed: str) -> tuple[str, list[str]] | None:
    """The name and a phrase for each choice that needs one; None for a text that is no printed form."""
    match = PRINTED.fullmatch(printed.strip())
    if match is None:
        return None
    metric, choices = match["metric"], dict(re.findall(r"(\w+)=([^,]+)", match["choices"] or ""))
    name = HEADS.get(metric, words(metric))
    if metric == "ndcg" and choices.get("ideal") == "none":
        name = "CG" if choices.get("discount") == "none" else "DCG"
        choices = {choice: value for choice, value in choices.items() if value != "none" or choice == "cut"}
    phrases = [phrase for choice, value in choices.items() if (phrase := phrase_of(metric, choice, value, choices))]
    if not phrases and metric in PLAINEST:
        phrases = [PLAINEST[metric]]
    return name, phrases


def phrase_of(metric: str, choice: str, value: str, choices: dict[str, str]) -> str:
    """The phrase for one choice; empty for the usual value, and for a number that another phrase contains."""
    if choice in PARAMETERS:
        return PARAMETERS[choice].format(value) if PARAMETERS[choice] else ""
    known = CHOICES.get(metric, {}).get(choice, {})
    if value in known:
        return known[value].format(**{"base": "b", "depth": "d", **choices})
    if choice in SHARED:
        return SHARED[choice].get(value, f"{choice.replace('_', ' ')} {value}").format(value)
    return f"{choice.replace('_', ' ')}: {value.replace('_', ' ')}"
