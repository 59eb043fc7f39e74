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
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from metric_harness.system.terminal import Console

Advance = Callable[..., None]
"""Called as ``advance(steps=1, text=None)``: the number of steps done, and the current work."""


class Reporter:
    """Shows progress to the user. ``Reporter(quiet=True)``, the default for library use, shows nothing.

    Threads may share one: the bars of all current tasks are shown below each other.
    """

    def __init__(self, quiet: bool = True, console: Console | None = None) -> None:
        self.quiet = quiet
        self.console = console or Console(stderr=True)
        self._lock = threading.Lock()
        self._bars: Progress | None = None
        self._tasks = 0

    def say(self, text: str) -> None:
        """Print one line."""
        if not self.quiet:
            self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    @contextmanager
    def task(self, title: str, total: int | None = None) -> Iterator[Advance]:
        """Show a task of ``total`` steps (None: unknown); yields the function that advances it."""
        if self.quiet or not self.console.is_terminal:
            self.say(title)
            yield lambda steps=1, text=None: None
            return
        bars, bar = self._begin(title, total)

        def advance(steps: int = 1, text: str | None = None) -> None:
            bars.update(bar, advance=steps, description=title if text is None else f"{title}: {text}")

        try:
            yield advance
        finally:
            self._end(bar)

    def _begin(self, title: str, total: int | None) -> tuple[Progress, TaskID]:
        with self._lock:
            self._tasks += 1
            if self._bars is None:
                columns = (
                    SpinnerColumn(),
                    TextColumn("{task.description}", markup=False),
                    BarColumn(bar_width=20),
                    MofNCompleteColumn(),
                    TimeElapsedColumn(),
                    TextColumn("left"),
                    TimeRemainingColumn(),
                )
                self._bars = Progress(*columns, console=self.console, transient=True)
                self._bars.start()
            return self._bars, self._bars.add_task(title, total=total)

    def _end(self, bar: TaskID) -> None:
        with self._lock:
            self._tasks -= 1
            if self._bars is not None and self._tasks:
                self._bars.remove_task(bar)
            elif self._bars is not None:
                self._bars.stop()
                self._bars = None
