"""What a function returned, read as one number, as values by user, or as several named results."""

from __future__ import annotations

import math
import re
from numbers import Number
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from metric_adapters.calls.plain import plain
from metric_adapters.calls.view import ID_WIDTH
from metric_adapters.subject import CannotShow

TEXT_ID = re.compile(rf"\d{{{ID_WIDTH}}}")
Kinds = Dict[Tuple[str, ...], str]
"""By path in a result: whether a list or dict there is over ``users``, ``cuts``, ``items`` or ``names``."""
MOST_UNNAMED = 40
"""A list with more entries than this is no list of metrics."""


class SeveralResults(TypeError):
    """The function returned several results; ``elements`` are their names."""

    def __init__(self, elements: Sequence[str]) -> None:
        self.elements = list(elements)
        names = ", ".join(self.elements[:MOST_UNNAMED])
        super().__init__(f"the function returned {len(self.elements)} results ({names}); ask for one as NAME#RESULT")


class OtherCutoffs(TypeError):
    """The function returned values at other cut-offs than k, ``cutoffs``."""

    def __init__(self, cutoffs: Sequence[int], k: int) -> None:
        self.cutoffs = list(cutoffs)
        super().__init__(f"the function returned values at {', '.join(map(str, cutoffs))}, none of them at k = {k}")


PER_CLASS = re.compile(r"(per|by)_(class|label|category)")
"""In the name of a result: a list there has no number for each rank."""


class Reading(NamedTuple):
    """What is known about a call, to read its result.

    users : the names of the users in the input if all are in one call; empty for one user.
    k : the cut-off. kinds : returns the kinds of lists and dicts, learned from a case in which no two sizes are equal;
    None if unknown. given : the function was given k, so that the number k in a name stands for the cut-off, unless
    the name is one of ``written``, the strings of the source. lengths : of the lists in the input: a list of numbers
    that is as long holds one for each rank.
    """

    users: Tuple[Any, ...]
    k: int
    kinds: Callable[[], Optional[Kinds]] = lambda: None
    given: bool = True
    written: FrozenSet[str] = frozenset()
    lengths: FrozenSet[int] = frozenset()

    def alone(self) -> "Reading":
        """The reading of one user's part of the result."""
        return self._replace(users=())


class Leaf(NamedTuple):
    """One result: a number, and the numbers by user (the user's position in the input) if there are any.

    by_rank : it is an entry of a list over the ranks; ends : the last one of a list that ends before k.
    """

    value: float
    by_user: Optional[Dict[int, float]] = None
    by_rank: bool = False
    ends: bool = False


def read(result: Any, reading: Reading, element: Optional[str] = None) -> Leaf:
    """The only result, or that named ``element``.

    SeveralResults for several without ``element``; CannotShow for a list over the cut-offs that ends before k;
    OtherCutoffs for values at other cut-offs than k; TypeError for no number, or no result of that name.
    """
    if element is None and type(result) in (float, int, np.float64):
        return Leaf(float(result))
    results = elements(result, reading)
    if element is not None:
        return picked(results, reading, element)
    if len(results) > 1:
        raise SeveralResults(list(results))
    if not results:
        raise TypeError(f"the function returned no number but {type(result).__name__}: {result!r:.100}")
    return _at_k(next(iter(results.values())), reading.k)


def picked(results: Dict[str, Leaf], reading: Reading, element: str) -> Leaf:
    """One of several results; TypeError where there is none of that name, CannotShow as :func:`read`."""
    element = element if element in results else normal(element, reading.k)  # "recall@1" at k = 1
    if element not in results:
        raise TypeError(f"the function returned no {element!r}; it returned {', '.join(results) or 'no number'}")
    return _at_k(results[element], reading.k)


def _at_k(leaf: Leaf, k: int) -> Leaf:
    if leaf.ends:
        raise CannotShow(f"the function returned values at cut-offs that end before k = {k}")
    return leaf


def elements(result: Any, reading: Reading) -> Dict[str, Leaf]:
    """Every number in a result by name; the name of a single number is empty."""
    return dict(_walk(result, (), reading))


Path = Tuple[str, ...]


def _walk(result: Any, path: Path, reading: Reading) -> Iterator[Tuple[str, Leaf]]:
    value = by_first_entry(plain(result), reading)
    if is_number(value):
        yield _name(path), Leaf(float(value))
    elif isinstance(value, tuple):
        for index, child in enumerate(value):
            yield from _walk(child, (*path, f"[{index}]"), reading)
    elif isinstance(value, list) and len(value) == 1 and not _is_row_of_user(value, path, reading):
        yield from _walk(value[0], path, reading)
    elif isinstance(value, (list, dict)) and value:
        kind = kind_of(value, path, reading)
        if kind == "users":
            yield from _by_user(value, path, reading)
        elif kind == "items":
            return
        elif kind == "cuts":
            by_rank, ends = isinstance(value, list), isinstance(value, list) and len(value) < reading.k
            for name, leaf in _walk(at_cut(value, reading.k), (*path, "@"), reading):
                yield name, leaf._replace(by_rank=leaf.by_rank or by_rank, ends=leaf.ends or ends)
        elif isinstance(value, dict):
            for name, child in without_rows(value).items():
                yield from _walk(child, (*path, _step(name, reading)), reading)
        elif len(value) <= MOST_UNNAMED:
            for index, child in enumerate(value):
                yield from _walk(child, (*path, f"[{index}]"), reading)


def _is_row_of_user(value: List[Any], path: Path, reading: Reading) -> bool:
    """Whether a list of one entry is the only user's row of several numbers."""
    several = len(reading.users) == 1 and isinstance(plain(value[0]), list)
    return several and kind_of(value, path, reading) == "users"


def by_first_entry(value: Any, reading: Reading) -> Any:
    """Pairs of a cut-off and a number as a dict: ``[[5, 0.2], [10, 0.4]]``, k among the cut-offs; else unchanged."""
    pairs = [plain(each) for each in value] if isinstance(value, (list, tuple)) else []
    if not reading.given or not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        return value
    cuts = [pair[0] for pair in pairs]
    whole = all(type(cut) is int or (isinstance(cut, float) and cut.is_integer()) for cut in cuts)
    if not whole or reading.k not in cuts or cuts != sorted(set(cuts)):
        return value
    return {int(cut): number for cut, number in pairs}


def without_rows(value: Dict[Any, Any]) -> Dict[Any, Any]:
    """The named entries of a dict, without those under 0, 1, 2, ... beside them: these are of each row or column."""
    numbers = [name for name in value if type(name) is int]
    of_rows = 1 < len(numbers) < len(value) and sorted(numbers) == list(range(len(numbers)))
    return {name: entry for name, entry in value.items() if name not in numbers} if of_rows else value


def _step(name: Any, reading: Reading) -> str:
    """A dict's key in a path."""
    return normal(name, reading.k) if reading.given and name not in reading.written else str(name)


def kind_of(value: Any, path: Path, reading: Reading) -> str:
    """Whether a list or dict is over ``users``, ``cuts``, ``items`` or ``names``."""
    kinds = reading.kinds() if _unsure(value, reading) else None
    known = None if kinds is None else kinds.get(path)
    if known == "users" and not reading.users:
        known = None
    return known or first_guess(value, reading)


def _unsure(value: Any, reading: Reading) -> bool:
    return isinstance(value, list) or whole_numbers(value) is not None


def first_guess(value: Any, reading: Reading) -> str:
    """The kind of a list or dict, from its size and keys alone."""
    if isinstance(value, dict):
        if all(isinstance(name, str) and TEXT_ID.fullmatch(name) for name in value):
            return "items"
        numbers = whole_numbers(value)
        if numbers is not None and reading.k in numbers and (len(numbers) == 1 or 0 not in numbers):
            return "users" if len(numbers) > 1 and _are_users(value, reading) else "cuts"
        if _are_users(value, reading):
            return "users"
        return "names" if numbers is None else "cuts"
    if len(value) == len(reading.users):
        return "users"
    return "cuts" if len(value) == reading.k and not reading.users else "names"


def whole_numbers(value: Any) -> Optional[List[int]]:
    """The keys of a dict as whole numbers; None if one is not."""
    if not isinstance(value, dict):
        return None
    texts = [str(name) for name in value if not isinstance(name, bool)]
    return [int(text) for text in texts] if texts and all(re.fullmatch(r"\d+", text) for text in texts) else None


def _are_users(value: Dict[Any, Any], reading: Reading) -> bool:
    try:
        return bool(reading.users) and set(value) <= set(reading.users)
    except TypeError:
        return False


def at_cut(value: Any, k: int) -> Any:
    """The entry for k of a dict by cut-off, or of a list over the cut-offs 1, 2, ... (its last if it ends before k)."""
    if isinstance(value, list):
        return value[k - 1] if k <= len(value) else value[-1]
    for name, entry in value.items():
        if int(str(name)) == k:
            return entry
    raise OtherCutoffs(sorted(int(str(name)) for name in value), k)


def _by_user(value: Any, path: Path, reading: Reading) -> Iterator[Tuple[str, Leaf]]:
    """The results of a list or dict over users, each with its values by user."""
    positions = {user: at for at, user in enumerate(reading.users)}
    rows = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    in_order = isinstance(value, list) and len(value) == len(reading.users)
    gathered: Dict[str, Dict[int, float]] = {}
    by_rank, ends = set(), set()
    for name, child in rows:
        position = positions.get(name, name) if isinstance(value, dict) else name
        for result_name, leaf in _walk(child, (*path, "*"), reading.alone()):
            gathered.setdefault(result_name, {})[position] = leaf.value
            by_rank.update([result_name] if leaf.by_rank else [])
            ends.update([result_name] if leaf.ends else [])
    for result_name, by_user in gathered.items():
        values = list(by_user.values())
        mean = float(np.mean(values)) if values else math.nan
        own = by_user if in_order or isinstance(value, dict) else None
        yield result_name, Leaf(mean, own, result_name in by_rank, result_name in ends)


def is_number(value: Any) -> bool:
    """Whether a value is one real number."""
    if isinstance(value, (str, bytes, bytearray, complex)) or hasattr(value, "__len__"):
        return False
    return isinstance(value, Number) or hasattr(value, "__float__")


def _name(path: Path) -> str:
    """``metrics.recall``, ``[1]``, ``recall[0]``; steps over users and cut-offs are left out."""
    text = ""
    for part in path:
        if part not in ("*", "@"):
            text += part if part.startswith("[") or not text else f".{part}"
    return text


def normal(name: Any, k: int) -> str:
    """A key with ``{k}`` for the cut-off: ``recall@{k}``; ``f1``, ``i2t`` and other numbers stay."""
    text = str(name)

    def replaced(match: "re.Match[str]") -> str:
        before = text[: match.start()]
        measure = re.search(r"(^|[^a-z])f[_-]?$", before, re.IGNORECASE)
        return match[0] if int(match[0]) != k or (measure and k <= 2) else "{k}"

    return re.sub(r"(?<![\d.])(?<![A-Za-z](?=\d+[A-Za-z]))\d+(?![\d.]*\d)", replaced, text)


def learn(result: Any, reading: Reading) -> Kinds:
    """The kinds of the lists and dicts in a result, for a case in which no two sizes are equal."""
    kinds: Kinds = {}

    def look(part: Any, path: Path, reading: Reading) -> None:
        value = by_first_entry(plain(part), reading)
        if isinstance(value, tuple):
            for index, child in enumerate(value):
                look(child, (*path, f"[{index}]"), reading)
        elif isinstance(value, list) and len(value) == 1:
            look(value[0], path, reading)
        elif isinstance(value, (list, dict)) and value:
            guess = first_guess(value, reading) if isinstance(value, dict) else _kind_by_size(value, reading)
            if guess == "cuts" and path and reading.given and reading.k not in (whole_numbers(value) or [reading.k]):
                guess = "items"  # beside another result, a dict by other numbers than the cut-off
            if guess == "cuts" and path and PER_CLASS.search(path[-1]):
                guess = "names"
            kind = kinds.setdefault(path, guess)
            if kind == "items":
                return
            if kind == "names":
                pairs = without_rows(value).items() if isinstance(value, dict) else enumerate(value)
                for name, child in list(pairs)[:MOST_UNNAMED]:
                    step = _step(name, reading) if isinstance(value, dict) else f"[{name}]"
                    look(child, (*path, step), reading)
            else:
                child = next(iter(value.values())) if isinstance(value, dict) else value[-1]
                look(child, (*path, "*" if kind == "users" else "@"), reading.alone() if kind == "users" else reading)

    look(result, (), reading)
    return kinds


def _kind_by_size(value: List[Any], reading: Reading) -> str:
    if reading.users and len(value) == len(reading.users):
        return "users"
    by_rank = len(value) in reading.lengths and all(is_number(plain(each)) for each in value)
    return "cuts" if len(value) == reading.k or by_rank else "names"


class Found(NamedTuple):
    """The answer of a user's function: as :class:`~metric_adapters.subject.Answer`, and what was noticed.

    by_rank : it returned a number for each rank, of which this is the one at k. twice : it raised for the only user and
    was asked with that user twice.
    """

    value: float
    users: Optional[np.ndarray] = None
    values: Optional[np.ndarray] = None
    changed_input: bool = False
    by_rank: bool = False
    twice: bool = False


def answer(leaf: Leaf, changed_input: bool = False) -> Found:
    """A result as an answer; from values by user, the mean is computed here."""
    if leaf.by_user is None:
        return Found(leaf.value, changed_input=changed_input, by_rank=leaf.by_rank)
    values = np.array(list(leaf.by_user.values()), dtype=np.float64)
    users = np.array(list(leaf.by_user), dtype=np.int64)
    return Found(float(values.mean()), users, values, changed_input, leaf.by_rank)
