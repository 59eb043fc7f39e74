"""Points for or against a convention, from the source and the annotations of a function."""

from __future__ import annotations

import re
from typing import Dict, Tuple

from metric_adapters.conventions.convention import COUPLES, ZIPPED, Convention
from metric_adapters.conventions.reading.families import families
from metric_adapters.conventions.reading.signature import Call
from metric_adapters.conventions.reading.source import Source

CONTAINERS: Dict[str, float] = {
    "query-columns": 3.0,
    "session-pairs": 1.0,
    "lists": 0.0,
    "sets": -0.1,
    "arrays": -0.2,
    "tensors": -0.3,
    "all": -0.3,
    "all-sets": -0.4,
    "dicts": -0.4,
    "matrix": -0.4,
    "frames": -0.4,
    "dict-sets": -0.5,
    "tensor-matrix": -0.5,
    "text": -0.5,
    "ints": -0.55,
    "csr": -0.6,
    "all-arrays": -0.6,
    "matrix-sets": -0.7,
    "int-matrix": -0.7,
    "user-frames": -0.7,
    "flat": -0.8,
    "polars": -0.8,
    "flat-tensors": -0.9,
    "pairs": -0.9,
    "bools": -0.9,
    "bool-arrays": -0.95,
    "float-arrays": -1.0,
    "row": -1.0,
    "column": -1.0,
    "dict-pairs": -1.0,
}
"""How usual each container is; -1.2 for all others. The first two are tried only where the source has their signs."""
ROLES: Dict[str, float] = {
    "positions": -0.1,
    "position": -0.1,
    "hit_ranks": -0.6,
    "hit_positions": -0.7,
    "list_scores": -0.7,
    "positive_first": -0.8,
    "scored": -0.8,
    "item_scores": -0.8,
    "score_series": -0.8,
    "graded_items": -0.8,
    "distances": -0.3,
    "sizes": -0.4,
    "candidate_frame": -0.3,
    "lists_frame": -0.3,
    "predictions": -1.0,
    "positive_scores": -0.5,
    "ranks": -0.3,
    "rank": -0.3,
}
"""The same for roles; 0 for all others."""
ANNOTATIONS: Tuple[Tuple[str, Tuple[str, ...]], ...] = (
    (r"(csr|csc|coo|sp|sparse\w*)_?(matrix|array)|scipy", ("csr", "csr-both")),
    (
        r"tensor",
        (
            "tensors",
            "tensor-matrix",
            "flat-tensors",
            "bool-tensors",
            "tensor-column",
            "tensor-row",
            "float-tensors",
            "float-tensor-matrix",
        ),
    ),
    (r"polars|pl\.dataframe", ("polars",)),
    (r"dataframe", ("frames", "user-frames", "wide-frames")),
    (r"series", ("series",)),
    (r"(list|sequence|iterable|tuple|collection)\[(typing\.)?(tuple)\[", ZIPPED),
    (r"(list|sequence|iterable|tuple|collection)\[(typing\.)?set", ("all-sets", "all-both-sets")),
    (r"(list|sequence|iterable|collection)\[[\w.]*(ndarray|array)", ("all-arrays",)),
    (r"(list|sequence|iterable|collection)\[(typing\.)?(list|sequence|iterable|tuple|collection)", ("all",)),
    (r"(dict|mapping)\[.*(dict|mapping)", ("text", "ints", "dicts")),
    (r"(dict|mapping)\[str.*set\[", ("dict-string-sets",)),
    (r"(dict|mapping)\[str", ("dict-strings", "strings", "text")),
    (r"(dict|mapping)\[.*set\[", ("dict-sets",)),
    (r"dict|mapping", ("dicts", "dict-sets", "text", "ints", "lists")),
    (r"ndarray|array", ("arrays", "matrix", "flat", "row", "bool-arrays", "float-arrays", "column", "int-matrix")),
    (r"(list|sequence|set|iterable|collection)\[str", ("strings", "string-sets")),
    (r"(list|sequence|iterable|collection)\[bool", ("bools",)),
    (r"(list|sequence|iterable|collection)\[float", ("floats", "lists", "arrays")),
    (r"set\b", ("sets", "both-sets")),
    (r"list|sequence|iterable|collection", ("lists", "sets", "arrays", "bools", "floats", "both-sets")),
)
SCORED = ("y_score", "distances", "scores", "list_scores", "positive_scores", "positive_first", "similarity")
GRADED = ("relevance_graded", "y_true_graded", "grades", "graded_frame")
BINARY = ("relevance", "y_true", "labelled_frame")
RANKS = ("rank", "position", "ranks", "positions")
NUMBERS = ("item", "n_relevant", "rank", "position")


def prior(convention: Convention) -> float:
    """How usual a convention is."""
    points = CONTAINERS.get(convention.container, -1.2) + sum(ROLES.get(role, 0.0) for role in convention.roles)
    return points - (0.25 if convention.cut or convention.full else 0.0)


def annotated(convention: Convention, role: str, text: str) -> float:
    """Points for the annotation of one parameter."""
    if not text or text in ("typing.any", "object"):
        return 0.0
    if re.fullmatch(r"(typing\.optional\[)?(builtins\.)?(int|float)\]?", text):
        return 2.0 if role in NUMBERS and convention.per_user else -4.0
    if role in NUMBERS and convention.per_user:
        return -1.0
    for pattern, containers in ANNOTATIONS:
        if re.search(pattern, text):
            if role in ("grades", "item_scores"):
                return 2.0 if "dict" in pattern else -2.0
            if role in ("scored", "predictions", "graded_items"):
                return 2.0 if "tuple" in pattern or "dict" in pattern else -1.0
            return 2.0 if convention.container in containers else -2.0
    return 0.0


def by_use(convention: Convention, role: str, name: str, source: Source) -> float:
    """Points for what the function does with one parameter."""
    points, container = 0.0, convention.container
    if source.does(name, "sliced"):
        points += {"relevant": -1.0, "grades": -2.0, "item": -3.0, "n_relevant": -3.0, "gains": -0.5}.get(role, 0.7)
    if source.does(name, "member") or source.does(name, "made_set"):
        points += {"relevant": 0.7, "grades": 0.5, "recommended": 0.3}.get(role, -0.5)
    if source.does(name, "set"):
        points += 1.0 if "set" in container and role in ("relevant", "recommended") else -0.5
    points += _mapped(convention, role, source.does(name, "mapping"), source.does(name, "indexed"))
    if source.does(name, "zipped"):
        points += 0.7 if container.startswith("all") else 0.0
    if source.does(name, "unpacked"):
        points += 2.0 if container in ZIPPED or role in ("scored", "predictions", "graded_items") else -0.5
    if source.does(name, "couple"):
        points += 3.0 if container in COUPLES else 0.0
    if source.does(name, "rows"):
        has_rows = "matrix" in container or container in ("csr", "column", "row", "tensor-row", "tensor-column")
        points += 1.0 if has_rows else -1.0
    if source.does(name, "widened"):
        points += 2.5 if role in NUMBERS and not convention.per_user else -0.5
    if source.does(name, "sparse"):
        points += 3.0 if container.startswith("csr") and role != "recommended" else -1.5
    if re.search(r"csr|sparse", name.lower()) and role == "y_score":
        points += {"csr-both": 3.0, "csr": -2.0}.get(container, 0.0)
    if role in RANKS:
        points += _ranked(convention, role, name, source)
    if "frame" in families(name) or source.does(name, "frame"):
        points += 2.0 if convention.columns is not None else -2.0
    return points


def _ranked(convention: Convention, role: str, name: str, source: Source) -> float:
    """Points for a parameter that may hold ranks: one or several, from 1 or from 0."""
    several = not convention.per_user or role.endswith("s")
    points = 1.0 if source.does(name, "compared") else 0.0
    if source.does(name, "of_ranks"):
        points += 5.0 if several else -2.0
    if re.search(r"(rank|position|pos|idx)s$|_(list|array|arr)$|indices", name.lower()):
        points += 0.8 if several else -1.5
    elif re.search(r"(rank|position|pos|idx|index)$", name.lower()):
        points += -0.8 if several else 0.5
    return points + (0.3 if ("rank" in name.lower()) == ("rank" in role) else 0.0)


def _mapped(convention: Convention, role: str, mapped: bool, indexed: bool) -> float:
    """Points for whether a parameter is used as a dict."""
    if role in ("grades", "item_scores") and convention.per_user:
        return 1.0 if mapped or indexed else -2.0
    if convention.container.startswith("dict") or convention.container in ("text", "ints"):
        return 1.5 if mapped else 0.0 if indexed else -0.5
    return -2.0 if mapped else 0.0


def by_words(convention: Convention, call: Call, source: Source) -> float:
    """Points for what the whole function does and imports; one that takes a threshold compares gains with it."""
    points = 0.0
    for package in convention.packages:
        points += 2.5 if package in source.words else -2.5
    if convention.columns is not None and source.anywhere("frame"):
        points += 1.0
    if any(role in SCORED for role in convention.roles):
        points += 1.5 if "sorts" in source.words else -0.5
    gains = "gains" in source.words or call.takes_threshold
    if any(role in GRADED for role in convention.roles):
        points += 0.3 if gains else -0.3
    elif any(role in BINARY for role in convention.roles):
        points += -0.3 if gains else 0.3
    return points


def by_container(convention: Convention, call: Call, source: Source) -> float:
    """Points for a container from the function's use of axes and loops."""
    points, container = 0.0, convention.container
    if "matrix" in container or container.startswith("csr") or container in ("column", "tensor-column"):
        points += 1.5 if "rows" in source.words else -0.5
    if convention.roles == ("predictions",):
        points += 3.0 if "est" in source.texts or source.does((call.data or ("",))[0], "unpacked_five") else -1.0
    return points
