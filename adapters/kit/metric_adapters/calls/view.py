"""A case as it is presented in one call of a function."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional

import numpy as np

from metric_adapters.calls.packages import REAL, Kit
from metric_adapters.subject import CannotShow
from metric_reference.case import Case
from metric_reference.narrowed import of_users

ID_WIDTH = 13
"""Characters of an item id as text."""
COMMON_WORDS = ["each", "of", "these", "texts", "begins", "with", "the", "same", "ten", "words"]
SHARED_WORD = 1 << 58
"""An id is presented as a text that begins with as many of :data:`COMMON_WORDS` as this goes into it."""


class View(NamedTuple):
    """A case as it is presented in one call.

    cut : where lists end: k for a function that takes no k; None: they are not cut.
    everything : judgements below the threshold are included, because the function takes the threshold itself.
    complete : lists are continued with every other item, the relevant ones last.
    ids : the id under which each item is presented (int64, by item number); None: the item number itself.
    kit : makes the containers of other packages. unsorted : what has no order of its own is in none. uncut : the
    function does not read k, so that what follows rank k counts. beside : a list of cut-offs holds a smaller one too.
    uneven : some users have fewer rows in a frame of all items.
    """

    case: Case
    k: int
    cut: Optional[int] = None
    everything: bool = False
    ids: Optional[np.ndarray] = None
    kit: Kit = REAL
    complete: bool = False
    unsorted: bool = False
    uncut: bool = False
    beside: bool = False
    uneven: bool = False

    def in_any_order(self, keys: np.ndarray, user: int) -> np.ndarray:
        """int64: places of a user's entries that have no order of their own: with ``unsorted`` shuffled, else 0, 1, 2.

        Three and more are never in order, forwards or backwards. Entries with equal keys stay in theirs: it shows what
        a function does with ties.
        """
        places = np.arange(len(keys))
        if self.unsorted:
            places = np.random.default_rng([user, len(keys)]).permutation(len(keys))
            steps = np.diff(places)
            if len(keys) > 2 and abs(steps.sum()) == abs(steps).sum():
                places = np.roll(places, 1)
            places[np.argsort(keys[places], kind="stable")] = np.argsort(keys, kind="stable")
        return places

    def of_user(self, user: int) -> View:
        """The view of one user's part of the case."""
        return self._replace(case=of_users(self.case, np.array([user])))

    def present(self, items: np.ndarray) -> np.ndarray:
        """The ids under which items are presented."""
        return items if self.ids is None else np.asarray(self.ids)[items]


def text_of(item: Any) -> str:
    """An id as text of one length for all, so that no id is part of another and they sort as the numbers do.

    One from :data:`SHARED_WORD` on is a text of many words, of which the last one alone is its own.
    """
    if isinstance(item, int) and item >= SHARED_WORD:
        shared, number = divmod(item, SHARED_WORD)
        return " ".join([*COMMON_WORDS[:shared], text_of(number)])
    return str(item).zfill(ID_WIDTH)


def judged(view: View, user: int) -> Dict[int, float]:
    """The gain of each relevant item of a user and of those judged with the gain 0; with ``view.everything`` of all.

    Whole gains are ints: pytrec_eval takes no others.
    """
    case = view.case
    own = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
    gains = case.judged_gains[own]
    if (gains % 1 == 0).all():
        gains = gains.astype(np.int64)
    pairs = zip(case.judged_items[own].tolist(), gains.tolist())
    shown = view.everything
    return {item: gain for item, gain in pairs if shown or gain == 0 or (gain > 0 and gain >= case.threshold)}


def wanted(view: View, user: int) -> np.ndarray:
    """int64: the numbers of the relevant items in the order of the judgements."""
    return np.asarray(view.case.relevant_of(user), dtype=np.int64)


def listed(view: View, user: int) -> np.ndarray:
    """int64: the numbers of the listed items, best first."""
    items = np.array(view.case.list_of(user, view.cut), dtype=np.int64)
    return np.concatenate([items, unlisted(view, user, items)]) if view.complete else items


def unlisted(view: View, user: int, items: np.ndarray) -> np.ndarray:
    """int64: the numbers of all items except ``items``, the relevant ones last."""
    others = np.setdiff1d(np.arange(view.case.n_items), items)
    are_relevant = np.isin(others, wanted(view, user))
    return np.concatenate([others[~are_relevant], others[are_relevant]])


def wanted_one(view: View, user: int) -> int:
    """The number of the one relevant item; CannotShow for a user with none or several."""
    items = wanted(view, user)
    if len(items) != 1:
        raise CannotShow(f"user {user} has {len(items)} relevant items; this convention takes exactly one")
    return int(items[0])


def listed_once(view: View, user: int, holder: str) -> np.ndarray:
    """:func:`listed`; CannotShow for an item that is listed twice, as ``holder`` has one place for each."""
    items = listed(view, user)
    if len(set(items.tolist())) < len(items):
        raise CannotShow(f"user {user}: an item is listed twice, and {holder} has one place for it")
    return items


def names_of(count: int) -> List[str]:
    """User numbers 0..count-1 as text that sorts as the numbers do."""
    width = len(str(max(count - 1, 0)))
    return [str(number).zfill(width) for number in range(count)]
