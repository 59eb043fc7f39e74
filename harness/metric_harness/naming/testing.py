"""For tests: a metric function follows a definition, or the test fails with the smallest case that differs."""

from __future__ import annotations

from typing import Any

from metric_harness.naming.api import audit
from metric_reference.variant import Variant
from metric_reports.audit.case_lines import case_lines, safe


def assert_computes(function: Any, definition: str | Variant, **settings: Any) -> None:
    """Raise AssertionError, with a counterexample to check by hand, unless a function computes a definition.

    function : a module-level function or class, or a target text as for :func:`metric_harness.audit`.
    definition : a printed form such as ``"ndcg(gain=linear)"``; choices left out are the defaults, and a cut-off
        (``@10``) plays no part, because a definition holds at every one.
    settings : as for ``audit``, e.g. ``convention="relevant,recommended"``, ``timeout=1``. A function that
        agrees but is not verified on cases as large as real data, by code that all ran, fails;
        ``accept="verified in part"`` and ``accept="probes only"`` accept less.

        from metric_harness import assert_computes
        from my_package.metrics import my_ndcg

        def test_my_ndcg():
            assert_computes(my_ndcg, "ndcg(gain=linear)")

    The function runs in a process of its own, in the Python that runs the test. Raises HarnessError if it cannot be
    audited, and TypeError without a definition.
    """
    __tracebackhide__ = True
    if definition is None:
        raise TypeError('assert_computes needs a definition, such as "ndcg(gain=linear)"; audit() finds one out')
    for subject in audit(function, expect=definition, **settings).subjects:
        for finding in subject.findings:
            if finding["code"] == "EXP001":
                lines = case_lines(finding["case"]) if finding["case"] else []
                raise AssertionError("\n".join([f"{safe(subject.target)}: {safe(finding['message'])}", *lines]))
