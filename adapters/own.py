"""A function of one's own as a subject: loaded from a file or a package, called by a convention."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from adapters.conventions import Convention, by_name, call
from adapters.conventions_frames import read_columns
from adapters.conventions_order import fitting
from adapters.conventions_signature import Call, Parameters
from adapters.conventions_source import read_source
from adapters.conventions_written import written
from adapters.subject import Answer, Subject
from reference.case import Case

METHODS = ("forward", "__call__", "compute", "calculate", "evaluate", "score", "measure", "metric")


class Loaded(NamedTuple):
    """A target.

    name : of the function. make : called with k, gives what is called, a new instance's method for a class.
    takes_k : k goes to the constructor. source : the function, to read.
    """

    name: str
    make: Callable[[int], Any]
    takes_k: bool
    source: Any


@lru_cache(maxsize=None)
def load(target: str) -> Loaded:
    """Import what ``path/to/file.py:name``, ``package.module:name``, ``...:Class`` or ``...:Class.method`` names.

    A class is instantiated without arguments, or with k if its constructor has a parameter for it.

    Raises ValueError, AttributeError or TypeError that says what is wrong with the target, and what the import raises.
    """
    place, _, name = target.rpartition(":")
    if not place or not name:
        raise ValueError(f"{target!r}: give path/to/file.py:function or package.module:function")
    module = import_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    first, *rest = name.split(".")
    found = _attribute(module, first, place)
    if not inspect.isclass(found):
        for part in rest:
            found = _attribute(found, part, f"{place}:{first}")
        if not callable(found):
            raise TypeError(f"{target} is no function but {type(found).__name__}")
        return Loaded(name, lambda k: found, False, found)
    if len(rest) > 1 or (rest and inspect.isclass(getattr(found, rest[0], None))):
        raise ValueError(f"{target}: give Class or Class.method of a class at the top of the file")
    method = rest[0] if rest else obvious_method(found)
    _attribute(found, method, f"{place}:{first}")
    if not isinstance(inspect.getattr_static(found, method), (staticmethod, classmethod)):
        return _of_instance(name, found, method)
    static = getattr(found, method)
    return Loaded(name, lambda k: static, False, static)


def _of_instance(name: str, kind: Any, method: str) -> Loaded:
    constructor = Parameters(kind)
    missing = [one for one in constructor.required(list(constructor.all)) if one != constructor.strong_k]
    if missing:
        raise TypeError(f"{name}: {kind.__name__} needs {', '.join(missing)}; audit a function that makes and calls it")
    cut, as_list = constructor.strong_k, constructor.k_is_list()
    own = Parameters(getattr(kind(**_cut(cut, as_list, 1)), method))
    takes_k = cut is not None and own.strong_k is None

    def make(k: int) -> Any:
        return getattr(kind(**_cut(cut, as_list, k)), method)

    return Loaded(name, make, takes_k, getattr(kind, method))


def _cut(name: Optional[str], as_list: bool, k: int) -> Dict[str, Any]:
    return {} if name is None else {name: [k] if as_list else k}


def obvious_method(kind: Any) -> str:
    """The method that a class is called by; AttributeError if none stands out."""
    own = [name for name, value in inspect.getmembers(kind, inspect.isroutine) if not name.startswith("_")]
    for name in METHODS:
        if name in own or (name == "__call__" and any(name in vars(base) for base in kind.__mro__)):
            return name
    if len(own) == 1:
        return own[0]
    raise AttributeError(f"{kind.__name__} has no obvious method; give {kind.__name__}.METHOD, one of {', '.join(own)}")


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


def import_file(path: Path) -> ModuleType:
    """Import a file, as a module of its package where it lies in one, so that its own imports work."""
    path = path.resolve()
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    root, names = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        names.insert(0, root.name)
        root = root.parent
    if str(root) not in sys.path:
        sys.path.insert(1, str(root))
    if names[-1] == "__init__":
        names.pop()
    if len(names) > 1 and names[0] not in sys.modules:
        return importlib.import_module(".".join(names))
    name = names[-1] if names[-1] not in sys.modules else f"audited_{names[-1]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


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

    Raises ValueError for a convention that is none or that the function's parameters do not allow.
    """
    loaded = load(target)
    parameters, source = Parameters(loaded.make(1)), read_source(loaded.source)
    fits = fitting(parameters, source)
    if convention is not None:
        chosen = by_name(convention, read_columns(parameters.columns, source))
        how = parameters.call(len(chosen.roles))
        if how is None:
            raise ValueError(f"{convention}: the function does not take {len(chosen.roles)} arguments besides k")
        return {loaded.name: _subject(loaded, parameters, chosen, how)}
    found = {fit.convention.name: _subject(loaded, parameters, fit.convention, fit.call) for fit in fits}
    return {loaded.name: next(iter(found.values())), **found} if found else {}


def _subject(loaded: Loaded, parameters: Parameters, convention: Convention, how: Call) -> Subject:
    takes_k = loaded.takes_k or how.takes_k

    def ask(case: Case, k: int) -> Answer:
        return call(convention, loaded.make, parameters, how, case, k, takes_k)

    return Subject(ask, loaded.source)


def conventions(target: str) -> List[Dict[str, str]]:
    """The conventions that may fit, likeliest first: name, about, why, and the call as a person writes it."""
    loaded = load(target)
    function = loaded.make(1)
    parameters = Parameters(function)
    return [
        {
            "name": fit.convention.name,
            "about": fit.convention.about,
            "why": fit.why,
            "call": written(loaded.name, function, parameters, fit.call, list(fit.convention.roles)),
        }
        for fit in fitting(parameters, read_source(loaded.source))
    ]
