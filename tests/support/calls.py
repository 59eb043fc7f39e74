"""A way of calling by its printed name, as a worker offers it."""

from __future__ import annotations

from metric_adapters.conventions.catalogue import by_name
from metric_harness.worker.messages import OfferedCall


def offered(name: str) -> OfferedCall:
    call = by_name(name)
    ends = "k" if call.cut else "catalogue" if call.full else "list"
    return OfferedCall(name=name, roles=call.roles, container=call.container, ends=ends)
