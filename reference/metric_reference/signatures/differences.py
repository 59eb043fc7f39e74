"""Two signatures compared: the same number for every input, or where they differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, Mapping, Tuple

from metric_reference.signatures.signature import Signature
from metric_reference.signatures.words import EDGES
from metric_reference.variant import Variant, twins

GROUPS = ("none relevant", "no list", "neither", "recommended only")
"""Users that edges decide on: with truth and a list but nothing relevant; with relevant items but no list; with a
truth without relevant items and no list; with a list but without truth."""
ONLY = {
    "norel": "users without relevant items",
    "nolist": "users without a list",
    "users": "users who occur in one table alone",
    "dup": "lists that name an item twice",
    "ties": "items of equal score",
}


@dataclass(frozen=True)
class Comparison:
    """How two signatures compare.

    verdict : ``same``, ``differ`` or ``unknown`` (one of them leaves open what the other says).
    parts : the names of the parts that differ, with both words. sentence : the verdict in words.
    """

    verdict: str
    parts: Dict[str, Tuple[str, str]]
    sentence: str


def compare(one: Signature, other: Signature) -> Comparison:
    """Whether two signatures give the same number for every input, or in which parts or for which users they differ."""
    parts = _different(one, other)
    if not parts:
        return Comparison("same", {}, "same")
    pairs = ", ".join(f"{name} ({a}, {b})" for name, (a, b) in parts.items())
    if set(parts) <= set(ONLY):
        open_parts = [name for name, pair in parts.items() if "?" in pair]
        if open_parts:
            rest = {name: pair for name, pair in parts.items() if name not in open_parts}
            also = f"; they differ for {_listed(rest)}" if rest else ""
            text = f"unknown for {_listed(dict.fromkeys(open_parts))}{also}: {pairs}"
            return Comparison("differ" if rest else "unknown", parts, text)
        return Comparison("differ", parts, f"differ only for {_listed(parts)}: {pairs}")
    return Comparison("differ", parts, f"differ in {pairs}")


def _listed(parts: Mapping[str, object]) -> str:
    texts = [text for name, text in ONLY.items() if name in parts]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _different(one: Signature, other: Signature) -> Dict[str, Tuple[str, str]]:
    """The parts that make a difference for some input, with both words."""
    variants = _plain(one.variant), _plain(other.variant)
    same = variants[0] == variants[1] or variants[1] in twins(variants[0])
    relevance, lists = one.variant.metric.relevance, one.variant.metric.lists
    parts: Dict[str, Tuple[str, str]] = {}
    mine, theirs = one.parts(), other.parts()
    if one.variant.k != other.variant.k:
        parts["cut-off"] = (one.head.partition("@")[2], other.head.partition("@")[2])
    if not same and one.variant.metric.name != other.variant.metric.name:
        parts["metric"] = (one.variant.metric.name, other.variant.metric.name)
    elif not same:
        a, b = ({**replace(s, variant=v).parts()} for s, v in zip((one, other), variants))
        choices = [name for name in (*a, *b) if name not in (*EDGES, "users", "rel", "times", "round", "mh")]
        for name in dict.fromkeys(choices):
            if a.get(name) != b.get(name):
                parts[name] = (a.get(name, "-"), b.get(name, "-"))
    for name, usual in (("rel", ">0"), ("times", "1"), ("round", "not")):
        if mine.get(name, usual) != theirs.get(name, usual):
            parts[name] = (mine.get(name, usual), theirs.get(name, usual))
    groups = [_groups(each) for each in (one, other)]
    if relevance and groups[0] != groups[1]:
        before = len(parts)
        for name in ("users", "norel", *(["nolist"] if lists else [])):
            if mine[name] != theirs[name]:
                alike = replace(one, **{_FIELD[name]: getattr(other, _FIELD[name])})
                if _groups(alike) != groups[0] or len(parts) == before == 0:
                    parts[name] = (mine[name], theirs[name])
    elif not relevance and mine["users"] != theirs["users"]:
        parts["users"] = (mine["users"], theirs["users"])
    for name in ("dup", "ties"):
        if mine[name] != theirs[name] and lists:
            parts[name] = (mine[name], theirs[name])
    return parts


_FIELD = {"users": "users", "norel": "no_relevant", "nolist": "no_list"}


def _plain(variant: Variant) -> Variant:
    """The variant that stands for all that no input tells apart, without cut-off, rounding and factor."""
    return Variant(variant.metric, variant.weight).canonical()


def _groups(signature: Signature) -> Tuple[str, ...]:
    """What each of the groups of users counts; ``out``: not in the mean."""
    relevant, unlisted = (
        "out" if value in ("skipped", "nan") else value for value in (signature.no_relevant, signature.no_list)
    )
    if not signature.variant.metric.lists:
        unlisted = "as usual"
    truth, recommended = signature.users in ("truth", "all"), signature.users in ("recommended", "all")
    return (
        relevant,
        unlisted if truth else "out",
        relevant if truth else "out",
        relevant if recommended else "out",
    )
