"""Ids that are compared as text: one that is part of another counts as the same item."""

from __future__ import annotations


def precision_at_k(retrieved: list[str], expected: list[str], k: int = 5) -> float:
    """A source counts where an expected text is in it."""
    first = retrieved[:k]
    if not first or not expected:
        return 0.0
    return sum(any(part.lower() in source.lower() for part in expected) for source in first) / len(first)


def recall_at_k(retrieved: list[str], expected: list[str], k: int = 5) -> float:
    """An expected text counts where it is in a source."""
    if not expected:
        return 0.0
    return sum(any(part in source for source in retrieved[:k]) for part in expected) / len(expected)


def recall_of_ids(retrieved: list[str], expected: list[str], k: int = 5) -> float:
    """Whole ids are compared."""
    return len(set(retrieved[:k]) & set(expected)) / len(expected) if expected else 0.0
