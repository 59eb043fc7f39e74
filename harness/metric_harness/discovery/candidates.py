"""Functions and classes of a source file that look like a metric, found without running anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from metric_adapters.accumulators import ADD, RESULT
from metric_adapters.conventions.reading.families import snake
from metric_harness.discovery.names import COUNTS, GENERIC, NO_METRIC, PHRASES, VALUES, Claim, claim_of, words
from metric_harness.discovery.signature import (
    Function,
    Signature,
    constructor_needs,
    decorators,
    line_of,
    returns,
    signature_of,
    stub,
)

METHODS = ("forward", "__call__", "compute", "calculate", "evaluate", "score", "measure", "metric")
NO_METRICS = {
    "overload",
    "fixture",
    "abstractmethod",
    "property",
    "cached_property",
    "setter",
    "command",
    "route",
    "skip",
}
SHORT_NAMES = ("hit", "hits", "hr", "map", "ap", "rr", "precision", "mar")
"""Names that say a metric where a class has no other."""
MOST_DATA = 4
"""Parameters that an audit can fill, besides k and settings."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A function or class that looks like a metric.

    name : as an audit takes it, ``ndcg`` or ``Class.method``. metric, label : what its name claims, None where it does
    not tell. why : what makes it look like a metric. against : why it cannot be audited; empty where it can.
    """

    name: str
    line: int
    metric: str | None
    label: str | None
    why: tuple[str, ...] = ()
    against: str = ""


def candidates(tree: ast.Module, path: str = "") -> list[Candidate]:
    """What looks like a metric in a parsed file, and what does but cannot be audited, in the order of the lines.

    path : of the file; what lies in a file or folder of losses is a loss.
    """
    found: dict[str, Candidate] = {}
    loss = re.search(r"loss(es)?(?=[/_.]|$)", path, re.IGNORECASE)
    for node in defined(tree.body):
        for candidate in of_class(node) if isinstance(node, ast.ClassDef) else of_function(node):
            if loss and not candidate.against:
                candidate = replace(candidate, against="it lies among the losses")
            found[candidate.name] = candidate  # the last definition of a name is the one that is imported
    return sorted(without_helpers(tree, found), key=lambda candidate: candidate.line)


def without_helpers(tree: ast.Module, found: dict[str, Candidate]) -> Iterator[Candidate]:
    """The candidates, those with a private name that another one uses marked as helpers.

    A helper often gets its lists cut by its caller, so what it does alone says nothing.
    """
    uses = {
        node.name: {name.id for name in ast.walk(node) if isinstance(name, ast.Name)} for node in defined(tree.body)
    }
    for candidate in found.values():
        callers = (
            other.name
            for other in found.values()
            if candidate.name.startswith("_")
            and not other.against
            and not other.name.startswith("_")
            and candidate.name in uses.get(other.name.partition(".")[0], ())
        )
        caller = next(callers, None)
        if caller is not None and not candidate.against:
            candidate = replace(candidate, against=f"it is a helper of {caller}")
        yield candidate


def names_in(node: ast.AST) -> set[str]:
    """Every name that a piece of source reads or sets."""
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}


def defined(body: Sequence[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """The functions and classes that a body defines, those inside ``if``, ``try`` and ``with`` among them."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node
        elif isinstance(node, ast.If) and "__main__" not in ast.dump(node.test):
            yield from defined([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            yield from defined([*node.body, *(one for h in node.handlers for one in h.body), *node.orelse])
        elif isinstance(node, ast.With):
            yield from defined(node.body)


def of_function(node: Function, holder: str = "", claimed: Claim | None = None) -> Iterator[Candidate]:
    """A function or method as a candidate, or nothing.

    holder : the class of a method. claimed : what the name of the class claims, for a method that says nothing.
    """
    name = f"{holder}.{node.name}" if holder else node.name
    said = words(node.name)
    claim = claim_of(node.name) or claimed
    about = NO_METRIC.search(said)
    if stub(node) or NO_METRICS & set(decorators(node)) or (claim is None and about):
        return
    signature = signature_of(node, bool(holder) and "staticmethod" not in decorators(node))
    why = reasons(node, claim, signature)
    if not why:
        return
    against = ""
    if about:
        against = f"its name says that it is about {about[2]}, not a metric"
    elif isinstance(node, ast.AsyncFunctionDef):
        against = "it is a coroutine"
    elif not returns(node):
        against = "it returns nothing"
    against = against or unaskable(signature)
    if against and not (claim and claim.certain):
        return
    metric, label = (claim.metric or None, claim.label) if claim else (None, None)
    yield Candidate(name=name, line=line_of(node), metric=metric, label=label, why=why, against=against)


def unaskable(signature: Signature) -> str:
    """Why no call can be made for these parameters; empty where one can."""
    names = {snake(name) for name in signature.required}
    if sum(bool(COUNTS.search(name)) for name in names) >= 2:
        return "it takes counts of hits, not lists"
    if signature.unfillable:
        return f"it needs {signature.unfillable}"
    if names and all(VALUES.search(name) for name in names):
        return f"it takes finished values ({', '.join(signature.required)})"
    if len(signature.required) > MOST_DATA:
        return f"it needs {len(signature.required)} arguments"
    return "" if signature.data or signature.open else "it takes nothing that a case could fill"


def reasons(node: Function, claim: Claim | None, signature: Signature) -> tuple[str, ...]:
    """Why a function looks like a metric; empty where too little does."""
    text = ast.get_docstring(node) or ""
    told = PHRASES.search(text.split("\n\n")[0][:300])
    pair, relevance = signature.pair, signature.relevance
    why = []
    if claim is not None:
        why.append(f"name: {claim.metric if claim.label == claim.metric else claim.label}")
    if pair:
        why.append(f"parameters: {pair[0]}, {pair[1]}")
    elif relevance:
        why.append(f"parameter: {relevance}")
    if signature.k:
        why.append(f"cut-off: {signature.k}")
    if told:
        why.append(f'docstring: "{told[0]}"')
    fed = bool(pair or relevance)
    if claim is not None:
        doubtful = not claim.certain and not (fed or (told and (signature.k or len(signature.data) == 2)))
        return () if doubtful or (claim.label == "auc" and not claim.certain) else tuple(why)
    if not fed:
        return ()
    mentioned = spoken_of(node)
    if mentioned and GENERIC.search(words(node.name)):
        why.append(f"its body names {', '.join(mentioned[:3])}")
        return tuple(why)
    return tuple(why) if told and pair else ()


def spoken_of(node: Function) -> list[str]:
    """The metrics that a function's body names without doubt, in strings, calls and variables."""
    labels = []
    for inner in ast.walk(node):
        text = ""
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and len(inner.value) < 40:
            text = re.sub(r"[@ \-]+", "_", inner.value)
        elif isinstance(inner, ast.Name):
            text = inner.id
        elif isinstance(inner, ast.Attribute):
            text = inner.attr
        claim = claim_of(text) if text else None
        if claim and claim.certain:
            labels.append(claim.label)
    return list(dict.fromkeys(labels))


def of_class(node: ast.ClassDef) -> Iterator[Candidate]:
    """A class as a candidate, and its methods that look like a metric themselves."""
    claim, about = claim_of(node.name), NO_METRIC.search(words(node.name))
    methods = {one.name: one for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
    bases = [ast.unparse(base) for base in node.bases]
    if re.search(r"Enum|Exception|NamedTuple|TypedDict|Protocol|TestCase|Callback", " ".join(bases)):
        return
    needed = constructor_needs(methods.get("__init__"))
    made = f"its class needs {', '.join(needed[:3])}" if needed else ""
    callable_by = next(
        (name for name in (*METHODS, *ADD, *RESULT) if name in methods and not stub(methods[name])), None
    )
    taken = ""
    if claim and not about and (callable_by or [base for base in bases if base != "object"]):
        by = f"method: {callable_by}" if callable_by else f"inherits from {', '.join(bases)}"
        against, taken = made, callable_by or ""
        if callable_by in METHODS and not against:
            against = unaskable(signature_of(methods[str(callable_by)], True)) if callable_by != "compute" else ""
        if claim.certain or words(node.name) in SHORT_NAMES:
            yield Candidate(
                name=node.name,
                line=line_of(node),
                metric=claim.metric or None,
                label=claim.label,
                why=(f"name: {claim.label}", by),
                against=against,
            )
    for method in methods.values():
        if method.name == taken or (method.name.startswith("__") and method.name != "__call__"):
            continue
        for one in of_function(method, node.name):
            still = {"staticmethod", "classmethod"} & set(decorators(method))
            if made and not still and not one.against:
                if one.metric is not None:
                    yield replace(one, against=made)
            else:
                yield one
