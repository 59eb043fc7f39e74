"""Results of functions as plain Python: numbers, text, lists, tuples and dicts."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any, Dict, List

from metric_adapters.calls.columns import role_of
from metric_adapters.calls.parameter_names import K_NAME, snake

NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)"
NAMED = re.compile(rf"([A-Za-z][\w@().{{}}/-]*)\s*[:=]\s*({NUMBER})(?![\w.])")


def plain(result: Any) -> Any:
    """Arrays and tensors as lists and numbers; series, frames, records and objects as dicts; the rest unchanged."""
    if isinstance(result, str):
        return {name: float(number) for name, number in NAMED.findall(result)} or result
    if isinstance(result, Mapping):
        return dict(result.items())
    if hasattr(result, "columns") and (hasattr(result, "to_dict") or hasattr(result, "rows")):
        return _frame(result)
    if hasattr(result, "to_dict") and hasattr(result, "index"):
        return result.to_dict()
    if hasattr(result, "to_list") and hasattr(result, "dtype"):  # a polars series
        return result.to_list()
    if hasattr(result, "toarray"):
        return result.toarray().tolist()
    if hasattr(result, "tolist") and hasattr(result, "shape"):
        return result.tolist()
    if hasattr(result, "_asdict"):
        return dict(result._asdict())
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    if hasattr(result, "numpy") and not hasattr(result, "tolist"):  # a tensor of TensorFlow
        return plain(result.numpy())
    if hasattr(result, "__dict__") and not callable(result):
        return {name: value for name, value in vars(result).items() if not name.startswith("_")}
    return result


def _frame(frame: Any) -> Any:
    """A data frame as a dict by column: a number for one row, else a dict by user, by cut-off or by row."""
    if hasattr(frame, "to_dicts"):  # polars
        columns: Dict[str, List[Any]] = frame.to_dict(as_series=False)
        index: List[Any] = list(range(len(frame)))
    else:
        columns = {str(name): frame[name].tolist() for name in frame.columns}
        index = frame.index.tolist()
    key = next((name for name in columns if _is_index(name)), None)
    if key is not None and len(columns) > 1:
        index = columns.pop(key)
    if len(index) == 1 and key is None:
        return {name: values[0] for name, values in columns.items()}
    return {name: dict(zip(index, values)) for name, values in columns.items()}


def _is_index(name: str) -> bool:
    return role_of(name) == "user" or bool(K_NAME.fullmatch(snake(name)))
