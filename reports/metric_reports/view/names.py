"""What a definition is called: plain words first, its printed form second."""

from __future__ import annotations

import re
from functools import cache

from metric_reports.view.choice_words import CHOICES, HEADS, PARAMETERS, PLAINEST, SHARED
from metric_reports.view.words import words

PRINTED = re.compile(r"(?P<metric>\w+)(\((?P<choices>[^()]*)\))?(@(?P<k>\d+))?")
JOINED = ("over ", "of ", "by ", "inside ", "up to ", "from ", "against ", "after ", "per ", "among ", "within ")
"""Phrases that begin so follow a name after a space, the others after a comma."""


@cache
def plain_name(printed: str) -> str:
    """A printed form in plain words: ``AP over min(k, relevant)``; a text that is no printed form, as it is."""
    parsed = parts(printed)
    if parsed is None:
        return printed
    name, phrases = parsed
    for phrase in phrases:
        name += (" " if phrase.startswith(JOINED) else ", ") + phrase
    return name


@cache
def label_of(printed: str, below: str = "") -> str:
    """The same without the metric's own name, for where that stands above it: ``over min(k, relevant)``.

    below : the metric that stands above it; a definition of another one keeps its name.
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
    """The name and the phrases for what is chosen; None for a text that is no printed form."""
    found = PRINTED.fullmatch(printed.strip())
    if found is None:
        return None
    metric, made = found["metric"], dict(re.findall(r"(\w+)=([^,]+)", found["choices"] or ""))
    name = HEADS.get(metric, words(metric))
    if metric == "ndcg" and made.get("ideal") == "none":
        name = "CG" if made.get("discount") == "none" else "DCG"
        made = {choice: value for choice, value in made.items() if value != "none" or choice == "cut"}
    phrases = [phrase for choice, value in made.items() if (phrase := phrase_of(metric, choice, value, made))]
    if not phrases and metric in PLAINEST:
        phrases = [PLAINEST[metric]]
    return name, phrases


def phrase_of(metric: str, choice: str, value: str, made: dict[str, str]) -> str:
    """What one choice says; nothing for one that goes without saying, and for a number that another phrase names."""
    if choice in PARAMETERS:
        return PARAMETERS[choice].format(value) if PARAMETERS[choice] else ""
    known = CHOICES.get(metric, {}).get(choice, {})
    if value in known:
        return known[value].format(**{"base": "b", "depth": "d", **made})
    if choice in SHARED:
        return SHARED[choice].get(value, f"{choice.replace('_', ' ')} {value}").format(value)
    return f"{choice.replace('_', ' ')}: {value.replace('_', ' ')}"
