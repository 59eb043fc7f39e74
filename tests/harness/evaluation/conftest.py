"""Batches so small that few users fill many of them."""

from __future__ import annotations

import pytest

from metric_harness.evaluation import counted_users, local


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of some 20 users, evaluated a few at a time: what happens with many users happens with few."""
    monkeypatch.setattr(local, "BATCH_ROWS", 20)
    monkeypatch.setattr(counted_users, "MOST_CELLS", 64)
