"""Settles what a recommender metric means: the run, the audit, and the command line.

    >>> from metric_harness import audit, identify, assert_computes
    >>> audit("metrics.py:ndcg_at_k")                            # doctest: +SKIP
    >>> identify("recommenders:map_at_k")                        # doctest: +SKIP
    >>> assert_computes(my_ndcg, "ndcg(gain=linear)")            # doctest: +SKIP

The three are imported at their first use, so that ``import metric_harness`` costs nothing.
"""

from __future__ import annotations

from metric_harness.version import __version__

TYPE_CHECKING = False  # importing typing would take longer than all the rest
if TYPE_CHECKING:
    from typing import Any

    from metric_harness.naming.api import audit, identify
    from metric_harness.naming.testing import assert_computes

__all__ = ["__version__", "assert_computes", "audit", "identify"]

_MODULES = {
    "assert_computes": "metric_harness.naming.testing",
    "audit": "metric_harness.naming.api",
    "identify": "metric_harness.naming.api",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
