"""A call as a person writes it: ``apk(actual={relevant}, predicted={recommended}, k={k})``."""

from __future__ import annotations

import inspect
from typing import Any, List

from adapters.conventions_families import snake
from adapters.conventions_signature import THRESHOLD, Call, Parameters


def written(name: str, function: Any, parameters: Parameters, how: Call, roles: List[str]) -> str:
    """The call in Python, with the role in braces where data goes, and ``{k}``, ``{threshold}``, ``{n_items}``.

    name : of the target; function : what is called, for a class the method of an instance.
    """
    head = of_instance(function) if inspect.ismethod(function) and not inspect.isclass(function.__self__) else name
    k = "[{k}]" if how.k_list else "{k}"
    if how.data is None or parameters.signature is None:
        return f"{head}({', '.join([*(f'{{{role}}}' for role in roles), k])})"
    given = dict(zip(how.data, (f"{{{role}}}" for role in roles)))
    if how.k is not None:
        given[how.k] = k
    for setting in how.settings:
        given[setting] = "{threshold}" if THRESHOLD.fullmatch(snake(setting)) else "{n_items}"
    by_position = [one.name for one in parameters.all.values() if one.kind == inspect.Parameter.POSITIONAL_ONLY]
    ordered = [one for one in parameters.all if one in given]
    return f"{head}({', '.join(given[one] if one in by_position else f'{one}={given[one]}' for one in ordered)})"


def of_instance(method: Any) -> str:
    """``Recall(k={k}).compute``: the instance is made as the audit makes it."""
    kind = type(method.__self__)
    constructor = Parameters(kind)
    cut = constructor.strong_k
    k = "" if cut is None else f"{cut}={'[{k}]' if constructor.k_is_list() else '{k}'}"
    called = "" if method.__name__ == "__call__" else f".{method.__name__}"
    return f"{kind.__name__}({k}){called}"
