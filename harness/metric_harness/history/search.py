"""Which releases to ask next: evenly spaced ones first, then the middle between two that differ."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from metric_harness.identification.agreement import agrees
from metric_harness.identification.identify import ProbeAnswer

Answers = Mapping[str, Mapping[str, ProbeAnswer]]
"""By function, then by probe."""
Seen = Mapping[int, Answers | None]
"""What is known of releases, by their place among all, oldest first; None for one that could not be asked."""

SAMPLES = 9
"""How many releases are asked in any case, the oldest and the newest among them."""
MOST_FAILURES = 4
"""After this many releases between two that could not be asked, the others between them are left out."""


def same_answer(one: ProbeAnswer, two: ProbeAnswer) -> bool:
    """Whether two answers to a probe are the same number, or both an error."""
    if one.value is None or two.value is None:
        return one.value is two.value
    return agrees(one.value, two.value)


def samples(total: int, count: int = SAMPLES) -> list[int]:
    """At most ``count`` places out of ``total``, evenly spaced, the first and the last among them."""
    if total <= count:
        return list(range(total))
    return sorted({round(step * (total - 1) / (count - 1)) for step in range(count)})


def next_places(total: int, seen: Seen, everything: bool = False) -> list[int]:
    """The places to ask now; empty when every change lies between releases that no other can be asked between.

    everything : ask each release, whatever the others answer.
    """
    first = range(total) if everything else samples(total)
    if todo := [place for place in first if place not in seen]:
        return todo
    found = (middle(*gap, seen) for gap in open_gaps(seen))
    return below_newest(total, seen) or sorted({place for place in found if place is not None})


def open_gaps(seen: Seen) -> Iterator[tuple[int, int]]:
    """The pairs of places between which a change lies, a function comes or goes, or the first or the last release
    that can be asked."""
    answered = sorted(place for place, answers in seen.items() if answers is not None)
    for function in functions_of(seen):
        yield from changes_of(function, seen)
        there = set(places_of(function, seen))
        yield from (pair for pair in itertools.pairwise(answered) if (pair[0] in there) != (pair[1] in there))
    refused = [place for place, answers in seen.items() if answers is None]
    if older := [place for place in refused if place < min(answered, default=0)]:
        yield max(older), min(answered)
    if answered and (newer := [place for place in refused if place > max(answered)]):
        yield max(answered), min(newer)


def below_newest(total: int, seen: Seen) -> list[int]:
    """The place below the newest where that alone could not be asked: it may be one broken release."""
    return [total - 2] if total > 1 and seen[total - 1] is None and total - 2 not in seen else []


def middle(before: int, after: int, seen: Seen) -> int | None:
    """The place nearest to the middle of two that was not asked; None if there is none, or too many failed."""
    between = range(before + 1, after)
    left = [place for place in between if place not in seen]
    if not left or sum(place in seen and seen[place] is None for place in between) >= MOST_FAILURES:
        return None
    return min(left, key=lambda place: abs(2 * place - before - after))


def functions_of(seen: Seen) -> list[str]:
    """Every function that some release was asked."""
    return list(dict.fromkeys(name for answers in seen.values() for name in answers or ()))


def has_number(answers: Mapping[str, ProbeAnswer] | None) -> bool:
    """Whether a function gave a number at all; one that did not is not there, or does not run."""
    return any(answer.value is not None for answer in (answers or {}).values())


def places_of(function: str, seen: Seen) -> list[int]:
    """The places of the releases in which a function gave numbers."""
    return sorted(place for place, answers in seen.items() if answers and has_number(answers.get(function)))


def changes_of(function: str, seen: Seen) -> Iterator[tuple[int, int]]:
    """The neighbouring places, among those where a function gave numbers, whose answers differ."""
    places = places_of(function, seen)
    for before, after in itertools.pairwise(places):
        if differing(answers_at(seen, before, function), answers_at(seen, after, function)):
            yield before, after


def answers_at(seen: Seen, place: int, function: str) -> Mapping[str, ProbeAnswer]:
    """What a function answered in a release that was asked; empty where it could not be."""
    return (seen[place] or {}).get(function, {})


def differing(one: Mapping[str, ProbeAnswer], two: Mapping[str, ProbeAnswer]) -> list[str]:
    """The probes whose two answers are not the same."""
    return [name for name, answer in one.items() if name in two and not same_answer(answer, two[name])]


def still_to_ask(total: int, seen: Seen, everything: bool = False) -> int:
    """About how many releases are still to be asked."""
    first: Sequence[int] = range(total) if everything else samples(total)
    gaps = {gap for gap in open_gaps(seen) if middle(*gap, seen) is not None}
    return sum(place not in seen for place in first) + sum(math.ceil(math.log2(b - a)) for a, b in gaps)
