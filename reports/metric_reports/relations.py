"""What the parts of a record must have in common, which a JSON Schema cannot say: reports look one up by another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

LARGEST = 2**1023
"""Floats end a little above it."""


def misfits(record: Mapping[str, Any]) -> Iterator[str]:
    """Where the parts of a record that fits its schema contradict each other: JSON path and reason."""
    yield from _values(record, "$")
    if "cells" in record:
        yield from _functions(record)
    if "same" in record and len(record["subjects"]) != 2:
        yield f"$.subjects: two functions are compared, not {len(record['subjects'])}"


def _functions(record: Mapping[str, Any]) -> Iterator[str]:
    """Rows of a comparison that belong to no library, and cases that are compared with nothing."""
    releases = {(row["name"], row["release"]) for row in record["libraries"]}
    for part in ("subjects", "cells", "findings"):
        for index, row in enumerate(record[part]):
            if (row["library"], row["release"]) not in releases:
                yield f"$.{part}[{index}]: no library {row['library']!r} of release {row['release']!r}"
    for index, finding in enumerate(record["findings"]):
        if finding["case"] and not finding["case"]["candidates"]:
            yield f"$.findings[{index}].case.candidates: a case is compared with at least one definition"


def _values(value: Any, path: str) -> Iterator[str]:
    """Whole numbers that no float can hold, and users of a case whose lists do not fit together."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name == "users" and isinstance(inner, list):
                for index, user in enumerate(inner):
                    yield from _user(user, f"{path}.users[{index}]")
            yield from _values(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _values(inner, f"{path}[{index}]")
    elif isinstance(value, int) and abs(value) >= LARGEST:
        yield f"{path}: a number of {value.bit_length()} bits"


def _user(user: Any, path: str) -> Iterator[str]:
    if not isinstance(user, Mapping):  # the two ends of a range
        return
    lists = [user.get("list"), user.get("hits"), user.get("relevant"), user.get("gains", [])]
    if not all(isinstance(values, list) for values in lists):
        yield f"{path}: list, hits and relevant are needed, as lists"
        return
    listed, hits, relevant, gains = map(list, lists)
    if len(listed) != len(hits):
        yield f"{path}: {len(hits)} hits for a list of {len(listed)}"
    if gains and len(gains) != len(relevant):
        yield f"{path}: {len(gains)} gains for {len(relevant)} relevant items"
    if not all(isinstance(hit, bool) for hit in hits):
        yield f"{path}.hits: each is true or false"
    if not all(isinstance(item, int) for item in [*listed, *relevant]):
        yield f"{path}: items are whole numbers"
    if not all(isinstance(gain, int | float) for gain in gains):
        yield f"{path}.gains: each is a number"
