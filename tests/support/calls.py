"""A way of calling by its printed name, as a worker offers it."""

from __future__ import annotations

from metric_adapters.calls.table import by_name
from metric_harness.worker.messages import OfferedCall


def offered(name: str) -> OfferedCall:
    call = by_name(name)
    return OfferedCall(name=name, roles=call.names, container=call.container, ends=call.ends, domain=call.domain)
