"""Which conventions may fit a function, the likeliest first."""

from __future__ import annotations

import importlib.util
import re
from typing import List, NamedTuple, Tuple

from adapters.conventions import CONVENTIONS, Convention, frame_conventions
from adapters.conventions_families import families, suits
from adapters.conventions_frames import read_columns
from adapters.conventions_signature import Call, Parameters, annotation
from adapters.conventions_source import Source

PRIOR = {
    "lists": 0.0, "lists-cut": -0.25, "sets": -0.1, "arrays": -0.2, "tensors": -0.3, "all": -0.3, "all-sets": -0.4,
    "dicts": -0.4, "dict-sets": -0.5, "matrix": -0.4, "tensor-matrix": -0.5, "flat": -0.8, "flat-tensors": -0.9,
    "frames": -0.4, "text": -0.5,
}  # fmt: skip
ANNOTATIONS: Tuple[Tuple[str, Tuple[str, ...]], ...] = (
    (r"tensor", ("tensors", "tensor-matrix", "flat-tensors")),
    (r"dataframe", ("frames",)),
    (r"(list|sequence|iterable|tuple|collection)\[(typing\.)?set", ("all-sets",)),
    (r"(list|sequence|iterable|collection)\[(typing\.)?(list|sequence|iterable|tuple|collection)", ("all",)),
    (r"(dict|mapping)\[.*(dict|mapping)", ("text",)),
    (r"(dict|mapping)\[.*set\[", ("dict-sets",)),
    (r"dict|mapping", ("dicts", "dict-sets", "text")),
    (r"ndarray|array", ("arrays", "matrix", "flat")),
    (r"set\b", ("sets",)),
    (r"list|sequence|iterable|collection", ("lists", "lists-cut", "sets", "arrays")),
)
USUAL = ("relevant", "recommended")
SCORED = ("y_score", "scores")
GRADED = ("relevance_graded", "y_true_graded", "grades")
BINARY = ("relevance", "y_true")


class Fit(NamedTuple):
    """A convention with the way to call it, how likely it is, why, and whether every name speaks against it."""

    convention: Convention
    call: Call
    score: float
    why: str
    absurd: bool


def fitting(parameters: Parameters, source: Source) -> List[Fit]:
    """Every convention that the function can be called with, the likeliest first.

    Left out is what every one of the parameters' names contradicts, such as the reverse order of the right one, unless
    nothing else is left.
    """
    out = []
    found = read_columns(parameters.columns, source)
    framed = bool(parameters.columns) or "pandas" in source.words or source.anywhere("frame") or not source.of
    for convention in (*CONVENTIONS, *(frame_conventions(found) if framed else ())):
        call = parameters.call(len(convention.roles))
        if convention.container == "lists-cut" and call is not None and not call.takes_k:
            continue  # lists end at k anyway
        if call is not None and (convention.needs is None or importlib.util.find_spec(convention.needs)):
            out.append(judge(convention, call, parameters, source))
    return sorted([fit for fit in out if not fit.absurd] or out, key=lambda fit: -fit.score)


def judge(convention: Convention, call: Call, parameters: Parameters, source: Source) -> Fit:
    """How likely a convention is: names, annotations, and what the source does with each parameter."""
    score = PRIOR[convention.container]
    named: List[str] = []
    against: List[str] = []
    for role, name in zip(convention.roles, call.data or ()):
        points, names_it = suits(role, name)
        if points == 0.0:
            score += 0.5 if role in USUAL else 0.0
        else:
            (named if names_it else against).append(f"{name} is {role}")
        score += points + by_annotation(convention, role, annotation(parameters.all[name]))
        score += by_use(convention, role, name, source)
    score += by_words(convention, call, source)
    return Fit(convention, call, score, why(call, named, against), len(against) == len(convention.roles))


def by_annotation(convention: Convention, role: str, text: str) -> float:
    """What the annotation of one parameter adds."""
    if not text or text in ("typing.any", "object"):
        return 0.0
    if re.fullmatch(r"(builtins\.)?int", text):
        return 2.0 if role in ("item", "n_relevant") else -4.0
    if role in ("item", "n_relevant"):
        return -1.0
    for pattern, containers in ANNOTATIONS:
        if re.search(pattern, text):
            if role == "grades":
                return 2.0 if "dict" in pattern else -2.0
            return 2.0 if convention.container in containers else -2.0
    return 0.0


def by_use(convention: Convention, role: str, name: str, source: Source) -> float:
    """What the function does with one parameter."""
    points, container = 0.0, convention.container
    if source.does(name, "sliced"):
        points += {"relevant": -1.0, "grades": -2.0, "item": -3.0, "n_relevant": -3.0, "gains": -0.5}.get(role, 0.7)
    if source.does(name, "member") or source.does(name, "made_set"):
        points += {"relevant": 0.7, "grades": 0.5, "recommended": 0.3}.get(role, -0.5)
    if source.does(name, "set"):
        points += 1.0 if "sets" in container and role == "relevant" else -0.5
    mapped = source.does(name, "mapping")
    if role == "grades":
        points += 1.0 if mapped or source.does(name, "indexed") else -2.0
    else:
        points += (1.5 if mapped else -0.5) if container in ("dicts", "dict-sets", "text") else (-2.0 if mapped else 0)
    if source.does(name, "zipped"):
        points += 0.7 if container in ("all", "all-sets") else 0.0
    if source.does(name, "rows"):
        points += 1.0 if "matrix" in container else -1.0
    if "frame" in families(name) or source.does(name, "frame"):
        points += 2.0 if container == "frames" else -2.0
    return points


def by_words(convention: Convention, call: Call, source: Source) -> float:
    """What the function does and imports as a whole; one that takes a threshold has gains to hold against it."""
    points = 0.0
    torch, frame = "torch" in source.words, "pandas" in source.words or source.anywhere("frame")
    points += (2.5 if torch else -2.5) if convention.needs == "torch" else 0.0
    points += (1.0 if frame else -2.0) if convention.needs == "pandas" else 0.0
    if any(role in SCORED for role in convention.roles):
        points += 1.5 if "sorts" in source.words else -0.5
    if "matrix" in convention.container:
        points += 1.5 if "rows" in source.words else -0.5
    gains = "gains" in source.words or call.takes_threshold
    if any(role in GRADED for role in convention.roles):
        points += 0.3 if gains else -0.3
    elif any(role in BINARY for role in convention.roles):
        points += -0.3 if gains else 0.3
    return points


def why(call: Call, named: List[str], against: List[str]) -> str:
    """One line for a person."""
    if call.data is None:
        return "its parameters cannot be read; given by position"
    text = "by name, " + ", ".join(named) if named else f"takes {len(call.data)}, the names do not tell"
    cut = f"{call.k} is k" if call.k else "no k, so what it gets ends at k"
    doubt = f"; against it: {', '.join(against)}" if against else ""
    return f"{text}; {cut}{doubt}"
