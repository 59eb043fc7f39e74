"""Names that numpy, pandas, polars or Python removed, put back for a function that failed on them.

A name is put back only if another name does exactly the same today, only after an error about it, and only in this
process. Every answer names those that were put back.
"""

from __future__ import annotations

import builtins
import collections
import collections.abc
import functools
import importlib
import inspect
import re
import sys
import traceback
from typing import Any, Callable, Dict, List, Tuple, TypeVar

import numpy as np

Result = TypeVar("Result")


def _asfarray(array: Any, dtype: Any = np.float64) -> np.ndarray:
    """An array of numbers with a fraction."""
    kind = np.dtype(dtype)
    return np.asarray(array, dtype=kind if np.issubdtype(kind, np.inexact) else np.float64)


def _in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False, **more: Any) -> np.ndarray:
    """Whether each entry of one flat array is in another."""
    return np.isin(np.asarray(ar1).ravel(), ar2, assume_unique=assume_unique, invert=invert, **more)


def _asscalar(array: Any) -> Any:
    """The one number of an array or of a numpy scalar."""
    return array.item()


NUMPY: Dict[str, Any] = {
    **{"float": float, "int": int, "bool": bool, "object": object, "str": str, "complex": complex},
    **{"long": int, "unicode": str, "float_": np.float64, "complex_": np.complex128, "unicode_": np.str_},
    **{
        "string_": np.bytes_,
        "asfarray": _asfarray,
        "in1d": _in1d,
        "asscalar": _asscalar,
        "product": np.prod,
        "cumproduct": np.cumprod,
    },
    **{"alltrue": np.all, "sometrue": np.any, "row_stack": np.vstack, "round_": np.round},
    **{"Inf": np.inf, "Infinity": np.inf, "infty": np.inf, "PINF": np.inf, "NINF": -np.inf},
    **{"NaN": np.nan, "NAN": np.nan, "trapz": getattr(np, "trapezoid", None)},
}
COLLECTIONS: Dict[str, Any] = {
    name: getattr(collections.abc, name)
    for name in (
        *("Iterable", "Iterator", "Mapping", "MutableMapping", "Sequence", "MutableSequence", "Callable", "Hashable"),
        *("Sized", "Set", "MutableSet", "Container", "Generator"),
    )
}
OF_SCIPY = (
    *("array", "zeros", "ones", "arange", "linspace", "dot", "mean", "sum", "log", "log2", "exp", "sqrt", "argsort"),
    *("where", "interp", "floor", "cumsum"),
)
"""Names of numpy that scipy had, too."""
BUILTINS: Dict[str, Any] = {
    "xrange": range,
    "unicode": str,
    "basestring": str,
    "long": int,
    "unichr": chr,
    "reduce": functools.reduce,
}
OF_MODULES: Dict[str, Dict[str, Any]] = {
    "numpy": NUMPY,
    "collections": COLLECTIONS,
    "pandas": {"np": np},
    "scipy": {name: getattr(np, name) for name in OF_SCIPY},
}
"""By module, the names in it."""
RENAMED: Dict[str, Dict[str, str]] = {
    "scipy.integrate": {"simps": "simpson", "trapz": "trapezoid", "cumtrapz": "cumulative_trapezoid"}
}
"""By module, removed names and those that the same functions have today."""
MOVED = {"sklearn.metrics.base": "sklearn.metrics._base", "sklearn.metrics.ranking": "sklearn.metrics._ranking"}
"""Modules that have another name today."""
METHODS: Dict[str, Dict[str, Any]] = {
    "scipy.sparse": {
        "A": property(lambda self: self.toarray()),
        "A1": property(lambda self: self.toarray().ravel()),
        "H": property(lambda self: self.conjugate().T),
    },
    "pandas": {
        "append": lambda self, other, ignore_index=False, **more: _append(self, other, ignore_index),
        "iteritems": lambda self: self.items(),
        "as_matrix": lambda self: self.to_numpy(),
    },
    "polars": {
        "groupby": lambda self, by, *more, **named: self.group_by(by, *more, **named),
        "with_row_count": lambda self, name="row_nr", offset=0: self.with_row_index(name, offset),
        "cumsum": lambda self, **named: self.cum_sum(**named),
        "cumcount": lambda self, **named: self.cum_count(**named),
    },
}
"""By package, the methods and properties of its classes."""
FORMS: Tuple["re.Pattern[str]", ...] = (
    re.compile(r"module '(?P<owner>[\w.]+)' has no attribute '(?P<name>\w+)'"),
    re.compile(r"`(?P<owner>np)\.(?P<name>\w+)` was removed"),
    re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<owner>[\w.]+)'"),
)
RENAMER = "nested renamer is not supported"
"""pandas' error for ``groupby(...)[column].agg({new_name: function})``, which is ``agg(new_name=function)`` today."""
GROUPS = "pandas.groups"
"""The columns that a frame is grouped by, in the groups that ``apply`` hands on: pandas 3 leaves them out."""
COUNTS = "numpy.linspace"
"""A count with a fraction, as in ``linspace(1, hits, hits)`` with a float: numpy took its whole part."""
ROWS = "polars.count"
"""``count()`` without a column, which counted rows."""
POSITIONS = "sklearn.metrics.positions"
"""Arguments by position, as in ``ndcg_score(y, scores, 10)``: scikit-learn takes the third and later ones by name."""
PUT_BACK: List[str] = []
"""The names that were put back so far, as source code writes them."""


def put_back(error: BaseException) -> bool:
    """Put back the name that an error is about; False if there is none, or it was put back before."""
    if RENAMER in str(error):
        return _put_back_renamer()
    if isinstance(error, TypeError):
        where = raised_in(error)
        if where == ("polars", "count"):
            return _put_back_rows()
        return _put_back_positions(error) or (where == ("numpy", "linspace") and _put_back_counts())
    if isinstance(error, NameError):
        name = getattr(error, "name", None) or ""
        return name in BUILTINS and _set(builtins, name, BUILTINS[name], name)
    if not isinstance(error, (AttributeError, ImportError)):
        return False
    kind, name = type(getattr(error, "obj", None)), getattr(error, "name", None) or ""
    if isinstance(error, ModuleNotFoundError):
        return name in MOVED and _put_back_module(name)
    for package, methods in METHODS.items():
        if f"{kind.__module__}.".startswith(f"{package}.") and name in methods:
            return _set(kind, name, methods[name], f"{package}.{name}")
    match = next((match for form in FORMS if (match := form.search(str(error)))), None)
    if match is None:
        return False
    owner, name = "numpy" if match["owner"] == "np" else match["owner"], match["name"]
    prefix = "np" if owner == "numpy" else owner
    if name in RENAMED.get(owner, ()):
        module = importlib.import_module(owner)
        return _set(module, name, getattr(module, RENAMED[owner][name]), f"{prefix}.{name}")
    value = OF_MODULES.get(owner, {}).get(name)
    return value is not None and _set(importlib.import_module(owner), name, value, f"{prefix}.{name}")


def _set(holder: Any, name: str, value: Any, qualified: str) -> bool:
    """Give a module or class a name; False if it has it, so that no error about it is repeated for ever."""
    if name in vars(holder):
        return False
    setattr(holder, name, value)
    if qualified not in PUT_BACK:
        PUT_BACK.append(qualified)
    return True


def _put_back_module(name: str) -> bool:
    """Give a module its former name, too; False if it has it, or the package has none of it."""
    if name in sys.modules:
        return False
    try:
        sys.modules[name] = importlib.import_module(MOVED[name])
    except ImportError:
        return False
    PUT_BACK.append(name)
    return True


def _append(first: Any, other: Any, ignore_index: bool) -> Any:
    """The rows of a pandas frame or series and those of another, a dict being one row."""
    pandas = importlib.import_module("pandas")
    if isinstance(other, dict):
        other, ignore_index = pandas.DataFrame([other]), True
    parts = [first, *other] if isinstance(other, (list, tuple)) else [first, other]
    return pandas.concat(parts, ignore_index=ignore_index)


def raised_in(error: BaseException) -> Tuple[str, str]:
    """The package and the name of the function that raised an error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "", ""
    return str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0], trace.tb_frame.f_code.co_name


def _put_back_positions(error: TypeError) -> bool:
    """Let the function of scikit-learn whose arguments could not be bound take all of them by position."""
    if raised_in(error) != ("inspect", "_bind"):
        return False
    names_of_caller: Dict[str, Any] = {}
    for frame, _ in traceback.walk_tb(error.__traceback__):
        function = frame.f_locals.get("func")
        if str(frame.f_globals.get("__name__")).startswith("sklearn.") and inspect.isfunction(function):
            names = list(inspect.signature(function).parameters)
            holders = (names_of_caller, vars(importlib.import_module("sklearn.metrics")))
            found = [(h, n, v) for h in holders for n, v in h.items() if getattr(v, "__wrapped__", None) is function]
            for holder, name, value in found:
                holder[name] = _by_name(value, names)
            PUT_BACK.extend([POSITIONS] if found and POSITIONS not in PUT_BACK else [])
            return bool(found)
        names_of_caller = frame.f_globals
    return False


def _by_name(function: Callable[..., Any], names: List[str]) -> Callable[..., Any]:
    """A function that hands its arguments on by name."""
    return lambda *args, **named: function(*args[len(names) :], **dict(zip(names, args)), **named)


def _put_back_counts() -> bool:
    """Let ``linspace`` take the whole part of a count."""
    if COUNTS in PUT_BACK:
        return False
    linspace = np.linspace

    def of_whole_part(start: Any, stop: Any, num: Any = 50, *args: Any, **named: Any) -> Any:
        return linspace(start, stop, int(num), *args, **named)

    setattr(np, "linspace", of_whole_part)  # noqa: B010
    PUT_BACK.append(COUNTS)
    return True


def _put_back_rows() -> bool:
    """Let ``count`` of polars count rows where it is given no column."""
    if ROWS in PUT_BACK:
        return False
    polars = importlib.import_module("polars")
    count = polars.count
    setattr(polars, "count", lambda *columns: count(*columns) if columns else polars.len())  # noqa: B010
    PUT_BACK.append(ROWS)
    return True


def _put_back_renamer() -> bool:
    """Let the groups of a pandas series take new names in a dict."""
    if "pandas.renamer" in PUT_BACK:
        return False
    groups = importlib.import_module("pandas.core.groupby").SeriesGroupBy
    aggregate = groups.aggregate

    def renaming(self: Any, func: Any = None, *args: Any, **named: Any) -> Any:
        if isinstance(func, dict):
            return aggregate(self, *args, **{**func, **named})
        return aggregate(self, func, *args, **named)

    groups.agg = groups.aggregate = renaming
    PUT_BACK.append("pandas.renamer")
    return True


def _put_back_groups() -> bool:
    """Let ``apply`` hand on groups with the columns they are grouped by; False where pandas does, or it was tried."""
    pandas = sys.modules.get("pandas")
    if pandas is None or GROUPS in PUT_BACK or int(pandas.__version__.partition(".")[0]) < 3:
        return False
    groups = importlib.import_module("pandas.core.groupby").DataFrameGroupBy

    def apply(self: Any, func: Any, *args: Any, **named: Any) -> Any:
        named.pop("include_groups", None)
        return self._python_apply_general(lambda group: func(group, *args, **named), self._selected_obj)

    groups.apply = apply
    PUT_BACK.append(GROUPS)
    return True


def _take_groups_away() -> None:
    """Undo :func:`_put_back_groups` for a function that it did not help."""
    del importlib.import_module("pandas.core.groupby").DataFrameGroupBy.apply
    PUT_BACK.remove(GROUPS)


def with_names_put_back(call: Callable[[], Result]) -> Result:
    """The result of a call, repeated as long as it fails on a removed name that can be put back."""
    with_groups = False
    while True:
        try:
            return call()
        except Exception as error:
            if put_back(error):
                continue
            if isinstance(error, KeyError) and _put_back_groups():
                with_groups = True
                continue
            if with_groups:
                _take_groups_away()
            raise
