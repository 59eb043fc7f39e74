"""A script that reproduces a smallest case without this tool: the call, and the expected value as arithmetic."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metric_harness.audit_text.cases import safe
from metric_harness.naming.findings.hand_calculation import terms
from metric_harness.naming.probes.probe import build
from metric_reference.case import Case
from metric_reference.matching import match
from metric_reference.metrics.ranking.average_precision import AveragePrecision
from metric_reference.metrics.ranking.ndcg import Ndcg, discounts
from metric_reference.metrics.ranking.reciprocal_rank import ReciprocalRank
from metric_reference.variant import Variant
from metric_reports.record import from_json_number

User = Mapping[str, Any]

WHOLE_BATCH = ("all", "all-sets", "dicts", "dict-sets", "text")
"""Containers of all users that can be written as Python here."""
BY_USER = ("lists", "sets", "arrays", "tensors")
IMPORTS = {"np.": "import numpy as np", "torch.": "import torch", "log2(": "from math import log2"}


def script(
    subject: Mapping[str, Any], case: Mapping[str, Any], about: str, variant: Variant | None, value: float | None
) -> str:
    """A Python script that prints what the function returns for the case and what is expected.

    about : the definition expected, in words. variant : the same; None if its value cannot be computed here.
    value : its value.
    """
    expected = spelled(variant, case, value)
    returned = calls(subject, case)
    names = [name for mark, name in IMPORTS.items() if any(mark in line for line in (expected, *returned))]
    called = importing(subject["target"]) if returned else []
    if not returned:
        returned = [*data(case), f"returned = ...  # call {plain_name(subject['target'])} with these lists and k"]
    lines = [*names, *called, "", *returned, f"expected = {expected}  # {about}"]
    printed = ['print("returned", returned)', 'print("expected", expected)']
    return safe_lines([*lines, "", *printed]).lstrip("\n")


def safe_lines(lines: Sequence[str]) -> str:
    """Lines without control characters; a backtick cannot end the fence around them."""
    return "\n".join(safe(line).replace("```", "'''") for line in lines)


def plain_name(target: str) -> str:
    """The name of a function without the file, library or program that holds it."""
    return safe(target.rpartition(":")[2])


def importing(target: str) -> list[str]:
    """The lines that import the function of a target."""
    location, _, name = target.rpartition(":")
    first = name.partition(".")[0]
    if not location.endswith(".py"):
        return [f"from {location} import {first}"]
    path = Path(location)
    root, modules = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        modules.insert(0, root.name)
        root = root.parent
    return ["import sys", "", f"sys.path.insert(0, {root.as_posix()!r})", f"from {'.'.join(modules)} import {first}"]


def data(case: Mapping[str, Any]) -> list[str]:
    """The lists and relevant items of a case as assignments."""
    graded = any(gain != 1.0 for user in case["users"] for gain in user["gains"])
    relevant = [grades(user) if graded else user["relevant"] for user in case["users"]]
    about = "the relevant items of each user" + (" with their gains" if graded else "")
    return [
        f"k = {case['k']}",
        f"recommended = {[user['list'] for user in case['users']]}  # the list of each user, best first",
        f"relevant = {relevant}  # {about}",
    ]


def calls(subject: Mapping[str, Any], case: Mapping[str, Any]) -> list[str]:
    """Lines that call the function and assign ``returned``; none where the call cannot be written in Python."""
    call = (subject["calling"] or {}).get("call") or ""
    roles, _, container = (subject["convention"] or "").partition(":")
    cut = None if "{k}" in call and not container.endswith("-cut") else case["k"]
    container = container.removesuffix("-cut").removesuffix("-full") or (
        "text" if set(roles.split(",")) == {"qrels", "run"} else "lists"
    )
    source = subject["target"].rpartition(":")[0].removesuffix(".py")
    if not call or not re.fullmatch(r"[\w./-]+", source) or container not in (*WHOLE_BATCH, *BY_USER):
        return []
    users = [user if cut is None else {**user, "list": user["list"][:cut]} for user in case["users"]]
    used = set(re.findall(r"\{(\w+)\}", call)) - {"k"}
    if not used <= set(ROLES) or any(name == "item" and len(user["relevant"]) != 1 for name in used for user in users):
        return []

    def filled(values: Mapping[str, str]) -> str:
        return re.sub(r"\{(\w+)\}", lambda match: values[match[1]], call)

    def call_for(user: User) -> str:
        return filled({"k": str(case["k"]), **{name: literal(name, user, container) for name in used}})

    if container in WHOLE_BATCH:
        return [
            f"returned = {filled({'k': str(case['k']), **{name: literals(name, users, container) for name in used}})}"
        ]
    if len(users) == 1:
        return [f"returned = {call_for(users[0])}"]
    return ["values = [", *(f"    {call_for(user)}," for user in users), "]", "returned = sum(values) / len(values)"]


def literal(role: str, user: User, container: str) -> str:
    """The argument for one user in a role, as Python."""
    value = ROLES[role](user)
    if container in ("sets", "all-sets", "dict-sets") and role == "relevant":
        return repr(set(value)) if value else "set()"
    if isinstance(value, list) and container == "arrays":
        return f"np.array({value})"
    if isinstance(value, list) and container == "tensors":
        return f"torch.tensor({[float(hit) for hit in value] if role == 'relevance' else value})"
    return repr(value)


def literals(role: str, users: Sequence[User], container: str) -> str:
    """The argument for all users in a role, as Python."""
    if container == "text":
        return repr({str(number): ROLES[role](user) for number, user in enumerate(users) if ROLES[role](user)})
    values = [literal(role, user, container) for user in users]
    if container.startswith("dict"):
        return "{" + ", ".join(f"{number}: {value}" for number, value in enumerate(values)) + "}"
    return f"[{', '.join(values)}]"


def grades(user: User) -> dict[int, float]:
    """The gain of each relevant item."""
    return dict(zip(user["relevant"], user["gains"], strict=True))


def catalogue(user: User) -> int:
    """The size of a catalogue with all items that occur, and one more."""
    return max([*user["list"], *user["relevant"], 0]) + 2


def score_of_each(user: User) -> list[float]:
    """A score for each item: listed items first, then irrelevant ones, then relevant ones."""
    relevant = set(user["relevant"])
    rest = [item for item in range(catalogue(user)) if item not in user["list"]]
    order = [*user["list"], *sorted(rest, key=lambda item: item in relevant)]
    return [float(len(order) - order.index(item)) for item in range(catalogue(user))]


ROLES: dict[str, Any] = {
    "recommended": lambda user: user["list"],
    "relevant": lambda user: user["relevant"],
    "item": lambda user: user["relevant"][0],
    "grades": grades,
    "relevance": lambda user: [int(item in user["relevant"]) for item in user["list"]],
    "relevance_graded": lambda user: [grades(user).get(item, 0.0) for item in user["list"]],
    "n_relevant": lambda user: len(user["relevant"]),
    "gains": lambda user: sorted(user["gains"], reverse=True),
    "y_true": lambda user: [int(item in user["relevant"]) for item in range(catalogue(user))],
    "y_true_graded": lambda user: [grades(user).get(item, 0.0) for item in range(catalogue(user))],
    "y_score": score_of_each,
    "qrels": lambda user: {str(item): gain for item, gain in grades(user).items()},
    "run": lambda user: {str(item): float(len(user["list"]) - rank) for rank, item in enumerate(user["list"])},
}
"""The argument of each role for a user, in plain Python (compare metric_adapters/conventions/inputs/roles.py)."""


def spelled(variant: Variant | None, case: Mapping[str, Any], value: float | None) -> str:
    """A value as an arithmetic expression in Python; as the number itself where there is none."""
    if value is None or not math.isfinite(value):
        return f'float("{value}")'
    lists_alone = variant is not None and set(variant.metric.needs) <= {"candidate_scores"}
    if variant is not None and lists_alone and not variant.metric.of_whole_case() and variant.weight in ("user", "sum"):
        users = case["users"]
        gains = [user["gains"] for user in users]
        n_items = max(map(catalogue, users))
        small_case = build([u["list"] for u in users], [u["relevant"] for u in users], n_items, gains=gains)
        terms_by_user = [share(variant, small_case, user, case["k"]) for user in range(small_case.users)]
        text = " + ".join(terms_by_user)
        if variant.weight == "user" and len(terms_by_user) > 1:
            text = f"({text}) / {len(terms_by_user)}"
        if abs(worked_out(text) - value) < 1e-9:
            return text
    return repr(value)


def worked_out(expression: str) -> float:
    """The value of an arithmetic expression that this file wrote; NaN where it has none."""
    if not re.fullmatch(r"(log2|[\d.e+\-*/() ])*", expression):
        return math.nan
    try:
        return float(eval(expression, {"__builtins__": {}, "log2": math.log2}))
    except (ArithmeticError, SyntaxError):
        return math.nan


def share(variant: Variant, case: Case, user: int, k: int) -> str:
    """One user's value as an arithmetic expression: numerator over denominator."""
    matches, metric = match(case), variant.metric
    numerator, denominator = (float(part[user]) for part in metric.parts(matches, k))
    numerator_text, denominator_text = repr(numerator), f"{denominator:.17g}"
    if isinstance(metric, AveragePrecision | ReciprocalRank):
        numerator_text = terms(variant, matches, user, k)
    if isinstance(metric, Ndcg):
        ranks = None if metric.cut == "none" else k
        gains = metric.gain_of(matches.gains[user, :ranks], matches.hits[user, :ranks], case.threshold)
        numerator_text = discounted(gains, metric.discount)
        best = -np.sort(-case.judged_gains[case.judged_indptr[user] : case.judged_indptr[user + 1]])[:k]
        ideal = discounted(metric.gain_of(best, np.ones(len(best), dtype=bool), case.threshold), metric.discount)
        denominator_text = ideal if abs(worked_out(ideal) - denominator) < 1e-9 else denominator_text
    if not abs(worked_out(numerator_text) - numerator) < 1e-9:
        numerator_text = repr(numerator)
    if denominator == 0.0:
        return repr(float(metric.per_user(matches, k)[user]))
    compound = " " in denominator_text or "/" in denominator_text
    dividend = f"({numerator_text})" if " " in numerator_text or compound else numerator_text
    if denominator_text == "1":
        return dividend
    return f"{dividend} / ({denominator_text})" if compound else f"{dividend} / {denominator_text}"


def discounted(gains: np.ndarray, discount: str) -> str:
    """The sum of discounted gains as an expression; logarithmic discounts are written as log2."""
    weights = discounts(discount, max(len(gains), 1))
    kept = [rank for rank, gain in enumerate(gains.tolist()) if gain]
    if discount == "log2":
        return " + ".join(f"{gains[rank]:g} / log2({rank + 2})" for rank in kept) or "0"
    return " + ".join(f"{gains[rank]:g} * {float(weights[rank]):.17g}" for rank in kept) or "0"


def value_of(candidate: Mapping[str, Any]) -> float | None:
    """The number of a candidate."""
    return from_json_number(candidate["value"])
