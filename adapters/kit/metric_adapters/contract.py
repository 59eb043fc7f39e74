"""The contract of an adapter, checked where it runs: SUBJECTS, version(), answers that fit the case.

Kept to Python 3.8.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from metric_adapters.case_files import ARRAYS
from metric_reference.case import Case

WRITE_SUBJECTS = 'write SUBJECTS = {"NAME": Subject(ask, function)}'
WRITE_VERSION = "write def version() -> str, which returns the library's version"
WRITE_ANSWER = "return Answer(value), or Answer(value, users, values)"


class AdapterMistake(Exception):
    """An adapter breaks its contract.

    what : is wrong. remedy : what to write instead. about : ``SUBJECTS``, ``version``, or the name of a function.
    """

    def __init__(self, what: str, remedy: str, about: str = "SUBJECTS") -> None:
        super().__init__(f"{what}; {remedy}")
        self.what, self.remedy, self.about = what, remedy, about


def offered(module: Any) -> Tuple[Dict[str, Any], str]:
    """An adapter's subjects and its version; AdapterMistake for one that is missing or of the wrong type."""
    subjects = getattr(module, "SUBJECTS", None)
    if subjects is None:
        raise AdapterMistake("SUBJECTS is missing", WRITE_SUBJECTS)
    if not isinstance(subjects, Mapping):
        raise AdapterMistake(f"SUBJECTS is a {type(subjects).__name__}, not a dict", WRITE_SUBJECTS)
    for name, subject in subjects.items():
        if not isinstance(name, str):
            what = f"SUBJECTS has the key {name!r}, which is no text"
            raise AdapterMistake(what, "write the function's name in quotes")
        if not callable(getattr(subject, "ask", None)) or not hasattr(subject, "source"):
            what = f"SUBJECTS[{name!r}] is a {type(subject).__name__}, not a Subject"
            raise AdapterMistake(what, f"write {name!r}: Subject(ask, function), with ask(case, k)", name)
    version = getattr(module, "version", None)
    if not callable(version):
        what = "is missing" if version is None else f"is a {type(version).__name__}, not a function"
        raise AdapterMistake(f"version {what}", WRITE_VERSION, "version")
    text = version()
    if not isinstance(text, str) or not text.strip():
        raise AdapterMistake(f"version() returns {text!r:.60}, not a text", WRITE_VERSION, "version")
    return dict(subjects), text


def check_answer(answer: Any, users: int) -> None:
    """Raise AdapterMistake unless an answer is an Answer whose parts fit a case of this many users."""
    if not all(hasattr(answer, name) for name in ("value", "users", "values")):
        raise AdapterMistake(f"it returns {type(answer).__name__}, not an Answer", WRITE_ANSWER)
    value = answer.value
    if isinstance(value, (str, bytes, bytearray, bool)) or np.shape(value) or not _is_number(value):
        what = f"the value is {_article(type(value).__name__)}, not a number: {value!r:.60}"
        raise AdapterMistake(what, "return the library's own mean as a float")
    if (answer.users is None) != (answer.values is None):
        present, missing = ("users", "values") if answer.values is None else ("values", "users")
        raise AdapterMistake(f"the answer has {present} without {missing}", WRITE_ANSWER)
    if answer.users is None:
        return
    numbers, values = np.asarray(answer.users), np.asarray(answer.values)
    if numbers.ndim != 1 or numbers.shape != values.shape:
        what = f"users have the shape {numbers.shape}, their values {values.shape}"
        raise AdapterMistake(what, "give one value for each user, both in one dimension")
    if numbers.size and not np.issubdtype(numbers.dtype, np.integer):
        raise AdapterMistake(f"users are {numbers.dtype}, not integers", "give their row numbers in the case as int64")
    if values.size and not (np.issubdtype(values.dtype, np.number) or values.dtype == bool):
        raise AdapterMistake(f"the values of users are {values.dtype}, not numbers", "give them as float64")
    outside = numbers[(numbers < 0) | (numbers >= users)]
    if outside.size:
        what = f"user {outside[0]} is none of the case's users, 0 to {users - 1}"
        raise AdapterMistake(what, "give the row numbers of the case, not ids")
    if len(np.unique(numbers)) < len(numbers):
        twice = numbers[np.argmax([user in numbers[:index] for index, user in enumerate(numbers)])]
        raise AdapterMistake(f"user {twice} has two values", "give one value for each user")


def mistake_of(answer: Any, users: int) -> Optional[Dict[str, str]]:
    """What is wrong with an answer and the remedy, as :func:`check_answer` finds it; None if it fits."""
    try:
        check_answer(answer, users)
    except AdapterMistake as mistake:
        return {"what": mistake.what, "remedy": mistake.remedy}
    return None


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _article(name: str) -> str:
    return name if name == "NoneType" else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def copies(case: Case) -> Dict[str, np.ndarray]:
    """A copy of each array of a case, to be compared with :func:`changed`."""
    arrays = {name: getattr(case, name) for name in ARRAYS}
    return {name: np.array(array) for name, array in arrays.items() if array is not None}


def changed(case: Case, before: Mapping[str, np.ndarray]) -> List[str]:
    """The names of a case's arrays that differ from their copies."""
    return [name for name, array in before.items() if not np.array_equal(getattr(case, name), array, equal_nan=True)]
