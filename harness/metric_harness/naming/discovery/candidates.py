"""Functions and classes of a source file that look like a metric, found without running anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from types import MappingProxyType
from typing import NamedTuple

from metric_adapters.accumulators import ADD, MORE_ADD, MORE_RESULT, RESULT
from metric_adapters.calls.parameter_names import families, snake
from metric_adapters.calls.trees import called
from metric_adapters.calls.uses import SEARCHES
from metric_adapters.inner import defined as all_defined
from metric_adapters.inner import inner_function
from metric_harness.naming.discovery.other_words import (
    COUNTS,
    EVALUATES,
    GENERIC,
    NO_METRIC,
    OF_RANKINGS,
    PHRASES,
    RUNS,
    VALUES,
)
from metric_harness.naming.discovery.signature import (
    LISTED,
    Function,
    Signature,
    constructor_needs,
    decorators,
    line_of,
    returns,
    returns_text,
    signature_of,
    stub,
    walked,
)
from metric_harness.naming.metric_names import Claim, claim_of, words

NO_KIND = ("object", "BaseModel")
"""Base classes that say nothing of what a class does."""
METHODS = ("forward", "__call__", "compute", "calculate", "evaluate", "score", "measure", "metric")
"""Methods that give a metric class its value."""
NO_METRIC_DECORATORS = {
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
"""Names that may mean something else, but claim a metric as the whole name of a class."""
SET_METRICS = {"f1", "precision", "recall"}
"""Metrics that classifiers and comparisons of texts have too."""
OF_SCORES = {"auc", "pr_auc", "average_precision"}
"""Metrics of scores that classifiers have too."""
RANKED, OF_CLASSIFIERS = re.compile(r"(?i)rank"), re.compile(r"(?i)confusion|classif")
"""In names of base classes of metrics."""
DIVIDING = re.compile(r"(?i)(^|_)(\w*div\w*|ratio|rate|(nan)?mean|average|avg)(_|$)|recall_(score|at|k)")
"""In names of functions that divide."""
OF_CLASSES = "it takes no cut-off and nothing that is named after a list alone, as one of classes or texts"
OF_TEXTS = re.compile(r"(^|_)(normali[sz]e_(answer|text)|tokens?|toks|tokeni[sz]e)(_|$)")
"""Functions that take a text apart."""
TEXT_METRIC = re.compile(r"(?i)bleu|rouge|meteor|bert_?score")
"""In names of classes of metrics of texts."""
MOST_DATA = 4
"""Parameters that an audit can fill, besides k and settings."""


class Beside(NamedTuple):
    """What a file tells of its functions: what metrics in it take, and whether it is named after metrics of rankings.

    siblings : as of :func:`parameters_of_metrics`. of_rankings : the words of the file's name, empty if it is not.
    """

    siblings: Mapping[tuple[str, ...], str] = MappingProxyType({})
    of_rankings: str = ""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A function or class that looks like a metric.

    name : as an audit takes it, ``ndcg`` or ``Class.method``. metric, label : what its name claims, None if nothing.
    why : what makes it look like a metric. against : why it cannot be audited; empty if it can.
    """

    name: str
    line: int
    metric: str | None
    label: str | None
    why: tuple[str, ...] = ()
    against: str = ""


def candidates(tree: ast.Module, path: str = "") -> list[Candidate]:
    """The functions and classes of a parsed file that look like a metric, in the order of the lines; some cannot be
    audited.

    path : of the file; in a file or folder of losses all are losses.
    """
    by_name: dict[str, Candidate] = {}
    named = OF_RANKINGS.search(words(PurePath(path).stem))
    beside = Beside(parameters_of_metrics(tree), named[1] if named else "")
    loss = re.search(r"loss(es)?(?=[/_.]|$)", path, re.IGNORECASE)
    for node in defined(tree.body):
        found = list(of_class(tree, node, beside) if isinstance(node, ast.ClassDef) else of_function(node, beside))
        found += of_inner(tree, node, {candidate.name for candidate in found if not candidate.against})
        for candidate in found:
            if loss and not candidate.against:
                candidate = replace(candidate, against="it lies among the losses")
            by_name[candidate.name] = candidate  # the last definition of a name is the one that is imported
    return sorted(marked_helpers(tree, list(by_name.values())), key=lambda candidate: candidate.line)


def parameters_of_metrics(tree: ast.Module) -> dict[tuple[str, ...], str]:
    """The names of functions whose names mean a metric and nothing else, by their required parameters.

    A function beside them that takes the same ones, and whose name may mean something else, is a metric as well.
    """
    known: dict[tuple[str, ...], str] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not NO_METRIC.search(words(node.name)):
            claim, names = claim_of(node.name), tuple(each.arg for each in node.args.args)
            if claim and claim.certain and claim.metric and names and not claims_a_ranking(known.get(names, "")):
                known[names] = node.name if claims_a_ranking(node.name) else known.get(names, node.name)
    return known


def claims_a_ranking(name: str) -> bool:
    """Whether a name claims a metric that classifiers do not have."""
    claim = claim_of(name)
    return claim is not None and claim.label not in SET_METRICS | OF_SCORES


def marked_helpers(tree: ast.Module, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """The candidates; a private one that another one uses is marked as a helper, which is not audited.

    A caller often cuts the lists before it calls its helper, so the helper alone says nothing.
    """
    uses = {
        node.name: {name.id for name in ast.walk(node) if isinstance(name, ast.Name)} for node in defined(tree.body)
    }
    public = [candidate for candidate in found if not candidate.against and not candidate.name.startswith("_")]
    for candidate in found:
        if candidate.name.startswith("_") and not candidate.against:
            callers = (other.name for other in public if candidate.name in uses.get(other.name.partition(".")[0], ()))
            if (caller := next(callers, None)) is not None:
                candidate = replace(candidate, against=f"it is a helper of {caller}")
        yield candidate


def defined(body: Sequence[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """The functions and classes that a body defines, those that a program alone makes (``__main__``) left out."""
    of_programs = (isinstance(node, ast.If) and "__main__" in ast.dump(node.test) for node in body)
    return all_defined([node for node, left in zip(body, of_programs, strict=True) if not left])


def of_function(node: Function, beside: Beside, holder: str = "", kept: Signature | None = None) -> Iterator[Candidate]:
    """A function or method as a candidate, or nothing.

    beside : what its file tells. holder : the class of a method. kept : the parameters of the constructor, where the
    method reads what its object keeps of them.
    """
    name = f"{holder}.{node.name}" if holder else node.name
    claim = claim_of(node.name)
    runs = RUNS.match(words(node.name)) if claim is None and returns(node) else None
    other_subject = NO_METRIC.search(words(node.name)[runs.end() if runs else 0 :])
    nothing_claimed = other_subject or node.name == "main" or TEXT_METRIC.search(holder)
    if gives_no_number(node) or (claim is None and nothing_claimed and not calls_several(node)):
        return
    signature = signature_of(node, bool(holder) and "staticmethod" not in decorators(node))
    if kept is not None and (claims_a_ranking(node.name) or beside_ranking(node, beside)):
        signature = replace(kept, k=signature.k or kept.k)
    why = reasons(node, claim, signature, beside, holder)
    if not why:
        return
    against, reads_values = "", takes_values(node)
    if other_subject:
        against = f"its name says that it is about {other_subject[2]}, not a metric"
    elif isinstance(node, ast.AsyncFunctionDef):
        against = "it is a coroutine"
    elif not returns(node):
        against = "it returns nothing"
    elif claim and claim.label in SET_METRICS and (signature.of_texts or compares_texts(node)):
        against = "it compares texts"
    elif claim and claim.label in SET_METRICS and of_classes(claim, signature) and not beside_ranking(node, beside):
        against = OF_CLASSES
    elif claim and reads_values:
        against = "it reads finished values of a metric"
    against = against or unaskable(signature)
    told = claim.certain if claim else bool(metrics_in(node) or named_so(node)) and not reads_values
    if against and not told and not signature.gallery:
        return
    metric, label = (claim.metric or None, claim.label) if claim else (None, None)
    yield Candidate(name=name, line=line_of(node), metric=metric, label=label, why=why, against=against)


def of_classes(claim: Claim, signature: Signature) -> bool:
    """Whether a function takes no cut-off, and predictions, or for an F1 nothing that is named after a list."""
    pair = signature.pair
    predictions = pair is not None and bool(
        {"score", "labelled"} & families(pair[1]) or "label" in families(pair[0]) & families(pair[1])
    )
    return not signature.k and (predictions or (claim.label == "f1" and not signature.lists))


def beside_ranking(node: Function, beside: Beside) -> bool:
    """Whether a metric that classifiers do not have takes the same parameters in the same file."""
    return claims_a_ranking(beside.siblings.get(tuple(each.arg for each in node.args.args), ""))


def gives_no_number(node: Function) -> bool:
    """Whether a body, an annotation or a decorator shows that a function gives no number."""
    return stub(node) or returns_text(node) or bool(NO_METRIC_DECORATORS & set(decorators(node)))


def of_inner(tree: ast.Module, node: Function | ast.ClassDef, audited: set[str]) -> Iterator[Candidate]:
    """The functions inside a function, or a class's methods, that claim a metric and need nothing of what is around.

    audited : the names of candidates that can be audited, which call their inner functions.
    """
    outers = [(node.name, node)]
    if isinstance(node, ast.ClassDef):
        outers = [(f"{node.name}.{method.name}", method) for method in defined(node.body)]
    for name, outer in outers:
        for inner in defined(outer.body if not audited & {node.name, name} else ()):
            for candidate in () if isinstance(inner, ast.ClassDef) else of_function(inner, Beside()):
                if candidate.metric and inner_function(tree, [*name.split("."), inner.name]):
                    yield replace(candidate, name=f"{name}.{inner.name}")


def unaskable(signature: Signature) -> str:
    """Why a function with these parameters cannot be called; empty if it can."""
    names = {snake(name) for name in signature.required}
    if sum(bool(COUNTS.search(name)) for name in names) >= 2:
        return "it takes counts of hits, not lists"
    if signature.unfillable:
        return f"it needs {signature.unfillable}"
    if names and names != {"rec"} and all(VALUES.search(name) for name in names):
        return f"it takes finished values ({', '.join(signature.required)})"
    if len(signature.required) > MOST_DATA:
        return f"it needs {len(signature.required)} arguments"
    return "" if signature.data or signature.open else "it takes nothing that a case could fill"


def compares_texts(node: Function) -> bool:
    """Whether a function calls something that takes texts apart, as metrics of answers do."""
    calls = (inner.func for inner in walked(node) if isinstance(inner, ast.Call))
    return any(OF_TEXTS.search(call.attr if isinstance(call, ast.Attribute) else ast.unparse(call)) for call in calls)


def reasons(
    node: Function, claim: Claim | None, signature: Signature, beside: Beside, holder: str = ""
) -> tuple[str, ...]:
    """Why a function looks like a metric; empty if there are too few reasons.

    beside : what its file tells. holder : the class of a method.
    """
    sibling = beside.siblings.get(tuple(each.arg for each in node.args.args), "")
    docstring = ast.get_docstring(node) or ""
    phrase = PHRASES.search(docstring.split("\n\n")[0][:300])
    pair, relevance, gallery = signature.pair, signature.relevance, signature.gallery
    why = []
    if claim is not None:
        why.append(f"name: {claim.metric if claim.label == claim.metric else claim.label}")
    if gallery:
        why.append(f"parameters: {', '.join(gallery)}")
    elif pair:
        why.append(f"parameters: {pair[0]}, {pair[1]}")
    elif relevance:
        why.append(f"parameter: {relevance}")
    if signature.k:
        why.append(f"cut-off: {signature.k}")
    if phrase:
        why.append(f'docstring: "{phrase[0]}"')
    if sibling and not (pair or relevance or (claim and claim.certain)):
        why.append(f"parameters of {sibling}")
    takes_lists = bool(pair or relevance or sibling or gallery)
    if claim and claim.label == "recall" and not (pair or relevance or phrase or may_divide(node)):
        return ()  # memories are recalled, too
    if claim is not None:
        what_it_names = relevance and not pair and claim_of(relevance) is not None  # hits of a search
        counted = signature.k and (phrase or GENERIC.search(words(node.name)))
        sure = (takes_lists and not what_it_names) or counted or (phrase and len(signature.data) == 2)
        doubtful = not claim.certain and not sure
        return () if doubtful or (claim.label == "auc" and not claim.certain) else tuple(why)
    named = named_so(node)
    if named and signature.data:
        return (*named, *why)
    if beside.of_rankings and takes_lists and (signature.k or GENERIC.search(words(node.name))):
        return (f"file: {beside.of_rankings}", *why)
    more = reasons_in_body(node, signature, takes_lists, bool(phrase), holder)
    return () if more is None else (*why, *more)


def may_divide(node: Function) -> bool:
    """Whether a function divides numbers, calls something with a ratio, a mean or another metric in its name, or only
    returns what another function gives that is not about a recall itself.
    """
    nodes = walked(node)
    quotients = (inner.right for inner in nodes if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Div))
    if any(not isinstance(getattr(right, "value", right), (str, ast.JoinedStr)) for right in quotients):
        return True  # not a path
    names = [called(inner) for inner in nodes if isinstance(inner, ast.Call)]
    if any(DIVIDING.search(name) or ((claim := claim_of(name)) and claim.label != "recall") for name in names):
        return True
    *before, last = node.body
    alone = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in before)
    return alone and isinstance(last, ast.Return) and claim_of(called(last.value)) is None


def named_so(node: Function) -> tuple[str, ...]:
    """The reason of a function that is named after metrics of rankings."""
    found = OF_RANKINGS.search(words(node.name))
    return (f"name: {found[1]}",) if found else ()


def reasons_in_body(
    node: Function, signature: Signature, takes_lists: bool, phrase: bool, holder: str
) -> tuple[str, ...] | None:
    """What the body of a function whose name claims nothing adds to its parameters; None if it is no metric.

    takes_lists : its parameters are those of a metric. phrase : its docstring speaks of one. holder : the class of a
    method.
    """
    metrics = metrics_in(node)
    if asked := calls_several(node):
        return (f"calls: {', '.join(asked)}",)
    told = (f"its body names {', '.join(metrics[:3])}",)
    generic = GENERIC.search(words(node.name))
    evaluates = generic is not None and generic[2] in EVALUATES
    of_rankings = {*metrics} - SET_METRICS - OF_SCORES
    several = bool(of_rankings) and len(metrics) > 1
    pair = signature.pair
    if metrics == ["f1"]:
        return None
    search = search_in(node, signature.data) if evaluates and signature.k else ""
    if search and may_divide(node):
        return (f"asks: {search}",)
    if not takes_lists:
        listed = any(families(name) & LISTED for name in signature.data) or not takes_values(node)
        if evaluates and of_rankings and signature.unfillable:
            return told
        runs = generic or RUNS.match(words(node.name))
        return told if (several or (metrics and signature.k)) and runs and listed else None
    if signature.gallery and (metrics or generic):
        return ()
    if pair and not signature.k and {*metrics} <= SET_METRICS and (signature.of_texts or "score" in families(pair[1])):
        return None  # predicted classes and answers are called so, too
    if metrics and (generic or (signature.relevance and several)):
        return told
    classes = generic and "accuracy" in (generic[2], words(holder)) and not (pair and "qrels" in families(pair[0]))
    counted = signature.k and generic and not classes
    return () if pair and (phrase or counted) else None


def search_in(node: Function, parameters: Collection[str]) -> str:
    """The parameter that a function asks as a search: ``retriever.retrieve(query)``; empty if there is none."""
    calls = (inner.func for inner in walked(node) if isinstance(inner, ast.Call))
    methods = (call for call in calls if isinstance(call, ast.Attribute) and SEARCHES.fullmatch(call.attr))
    holders = (getattr(method.value, "id", "") for method in methods)
    return next((holder for holder in holders if holder in parameters), "")


def calls_several(node: Function) -> tuple[str, ...]:
    """The functions that a function calls whose names mean a metric each and nothing else.

    Empty if they mean one metric alone, or those that classifiers have too.
    """
    claims = {
        name: claim
        for name in map(called, walked(node))
        if (claim := claim_of(name)) and claim.certain and claim.metric
    }
    asked = {claim.label: name for name, claim in claims.items()}
    return tuple(asked.values()) if len(asked) > 1 and not asked.keys() <= SET_METRICS else ()


def takes_values(node: Function) -> bool:
    """Whether a function reads finished values of a metric out of what it is given, as ``row["ndcg"]``."""
    loops = (inner.target for inner in walked(node) if isinstance(inner, (ast.For, ast.comprehension)))
    given = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
    given |= {name.id for target in loops for name in ast.walk(target) if isinstance(name, ast.Name)}
    reads: list[tuple[ast.expr, ast.expr]] = []
    for inner in walked(node):
        if isinstance(inner, ast.Subscript) and isinstance(inner.ctx, ast.Load):
            reads.append((inner.value, inner.slice))
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr == "get":
            reads += [(inner.func.value, argument) for argument in inner.args[:1]]
    return any(isinstance(holder, ast.Name) and holder.id in given and metrics_in(key) for holder, key in reads)


def metrics_in(node: ast.AST) -> list[str]:
    """The metrics that strings, calls and variables of a function name unmistakably."""
    labels = []
    for inner in walked(node):
        text = ""
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and len(inner.value) < 40:
            text = inner.value
        elif isinstance(inner, ast.Name):
            text = inner.id
        elif isinstance(inner, ast.Attribute):
            text = inner.attr
        claim = claim_of(text) if text else None
        if claim and claim.certain:
            labels.append(claim.label)
    return list(dict.fromkeys(labels))


def takes_cut_off(methods: Mapping[str, Function]) -> bool:
    """Whether some method of a class, its constructor included, takes a cut-off."""
    return any(signature_of(method, True).k for method in methods.values())


def kept_for(method: Function, methods: Mapping[str, Function]) -> Signature | None:
    """The parameters of a class's constructor, if a method takes no data and reads some of these from its object."""
    if "__init__" not in methods or signature_of(method, True).data:
        return None
    made = signature_of(methods["__init__"], True)
    read = {each.attr.strip("_") for each in walked(method) if isinstance(each, ast.Attribute)}
    return made if read.intersection(made.required) and not unaskable(made) else None


def adds_up(methods: Mapping[str, Function]) -> tuple[str, str] | None:
    """The method of a class that takes lists beside a truth, and the one that gives the result without any."""
    signatures = {name: signature_of(method, True) for name, method in methods.items()}
    adds = [name for name, each in signatures.items() if each.pair and (name in ADD or MORE_ADD.fullmatch(name))]
    gives = [
        name
        for name, each in signatures.items()
        if not each.required and returns(methods[name]) and (name in RESULT or MORE_RESULT.fullmatch(name))
    ]
    return (adds[0], gives[0]) if adds and gives else None


def of_class(tree: ast.Module, node: ast.ClassDef, beside: Beside) -> Iterator[Candidate]:
    """A class of a file as a candidate, and its methods that look like a metric themselves.

    beside : what its file tells.
    """
    claim, other_subject = claim_of(node.name), NO_METRIC.search(words(node.name))
    methods = {inner.name: inner for inner in node.body if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef))}
    bases = [ast.unparse(base) for base in node.bases]
    if re.search(r"Enum|Exception|NamedTuple|TypedDict|Protocol|TestCase|Callback", " ".join(bases)):
        return
    needed = constructor_needs(methods.get("__init__"))
    unmade = f"its class needs {', '.join(needed[:3])}" if needed else ""
    valued = next((name for name in (*METHODS, *ADD, *RESULT) if name in methods and not stub(methods[name])), "")
    taken = ""
    if claim and not other_subject and (valued or [base for base in bases if not base.endswith(NO_KIND)]):
        reason = f"method: {valued}" if valued else f"inherits from {', '.join(bases)}"
        against, taken = unmade, valued
        kinds = " ".join(bases)
        of_labels = claim.label == "f1" or (
            claim.label in SET_METRICS and valued in METHODS and of_classes(claim, signature_of(methods[valued], True))
        )
        plain = of_labels and not RANKED.search(kinds) and not takes_cut_off(methods)
        if plain or (claim.label in SET_METRICS and OF_CLASSIFIERS.search(kinds)):
            against = OF_CLASSES
        if valued in METHODS and valued != "compute" and not against:
            against = unaskable(signature_of(methods[valued], True))
        short = words(node.name) in SHORT_NAMES and (valued or RANKED.search(kinds))
        if claim.certain or short or any(base.endswith("Metric") for base in bases):
            yield Candidate(
                name=node.name,
                line=line_of(node),
                metric=claim.metric or None,
                label=claim.label,
                why=(f"name: {claim.label}", reason),
                against=against,
            )
    elif (pair := adds_up(methods)) and not other_subject and not TEXT_METRIC.search(node.name):
        named = [label for label in metrics_in(node) if label not in SET_METRICS]
        if len(named) > 1:
            taken = pair[1]
            yield Candidate(
                name=node.name,
                line=line_of(node),
                metric=None,
                label=None,
                why=(f"methods: {', '.join(pair)}", f"its body names {', '.join(named[:3])}"),
                against=unmade,
            )
    for method in methods.values():
        if method.name == taken or (method.name.startswith("__") and method.name != "__call__"):
            continue
        without_object = {"staticmethod", "classmethod"} & set(decorators(method))
        kept = None if without_object else kept_for(method, methods)
        for candidate in of_function(method, beside, node.name, kept):
            if kept or not unmade or without_object or candidate.against:
                yield candidate
            else:
                alone = inner_function(tree, [node.name, method.name])
                yield candidate if alone else replace(candidate, against=unmade)
