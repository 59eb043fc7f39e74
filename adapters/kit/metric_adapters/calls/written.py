"""A call as Python source: ``apk(actual={relevant}, predicted={recommended}, k={k})``."""

from __future__ import annotations

import inspect
from typing import Any, Optional

from metric_adapters.calls.built import Built
from metric_adapters.calls.call import Call
from metric_adapters.calls.columns import column_arguments
from metric_adapters.calls.facts import Source
from metric_adapters.calls.fills import THRESHOLD
from metric_adapters.calls.invoke import Accumulator
from metric_adapters.calls.parameter_names import snake
from metric_adapters.calls.signature import Binding, Parameters, in_form

K = 137
"""Stands for k until the call is written."""


def written(
    name: str,
    function: Any,
    parameters: Parameters,
    constructor: Optional[str],
    binding: Binding,
    call: Call,
    source: Source,
) -> Optional[str]:
    """The call in Python, with the role in braces for data, and ``{k}``, ``{threshold}``, ``{n_items}``.

    None where it takes more than one expression: an accumulator, a class whose constructor takes data, k in a variable
    of the module or a table of settings, parameters that get a usual value, data in a dict or list of one entry.

    name : of the target; function : the callable, for a class the method of an instance, with its parameters;
    constructor : the form in which its constructor takes k.
    """
    method = inspect.ismethod(function) and not inspect.isclass(function.__self__)
    if (
        isinstance(function, (Accumulator, Built))
        or binding.fills
        or source.boxes
        or (constructor is not None and not method)
        or "table" in f"{constructor} {binding.k_form}"
    ):
        return None
    roles = call.names
    head = of_instance(function, constructor) if method else name
    if binding.data is None or parameters.signature is None:
        return f"{head}({', '.join([*(f'{{{role}}}' for role in roles), '{k}'])})"
    values = dict(zip(binding.data, (f"{{{role}}}" for role in roles)))
    if binding.k is not None:
        places = parameters.places.get(binding.k, 1)
        values[binding.k] = k_in_form(binding.k_form, parameters.default(binding.k), places)
    values.update({name: k_in_form(parameters.k_form(name), parameters.default(name)) for name in binding.more_ks})
    values.update({name: repr(value) for name, value in binding.chosen})
    if call.columns is not None:
        named = column_arguments(parameters.columns, call.columns)
        values.update({name: repr(column) for name, column in named.items()})
    for setting in binding.settings:
        values[setting] = "{threshold}" if THRESHOLD.fullmatch(snake(setting)) else "{n_items}"
    arguments = [
        values[name] if parameter.kind == inspect.Parameter.POSITIONAL_ONLY else f"{name}={values[name]}"
        for name, parameter in parameters.all.items()
        if name in values
    ]
    return f"{head}({', '.join(arguments)})"


def of_instance(method: Any, constructor: Optional[str]) -> str:
    """``Recall(k={k}).compute``: the instance is made as the audit makes it."""
    kind = type(method.__self__)
    cut = Parameters(kind).strong_k
    k = "" if cut is None else f"{cut}={k_in_form(constructor or 'number', Parameters(kind).default(cut))}"
    called = "" if method.__name__ == "__call__" else f".{method.__name__}"
    return f"{kind.__name__}({k}){called}"


def k_in_form(form: str, default: Any, places: int = 1) -> str:
    """``{k}``, ``[{k}]`` or ``'{k}'``."""
    return repr(in_form(K, form, default, places)).replace(str(K), "{k}")
