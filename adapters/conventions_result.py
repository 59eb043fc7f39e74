"""What a function returned, read as one number or as one number a user; and whether it changed what it was given."""

from __future__ import annotations

from numbers import Number
from typing import Any, Dict, List, Optional

import numpy as np

from adapters.subject import Answer


def plain(result: Any) -> Any:
    """Arrays and tensors as Python lists and numbers, a pandas Series as a dict by index; anything else as it is."""
    if hasattr(result, "to_dict") and hasattr(result, "index") and not hasattr(result, "columns"):
        return result.to_dict()
    if hasattr(result, "tolist") and hasattr(result, "shape"):
        return result.tolist()
    return result


def single(result: Any) -> float:
    """One number; a dict, list or array that holds one counts as that number.

    TypeError for anything else: several numbers, a tuple (several results), text, None.
    """
    value = plain(result)
    if isinstance(value, dict) and len(value) == 1:
        return single(next(iter(value.values())))
    if isinstance(value, list) and len(value) == 1:
        return single(value[0])
    if isinstance(value, tuple):
        raise TypeError(f"the function returned a tuple of {len(value)}: audit a function that returns one of them")
    if isinstance(value, (dict, list)):
        raise TypeError(f"the function returned {len(value)} numbers, not one: {result!r:.100}")
    if isinstance(value, (str, bytes)) or not (isinstance(value, Number) or hasattr(value, "__float__")):
        raise TypeError(f"the function returned no number but {type(result).__name__}: {result!r:.100}")
    return float(value)


def whole(result: Any, users: List[Any], key: Optional[int] = None) -> Answer:
    """The answer of a function that was given all users at once.

    A single number is the function's own. Values by user (a list or array with an entry for each user in order, a dict
    by user) have their plain mean taken here.

    users : what stands for each user in the input. key : the cut-off, where the function was given a list of them and
        may answer by cut-off.
    """
    value = plain(result)
    if isinstance(value, dict) and value and not (len(value) == 1 and key in value):
        places = {user: at for at, user in enumerate(users)}
        if all(_known(name, places) for name in value):
            return _mean({places[name]: single(one) for name, one in value.items()})
    if isinstance(value, list) and len(value) == len(users) and len(users) > 1:
        return _mean(dict(enumerate(single(one) for one in value)))
    return Answer(single(value))


def _known(name: Any, places: Dict[Any, int]) -> bool:
    try:
        return name in places
    except TypeError:
        return False


def _mean(values: Dict[int, float]) -> Answer:
    """The answer from values by user, whose mean is ours."""
    found = np.array(list(values.values()), dtype=np.float64)
    return Answer(float(found.mean()), np.array(list(values), dtype=np.int64), found)


def unchanged(given: Any, fresh: Any) -> bool:
    """Whether an argument is still what it was; ``fresh`` is the same argument made anew."""
    if type(given) is not type(fresh):
        return False
    if isinstance(given, np.ndarray):
        return given.shape == fresh.shape and given.dtype == fresh.dtype and bool(np.all(given == fresh))
    if hasattr(given, "equals"):  # a frame
        return bool(given.equals(fresh))
    if hasattr(given, "equal") and hasattr(given, "shape"):  # a tensor
        return bool(given.shape == fresh.shape and given.dtype == fresh.dtype and given.equal(fresh))
    if isinstance(given, dict):
        return list(given) == list(fresh) and all(unchanged(given[name], fresh[name]) for name in given)
    if isinstance(given, (list, tuple)):
        return len(given) == len(fresh) and all(unchanged(one, two) for one, two in zip(given, fresh))
    return bool(given == fresh)
