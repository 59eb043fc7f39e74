"""Progress of long work: bars on a terminal, plain lines elsewhere, nothing when quiet. Always on standard error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from metric_harness.system.terminal import Console

Advance = Callable[..., None]
"""Called as ``advance(steps=1, text=None)``: the number of steps done, and what is being done now."""


class Reporter:
    """Tells a person what is going on. ``Reporter(quiet=True)`` says nothing; that is the default for library use.

    Several threads may use one: the bars of all tasks under way stand below each other.
    """

    def __init__(self, quiet: bool = True, console: Console | None = None) -> None:
        self.quiet = quiet
        self.console = console or Console(stderr=True)
        self._lock = threading.Lock()
        self._bars: Progress | None = None
        self._tasks = 0

    def say(self, text: str) -> None:
        """One line about what has just happened."""
        if not self.quiet:
            self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    @contextmanager
    def task(self, title: str, total: int | None = None) -> Iterator[Advance]:
        """A piece of work of ``total`` steps (unknown if None); yields the function that advances it."""
        if self.quiet or not self.console.is_terminal:
            self.say(title)
            yield lambda steps=1, text=None: None
            return
        bars = self._begin()
        try:
            bar = bars.add_task(title, total=total)

            def advance(steps: int = 1, text: str | None = None) -> None:
                bars.update(bar, advance=steps, description=title if text is None else f"{title}: {text}")

            yield advance
            bars.remove_task(bar)
        finally:
            self._end()

    def _begin(self) -> Progress:
        with self._lock:
            self._tasks += 1
            if self._bars is None:
                columns = (
                    SpinnerColumn(),
                    TextColumn("{task.description}", markup=False),
                    BarColumn(),
                    MofNCompleteColumn(),
                    TimeElapsedColumn(),
                    TextColumn("left"),
                    TimeRemainingColumn(),
                )
                self._bars = Progress(*columns, console=self.console, transient=True)
                self._bars.start()
            return self._bars

    def _end(self) -> None:
        with self._lock:
            self._tasks -= 1
            if not self._tasks and self._bars is not None:
                self._bars.stop()
                self._bars = None
