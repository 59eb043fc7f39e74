"""Asks releases of a library until every change lies between two neighbours."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from metric_harness.history.ask import Asked, Asking, ask_release, kept_at
from metric_harness.history.search import Seen, next_places, still_to_ask
from metric_harness.system.side_by_side import side_by_side

KEPT_SECONDS = 1.0
"""A release that takes longer than this was asked now, not read from the answers of an earlier run."""


def ask_releases(
    asking: Asking,
    versions: Sequence[str],
    jobs: int = 1,
    everything: bool = False,
    functions: Collection[str] = (),
    minutes: float = math.inf,
) -> dict[int, Asked]:
    """What the releases answer that are needed to find the changes, by their index in ``versions`` (oldest first).

    jobs : releases asked at once; everything : ask all; functions : those whose changes are looked for, or all.
    minutes : after which no other release is asked, so that changes may lie between releases further apart.
    """
    asked: dict[int, Asked] = {}
    seconds: list[float] = []
    until = time.monotonic() + 60 * minutes

    def ask(index: int) -> None:
        begun = time.monotonic()
        if begun > until and not kept_at(asking, versions[index]).is_file():
            return
        release = asked[index] = ask_release(asking, versions[index])
        seconds.append(time.monotonic() - begun)
        left = still_to_ask(len(versions), seen_of(asked, functions), everything)
        state = f"not asked: {release.error}" if release.error else "asked"
        asking.reporter.detail(f"{asking.library.name} {release.version}: {state}; {time_left(seconds, left, jobs)}")

    while indices := next_places(len(versions), seen_of(asked, functions), everything):
        known = len(asked)
        side_by_side([partial(ask, index) for index in indices], jobs)
        if time.monotonic() > until and len(asked) == known:
            break
    return asked


def seen_of(asked: Mapping[int, Asked], functions: Collection[str] = ()) -> Seen:
    """The answers as the search takes them; functions : those that it looks at, or all."""
    return {
        index: None
        if release.error
        else {name: by_probe for name, by_probe in release.answers.items() if not functions or name in functions}
        for index, release in list(asked.items())
    }


def time_left(seconds: Sequence[float], left: int, jobs: int) -> str:
    """About how many releases are left, and how long they take at the pace of this run."""
    new = [second for second in seconds if second > KEPT_SECONDS]
    if not left:
        return "none left" if new else "all kept from earlier runs"
    minutes = f", about {max(1, round(sum(new) / len(new) * left / jobs / 60))} min" if new else ""
    return f"about {left} left{minutes}"
