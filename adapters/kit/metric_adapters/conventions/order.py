"""Which conventions may fit a function, the likeliest first."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from typing import Any, List, NamedTuple, Optional, Tuple

from metric_adapters.conventions.catalogue import CONVENTIONS, RARE, TRIPLES, frame_conventions
from metric_adapters.conventions.convention import COUPLES, RECORDS, ZIPPED, Convention
from metric_adapters.conventions.inputs.columns import column_sets
from metric_adapters.conventions.inputs.gallery import GALLERY
from metric_adapters.conventions.inputs.records import Record, read_record
from metric_adapters.conventions.reading.families import families, suits
from metric_adapters.conventions.reading.hints import annotated, by_container, by_use, by_words, prior
from metric_adapters.conventions.reading.signature import Call, Parameters, annotation
from metric_adapters.conventions.reading.source import Source

MOST_TRIED, MOST_RARE_TRIED = 56, 28
"""At most this many conventions are tried, and this many rare ones after them."""
LARGEST_GAP = 9.0
"""A convention whose score is this far below the best one is not tried."""
USUAL = ("relevant", "recommended")


class Fit(NamedTuple):
    """A convention, the call, its score (higher is likelier), and why in one line.

    absurd : every parameter's name contradicts it. rare : to be tried only if no other convention leads to a name.
    """

    convention: Convention
    call: Call
    score: float
    why: str
    absurd: bool
    rare: bool = False


def fitting(parameters: Parameters, source: Source, function: Any = None) -> List[Fit]:
    """The conventions that the function may be called with, the likeliest first.

    Left out are conventions that every parameter's name contradicts, unless there are no others; those that need a
    package the function does not use; and those much less likely than the first. The first one with its two arguments
    swapped is always included, so that the caller can see whether their order matters: names may mislead.
    """
    fits = []
    columns = column_sets(parameters.columns, source)
    framed = bool(parameters.columns) or {"pandas", "polars"} & source.words or source.anywhere("frame")
    framed = framed or not source.readable or any("frame" in families(name) for name in parameters.data)
    record = recorded(parameters, source, function)
    for convention in (*CONVENTIONS, *(frame_conventions(columns) if framed else ())):
        call = how(convention, parameters, source)
        if call is None or convention.cut > call.takes_k:  # without k, all lists end at k anyway
            continue
        if convention.container in RECORDS:
            if record is None:
                continue
            convention = convention._replace(record=record)
        if "query_class" in convention.roles and not all("class" in families(name) for name in call.data or ()):
            continue
        if convention.roles == GALLERY and not all(suits(*pair)[1] for pair in zip(GALLERY, call.data or ())):
            continue
        if set(TRIPLES) & set(convention.roles) and not takes_triples(convention, call, source):
            continue
        if usable(convention, parameters, source):
            fits.append(judge(convention, call, parameters, source))
    rare = likeliest([fit for fit in fits if fit.rare])[:MOST_RARE_TRIED]
    usual = [fit for fit in fits if not fit.rare]
    likely = likeliest(usual)[:MOST_TRIED]
    if not likely:
        return rare
    first = likely[0].convention

    def is_swapped(fit: Fit) -> bool:
        same_container = fit.convention.container == first.container and len(first.roles) == 2
        return same_container and fit.convention.roles == first.roles[::-1] and fit not in likely

    return [*likely, *list(filter(is_swapped, usual))[:1], *rare]


def recorded(parameters: Parameters, source: Source, function: Any) -> Optional[Record]:
    """The record that the function's first data parameter may hold."""
    return read_record(function, parameters.all.get(next(iter(parameters.data), "")), source)


def takes_triples(convention: Convention, call: Call, source: Source) -> bool:
    """Whether the function unpacks three values from each entry of the parameter that gets triples."""
    names = dict(zip(convention.roles, call.data or ()))
    return any(source.does(names.get(role, ""), "triples") for role in TRIPLES)


def likeliest(fits: List[Fit]) -> List[Fit]:
    """The likeliest first, without those far behind it, and without absurd ones unless all are."""
    ranked = sorted([fit for fit in fits if not fit.absurd] or fits, key=lambda fit: -fit.score)
    return [fit for fit in ranked if fit.score > ranked[0].score - LARGEST_GAP]


def how(convention: Convention, parameters: Parameters, source: Source) -> "Call | None":
    """How to call the function under a convention; None if its parameters do not allow it."""
    call = parameters.call(convention.arity, bool({"users", "sizes", "user_list"} & set(convention.roles)))
    return call if call is None or call.k not in source.unread else call._replace(ignored=True)


def usable(convention: Convention, parameters: Parameters, source: Source) -> bool:
    """Whether the function may take a convention's container, and the packages that it needs are installed and used.

    A single row is only for functions that work with rows: others would take it for a list with one entry and return a
    number. A tuple of two is only for functions that unpack one.
    """
    if "distances" in convention.roles and "ascending" not in source.words:
        return any("distance" in families(name) for name in parameters.data)
    if "similarity" in convention.roles and "diagonal" not in source.words:
        return any("similarity" in families(name) for name in parameters.data)
    if convention.container in COUPLES and not (source.anywhere("couple") or source.anywhere("second")):
        return False
    row = convention.container in ("row", "tensor-row") and "y_score" not in convention.roles
    if row and source.readable and "rows" not in source.words and not source.anywhere("rows"):
        return False
    if "objects" in convention.container and source.readable and "entries" not in source.words:
        return False
    if convention.container == "query-columns" and not {"ok", "junk"} <= source.strings:
        return False
    if convention.container == "session-pairs" and not source.sizes:
        return False
    if convention.container == "sessions" and not source.anywhere("rows"):
        return False
    for package in convention.packages:
        used = package in source.words or any(package in annotation(each) for each in parameters.all.values())
        if package == "pandas":
            used = used or bool(parameters.columns) or source.anywhere("frame")
        if package == "scipy":
            used = used or source.anywhere("sparse")
        if not installed(package) or (source.readable and not used):
            return False
    return True


@lru_cache(maxsize=None)
def installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def judge(convention: Convention, call: Call, parameters: Parameters, source: Source) -> Fit:
    """How likely a convention is, by names, annotations, and what the source does with each parameter."""
    score = prior(convention)
    supporting: List[str] = []
    against: List[str] = []
    for roles, name in assigned(convention, call):
        points, supports = named_as(convention, roles, name)
        if points == 0.0:
            score += 0.5 if roles[0] in USUAL else 0.0
        else:
            (supporting if supports else against).append(f"{name} is {' and '.join(roles)}")
        score += points + annotated(convention, roles[0], annotation(parameters.all[name]))
        score += by_use(convention, roles[0], name, source)
    score += by_words(convention, call, source) + by_container(convention, call, source)
    absurd = convention.arity > 1 and len(against) == convention.arity
    several = convention.arity > 1  # a full ranking as the only input is usual
    zeros = convention.columns is not None and bool(convention.columns.zeros)
    rare = zeros or convention._replace(record=Record()) in RARE or (convention.full and call.takes_k and several)
    return Fit(convention, call, score, why(call, supporting, against), absurd, rare)


def assigned(convention: Convention, call: Call) -> List[Tuple[Tuple[str, ...], str]]:
    """The roles that each data parameter takes."""
    names = call.data or ()
    if convention.container in (*ZIPPED, *COUPLES):
        return [(convention.roles, name) for name in names[:1]]
    return [((role,), name) for role, name in zip(convention.roles, names)]


def named_as(convention: Convention, roles: Tuple[str, ...], name: str) -> Tuple[float, bool]:
    """The points of a parameter's name for the roles that it takes, and whether the name supports them."""
    if convention.container not in (*ZIPPED, *COUPLES):
        return suits(roles[0], name)
    if not families(name):
        return 0.0, False
    return (3.0, True) if "pairs" in families(name) else (0.5, True) if suits(roles[0], name)[1] else (-3.0, False)


def why(call: Call, supporting: List[str], against: List[str]) -> str:
    """The reasons for a convention, in one line."""
    if call.data is None:
        return "its parameters cannot be read; given by position"
    text = "by name, " + ", ".join(supporting) if supporting else f"takes {len(call.data)}, the names do not tell"
    ends = "no k, so what it gets ends at k"
    cut = (
        ends if not call.k else f"{call.k} is not read, so what it gets ends at k" if call.ignored else f"{call.k} is k"
    )
    doubt = f"; against it: {', '.join(against)}" if against else ""
    spare = f"; {' and '.join(call.spare)} given nothing" if call.spare else ""
    return f"{text}; {cut}{spare}{doubt}"
