"""Progress on standard error: one line on a terminal, rewritten; plain lines elsewhere; nothing when quiet."""

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
from rich.table import Column

from metric_harness.system.terminal import Console

Advance = Callable[..., None]
"""Called as ``advance(steps=1, text=None)``: the number of steps done, and the current work."""


STILL = 30.0
"""Seconds after which the current work of a task that still runs is printed, elsewhere than on a terminal."""


class Reporter:
    """Shows progress to the user. ``Reporter(quiet=True)``, the default for library use, shows nothing.

    Threads may share one. The line shows the first of the running tasks, followed by the newest of the others.
    verbose : whether ``detail`` prints.
    """

    def __init__(self, quiet: bool = True, console: Console | None = None, verbose: bool = False) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.console = console or Console(stderr=True)
        self._lock = threading.Lock()
        self._bars: Progress | None = None
        self._texts: dict[TaskID, str] = {}
        self._newest: Advance | None = None

    def say(self, text: str) -> None:
        """Print one line."""
        if not self.quiet:
            self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def detail(self, text: str) -> None:
        """Print one line about a step that went well, where the user asked for all of them."""
        if self.verbose:
            self.say(text)

    @contextmanager
    def task(self, title: str, total: int | None = None) -> Iterator[Advance]:
        """Show a task of ``total`` steps (None: unknown); yields the function that advances it."""
        if self.quiet or not self.console.is_terminal:
            self.say(title)
            with self._said_now_and_then(title) as self._newest:
                try:
                    yield self._newest
                finally:
                    self._newest = None
            return
        bars, bar = self._begin(title, total)

        def advance(steps: int = 1, text: str | None = None) -> None:
            bars.advance(bar, steps)
            self._write(bar, title if text is None else f"{title}: {text}")

        self._newest = advance
        try:
            yield advance
        finally:
            self._newest = None
            self._end(bar)

    def doing(self, text: str) -> None:
        """Say what the newest task is doing, if one runs."""
        if self._newest is not None:
            self._newest(0, text)

    @contextmanager
    def _said_now_and_then(self, title: str) -> Iterator[Advance]:
        """Prints what a task is doing every ``STILL`` seconds, also while a single step of it takes longer."""
        doing, ended = "", threading.Event()

        def advance(steps: int = 1, text: str | None = None) -> None:
            nonlocal doing
            doing = doing if text is None else f": {text}"

        def say_on() -> None:
            seconds = STILL
            while not ended.wait(STILL):
                self.say(f"{title}{doing} ({seconds:g} s)")
                seconds += STILL

        if not self.quiet:
            threading.Thread(target=say_on, daemon=True).start()
        try:
            yield advance
        finally:
            ended.set()

    def _begin(self, title: str, total: int | None) -> tuple[Progress, TaskID]:
        with self._lock:
            if self._bars is None:
                columns = (
                    SpinnerColumn(),
                    TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, ratio=1)),
                    BarColumn(bar_width=20),
                    MofNCompleteColumn(),
                    TimeElapsedColumn(),
                    TextColumn("left"),
                    TimeRemainingColumn(),
                )
                self._bars = Progress(*columns, console=self.console, transient=True)
                self._bars.start()
            bars = self._bars
            bar = bars.add_task(title, total=total, visible=not self._texts)
        self._write(bar, title)
        return bars, bar

    def _write(self, bar: TaskID, text: str) -> None:
        """Keep what a task is doing, and rewrite the line."""
        with self._lock:
            self._texts[bar] = text
            self._show()

    def _show(self) -> None:
        """Show the first task, followed by the newest of the others."""
        if self._bars is not None and self._texts:
            first, *others = self._texts
            behind = f" · {self._texts[others[-1]]}" if others else ""
            self._bars.update(first, description=self._texts[first] + behind, visible=True)

    def _end(self, bar: TaskID) -> None:
        with self._lock:
            del self._texts[bar]
            if self._bars is not None and self._texts:
                self._bars.remove_task(bar)
                self._show()
            elif self._bars is not None:
                self._bars.stop()
                self._bars = None
