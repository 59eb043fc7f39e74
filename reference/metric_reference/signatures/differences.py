"""Comparison of two signatures: the same number for every input, or where they differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Collection, Dict, Tuple

from metric_reference.narrowed import EVERYTHING
from metric_reference.signatures.signature import Signature
from metric_reference.signatures.words import CANDIDATE_PARTS, EDGES
from metric_reference.variant import Variant, twins

AFFECTED = {
    "norel": "users without relevant items",
    "nolist": "users without a list",
    "users": "users who occur in one table alone",
    "dup": "lists that name an item twice",
    "ties": "items of equal score",
}
"""The inputs that a part affects, for the parts that do not affect all inputs."""
_FIELD = {"users": "users", "norel": "no_relevant", "nolist": "no_list"}
"""The field of :class:`Signature` behind a part."""


@dataclass(frozen=True)
class Comparison:
    """How two signatures compare.

    verdict : ``same``, ``differ`` or ``unknown`` (the words differ only where one of them is ``?``).
    parts : the parts that differ, by name, with both words. sentence : the verdict in words.
    """

    verdict: str
    parts: Dict[str, Tuple[str, str]]
    sentence: str


def compare(one: Signature, other: Signature) -> Comparison:
    """Whether two signatures give the same number for every input, or in which parts or for which users they differ."""
    parts = _different(one, other)
    if not parts:
        return Comparison("same", {}, "same")
    pairs = ", ".join(f"{name} ({word}, {other_word})" for name, (word, other_word) in parts.items())
    if not set(parts) <= set(AFFECTED):
        return Comparison("differ", parts, f"differ in {pairs}")
    unknown = [name for name, words in parts.items() if "?" in words]
    known = [name for name in parts if name not in unknown]
    if not unknown:
        return Comparison("differ", parts, f"differ only for {_affected(known)}: {pairs}")
    also = f"; they differ for {_affected(known)}" if known else ""
    text = f"unknown for {_affected(unknown)}{also}: {pairs}"
    return Comparison("differ" if known else "unknown", parts, text)


def _affected(parts: Collection[str]) -> str:
    texts = [text for name, text in AFFECTED.items() if name in parts]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _different(one: Signature, other: Signature) -> Dict[str, Tuple[str, str]]:
    """The parts that make a difference for some input, with both words."""
    variants = _plain(one.variant), _plain(other.variant)
    same = variants[0] == variants[1] or variants[1] in twins(variants[0])
    relevance, lists = one.variant.metric.relevance, one.variant.metric.lists
    parts: Dict[str, Tuple[str, str]] = {}
    words, other_words = one.parts(), other.parts()
    if one.variant.k != other.variant.k:
        parts["cut-off"] = (one.head.partition("@")[2], other.head.partition("@")[2])
    if not same and one.variant.metric.name != other.variant.metric.name:
        parts["metric"] = (one.variant.metric.name, other.variant.metric.name)
    elif not same:
        choices, other_choices = (replace(s, variant=v).parts() for s, v in zip((one, other), variants))
        for name in dict.fromkeys((*choices, *other_choices)):
            compared = name not in (*EDGES, "users", "rel", "times", "round", "rounds", "only", *CANDIDATE_PARTS, "mh")
            if compared and choices.get(name) != other_choices.get(name):
                parts[name] = (choices.get(name, "-"), other_choices.get(name, "-"))
    usual_words = {"rel": ">0", "times": "1", "round": "not", "rounds": "mean", "only": EVERYTHING}
    usual_words.update(cand="all", repl="-", per="-")
    for name, usual in usual_words.items():
        if words.get(name, usual) != other_words.get(name, usual):
            parts[name] = (words.get(name, usual), other_words.get(name, usual))
    counts = _counts(one)
    if relevance and counts != _counts(other):
        for name in ("users", "norel", *(["nolist"] if lists else [])):
            if words[name] != other_words[name]:
                changed = replace(one, **{_FIELD[name]: getattr(other, _FIELD[name])})
                if _counts(changed) != counts or not parts:
                    parts[name] = (words[name], other_words[name])
    elif not relevance and words["users"] != other_words["users"]:
        parts["users"] = (words["users"], other_words["users"])
    for name in ("dup", "ties"):
        if words[name] != other_words[name] and lists:
            parts[name] = (words[name], other_words[name])
    return parts


def _plain(variant: Variant) -> Variant:
    """The canonical variant without cut-off, rounding, factor and the part that is read."""
    return Variant(variant.metric, variant.weight).canonical()


def _counts(signature: Signature) -> Tuple[str, ...]:
    """What users in four groups count; ``out``: they are not in the mean.

    The groups: users with a list whose truth has no relevant items; with relevant items but no list; with neither; with
    a list but no truth.
    """
    no_relevant, no_list = (
        "out" if value in ("skipped", "nan") else value for value in (signature.no_relevant, signature.no_list)
    )
    if not signature.variant.metric.lists:
        no_list = "as usual"
    truth, recommended = signature.users in ("truth", "all"), signature.users in ("recommended", "all")
    return (
        no_relevant,
        no_list if truth else "out",
        no_relevant if truth else "out",
        no_relevant if recommended else "out",
    )
