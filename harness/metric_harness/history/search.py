"""Which releases to ask next: evenly spaced ones first, then the middle between two that differ."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from metric_harness.naming.agreement import agrees
from metric_harness.naming.identify import ProbeAnswer

Answers = Mapping[str, Mapping[str, ProbeAnswer]]
"""By function, then by probe."""
Seen = Mapping[int, Answers | None]
"""The answers of releases, by their index from the oldest on; None for a release that could not be asked."""

SAMPLES = 9
"""How many releases are asked first, the oldest and the newest included."""
MOST_FAILURES = 4
"""Where this many releases between two could not be asked, no other between them is tried."""


def same_answer(before: ProbeAnswer, after: ProbeAnswer) -> bool:
    """Whether two answers to a probe are the same number, or both an error."""
    if before.value is None or after.value is None:
        return before.value is after.value
    return agrees(before.value, after.value)


def samples(total: int, count: int = SAMPLES) -> list[int]:
    """At most ``count`` indices below ``total``, evenly spaced, the first and the last included."""
    if total <= count:
        return list(range(total))
    return sorted({round(step * (total - 1) / (count - 1)) for step in range(count)})


def next_places(total: int, seen: Seen, everything: bool = False) -> list[int]:
    """The indices of the releases to ask now; empty when no change can be narrowed down further.

    everything : ask each release, whatever the others answer.
    """
    first = range(total) if everything else samples(total)
    if unseen := [index for index in first if index not in seen]:
        return unseen
    middles = (middle(*gap, seen) for gap in open_gaps(seen))
    return below_newest(total, seen) or sorted({index for index in middles if index is not None})


def open_gaps(seen: Seen) -> Iterator[tuple[int, int]]:
    """The pairs of indices between which an answer changes, a function appears or disappears, or the first or the last
    release lies that can be asked."""
    answered = sorted(index for index, answers in seen.items() if answers is not None)
    for function in functions_of(seen):
        yield from changes_of(function, seen)
        present = set(places_of(function, seen))
        yield from (pair for pair in itertools.pairwise(answered) if (pair[0] in present) != (pair[1] in present))
    refused = [index for index, answers in seen.items() if answers is None]
    if older := [index for index in refused if index < min(answered, default=0)]:
        yield max(older), min(answered)
    if answered and (newer := [index for index in refused if index > max(answered)]):
        yield max(answered), min(newer)


def below_newest(total: int, seen: Seen) -> list[int]:
    """The release before the newest if the newest, which may be broken, could not be asked."""
    return [total - 2] if total > 1 and seen[total - 1] is None and total - 2 not in seen else []


def middle(before: int, after: int, seen: Seen) -> int | None:
    """The index nearest to the middle of two that was not asked; None if there is none, or too many failed."""
    between = range(before + 1, after)
    unseen = [index for index in between if index not in seen]
    if not unseen or sum(index in seen and seen[index] is None for index in between) >= MOST_FAILURES:
        return None
    return min(unseen, key=lambda index: abs(2 * index - before - after))


def functions_of(seen: Seen) -> list[str]:
    """Every function that some release was asked."""
    return list(dict.fromkeys(name for answers in seen.values() for name in answers or ()))


def has_number(answers: Mapping[str, ProbeAnswer] | None) -> bool:
    """Whether a function gave any number; one that did not is missing, or does not run."""
    return any(answer.value is not None for answer in (answers or {}).values())


def places_of(function: str, seen: Seen) -> list[int]:
    """The indices of the releases in which a function gave numbers."""
    return sorted(index for index, answers in seen.items() if answers and has_number(answers.get(function)))


def changes_of(function: str, seen: Seen) -> Iterator[tuple[int, int]]:
    """The pairs of indices, successive among those where a function gave numbers, whose answers differ."""
    for before, after in itertools.pairwise(places_of(function, seen)):
        if differing((seen[before] or {})[function], (seen[after] or {})[function]):
            yield before, after


def differing(before: Mapping[str, ProbeAnswer], after: Mapping[str, ProbeAnswer]) -> list[str]:
    """The probes whose two answers are not the same."""
    return [name for name, answer in before.items() if name in after and not same_answer(answer, after[name])]


def still_to_ask(total: int, seen: Seen, everything: bool = False) -> int:
    """About how many releases are still to be asked."""
    first: Sequence[int] = range(total) if everything else samples(total)
    gaps = {gap for gap in open_gaps(seen) if middle(*gap, seen) is not None}
    unseen = sum(index not in seen for index in first)
    return unseen + sum(math.ceil(math.log2(after - before)) for before, after in gaps)
