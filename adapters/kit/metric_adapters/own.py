"""A user's function as a subject: loaded from a file or a package, called in one way."""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import re
import sys
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import MethodType, ModuleType
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from metric_adapters.accumulators import ADD, accumulator, helpers, keeps, kept_by, reset, result_of, stateless
from metric_adapters.calls.built import Built
from metric_adapters.calls.call import Call
from metric_adapters.calls.columns import column_sets
from metric_adapters.calls.configured import TABLE
from metric_adapters.calls.container import Holds
from metric_adapters.calls.cut_offs import AT_ONE
from metric_adapters.calls.entries import ends_in_text
from metric_adapters.calls.facts import Source, read_source
from metric_adapters.calls.invoke import Accumulator, Asked
from metric_adapters.calls.keys import GET_LABEL, AttributeName, KeyPath, plain_function
from metric_adapters.calls.parameter_names import K_NAME, families, snake
from metric_adapters.calls.rank import Fit, bound, fitting, recorded
from metric_adapters.calls.returned import gives_function, gives_nothing, names_returned
from metric_adapters.calls.role import Fact
from metric_adapters.calls.signature import FORMS, Binding, Parameters, annotation, in_form
from metric_adapters.calls.table import by_name
from metric_adapters.calls.written import written
from metric_adapters.imports import import_file, installable
from metric_adapters.inner import inner_function
from metric_adapters.put_back import with_names_put_back
from metric_adapters.ran import Ran
from metric_adapters.state import OfState, of_state
from metric_adapters.subject import Subject
from metric_adapters.taken_out import compiled, take_out

WRAPPED = "recommended,relevant"
"""How a wrapper is called."""
PACKAGES = frozenset(("torch", "pandas", "polars", "scipy"))
GLOBAL_K = ("K", "TOP_K", "TOPK")
"""Variables of a module that are a cut-off if nothing else is known of them."""
OF_FILE = re.compile(r"(^|_)(path|file|file_?name|dir|folder)s?$")
"""The end of the name of a parameter that takes no data, but says where data is."""
K_VARIABLE = re.compile(r"(^|_)(ks|k_(values|list)|top_?ks|at_?ks|cut_?offs)$")
"""In the name of a variable of a module that holds cut-offs: ``EVAL_K_VALUES``."""
WHOLE = re.compile(r"(dict|mapping)\[[^\[\]]*,\s*int\]|(list|sequence|iterable|tuple)\[int\b")
"""The annotation of whole numbers."""
NOTHING = "{} returns nothing: no return statement of it has a value; audit a function that returns the number"
METHODS = ("forward", "__call__", "compute", "calculate", "evaluate", "score", "measure", "metric")


class Loaded(NamedTuple):
    """A target.

    name : of the function. make : called with k, returns the callable: for a class, the method of a new instance.
    constructor : the form in which ``make`` takes k, if the constructor or a variable of the module takes it; else
    None. source : the function whose source is read. importable : its file gives it under its name. helpers : the
    methods that the update of an accumulator calls. read : what is read for the facts in place of the source. empty :
    the tables of settings that the constructor got without an entry.
    """

    name: str
    make: Callable[[Any], Any]
    constructor: Optional[str]
    source: Any
    importable: bool = True
    helpers: Tuple[Any, ...] = ()
    read: Any = None
    empty: Tuple[str, ...] = ()

    def parameters(self) -> Parameters:
        """The parameters of the function or method that takes the data."""
        function = self.make(in_form(1, self.constructor or "number"))
        return Parameters(function.update if isinstance(function, Accumulator) else function)


@lru_cache(maxsize=None)
def load(target: str) -> Loaded:
    """Import a target: ``path/to/file.py:name``, ``package.module:name``, ``...:Class`` or ``...:Class.method``.

    A class is instantiated without arguments, or with k if its constructor has a parameter for it. In a file also
    ``...:function.inner`` and ``...:Class.method.inner``, and a method of a class that cannot be made, if they need
    nothing of what is around them (:mod:`metric_adapters.inner`).

    Raises ValueError, AttributeError or TypeError for a wrong target, and what the import raises.
    """
    place, _, name = target.rpartition(":")
    if not place or not name:
        raise ValueError(f"{target!r}: give path/to/file.py:function or package.module:function")
    try:
        return _outer(place, name)
    except (Exception, SystemExit) as error:
        loaded = _inner(place, name)
        if loaded is None:
            raise installable(error) from None
        return loaded


@lru_cache(maxsize=None)
def facts(target: str) -> Source:
    """What the source of a target says; the packages whose objects it takes, also what the helpers say."""
    loaded = load(target)
    source = read_source(loaded.read or loaded.source)
    of_helpers = (read_source(helper).words & PACKAGES for helper in loaded.helpers)
    unread = source.unread if loaded.read is None else frozenset()  # attributes are read in other methods, too
    return source._replace(words=source.words.union(*of_helpers), unread=unread)


def _outer(place: str, name: str) -> Loaded:
    """A function, a class or a method at the top of a file."""
    return in_module(_module(place, name), place, name)


def in_module(module: ModuleType, place: str, name: str) -> Loaded:
    """A function, a class or a method that a module holds. place : where it comes from, for messages."""
    first, *rest = name.split(".")
    named = _attribute(module, first, place)
    if not inspect.isclass(named):
        for attribute in rest:
            named = _attribute(named, attribute, f"{place}:{first}")
        if not callable(named):
            raise TypeError(f"{place}:{name} is no function but {type(named).__name__}")
        return _function(name, named)
    rest = [held_name(named, each) for each in rest]
    if len(rest) > 1 or (rest and inspect.isclass(getattr(named, rest[0], None))):
        raise ValueError(f"{place}:{name}: give Class or Class.method of a class at the top of the file")
    if rest and is_namespace(named) and inspect.isfunction(getattr(named, rest[0], None)):
        return _function(name, getattr(named, rest[0]))
    update_and_result: Optional[Tuple[str, Union[str, List[str]]]] = accumulator(named, rest[0] if rest else None)
    if update_and_result is None and (rest or _obvious(named) in (None, *ADD)):
        update_and_result = keeps(named, rest[0] if rest else None)
    if update_and_result is not None:
        return _of_instance(name, named, *update_and_result)
    method = rest[0] if rest else obvious_method(named)
    _attribute(named, method, f"{place}:{first}")
    if not isinstance(inspect.getattr_static(named, method), (staticmethod, classmethod)):
        return _of_instance(name, named, method)
    return _function(name, getattr(named, method))


def held_name(kind: Any, name: str) -> str:
    """The name under which a class holds a method: ``__hits`` of ``Recall`` is ``_Recall__hits``."""
    private = name.startswith("__") and not name.endswith("__")
    held = (f"_{each.__name__.lstrip('_')}{name}" for each in (kind.__mro__ if private else ()))
    return next((each for each in held if hasattr(kind, each)), name)


def is_namespace(kind: Any) -> bool:
    """Whether a class only holds functions: none of its own takes the instance."""
    own = [value for value in vars(kind).values() if inspect.isfunction(value)]
    return bool(own) and not any(each.__code__.co_varnames[:1] == ("self",) for each in own)


def _inner(place: str, name: str) -> Optional[Loaded]:
    """A function inside another one, or a method that never reads its object; None if there is none or it fails."""
    path = Path(place)
    if "." not in name or not path.is_file():
        return None
    try:
        inner = inner_function(ast.parse(path.read_bytes(), str(path)), name.split("."))
        if inner is None:
            return None
        maker = inner.maker.name
        module = _module(place, maker, inner.maker)
    except (Exception, SystemExit):  # the caller's error says what the file lacks
        return None
    function = getattr(module, maker)()
    loaded = _function(name, MethodType(function, object()) if inner.bound else function)
    return loaded._replace(source=function, importable=False)


@lru_cache(maxsize=None)
def _whole(place: str) -> ModuleType:
    """The module of a file or of a dotted name."""
    return with_names_put_back(lambda: import_file(Path(place)) if place.endswith(".py") else import_module(place))


@lru_cache(maxsize=None)
def _module(place: str, name: str, maker: Optional[ast.stmt] = None) -> ModuleType:
    """The module of a target; of a file that does not import, the part that a function, class or method needs.

    maker : a statement that is run after those of the file, which defines the name.
    """
    path = Path(place)
    try:
        module = _whole(place)
        if maker is not None:
            exec(compiled(maker, path), vars(module))
        return module
    except (Exception, SystemExit) as error:
        if not path.is_file():
            raise
        reason = error
    try:
        return with_names_put_back(lambda: take_out(path, name, reason, [] if maker is None else [maker]))
    except ImportError:  # of what the function itself needs
        raise
    except Exception as error:
        raise (reason if isinstance(reason, ImportError) else error) from None


def _function(name: str, function: Any) -> Loaded:
    """A function, or that which one makes for k alone.

    If it takes no k but reads a variable of its module that is named so, k is set there. TypeError for one that returns
    nothing.
    """
    if gives_nothing(function):
        raise TypeError(NOTHING.format(name))
    parameters = Parameters(function)
    cut = parameters.strong_k
    if {*parameters.required([*parameters.all])} <= {cut} and gives_function(function):

        def made(k: Any) -> Any:
            return function(**({} if cut is None else {cut: k}))

        first, form = _first(made, parameters.k_form())
        return Loaded(name, made, None if cut is None else form, first, importable=False)
    variable = None if cut else _global_k(function)
    if variable is None:
        return Loaded(name, lambda k: function, None, function)
    module, k_name = function.__globals__, variable

    def make(k: Any) -> Any:
        module[k_name] = k
        return function

    return Loaded(name, make, "list" if isinstance(module[k_name], (list, tuple)) else "number", function)


def _global_k(function: Any) -> Optional[str]:
    """The variable of its module from which a function reads k; None if it reads none."""
    names = getattr(getattr(function, "__code__", None), "co_names", ())
    for name in names:
        value = getattr(function, "__globals__", {}).get(name)
        numbers = value if isinstance(value, (list, tuple)) and value else [value]
        are_whole = all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)
        are_whole = are_whole or (value is None and name.lstrip("_") in GLOBAL_K)  # other code sets it
        if are_whole and (name == "N" or K_NAME.fullmatch(snake(name)) or K_VARIABLE.search(snake(name))):
            return str(name)
    return None


def _of_instance(name: str, kind: Any, method: str, result: Union[str, List[str], None] = None) -> Loaded:
    """The method of a new instance, whose constructor may take the data; with ``result`` an accumulator.

    result : the method or property that gives the result, or the attributes that hold the results.
    """
    if result is None and gives_nothing(plain_function(kind, method)):
        raise TypeError(NOTHING.format(name))
    waiting = of_state(kind, method, waiting=True) if result is None else None
    if waiting is not None:
        return _stateful(name, kind, method, waiting)
    constructor = Parameters(kind)
    required = constructor.required(list(constructor.all))
    is_property = isinstance(inspect.getattr_static(kind, method), property)
    fields = of_state(kind, method, kept=True) if result is None else None
    # where a method reads all that the constructor takes, that takes the data
    if fields is not None and (is_property or {*fields.attributes} != {*required}):
        return _stateful(name, kind, method, fields)
    if result is None and is_property:
        raise TypeError(f"{name} is a property; audit a function that makes the object and reads it")
    cuts = [  # a cut-off for each of several metrics
        name
        for name, parameter in constructor.all.items()
        if K_NAME.fullmatch(snake(name)) and (name in required or type(parameter.default) is int)
    ]
    missing = [name for name in required if name not in (constructor.strong_k, *cuts)]
    built = Built(kind, method) if missing and result is None else None
    settings = (*constructor.settings, *constructor.fills)
    known = all((families(name) or name in settings) and not OF_FILE.search(snake(name)) for name in missing)
    free = built is not None and stateless(kind, method)
    if built is not None and not (free and built.method_takes_data()) and (known or not built.method_takes_data()):
        return Loaded(name, lambda k: built, None, kind)
    if free:
        function = getattr(object.__new__(kind), method)
        return Loaded(name, lambda k: function, None, getattr(kind, method))
    read = of_state(kind, method) if missing and result is None else None
    if read is not None:
        return _stateful(name, kind, method, read)
    empty: Dict[str, Any] = {each: {} for each in missing if TABLE.fullmatch(snake(each))}
    if len(empty) < len(missing) or (empty and not makes(kind, empty)):
        raise TypeError(f"{name}: {kind.__name__} needs {', '.join(missing)}; audit a function that makes and calls it")
    cut, form = constructor.strong_k, constructor.k_form()

    def make(k: Any) -> Any:
        instance = kind(**empty, **({} if cut is None else dict.fromkeys([cut, *cuts], k)))
        if result is not None:
            reset(instance)
        function = getattr(instance, method)
        if isinstance(result, list):
            return Accumulator(*kept_by(instance, function, result))
        return function if result is None else Accumulator(function, functools.partial(result_of, instance, result))

    first, form = _first(make, form) if cut is not None else (make(1), form)
    own = Parameters(first.update if isinstance(first, Accumulator) else first)
    takes_k = cut is not None and own.strong_k is None
    called = () if result is None else tuple(helpers(kind, method))
    if takes_k:
        return Loaded(name, make, form, getattr(kind, method), helpers=called, empty=tuple(empty))
    return Loaded(
        name, lambda k: make(in_form(k, form)), None, getattr(kind, method), helpers=called, empty=tuple(empty)
    )


def makes(kind: Any, arguments: Dict[str, Any]) -> bool:
    """Whether a class can be made with these arguments."""
    try:
        kind(**arguments)
    except Exception:  # it reads a setting that is not there
        return False
    return True


def _stateful(name: str, kind: Any, method: str, function: OfState) -> Loaded:
    """A method as a function of the attributes that it reads."""
    return Loaded(name, lambda k: function, None, plain_function(kind, method), importable=False, read=function.read)


def _first(make: Callable[[Any], Any], form: str) -> Tuple[Any, str]:
    """The first instance, and the form in which its constructor takes k: ``form`` if it works, else another one."""
    for tried in (form, *(other for other in FORMS if other != form)):
        try:
            return make(in_form(1, tried)), tried
        except (TypeError, AttributeError, ValueError):
            if tried == FORMS[-1]:
                break
    return make(in_form(1, form)), form


def obvious_method(kind: Any) -> str:
    """The method that a class is called by; AttributeError if none stands out."""
    method, methods = _obvious(kind), ", ".join(_routines(kind))
    if method is not None:
        return method
    raise AttributeError(f"{kind.__name__} has no obvious method; give {kind.__name__}.METHOD, one of {methods}")


def _obvious(kind: Any) -> Optional[str]:
    methods = _routines(kind)
    called = next((vars(base)["__call__"] for base in kind.__mro__ if "__call__" in vars(base)), None)
    found = [name for name in METHODS if name in methods or (name == "__call__" and called is not None)]
    if found[:1] == ["__call__"] and len(found) > 1 and _hands_on(called):
        return found[1]
    return found[0] if found else methods[0] if len(methods) == 1 else None


def _hands_on(function: Any) -> bool:
    """Whether a method names none of its arguments: ``__call__(self, *args, **kwargs)``."""
    kinds = {each.kind for each in list(inspect.signature(function).parameters.values())[1:]}
    return bool(kinds) and kinds <= {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}


def _routines(kind: Any) -> List[str]:
    return [name for name, value in inspect.getmembers(kind, inspect.isroutine) if not name.startswith("_")]


def _attribute(holder: Any, name: str, place: str) -> Any:
    if not hasattr(holder, name):
        public = (other for other in dir(holder) if not other.startswith("_"))
        names = [other for other in public if _is_own(getattr(holder, other), holder)]
        raise AttributeError(f"{place} has no {name!r}; it has {', '.join(names[:20]) or 'nothing to call'}")
    return getattr(holder, name)


def _is_own(value: Any, holder: Any) -> bool:
    """Whether a value can be called and, for a module, is not merely imported there."""
    defined = not isinstance(holder, ModuleType) or getattr(value, "__module__", None) == holder.__name__
    return callable(value) and defined


def version(target: str) -> str:
    """The version of the distribution or package that holds the target; empty for a file."""
    place = target.rpartition(":")[0]
    if place.endswith(".py"):
        return ""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of

    package = place.split(".")[0]
    try:
        return version_of(package)
    except PackageNotFoundError:
        return str(getattr(sys.modules.get(package), "__version__", ""))


def subjects(target: str, convention: Optional[str] = None) -> Dict[str, Subject]:
    """The function as a subject under its own name, called as the given convention says or in the likeliest way.

    Without ``convention``, each call that may fit is also a subject, under the call's name.

    Raises ValueError for an unknown convention, or one that the function's parameters do not allow.
    """
    loaded = load(target)
    parameters, source = loaded.parameters(), facts(target)
    if convention is not None:
        call = by_name(convention, column_sets(parameters.columns, source))
        record = recorded(parameters, source, loaded.source) if call.holder.has(Holds.RECORD) else None
        call = call if record is None else call.of_record(record)
        binding = bound(call, parameters, source)
        if binding is None:
            raise ValueError(f"{convention}: the function does not take {call.arity} arguments besides k")
        return {loaded.name: _subject(loaded, parameters, call, binding, source)}
    by_call = {fit.call.name: _subject(loaded, parameters, fit.call, fit.binding, source) for fit in _fits(target)}
    return {loaded.name: next(iter(by_call.values())), **by_call} if by_call else {}


def _subject(loaded: Loaded, parameters: Parameters, call: Call, binding: Binding, source: Source) -> Subject:
    asked = Asked(call, loaded.make, parameters, binding, source, loaded.constructor)
    return Subject(asked.ask, loaded.source)  # type: ignore[arg-type]  # an answer, and what was noticed


def wrapped(target: str, name: str, code: str) -> Tuple[Subject, Dict[str, Any]]:
    """A function that calls the target, as a subject, and its call as :func:`calls` describes it.

    code : defines it under ``name``; it sees what the module of the target holds.
    """
    place, _, of_target = target.rpartition(":")
    scope = dict(vars(_module(place, of_target)))
    exec(compile(code, "<wrapper>", "exec"), scope)
    inner, loaded = load(target), _function(name, scope[name])
    parameters, source = Parameters(scope[name]), facts(target)._replace(of={}, unread=frozenset(), keys={})
    call = by_name(WRAPPED)
    binding = bound(call, parameters, source)
    assert binding is not None
    fit = Fit(call, binding, points=0.0, supports=(), against=(), absurd=False, allowed=True)
    row = _row(fit, loaded, parameters, source, names_returned(inner.source))
    return _subject(loaded, parameters, call, binding, source), {**row, "name": name}


def edited(target: str, convention: str, code: str) -> Subject:
    """The target as a subject, called as the original is, after ``code`` replaced definitions of its file.

    The code runs in a copy of the module's names. Raises what the code raises.
    """
    place, _, name = target.rpartition(":")
    original = _module(place, name)
    module = ModuleType(original.__name__)
    vars(module).update(vars(original))
    later = vars(original).get("annotations") is __future__.annotations
    flags = __future__.annotations.compiler_flag if later else 0
    exec(compile(code, place, "exec", flags, dont_inherit=True), vars(module))
    loaded, source = in_module(module, place, name), facts(target)
    parameters = loaded.parameters()
    fit = next((fit for fit in _fits(target) if fit.call.name == convention), None)
    call = by_name(convention) if fit is None else fit.call
    binding = bound(call, parameters, source) if fit is None else fit.binding
    if binding is None:
        raise ValueError(f"{convention}: the function does not take {call.arity} arguments besides k")
    return _subject(loaded, parameters, call, binding, source)


def measure(subject: Subject) -> Ran:
    """Count from now on which branches run when a subject is asked."""
    asked: Asked = getattr(subject.ask, "__self__")  # noqa: B009  the subject's ask is a method of an Asked
    asked.ran = Ran(subject.source)
    return asked.ran


def calls(target: str) -> List[Dict[str, Any]]:
    """The calls that may fit, likeliest first, each as the worker's answer to ``calls`` holds it.

    name : as it is printed; roles, container, ends : what the name says. supports, against : what the names of the
    parameters say; allowed : neither they nor annotations nor the docstring speak against it; why : the reasons in one
    line, for people. k_named : the parameter that takes k is named so. k_presumed : it is not, and nothing ends at it.
    call : as source code, or None (see :mod:`metric_adapters.calls.written`). domain : what the call can express.
    vector : a parameter holds a number for every item. full_lists : ``always`` (the function scores the whole catalogue
    and takes no k, so that unlisted items have a rank), ``past k`` (the same with k: a result that ignores k needs full
    lists), or empty. cuts : constants at which a function that takes no k ends its lists: it is to be asked at such a
    k. limits : these and other constants that may be such a cut-off. thresholds : those that may be the least gain of
    a relevant item; above : that are less than it. at_one : its name ends with 1. returned : see
    :func:`names_returned`. defaults : optional numbers that the source reads and that keep their default. chosen : what
    required parameters that take no data are given. filled : the names of those that get a usual value. rare : to be
    tried only if no other call leads to a name.
    zeros : the columns of a frame that hold 0 in every row. spans : where items begin and end in a text is read.
    """
    loaded = load(target)
    parameters, source, returned = loaded.parameters(), facts(target), names_returned(loaded.source)
    return [_row(fit, loaded, parameters, source, returned) for fit in _fits(target)]


@lru_cache(maxsize=None)
def _fits(target: str) -> List[Fit]:
    """The calls that may fit, computed once for each target."""
    loaded = load(target)
    return fitting(loaded.parameters(), facts(target), loaded.source)


def in_box(name: str, path: KeyPath) -> str:
    """That the data of a parameter is in a data set, or in objects, dicts or lists of one entry, in words."""
    if path == (GET_LABEL,):
        return f"{name} gets it as a data set, {name}.{GET_LABEL}()"
    read = "".join(f".{key}" if isinstance(key, AttributeName) else f"[{key!r}]" for key in path)
    kinds = ((AttributeName, "an object"), (str, "a dict"), (int, "a list"))
    holder = next(words for kind, words in kinds if isinstance(path[0], kind))
    return f"{name} gets it in {holder} of one entry, {name}{read}"


def takes_whole_gains(fit: Fit, parameters: Parameters, source: Source) -> bool:
    """Whether gains are made whole numbers, or their parameter is annotated so: ``dict[str, int]``, ``list[int]``."""
    columns = fit.call.columns
    if columns is not None:
        return columns.rating in source.whole
    graded = (name for name, role in zip(fit.binding.data or (), fit.call.roles) if role.has(Fact.GRADED | Fact.GAINS))
    return any(name in source.whole or WHOLE.search(annotation(parameters.all[name])) for name in graded)


def _row(fit: Fit, loaded: Loaded, parameters: Parameters, source: Source, returned: List[List[str]]) -> Dict[str, Any]:
    call, takes_k = fit.call, loaded.constructor is not None or fit.binding.takes_k
    domain, full_lists = call.domain._replace(k="given" if takes_k else "not given"), ""
    full = call.ends == "catalogue"
    if call.ranks_catalogue and not takes_k and (full or not source.cuts):
        full_lists = "always"
    elif call.ranks_catalogue and takes_k and not full:
        full_lists = "past k"
    if domain.gains == "graded" and takes_whole_gains(fit, parameters, source):
        domain = domain._replace(gains="whole")
    cuts = [] if takes_k else list(source.cuts)
    at_one = not takes_k and ("first_alone" in source.words or bool(AT_ONE.search(loaded.name)))
    ends = [*([1] if at_one else []), *cuts, *source.limits]
    limits = [] if takes_k else list(dict.fromkeys(ends))
    if call.container == "session-pairs":  # each whole session is ranked; a cut-off belongs to one result
        domain, full_lists, cuts = domain._replace(candidates=source.sizes[0]), "always", []
    function = loaded.make(in_form(1, loaded.constructor or "number"))
    apart = call.arity == len(call.names) and loaded.importable and not loaded.empty
    notes = [
        fit.why(loaded.constructor is not None),
        *(in_box(name, key) for name, key in source.boxes.items() if call.columns is None),
    ]
    notes += [function.about] if isinstance(function, OfState) else []
    of_call = (fit.binding, call, source)
    written_call = written(loaded.name, function, parameters, loaded.constructor, *of_call) if apart else None
    return {
        "name": call.name,
        "roles": list(call.names),
        "container": call.container,
        "ends": call.ends,
        "about": call.about,
        "why": "; ".join(notes),
        "supports": list(fit.supports),
        "against": list(fit.against),
        "allowed": fit.allowed,
        "call": written_call,
        "domain": domain._asdict(),
        "k_named": loaded.constructor is not None or parameters.is_named_k(fit.binding.k),
        "k_presumed": takes_k and loaded.constructor is None and not parameters.means_k(fit.binding.k),
        "vector": call.has(Fact.VECTOR) or call.ranks_catalogue,
        "full_lists": full_lists,
        "cuts": cuts,
        "limits": limits,
        "at_one": at_one,
        "thresholds": list(source.thresholds),
        "above": list(source.above),
        "returned": returned,
        "defaults": [*fit.binding.defaults, *loaded.empty],
        "chosen": [f"{name} = {value!r}" for name, value in fit.binding.chosen],
        "filled": [name for name in fit.binding.fills if name not in fit.binding.spare],
        "rare": fit.rare,
        "zeros": list(call.record.zeros if call.columns is None else call.columns.zeros),
        "spans": call.columns is None and any(ends_in_text(key) for keys in source.keys.values() for key in keys),
    }
