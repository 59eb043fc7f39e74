"""What an unnamed function returned under each likely convention, and a wrapper that makes it callable."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from pathlib import Path

from metric_adapters.calls.fills import N_ITEMS, THRESHOLD
from metric_adapters.calls.names import families, snake
from metric_adapters.calls.signature import K_LIST, K_NAME, WEAK_K_NAME
from metric_harness.naming.attempt import Attempt
from metric_harness.naming.discovery.candidates import METHODS, defined
from metric_harness.naming.discovery.signature import Function, decorators
from metric_harness.naming.metric_names import metric_of_name
from metric_harness.naming.target import Target, own_file
from metric_harness.naming.trial import Trial

MOST_LISTED = 5
"""Conventions that a refusal names, and elements of a return."""
WRAPPER = "wrapper.py"
LABELS = "[int(item in relevant) for item in recommended]"
FILLINGS: tuple[tuple[str, str], ...] = (
    ("qrels", '{"user": {str(item): 1 for item in relevant}}'),
    ("run", '{"user": {str(item): -float(rank) for rank, item in enumerate(recommended)}}'),
    ("count", "len(relevant)"),
    ("ideal", "[1] * len(relevant)"),
    ("item", "relevant[0]"),
    ("truth", "relevant"),
    ("label", LABELS),
    ("list", "recommended"),
    ("relevance", LABELS),
    ("score", "[-rank for rank in range(len(recommended))]"),
)
"""What a parameter of a family is filled with, in the order in which families are tried."""
FRAMES = {
    "truth": 'pandas.DataFrame({"user": 0, "item": relevant, "rating": 1.0})',
    "list": 'pandas.DataFrame({"user": 0, "item": recommended})',
}
"""Frames with the columns that are usual; a person renames them."""


def refusal_lines(target: Target, trials: Sequence[Trial]) -> list[str]:
    """Notes on a function without a name: the outcome of the likeliest calls, and a wrapper.

    trials : the attempts that were tried, likeliest first.
    """
    by_outcome: dict[str, list[Attempt]] = {}
    for trial in [trial for trial in trials if trial.called][:MOST_LISTED]:
        by_outcome.setdefault(outcome(trial), []).append(trial.attempt)
    lines = []
    for result, attempts in by_outcome.items():
        meaning = f" ({short(attempts[0])})" if len(attempts) == 1 else ""
        lines.append(f"called as {' or '.join(attempt.name for attempt in attempts)}{meaning}: {result}")
    return [*lines, *wrapper_lines(target, trials)]


def short(attempt: Attempt) -> str:
    """What a call passes to the function, up to the first full stop."""
    return "as given" if attempt.element else re.split(r"[.;] ", attempt.call.about)[0].rstrip(".")


def outcome(trial: Trial) -> str:
    """What the function returned in an attempt, in a few words."""
    if trial.elements:
        return f"it returned {len(trial.elements)} numbers: {', '.join(trial.elements[:MOST_LISTED])}"
    if not trial.values:
        return trial.error or "no number"
    if trial.constant:
        value = next(iter(trial.values.values()))
        return "every answer is NaN" if math.isnan(value) else f"every answer is {value:.6g}"
    if trial.refused:
        return f"{len(trial.values)} numbers, and an error for {trial.refused} probes: {trial.error}"
    return "its numbers are those of no known definition" if not trial.fitting else "its numbers do not hold at size"


def wrapper_lines(target: Target, trials: Sequence[Trial]) -> list[str]:
    """A file of three lines that makes the function callable, under its own name; empty where it has no source."""
    node, holder = source_node(target)
    if target.own is None or node is None:
        return []
    module, name = module_of(target.own.rpartition(":")[0]), target.own.rpartition(":")[2]
    first = name.partition(".")[0]
    metric = metric_of_name(name) or metric_of_name(first)
    wrapper = f"{metric or 'metric'}_at_k"
    wrapper += "_of_one_user" if wrapper == first else ""
    arguments, unknown = filled(node, bool(holder) and "staticmethod" not in decorators(node))
    static = bool({"staticmethod", "classmethod"} & set(decorators(node)))
    callee = name if not holder or static else f"{first}().{node.name}"
    element = next((element for trial in trials for element in trial.elements), None)
    pick = "" if element is None else element if element.startswith("[") else f'["{element}"]'
    frames = {name: text for name, text in FRAMES.items() if f"{name}_frame" in arguments}
    code = [
        *(["import pandas"] if frames else []),
        f"from {module} import {first}",
        f"def {wrapper}(recommended, relevant, k):  # lists of ids of one user",
        *(f"    {name}_frame = {text}" for name, text in frames.items()),
        f"    return {callee}({arguments}){pick}",
    ]
    to_fill = f" (fill in {', '.join(unknown)})" if unknown else ""
    lead = f"to say how it is called, write these lines to {WRAPPER}{to_fill}"
    return [f"{lead}, then: metric-harness audit {WRAPPER}:{wrapper}", *(f"    {line}" for line in code)]


def source_node(target: Target) -> tuple[Function | None, str]:
    """The definition of a target's function and the name of its class; None and "" where no source can be read."""
    name, path = (target.own or "").rpartition(":")[2], own_file(target.own or "")
    if path is None:
        return None, ""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None, ""
    first, _, method = name.partition(".")
    matches = [node for node in defined(tree.body) if node.name == first]
    if not matches:
        return None, ""
    node = matches[-1]
    if not isinstance(node, ast.ClassDef):
        return node, ""
    methods = {child.name: child for child in node.body if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))}
    return methods.get(method or next((name for name in METHODS if name in methods), "")), first


def module_of(location: str) -> str:
    """The name by which a module or file is imported, with the packages that hold it."""
    if not location.endswith(".py"):
        return location
    path = Path(location)
    names, folder = [path.stem], path.parent
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names)


def filled(node: Function, bound: bool) -> tuple[str, list[str]]:
    """The arguments of a call as source, and the parameters that a person has to fill in.

    bound : the first parameter is the object itself.
    """
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args][1 if bound else 0 :]
    required = positional[: len(positional) - len(arguments.defaults)] if arguments.defaults else positional
    call_arguments, unknown = [], []
    used: set[str | None] = set()
    parameters = [*positional, *arguments.kwonlyargs]
    known = [families(parameter.arg) for parameter in parameters]
    scored = any("score" in names and "list" not in names for names in known)
    for parameter in parameters:
        text = LABELS if scored and "label" in families(parameter.arg) else filling(parameter, used)
        by_keyword = parameter in arguments.kwonlyargs
        optional = parameter not in required and (not by_keyword or _has_default(parameter, arguments))
        if text is None and optional:
            continue
        if text is None:
            unknown.append(parameter.arg)
        used.add(text)
        call_arguments.append(f"{parameter.arg}={text or '...'}" if optional or by_keyword else (text or "..."))
    return ", ".join(call_arguments), unknown


def _has_default(parameter: ast.arg, arguments: ast.arguments) -> bool:
    return arguments.kw_defaults[arguments.kwonlyargs.index(parameter)] is not None


def filling(parameter: ast.arg, used: set[str | None]) -> str | None:
    """The source that fills a parameter; None where its name does not tell what it means."""
    name = snake(parameter.arg)
    annotation = ast.unparse(parameter.annotation).lower() if parameter.annotation else ""
    if K_NAME.fullmatch(name):
        return "[k]" if K_LIST.fullmatch(name) or re.search(r"list|sequence|tuple", annotation) else "k"
    if THRESHOLD.fullmatch(name) or N_ITEMS.fullmatch(name):
        return None
    known = families(parameter.arg)
    if "frame" in known or "dataframe" in annotation:
        return "list_frame" if known & {"list", "score"} or "truth_frame" in used else "truth_frame"
    text = next((text for family, text in FILLINGS if family in known and text not in used), None)
    if text is None:
        return "k" if WEAK_K_NAME.fullmatch(name) and "k" not in used else None
    if text == "relevant" and "set" in annotation:
        return "set(relevant)"
    if text in ("relevant", "recommended") and re.search(r"dict|mapping", annotation):
        return f"{{0: {text}}}"
    return text
