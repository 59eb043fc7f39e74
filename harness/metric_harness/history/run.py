"""The releases of a library asked until every change lies between two neighbours."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence

from metric_harness.history.ask import Asked, Asking, ask_release, kept_at
from metric_harness.history.search import Seen, next_places, still_to_ask
from metric_harness.system.side_by_side import side_by_side

KEPT = 1.0
"""Seconds within which a release answers that an earlier run has asked."""


def ask_releases(
    asking: Asking,
    versions: Sequence[str],
    jobs: int = 1,
    everything: bool = False,
    functions: Collection[str] = (),
    minutes: float = math.inf,
) -> dict[int, Asked]:
    """What the releases that matter answer, by their place among ``versions`` (oldest first).

    jobs : releases asked at once; everything : all of them; functions : those whose changes are looked for, or all.
    minutes : after which no other release is asked, so that changes may lie between releases further apart.
    """
    asked: dict[int, Asked] = {}
    seconds: list[float] = []
    until = time.monotonic() + 60 * minutes

    def ask(place: int) -> None:
        begun = time.monotonic()
        if begun > until and not kept_at(asking, versions[place]).is_file():
            return
        one = asked[place] = ask_release(asking, versions[place])
        seconds.append(time.monotonic() - begun)
        left = still_to_ask(len(versions), seen_of(asked, functions), everything)
        state = f"not asked: {one.error}" if one.error else "asked"
        asking.reporter.say(f"{asking.library.name} {one.version}: {state}; {time_left(seconds, left, jobs)}")

    while places := next_places(len(versions), seen_of(asked, functions), everything):
        known = len(asked)
        side_by_side([lambda place=place: ask(place) for place in places], jobs)  # type: ignore[misc]
        if time.monotonic() > until and len(asked) == known:
            break
    return asked


def seen_of(asked: Mapping[int, Asked], functions: Collection[str] = ()) -> Seen:
    """What the search needs of the answers; functions : those that it looks at, or all."""
    return {
        place: None
        if one.error
        else {name: given for name, given in one.answers.items() if not functions or name in functions}
        for place, one in list(asked.items())
    }


def time_left(seconds: Sequence[float], left: int, jobs: int) -> str:
    """About how many releases are left, and how long they will take at the pace of those that were asked now."""
    slow = [each for each in seconds if each > KEPT]
    if not left:
        return "none left" if slow else "all kept from earlier runs"
    minutes = f", about {max(1, round(sum(slow) / len(slow) * left / jobs / 60))} min" if slow else ""
    return f"about {left} left{minutes}"
