"""Functions that hand their data on to a metric, in the same file or another, found without running anything."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from metric_harness.naming.discovery.candidates import Candidate, defined, gives_no_number, unaskable
from metric_harness.naming.discovery.other_words import GENERIC, NO_METRIC
from metric_harness.naming.discovery.signature import (
    Function,
    decorators,
    line_of,
    returns,
    signature_of,
)
from metric_harness.naming.metric_names import claim_of, words

ADDS = ("append", "extend", "add", "update")
"""Methods that put something into a list, set or dict."""


def names_of_metrics(found: Collection[Candidate]) -> set[str]:
    """The names by which functions and methods that were found are called, of those whose names mean a metric alone."""
    called = {last_name(candidate.name) for candidate in found if candidate.metric and ranks(candidate)}
    return {name for name in called if (claim := claim_of(name)) and claim.certain}


def ranks(candidate: Candidate) -> bool:
    """Whether a candidate's name is about a metric and no other subject; an F1 is often one of texts or classes."""
    return candidate.label != "f1" and not NO_METRIC.search(words(last_name(candidate.name)))


def last_name(name: str) -> str:
    """A function's name without its class."""
    return name.rpartition(".")[2]


def callers(
    tree: ast.Module, metrics: Collection[str], others: Collection[str], found: Collection[Candidate]
) -> list[Candidate]:
    """Functions and methods of a parsed file that hand what they are given on to a metric.

    One that is named like an evaluation can be audited, others are left to the metric that they call. metrics : names
    as of :func:`names_of_metrics`. others : names of candidates in other files. found : candidates of the file, which
    are left out.
    """
    names = {candidate.name for candidate in found}
    functions = [(name, node, bound) for name, node, bound in functions_of(tree) if name not in names]
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    imported = {alias.name for node in imports for alias in node.names if alias.asname is None}
    known_here = [each for each in found if ranks(each) and (each.metric or not each.against)]
    near = ({*others} & imported) | {candidate.name for candidate in known_here}
    known: dict[str, str] = {}
    while more := {
        name: called
        for name, node, bound in functions
        if name not in known and (called := handed_to(node, bound, metrics, near | {*known}))
    }:
        known.update(more)
    handing = [each for each in functions if each[0] in known and evaluates_or_takes_lists(*each[1:])]
    return [of_caller(name, node, bound, known[name]) for name, node, bound in handing]


def evaluates_or_takes_lists(node: Function, bound: bool) -> bool:
    """Whether a function is named like an evaluation, or needs no model and the like, with which it may do more."""
    return bool(GENERIC.search(words(node.name))) or not signature_of(node, bound).unfillable


def functions_of(tree: ast.Module) -> Iterator[tuple[str, Function, bool]]:
    """The functions and methods of a file that may be metrics: name, definition, whether the first is the object."""
    for node in defined(tree.body):
        of_class = isinstance(node, ast.ClassDef)
        for function in defined(node.body) if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(function, ast.ClassDef) or gives_no_number(function):
                continue
            bound = of_class and "staticmethod" not in decorators(function)
            signature = signature_of(function, bound)
            if function.name != "main" and returns(function) and (signature.data or signature.unfillable):
                yield f"{node.name}.{function.name}" if of_class else function.name, function, bound


def of_caller(name: str, node: Function, bound: bool, called: str) -> Candidate:
    """The candidate for a function that hands its data on to ``called``."""
    plain = words(node.name)
    signature = signature_of(node, bound)
    evaluates = GENERIC.search(plain) and not NO_METRIC.search(plain) and not bound
    audited = evaluates and not isinstance(node, ast.AsyncFunctionDef)
    against = unaskable(signature) if audited or signature.unfillable else f"it hands its data on to {called}"
    return Candidate(name=name, line=line_of(node), metric=None, label=None, why=(f"calls: {called}",), against=against)


def handed_to(node: Function, bound: bool, metrics: Collection[str], near: Collection[str]) -> str:
    """The first metric that a function calls with something that comes from its parameters; empty if there is none.

    near : functions and methods that do the same, of the file or imported by it.
    """
    given = derived(node, {*signature_of(node, bound).data})
    for call in ast.walk(node):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        holder = call.func.value if isinstance(call.func, ast.Attribute) else None
        of_file = holder is None and name in near
        of_object = isinstance(holder, ast.Name) and holder.id in ("self", "cls")
        if not (name in metrics or of_file or (of_object and any(other.endswith(f".{name}") for other in near))):
            continue
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if any(names_in(argument) & given for argument in arguments):
            return name
    return ""


def derived(node: Function, given: set[str]) -> set[str]:
    """``given``, and the names of a function whose values come from these."""
    flows: list[tuple[set[str], set[str]]] = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign):
            flows.append((names_in(inner.value), {name for target in inner.targets for name in names_in(target)}))
        elif isinstance(inner, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and inner.value is not None:
            flows.append((names_in(inner.value), names_in(inner.target)))
        elif isinstance(inner, (ast.For, ast.comprehension)):
            flows.append((names_in(inner.iter), names_in(inner.target)))
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in ADDS:
            flows.append(({name for argument in inner.args for name in names_in(argument)}, names_in(inner.func)))
    known = set(given)
    while more := {name for source, targets in flows if source & known for name in targets} - known:
        known |= more
    return known


def names_in(node: ast.AST) -> set[str]:
    """The names that an expression uses."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
