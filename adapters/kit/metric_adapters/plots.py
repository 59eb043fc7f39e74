"""Plots that a function draws beside its number: it is asked thousands of times, and nobody looks at them."""

from __future__ import annotations

import sys
from typing import Any, Iterator, Tuple

DRAWN = (
    *("figure", "plot", "scatter", "bar", "barh", "step", "stem", "errorbar", "fill_between", "imshow", "axhline"),
    *("axvline", "xlim", "ylim", "xlabel", "ylabel", "xticks", "yticks", "title", "suptitle", "legend", "grid", "text"),
    *("annotate", "colorbar", "tight_layout", "savefig", "show", "draw", "pause", "clf", "cla", "close", "axis"),
)
"""Functions of pyplot that draw, and of which a function needs nothing."""


class Nothing:
    """A figure and its parts that draw nothing: each attribute and each call gives it again; it unpacks into one."""

    def __getattr__(self, name: str) -> "Nothing":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **named: Any) -> "Nothing":
        return self

    def __iter__(self) -> "Iterator[Nothing]":
        return iter((self,))


def leave_out_plots() -> None:
    """Let pyplot draw nothing from now on, if it is loaded: a figure takes a quarter of a second."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or isinstance(getattr(pyplot, "figure", None), Nothing):
        return
    pyplot.close("all")
    nothing, subplots = Nothing(), pyplot.subplots

    def undrawn(*counts: Any, **named: Any) -> Tuple[Any, Any]:
        if counts or {"nrows", "ncols"} & named.keys():
            return subplots(*counts, **named)
        return nothing, nothing

    pyplot.subplots = undrawn
    for name in DRAWN:
        setattr(pyplot, name, nothing)
