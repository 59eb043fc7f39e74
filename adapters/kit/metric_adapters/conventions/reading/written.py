"""A call as a person writes it: ``apk(actual={relevant}, predicted={recommended}, k={k})``."""

from __future__ import annotations

import inspect
from typing import Any, List, Optional

from metric_adapters.conventions.calling import Accumulator
from metric_adapters.conventions.reading.built import Built
from metric_adapters.conventions.reading.families import snake
from metric_adapters.conventions.reading.signature import Call, Parameters, in_form
from metric_adapters.conventions.settings import THRESHOLD

K = 137
"""Stands for k while a call is written."""


def written(name: str, function: Any, constructor: Optional[str], how: Call, roles: List[str]) -> Optional[str]:
    """The call in Python, with the role in braces where data goes, and ``{k}``, ``{threshold}``, ``{n_items}``.

    None where it is more than one expression: an accumulator, a class that is made with the data, k in a variable of
    the module, parameters that get a usual value.

    name : of the target; function : what is called, for a class the method of an instance; constructor : the form in
    which its constructor takes k.
    """
    method = inspect.ismethod(function) and not inspect.isclass(function.__self__)
    if isinstance(function, (Accumulator, Built)) or how.fills or (constructor is not None and not method):
        return None
    parameters = Parameters(function)
    head = of_instance(function, constructor) if method else name
    if how.data is None or parameters.signature is None:
        return f"{head}({', '.join([*(f'{{{role}}}' for role in roles), '{k}'])})"
    given = dict(zip(how.data, (f"{{{role}}}" for role in roles)))
    if how.k is not None:
        given[how.k] = k_in_form(how.k_form, parameters.default(how.k))
    for setting in how.settings:
        given[setting] = "{threshold}" if THRESHOLD.fullmatch(snake(setting)) else "{n_items}"
    by_position = [one.name for one in parameters.all.values() if one.kind == inspect.Parameter.POSITIONAL_ONLY]
    ordered = [one for one in parameters.all if one in given]
    return f"{head}({', '.join(given[one] if one in by_position else f'{one}={given[one]}' for one in ordered)})"


def of_instance(method: Any, constructor: Optional[str]) -> str:
    """``Recall(k={k}).compute``: the instance is made as the audit makes it."""
    kind = type(method.__self__)
    cut = Parameters(kind).strong_k
    k = "" if cut is None else f"{cut}={k_in_form(constructor or 'number', Parameters(kind).default(cut))}"
    called = "" if method.__name__ == "__call__" else f".{method.__name__}"
    return f"{kind.__name__}({k}){called}"


def k_in_form(form: str, default: Any) -> str:
    """``{k}``, ``[{k}]`` or ``'{k}'``."""
    return repr(in_form(K, form, default)).replace(str(K), "{k}")
