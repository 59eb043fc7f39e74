"""The containers of other packages: torch tensors, scipy matrices, data frames and series. Imported when needed."""

from __future__ import annotations

import importlib
from typing import Any, Dict, Mapping, Optional, Sequence

import numpy as np


class Fields(Dict[str, Any]):
    """A dict whose keys are attributes too."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(name)


class Kit:
    """Makes the containers that numpy does not have."""

    def tensor(self, array: np.ndarray) -> Any:
        """A torch tensor; floats are float32, torch's default."""
        tensor = importlib.import_module("torch").from_numpy(np.ascontiguousarray(array))
        return tensor.float() if array.dtype == np.float64 else tensor

    def csr(self, array: np.ndarray) -> Any:
        """A scipy CSR matrix of the entries that are not 0."""
        return importlib.import_module("scipy.sparse").csr_matrix(array)

    def frame(self, package: str, columns: Mapping[str, np.ndarray], index: str = "") -> Any:
        """A data frame of ``pandas`` or ``polars``; without a package its rows as dicts.

        index : the column whose values are the index, too.
        """
        if not package:
            return [Fields(zip(columns, row)) for row in zip(*(values.tolist() for values in columns.values()))]
        indexed = {"index": columns[index]} if index else {}
        return importlib.import_module(package).DataFrame(dict(columns), **indexed)

    def rows(self, array: np.ndarray) -> Any:
        """A pandas frame of the rows of an array; its columns are named by numbers."""
        return importlib.import_module("pandas").DataFrame(array)

    def series(self, values: Sequence[Any], index: Optional[np.ndarray] = None) -> Any:
        """A pandas Series, by index if one is given."""
        pandas = importlib.import_module("pandas")
        dtype = None if len(values) else object
        return pandas.Series(list(values), index=index, dtype=dtype)


class Shown:
    """A container as documentation prints it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class ExampleKit(Kit):
    """Makes text instead of containers, so that examples need none of the packages."""

    def tensor(self, array: np.ndarray) -> Any:
        return Shown(f"tensor({show(array.tolist())})")

    def csr(self, array: np.ndarray) -> Any:
        return Shown(f"csr_matrix({show(array.tolist())})")

    def frame(self, package: str, columns: Mapping[str, np.ndarray], index: str = "") -> Any:
        if not package:
            return super().frame(package, columns)
        text = ", ".join(f"{name}={show(np.asarray(values).tolist())}" for name, values in columns.items())
        text += f", index={index}" if index else ""
        return Shown(f"{package}.DataFrame({text})")

    def rows(self, array: np.ndarray) -> Any:
        return Shown(f"DataFrame({show(array.tolist())})")

    def series(self, values: Sequence[Any], index: Optional[np.ndarray] = None) -> Any:
        indexed = "" if index is None else f", index={show(index.tolist())}"
        return Shown(f"Series({show(list(values))}{indexed})")


def show(value: Any) -> str:
    """An argument as documentation prints it."""
    if isinstance(value, np.ndarray):
        return f"array({show(value.tolist())})"
    if isinstance(value, set) and value:
        return "{" + ", ".join(map(show, sorted(value))) + "}"
    if isinstance(value, dict) and type(value).__repr__ is dict.__repr__:
        return "{" + ", ".join(f"{show(key)}: {show(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        entries = ", ".join(map(show, value))
        return f"[{entries}]" if isinstance(value, list) else f"({entries}{',' if len(value) == 1 else ''})"
    if isinstance(value, float):
        return f"{value:.4g}" if value != int(value) else f"{value:.1f}"
    return repr(value)


REAL = Kit()
EXAMPLE = ExampleKit()
