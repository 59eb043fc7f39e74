"""The walk of one audit through the code: which files it enters, in which order, and how often it comes back.

    python -m tests.support.walk [FILE:FUNCTION] [--calls] [--all]

It follows what asks: the calls that hand on the session, or its question. With ``--calls`` it follows every call of
ours. Each pair of functions counts once, the first time it happens, so that loops do not count. A stay is one file
without leaving it; a return is a stay in a file that was left before. Without ``--all`` the walk ends at the verdict: a
variant, verified or refused; findings and cases come after it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

PLAIN = """
def precision_at_k(actual, predicted, k):
    return len(set(predicted[:k]) & set(actual)) / k
"""
VERDICT = "audited"
"""The function that describes what was found; the verdict stands when it begins."""
OURS = "/metric_harness/"


class Walk:
    """The files entered, in order; ``sys.setprofile(walk)`` records them."""

    def __init__(self, calls: bool, whole: bool) -> None:
        self.calls, self.whole, self.ended = calls, whole, False
        self.known: set[tuple[Any, Any]] = set()
        self.stays: list[str] = []

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        caller = frame.f_back
        if event != "call" or self.ended or caller is None:
            return
        file, calling = (each.f_code.co_filename for each in (frame, caller))
        if not (OURS in file and OURS in calling):
            return
        if frame.f_code.co_name == VERDICT and not self.whole:
            self.ended = True
            return
        if not self.calls and not any(map(asks, arguments(frame))):
            return
        edge = (caller.f_code, frame.f_code)
        if edge in self.known or frame.f_code.co_name.startswith("<"):
            return
        self.known.add(edge)
        for name in (calling, file):
            short = name.rpartition(OURS)[2]
            if not self.stays or self.stays[-1] != short:
                self.stays.append(short)

    @property
    def rooms(self) -> list[str]:
        """The files entered, each once."""
        return list(dict.fromkeys(self.stays))


def arguments(frame: FrameType) -> Iterator[object]:
    """The arguments of a call that has just begun."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return (frame.f_locals.get(name) for name in names)


def asks(argument: object) -> bool:
    """Whether it is a session, a method of one, or a function that holds one."""
    from metric_harness.naming.session import Session

    if isinstance(argument, partial):
        return any(map(asks, (argument.func, *argument.args)))
    return isinstance(argument, Session) or isinstance(getattr(argument, "__self__", None), Session)


def walked(target: str, calls: bool = False, whole: bool = False) -> Walk:
    """The walk of the audit of a target; a first audit fills the caches."""
    from metric_harness import audit

    audit(target)
    walk = Walk(calls, whole)
    sys.setprofile(walk)
    try:
        audit(target)
    finally:
        sys.setprofile(None)
    return walk


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="?")
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plain.py"
        file.write_text(PLAIN)
        walk = walked(options.target or f"{file}:precision_at_k", options.calls, options.all)
    for number, stay in enumerate(walk.stays, start=1):
        print(f"{number:4}  {stay}")
    returns = len(walk.stays) - len(walk.rooms)
    print(f"{len(walk.stays)} stays, {len(walk.rooms)} rooms, {returns} returns")


if __name__ == "__main__":
    main()
