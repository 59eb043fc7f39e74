"""A user's function as a subject: loaded from a file or a package, called by a convention."""

from __future__ import annotations

import importlib
import inspect
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from metric_adapters.accumulators import accumulator, keeps, kept_by, reset, result_of
from metric_adapters.conventions.calling import Accumulator, Asked
from metric_adapters.conventions.catalogue import by_name
from metric_adapters.conventions.convention import RECORDS, Convention
from metric_adapters.conventions.inputs.columns import column_sets
from metric_adapters.conventions.order import Fit, fitting, how, recorded
from metric_adapters.conventions.reading.built import Built
from metric_adapters.conventions.reading.families import families, snake
from metric_adapters.conventions.reading.returned import names_returned
from metric_adapters.conventions.reading.signature import FORMS, K_NAME, Call, Parameters, in_form
from metric_adapters.conventions.reading.source import Source, read_source
from metric_adapters.conventions.reading.written import written
from metric_adapters.imports import import_file
from metric_adapters.put_back import with_names_put_back
from metric_adapters.subject import Subject

METHODS = ("forward", "__call__", "compute", "calculate", "evaluate", "score", "measure", "metric")


class Loaded(NamedTuple):
    """A target.

    name : of the function. make : called with k, gives what is called, a new instance's method for a class.
    constructor : the form in which ``make`` takes k, because the constructor or a variable of the module holds it; None
    where it does not. source : the function, to read.
    """

    name: str
    make: Callable[[Any], Any]
    constructor: Optional[str]
    source: Any

    def parameters(self) -> Parameters:
        """The parameters of what takes the data."""
        made = self.make(in_form(1, self.constructor or "number"))
        return Parameters(made.update if isinstance(made, Accumulator) else made)


@lru_cache(maxsize=None)
def load(target: str) -> Loaded:
    """Import what ``path/to/file.py:name``, ``package.module:name``, ``...:Class`` or ``...:Class.method`` names.

    A class is instantiated without arguments, or with k if its constructor has a parameter for it.

    Raises ValueError, AttributeError or TypeError that says what is wrong with the target, and what the import raises.
    """
    place, _, name = target.rpartition(":")
    if not place or not name:
        raise ValueError(f"{target!r}: give path/to/file.py:function or package.module:function")
    from_file = place.endswith(".py")
    module = with_names_put_back(lambda: import_file(Path(place)) if from_file else importlib.import_module(place))
    first, *rest = name.split(".")
    found = _attribute(module, first, place)
    if not inspect.isclass(found):
        for part in rest:
            found = _attribute(found, part, f"{place}:{first}")
        if not callable(found):
            raise TypeError(f"{target} is no function but {type(found).__name__}")
        return _function(name, found)
    if len(rest) > 1 or (rest and inspect.isclass(getattr(found, rest[0], None))):
        raise ValueError(f"{target}: give Class or Class.method of a class at the top of the file")
    both = accumulator(found, rest[0] if rest else None)
    if both is not None:
        return _of_instance(name, found, *both)
    kept = keeps(found, rest[0] if rest else None) if rest or _obvious(found) is None else None
    if kept is not None:
        return _of_instance(name, found, *kept)
    method = rest[0] if rest else obvious_method(found)
    _attribute(found, method, f"{place}:{first}")
    if not isinstance(inspect.getattr_static(found, method), (staticmethod, classmethod)):
        return _of_instance(name, found, method)
    return _function(name, getattr(found, method))


def _function(name: str, found: Any) -> Loaded:
    """A function; k goes into a variable of its module where it reads one of that name and takes no k itself."""
    variable = None if Parameters(found).strong_k else _global_k(found)
    if variable is None:
        return Loaded(name, lambda k: found, None, found)
    holder, one = found.__globals__, variable

    def make(k: Any) -> Any:
        holder[one] = k
        return found

    return Loaded(name, make, "list" if isinstance(holder[one], (list, tuple)) else "number", found)


def _global_k(function: Any) -> Optional[str]:
    """The variable of its module from which a function reads k; None where it reads none."""
    names = getattr(getattr(function, "__code__", None), "co_names", ())
    for name in names:
        value = getattr(function, "__globals__", {}).get(name)
        numbers = value if isinstance(value, (list, tuple)) and value else [value]
        whole = all(isinstance(one, int) and not isinstance(one, bool) for one in numbers)
        if whole and (K_NAME.fullmatch(snake(name)) or name == "N"):
            return str(name)
    return None


def _of_instance(name: str, kind: Any, method: str, result: Union[str, List[str], None] = None) -> Loaded:
    """The method of a new instance, be it made with the data; with ``result`` an accumulator.

    result : the method or property that gives the result, or the attributes that hold the results.
    """
    constructor = Parameters(kind)
    required = constructor.required(list(constructor.all))
    cuts = [one for one in required if K_NAME.fullmatch(snake(one))]  # a cut-off for each of several metrics
    missing = [one for one in required if one != constructor.strong_k and one not in cuts]
    built = Built(kind, method) if missing and result is None else None
    known = all(families(one) or one in constructor.settings for one in missing)
    if built is not None and (known or not built.method_takes_data()):
        return Loaded(name, lambda k: built, None, kind)
    if missing:
        raise TypeError(f"{name}: {kind.__name__} needs {', '.join(missing)}; audit a function that makes and calls it")
    cut, form = constructor.strong_k, constructor.k_form()

    def made(k: Any) -> Any:
        instance = kind(**({} if cut is None else dict.fromkeys([cut, *cuts], k)))
        if result is not None:
            reset(instance)
        function = getattr(instance, method)
        if isinstance(result, list):
            return Accumulator(*kept_by(instance, function, result))
        return function if result is None else Accumulator(function, lambda: result_of(instance, result))

    first, form = _first(made, form) if cut is not None else (made(1), form)
    own = Parameters(first.update if isinstance(first, Accumulator) else first)
    takes_k = cut is not None and own.strong_k is None
    return Loaded(name, made, form if takes_k else None, getattr(kind, method))


def _first(made: Callable[[Any], Any], form: str) -> Tuple[Any, str]:
    """The first instance, and the form in which its constructor takes k: as it seems, else another one."""
    for other in (form, *(one for one in FORMS if one != form)):
        try:
            return made(in_form(1, other)), other
        except (TypeError, AttributeError, ValueError):
            if other == FORMS[-1]:
                break
    return made(in_form(1, form)), form


def obvious_method(kind: Any) -> str:
    """The method that a class is called by; AttributeError if none stands out."""
    found, own = _obvious(kind), _routines(kind)
    if found is not None:
        return found
    raise AttributeError(f"{kind.__name__} has no obvious method; give {kind.__name__}.METHOD, one of {', '.join(own)}")


def _obvious(kind: Any) -> Optional[str]:
    own = _routines(kind)
    for name in METHODS:
        if name in own or (name == "__call__" and any(name in vars(base) for base in kind.__mro__)):
            return name
    return own[0] if len(own) == 1 else None


def _routines(kind: Any) -> List[str]:
    return [name for name, value in inspect.getmembers(kind, inspect.isroutine) if not name.startswith("_")]


def _attribute(holder: Any, name: str, place: str) -> Any:
    if not hasattr(holder, name):
        public = (other for other in dir(holder) if not other.startswith("_"))
        names = [other for other in public if _is_own(getattr(holder, other), holder)]
        raise AttributeError(f"{place} has no {name!r}; it has {', '.join(names[:20]) or 'nothing to call'}")
    return getattr(holder, name)


def _is_own(value: Any, holder: Any) -> bool:
    """Whether a name can be called and, for a module, is not merely imported there."""
    inside = not isinstance(holder, ModuleType) or getattr(value, "__module__", None) == holder.__name__
    return callable(value) and inside


def version(target: str) -> str:
    """The version of the distribution or package that holds the target; empty for a file."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of

    place = target.rpartition(":")[0]
    if place.endswith(".py"):
        return ""
    package = place.split(".")[0]
    try:
        return version_of(package)
    except PackageNotFoundError:
        return str(getattr(sys.modules.get(package), "__version__", ""))


def subjects(target: str, convention: Optional[str] = None) -> Dict[str, Subject]:
    """The function as a subject under its own name, called by a convention or by the likeliest one.

    Without ``convention`` every convention that may fit is a subject too, under the convention's name.

    Raises ValueError for an unknown convention, or one that the function's parameters do not allow.
    """
    loaded = load(target)
    parameters, source = loaded.parameters(), read_source(loaded.source)
    if convention is not None:
        chosen = by_name(convention, column_sets(parameters.columns, source))
        record = recorded(parameters, source, loaded.source) if chosen.container in RECORDS else None
        chosen = chosen if record is None else chosen._replace(record=record)
        call = how(chosen, parameters, source)
        if call is None:
            raise ValueError(f"{convention}: the function does not take {chosen.arity} arguments besides k")
        return {loaded.name: _subject(loaded, parameters, chosen, call, source)}
    fits = _fits(target)
    found = {fit.convention.name: _subject(loaded, parameters, fit.convention, fit.call, source) for fit in fits}
    return {loaded.name: next(iter(found.values())), **found} if found else {}


def _subject(loaded: Loaded, parameters: Parameters, convention: Convention, call: Call, source: Source) -> Subject:
    asked = Asked(convention, loaded.make, parameters, call, source, loaded.constructor)
    return Subject(asked.ask, loaded.source)


def conventions(target: str) -> List[Dict[str, Any]]:
    """The conventions that may fit, likeliest first: name, about, why, call, needs, cuts, limits, returned, rare,
    zeros.

    call : as a person writes it, or None (see :mod:`metric_adapters.conventions.reading.written`).
    needs : of a case: ``one_relevant``, ``candidate_scores``, ``full_lists`` (it scores the whole catalogue, and the
    function takes no k, so that an item which is not listed has a rank), ``full_lists_at_k`` (the same of a function
    that takes k: a result that does not look at k needs full lists), ``candidates:10`` (that many for each user).
    cuts : constants at which a function that takes no k ends its lists: it is to be asked at such a k. limits : other
    constants that may be such a cut-off. returned : see :func:`names_returned`. rare : it is to be tried only where no
    other one leads to a name. zeros : the columns of a frame that hold 0 in every row.
    """
    loaded = load(target)
    source, returned = read_source(loaded.source), names_returned(loaded.source)
    return [_row(fit, loaded, source, returned) for fit in _fits(target)]


@lru_cache(maxsize=None)
def _fits(target: str) -> List[Fit]:
    """The conventions that may fit, worked out once."""
    loaded = load(target)
    return fitting(loaded.parameters(), read_source(loaded.source), loaded.source)


def _row(fit: Fit, loaded: Loaded, source: Source, returned: List[List[str]]) -> Dict[str, Any]:
    convention, takes_k = fit.convention, loaded.constructor is not None or fit.call.takes_k
    needs = list(convention.needs)
    if convention.whole_catalogue and not takes_k and (convention.full or not source.cuts):
        needs.append("full_lists")
    cuts = [] if takes_k else list(source.cuts)
    function = loaded.make(in_form(1, loaded.constructor or "number"))
    roles = list(convention.roles) if convention.arity == len(convention.roles) else []
    call = written(loaded.name, function, loaded.constructor, fit.call, roles) if roles else None
    if convention.whole_catalogue and takes_k and not convention.full:
        needs.append("full_lists_at_k")
    whole = cuts if convention.whole_catalogue else []  # a list that ends at k would show less than it ranks
    limits = [] if takes_k else [*whole, *(end for end in source.limits if end not in cuts)]
    if convention.container == "session-pairs":  # each session is ranked whole; a cut-off is that of one result
        needs, cuts = ["full_lists", f"candidates:{source.sizes[0]}"], []
    about = {"name": convention.name, "about": convention.about, "why": fit.why, "call": call}
    read = {"cuts": cuts, "limits": limits, "returned": returned}
    zeros = [] if convention.columns is None else list(convention.columns.zeros)
    return {**about, "needs": needs, **read, "rare": fit.rare, "zeros": zeros}
