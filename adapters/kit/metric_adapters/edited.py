"""Edited definitions of a user's file, asked beside the file: nothing is written, and no other definition changes.

What the names of a function held when it was asked tells which of them is a number that a definition may use.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

import numpy as np

from metric_adapters import own
from metric_adapters.subject import Subject
from metric_reference.case import Case

MOST_CALLS = 60
"""Calls of functions of the file that are looked at for one case."""
READINGS: Tuple[Tuple[str, Callable[[Any], Any]], ...] = (
    ("{}", lambda value: value),
    ("len({})", len),
    ("sum({})", sum),
    ("{}.sum()", lambda value: value.sum()),
    ("{}.sum(axis=1)", lambda value: value.sum(axis=1)),
    ("{}.shape[1]", lambda value: value.shape[1]),
    ("sum({}.values())", lambda value: sum(value.values())),
)
"""How a number is read from what a name holds: the expression, and the same as a function."""


def answers(
    target: str, convention: str, code: str, cases: Sequence[Tuple[Case, int]], element: Optional[str] = None
) -> List[Optional[float]]:
    """What the edited target returns for each case and cut-off; None where it raises, or returns no number."""
    named = {} if element is None else {"element": element}
    values: List[Optional[float]] = []
    try:
        subject = own.edited(target, convention, code)
    except (Exception, SystemExit):  # an edit may make any mistake
        return [None] * len(cases)
    for case, k in cases:
        try:
            values.append(float(subject.ask(case, k, **named).value))
        except (Exception, SystemExit):
            values.append(None)
    return values


def numbers_held(target: str, subject: Subject, case: Case, k: int) -> List[Tuple[str, int, str, List[float]]]:
    """What the names of each function of the file held at its ends: function, its first line, expression, numbers."""
    file = str(Path(target.rpartition(":")[0]).resolve())
    held: Dict[Tuple[str, int, str], Set[float]] = {}
    calls = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        code = frame.f_code
        if event != "return" or code.co_filename != file or code.co_name.startswith("<") or calls >= MOST_CALLS:
            return
        calls += 1
        for name, value in names_of(frame, code).items():
            for text, read in READINGS:
                number = number_in(read, value)
                if number is not None:
                    held.setdefault((code.co_name, code.co_firstlineno, text.format(name)), set()).add(number)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        subject.ask(case, k)
    except (Exception, SystemExit):  # what was held until then is of use too
        pass
    finally:
        sys.setprofile(before)
    return [(*key, sorted(numbers)) for key, numbers in held.items()]


def names_of(frame: FrameType, code: CodeType) -> Dict[str, Any]:
    """The local names of a frame, the attributes of its ``self``, and the whole numbers of the module that it reads."""
    names = {name: value for name, value in frame.f_locals.items() if name.isidentifier() and name != "self"}
    attributes = getattr(frame.f_locals.get("self"), "__dict__", {})
    names.update({f"self.{name}": value for name, value in attributes.items()})
    for name in code.co_names:
        if type(frame.f_globals.get(name)) is int and name not in names:
            names[name] = frame.f_globals[name]
    return names


def number_in(read: Callable[[Any], Any], value: Any) -> Optional[float]:
    """The number that an expression has; None where it has none, or several."""
    if isinstance(value, (str, bytes)):
        return None
    try:
        array = np.asarray(read(value), dtype=np.float64)
    except Exception:  # the expression does not suit what the name holds
        return None
    return float(array.reshape(-1)[0]) if array.size == 1 and np.isfinite(array).all() else None
