"""Wrappers of a function that has no name: other ways of filling its parameters, run before one is shown."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metric_adapters.calls.fills import MASK, N_ITEMS, THRESHOLD
from metric_adapters.calls.parameter_names import K_LIST, K_NAME, WEAK_K_NAME, families, snake
from metric_harness.naming.choice import Choice
from metric_harness.naming.discovery.candidates import METHODS, defined
from metric_harness.naming.discovery.signature import Function, decorators, with_defaults
from metric_harness.naming.metric_names import metric_of_name
from metric_harness.naming.search import Wanted, decided, search
from metric_harness.naming.session import OutOfTime, Session
from metric_harness.naming.target import Target, module_of, own_file
from metric_harness.worker.reply import StartFailure

MOST_WRAPPERS = 6
"""Wrappers of a function that are run."""
MOST_RANKED = 4096
"""Ways of filling all parameters that are put in order."""
MOST_UNKNOWN = 2
"""Parameters without a meaning for which data are guessed."""
WRAPPER = "wrapper.py"
LABELS = "[int(item in relevant) for item in recommended]"
IDEAL, SORTED = "[1] * len(relevant)", f"sorted({LABELS}, reverse=True)"
FILLINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("qrels", ('{"user": {str(item): 1 for item in relevant}}', "{0: {item: 1 for item in relevant}}")),
    (
        "run",
        (
            '{"user": {str(item): -float(rank) for rank, item in enumerate(recommended)}}',
            "{0: {item: -float(rank) for rank, item in enumerate(recommended)}}",
        ),
    ),
    ("count", ("len(relevant)",)),
    ("ideal", (IDEAL,)),
    ("item", ("relevant[0]",)),
    ("truth", ("relevant", IDEAL)),
    ("label", (LABELS,)),
    ("list", ("recommended", LABELS)),
    ("relevance", (LABELS,)),
    ("score", ("[-rank for rank in range(len(recommended))]",)),
)
"""What a parameter of a family may be filled with, the likeliest first."""
DATA = ("recommended", "relevant", LABELS)
"""What a parameter without a meaning may be filled with, and any other after its own."""
BY_USER = re.compile(r"dict|mapping|(^|_)maps?$")
PAIRS = re.compile(r"(^|_)(pairs|tuples)$")
LEFT_OUT = re.compile(r"(^|_)(junk|ignored?|excluded?)(_|$)")
OF_USERS = re.compile(r"\{0:|\(0, item\)|_frame|\"user\"")
RELEVANCES = re.compile(r"rels?_(true|gold|pred\w*|list|scores?)")
COUNTED = re.compile(r"(n|nb|num|number|count)_\w+")
FRAMES = {
    "truth_frame": 'pandas.DataFrame({"user": 0, "item": relevant, "rating": 1.0})',
    "list_frame": 'pandas.DataFrame({"user": 0, "item": recommended})',
}
"""Frames with the columns that are usual."""


@dataclass(frozen=True)
class Wrapper:
    """A function of the lists of one user that calls another function.

    name : of the wrapper. place : its imports. code : its definition, as lines. certain : the names of the parameters
    tell what each takes. of_users : the wrapped function takes the data of several users, and gets those of one.
    """

    name: str
    place: tuple[str, ...]
    code: tuple[str, ...]
    certain: bool
    of_users: bool


@dataclass(frozen=True)
class Named:
    """A wrapper under which a function, or an element of what it returns, is verified."""

    wrapper: Wrapper
    choice: Choice


def named_by_wrapper(session: Session) -> dict[str, Named]:
    """By element, or under an empty name, the wrapper under which a function is verified; empty if none is.

    The metric is the one that the function or element claims. Where ways of filling the parameters that their names do
    not decide between compute two definitions, nothing is printed.
    """
    named: dict[str, Named] = {}
    target = session.target
    metric = session.options.metric or metric_of_name(target.function or "")
    for wrapper in wrappers(target):
        try:
            call = session.worker.wrap(wrapper.name, "\n".join(wrapper.code))
            choices = search(session.ask, [call], Wanted(metric=metric, function=target.function or ""))
        except (StartFailure, OutOfTime):  # it cannot be defined where the function is, or there is no time left
            return named
        if any(trial.hung for choice in choices.values() for trial in choice.trials):
            return named
        for element, choice in ((element, decided(choice)) for element, choice in choices.items()):
            if choice.variant is None or not choice.verified or (choice.metric and not choice.claims_hold):
                continue
            if element in named and named[element].choice.variant != choice.variant:
                return {}
            named.setdefault(element, Named(wrapper, choice))
        if named and wrapper.certain:
            return named
    return named


def wrappers(target: Target) -> list[Wrapper]:
    """Wrappers of a target that fill its parameters in different ways, the likeliest first.

    Empty where it has no source, cannot be imported under its name, or has too many parameters without a meaning.
    """
    node, holder = source_node(target)
    if target.own is None or node is None:
        return []
    location, _, name = target.own.rpartition(":")
    first = name.partition(".")[0]
    metric = metric_of_name(name) or metric_of_name(first)
    wrapper = f"{metric or 'metric'}_at_k"
    wrapper += "_of_one_user" if wrapper == first else ""
    static = bool({"staticmethod", "classmethod"} & set(decorators(node)))
    callee = name if not holder or static else f"{first}().{node.name}"
    rows = []
    for certain, arguments in assignments(node, is_bound(node, holder)):
        frames = {name: text for name, text in FRAMES.items() if name in arguments}
        takes_k = ", k" if re.search(r"\bk\b(?!=)", arguments) else ""
        code = (
            *(["import pandas"] if frames else []),
            f"def {wrapper}(recommended, relevant{takes_k}):  # lists of ids of one user",
            *(f"    {name} = {text}" for name, text in frames.items()),
            f"    return {callee}({arguments})",
        )
        place = (f"from {module_of(location)} import {first}",)
        rows.append(Wrapper(wrapper, place, code, certain, bool(OF_USERS.search(arguments))))
    return rows


def assignments(node: Function, bound: bool) -> Iterator[tuple[bool, str]]:
    """The arguments of calls as source, the likeliest first, and whether the names of the parameters give them."""
    pairs = with_defaults(node, bound)
    keywords = [parameter.arg for parameter in node.args.kwonlyargs]
    known = [families(parameter.arg) for parameter, _ in pairs]
    scored = any("score" in names and "list" not in names for names in known)
    unknown = unknown_parameters(node, bound)
    if len(unknown) > MOST_UNKNOWN:
        return
    filled: list[tuple[str, list[str]]] = []  # the text before a value, and its values
    for parameter, default in pairs:
        labels = [LABELS] if scored and "label" in families(parameter.arg) else []
        texts = [*labels, *fillings(parameter, default)]
        if default is not None and not texts:
            continue
        by_name = f"{parameter.arg}=" if default is not None or parameter.arg in keywords else ""
        filled.append((by_name, texts if default is not None or texts in (["k"], ["[k]"]) else with_data(texts)))
    ranked = itertools.islice(itertools.product(*(enumerate(texts) for _, texts in filled)), MOST_RANKED)
    rows = sorted(ranked, key=lambda row: sum(rank for rank, _ in row))
    for row in itertools.islice((row for row in rows if tells([text for _, text in row])), MOST_WRAPPERS):
        arguments = (by_name + text for (by_name, _), (_, text) in zip(filled, row, strict=True))
        yield not unknown and not any(rank for rank, _ in row), ", ".join(arguments)


def tells(texts: Sequence[str]) -> bool:
    """Whether arguments hold both the recommended and the relevant items, and none of these twice."""
    whole, lists = " ".join(texts), [text for text in texts if text in ("recommended", "relevant")]
    both = re.search("recommended|list_frame", whole) and re.search("relevant|truth_frame", whole)
    return bool(both) and len(set(lists)) == len(lists)


def with_data(texts: Sequence[str]) -> list[str]:
    """Ways of filling a parameter, and after them those of any parameter."""
    return list(dict.fromkeys([*texts, *DATA]))


def unknown_parameters(node: Function, bound: bool) -> list[str]:
    """The required parameters whose names do not tell what they take."""
    pairs = with_defaults(node, bound)
    return [parameter.arg for parameter, default in pairs if default is None and not fillings(parameter, default)]


def fillings(parameter: ast.arg, default: ast.expr | None) -> list[str]:
    """The ways of filling a parameter that its name and annotation tell, the likeliest first; none if they do not."""
    name = snake(parameter.arg)
    annotation = ast.unparse(parameter.annotation).lower() if parameter.annotation else ""
    if K_NAME.fullmatch(name):
        return ["[k]" if K_LIST.fullmatch(name) or re.search(r"list|sequence|tuple", annotation) else "k"]
    number = isinstance(default, ast.Constant) and (default.value is None or type(default.value) is int)
    if WEAK_K_NAME.fullmatch(name) and (default is None or number):
        return ["k"]
    if default is not None or THRESHOLD.fullmatch(name) or N_ITEMS.fullmatch(name):
        return []
    if LEFT_OUT.search(name) or MASK.fullmatch(name):
        return ["[]"]
    known = families(parameter.arg) or ({"count"} if COUNTED.fullmatch(name) else set())
    if "frame" in known or "dataframe" in annotation:
        return ["list_frame", "truth_frame"] if known & {"list", "score"} else ["truth_frame", "list_frame"]
    texts = [text for family, texts in FILLINGS if family in known for text in texts]
    if RELEVANCES.fullmatch(name):
        texts = [SORTED, IDEAL] if "truth" in known else [LABELS]
    elif PAIRS.search(name):
        texts = [f"[(0, item) for item in {text}]" for text in ("relevant", "recommended")]
    elif BY_USER.search(name) or re.search("dict|mapping", annotation):
        plain = texts or ["recommended", "relevant"]
        texts = [text if text.startswith("{") else f"{{0: {text}}}" for text in with_data(plain)]
    elif "set" in annotation:
        texts = ["set(relevant)" if text == "relevant" else text for text in texts]
    return list(dict.fromkeys(texts))


def is_bound(node: Function, holder: str) -> bool:
    """Whether the first parameter is the object itself."""
    return bool(holder) and "staticmethod" not in decorators(node)


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
        return (None if method else node), ""
    methods = {child.name: child for child in node.body if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))}
    return methods.get(method or next((name for name in METHODS if name in methods), "")), first
