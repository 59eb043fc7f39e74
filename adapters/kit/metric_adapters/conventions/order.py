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

MOST, MOST_RARE = 56, 28
"""The number of conventions that are tried, and of rare ones that are tried after them."""
FURTHEST = 9.0
"""A convention that lies this far behind the likeliest one is not tried."""
USUAL = ("relevant", "recommended")


class Fit(NamedTuple):
    """A convention with the way to call it, how likely it is, why, and whether every name speaks against it.

    rare : it is to be tried only where no other one leads to a name.
    """

    convention: Convention
    call: Call
    score: float
    why: str
    absurd: bool
    rare: bool = False


def fitting(parameters: Parameters, source: Source, function: Any = None) -> List[Fit]:
    """The conventions that the function may be called with, the likeliest first.

    Left out is what every one of the parameters' names contradicts, unless nothing else is left; what needs a package
    that the function does not use; and what is much less likely than the first one. The reverse order of the first one
    stays, as the last, so that who asks can see whether the order matters: names may mislead.
    """
    out = []
    found = column_sets(parameters.columns, source)
    framed = bool(parameters.columns) or {"pandas", "polars"} & source.words or source.anywhere("frame")
    framed = framed or not source.readable or any("frame" in families(name) for name in parameters.data)
    record = recorded(parameters, source, function)
    for convention in (*CONVENTIONS, *(frame_conventions(found) if framed else ())):
        call = how(convention, parameters, source)
        if call is None or convention.cut > call.takes_k:  # they end at k anyway
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
            out.append(judge(convention, call, parameters, source))
    rare = likeliest([fit for fit in out if fit.rare])[:MOST_RARE]
    out = [fit for fit in out if not fit.rare]
    likely = likeliest(out)[:MOST]
    if not likely:
        return rare
    first = likely[0].convention

    def reversed_order(fit: Fit) -> bool:
        same = fit.convention.container == first.container and len(first.roles) == 2
        return same and fit.convention.roles == first.roles[::-1] and fit not in likely

    reverse = list(filter(reversed_order, out))
    return [*likely, *reverse[:1], *rare]


def recorded(parameters: Parameters, source: Source, function: Any) -> Optional[Record]:
    """What records are made of for a function whose first data parameter may hold them."""
    return read_record(function, parameters.all.get(next(iter(parameters.data), "")), source)


def takes_triples(convention: Convention, call: Call, source: Source) -> bool:
    """Whether the function takes entries of three apart where the convention hands them over."""
    given = dict(zip(convention.roles, call.data or ()))
    return any(source.does(given.get(role, ""), "triples") for role in TRIPLES)


def likeliest(fits: List[Fit]) -> List[Fit]:
    """The fits without absurd ones and those that lie far behind the first, the likeliest first."""
    ranked = sorted([fit for fit in fits if not fit.absurd] or fits, key=lambda fit: -fit.score)
    return [fit for fit in ranked if fit.score > ranked[0].score - FURTHEST]


def how(convention: Convention, parameters: Parameters, source: Source) -> "Call | None":
    """How to call the function under a convention; None where its parameters do not allow it."""
    call = parameters.call(convention.arity, bool({"users", "sizes", "user_list"} & set(convention.roles)))
    return call if call is None or call.k not in source.unread else call._replace(ignored=True)


def usable(convention: Convention, parameters: Parameters, source: Source) -> bool:
    """Whether the packages that a convention needs are installed and the function may use them.

    A single row is for functions that work with rows: others read it as a list of one number, and give a number for it.
    A tuple of two is for functions that take one apart.
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
        said = any(package in annotation(one) for one in parameters.all.values())
        if package == "pandas":
            said = said or bool(parameters.columns) or source.anywhere("frame")
        if package == "scipy":
            said = said or source.anywhere("sparse")
        if not installed(package) or (source.readable and package not in source.words and not said):
            return False
    return True


@lru_cache(maxsize=None)
def installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def judge(convention: Convention, call: Call, parameters: Parameters, source: Source) -> Fit:
    """How likely a convention is: names, annotations, and what the source does with each parameter."""
    score = prior(convention)
    named: List[str] = []
    against: List[str] = []
    for roles, name in assigned(convention, call):
        points, names_it = named_as(convention, roles, name)
        said = " and ".join(roles)
        if points == 0.0:
            score += 0.5 if roles[0] in USUAL else 0.0
        else:
            (named if names_it else against).append(f"{name} is {said}")
        score += points + annotated(convention, roles[0], annotation(parameters.all[name]))
        score += by_use(convention, roles[0], name, source)
    score += by_words(convention, call, source) + by_container(convention, call, source)
    absurd = convention.arity > 1 and len(against) == convention.arity
    alone = convention.arity == 1  # a ranking that holds everything relevant is a usual input
    zeros = convention.columns is not None and bool(convention.columns.zeros)
    rare = zeros or convention._replace(record=Record()) in RARE or (convention.full and call.takes_k and not alone)
    return Fit(convention, call, score, why(call, named, against), absurd, rare)


def assigned(convention: Convention, call: Call) -> List[Tuple[Tuple[str, ...], str]]:
    """What each data parameter takes."""
    names = call.data or ()
    if convention.container in (*ZIPPED, *COUPLES):
        return [(convention.roles, name) for name in names[:1]]
    return [((role,), name) for role, name in zip(convention.roles, names)]


def named_as(convention: Convention, roles: Tuple[str, ...], name: str) -> Tuple[float, bool]:
    """How well a name suits what its parameter takes, and whether it names it."""
    if convention.container not in (*ZIPPED, *COUPLES):
        return suits(roles[0], name)
    if not families(name):
        return 0.0, False
    return (3.0, True) if "pairs" in families(name) else (0.5, True) if suits(roles[0], name)[1] else (-3.0, False)


def why(call: Call, named: List[str], against: List[str]) -> str:
    """One line for a person."""
    if call.data is None:
        return "its parameters cannot be read; given by position"
    text = "by name, " + ", ".join(named) if named else f"takes {len(call.data)}, the names do not tell"
    ends = "no k, so what it gets ends at k"
    cut = (
        ends if not call.k else f"{call.k} is not read, so what it gets ends at k" if call.ignored else f"{call.k} is k"
    )
    doubt = f"; against it: {', '.join(against)}" if against else ""
    spare = f"; {' and '.join(call.spare)} given nothing" if call.spare else ""
    return f"{text}; {cut}{spare}{doubt}"
