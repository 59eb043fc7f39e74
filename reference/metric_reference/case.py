"""The case: rankings, scores and judgements of some users, the input of every metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence

import numpy as np

NOTHING = -1
"""The item id that pads a list: nothing was recommended at this rank."""


@dataclass(frozen=True, eq=False)
class Case:
    """Rankings, scores and judgements of ``users`` users over ``n_items`` items.

    Users are numbered 0..users-1 and items 0..n_items-1; the order of the item numbers is the order
    of the item ids in the data, so "by item id" means by item number.

    Attributes
    ----------
    recommended : int64 array, shape (users, width)
        Item at each rank, best first; ``-1`` (nothing) only after the last recommended item.
    judged_indptr : int64 array, shape (users + 1,)
        ``judged_items[judged_indptr[u]:judged_indptr[u + 1]]`` are the items that user u judged.
    judged_items : int64 array, shape (judgements,)
        Judged items; each user has an item at most once.
    judged_gains : float64 array, shape (judgements,)
        Rating or graded relevance. An item is *relevant* when its gain is above 0 and at least ``threshold``.
    n_items : int
        Size of the catalogue.
    scores : float64 array, shape (users, width), optional
        Model scores of the recommended items, NaN where nothing is recommended.
    candidate_scores : float array, shape (users, n_items), optional
        Model scores of the whole catalogue; ``-inf`` marks an item that is no candidate (seen in training).
        AUC over the catalogue needs it.
    train_indptr, train_items : int64 arrays, optional
        CSR of the items each user has in the training data.
    threshold : float
        Smallest gain that counts as relevant.
    item_counts : int64 array, shape (n_items,), optional
        Training interactions of each item, over all users; popularity, novelty and the like need it.
    n_train_users : int, optional
        Number of users in the training data.
    item_vectors : float64 array, shape (n_items, dimensions), optional
        A vector for each item (features or an embedding); diversity within a list needs it.
    predicted_ratings : float64 array, shape (judgements,), optional
        Predicted rating of each judgement, NaN where there is none; rating error needs it.

    Raises
    ------
    ValueError
        From :meth:`check`, naming the user and the array at fault.
    """

    recommended: np.ndarray
    judged_indptr: np.ndarray
    judged_items: np.ndarray
    judged_gains: np.ndarray
    n_items: int
    scores: Optional[np.ndarray] = None
    candidate_scores: Optional[np.ndarray] = None
    train_indptr: Optional[np.ndarray] = None
    train_items: Optional[np.ndarray] = None
    threshold: float = 1.0
    item_counts: Optional[np.ndarray] = None
    n_train_users: Optional[int] = None
    item_vectors: Optional[np.ndarray] = None
    predicted_ratings: Optional[np.ndarray] = None

    @property
    def users(self) -> int:
        """Number of users."""
        return int(self.recommended.shape[0])

    @property
    def width(self) -> int:
        """Number of ranks: no list is longer."""
        return int(self.recommended.shape[1])

    @property
    def relevant(self) -> np.ndarray:
        """Boolean array, shape (judgements,): which judgements are relevant."""
        return (self.judged_gains > 0) & (self.judged_gains >= self.threshold)

    @property
    def judged_users(self) -> np.ndarray:
        """int64 array, shape (judgements,): the user of each judgement."""
        return np.repeat(np.arange(self.users), np.diff(self.judged_indptr))

    @property
    def list_lengths(self) -> np.ndarray:
        """int64 array, shape (users,): number of recommended items."""
        return np.count_nonzero(self.recommended != NOTHING, axis=1)

    def relevant_of(self, user: int) -> np.ndarray:
        """Relevant items of one user, int64, in the order of the judgements."""
        entries = slice(int(self.judged_indptr[user]), int(self.judged_indptr[user + 1]))
        gains = self.judged_gains[entries]
        return self.judged_items[entries][(gains > 0) & (gains >= self.threshold)]

    def list_of(self, user: int, k: Optional[int] = None) -> np.ndarray:
        """Recommended items of one user without padding, cut at ``k`` if given."""
        row = self.recommended[user, :k]
        return row[row != NOTHING]

    def check(self) -> "Case":
        """Return the case itself; ValueError names the array at fault and, where there is one, the user."""
        users = self.users
        if self.recommended.ndim != 2:
            raise ValueError(f"recommended: expected users x ranks, got shape {self.recommended.shape}")
        if self.width < 1:
            raise ValueError("recommended: there must be at least one rank; pad empty lists with -1")
        if self.judged_indptr.shape != (users + 1,):
            raise ValueError(
                f"judged_indptr: expected {users + 1} entries for {users} users, got {self.judged_indptr.shape}"
            )
        if self.judged_indptr[0] != 0 or self.judged_indptr[-1] != len(self.judged_items):
            raise ValueError("judged_indptr: must start at 0 and end at the number of judgements")
        if np.any(np.diff(self.judged_indptr) < 0):
            raise ValueError("judged_indptr: must not decrease")
        if self.judged_gains.shape != self.judged_items.shape:
            raise ValueError("judged_gains: expected one gain for each judgement")
        for name, items in (("recommended", self.recommended), ("judged_items", self.judged_items)):
            lowest = NOTHING if name == "recommended" else 0
            if items.size and (items.min() < lowest or items.max() >= self.n_items):
                raise ValueError(f"{name}: item numbers must lie in 0..{self.n_items - 1}")
        holes = (self.recommended[:, :-1] == NOTHING) & (self.recommended[:, 1:] != NOTHING)
        if holes.any():
            raise ValueError(
                f"recommended: user {int(np.flatnonzero(holes.any(axis=1))[0])} has an item after an empty rank"
            )
        pairs = self.judged_users * np.int64(self.n_items) + self.judged_items
        order = np.argsort(pairs, kind="stable")
        repeats = np.flatnonzero(pairs[order][1:] == pairs[order][:-1])
        if len(repeats):
            entry = order[repeats[0]]
            raise ValueError(
                f"judged_items: user {int(self.judged_users[entry])} judged item {int(self.judged_items[entry])} twice"
            )
        if not np.all(np.isfinite(self.judged_gains)):
            entry = int(np.flatnonzero(~np.isfinite(self.judged_gains))[0])
            raise ValueError(f"judged_gains: user {int(self.judged_users[entry])} has a gain that is no finite number")
        shapes = {
            "scores": self.recommended.shape,
            "candidate_scores": (users, self.n_items),
            "item_counts": (self.n_items,),
            "predicted_ratings": self.judged_items.shape,
        }
        for name, shape in shapes.items():
            array = getattr(self, name)
            if array is not None and array.shape != shape:
                raise ValueError(f"{name}: expected shape {shape}, got {array.shape}")
        if self.item_vectors is not None and (self.item_vectors.ndim != 2 or len(self.item_vectors) != self.n_items):
            raise ValueError(f"item_vectors: expected {self.n_items} rows, got shape {self.item_vectors.shape}")
        return self


def case_from_lists(
    lists: Sequence[Sequence[int]],
    relevant: Sequence[Sequence[int]],
    n_items: int,
    *,
    gains: Optional[Sequence[Sequence[float]]] = None,
    scores: Optional[Sequence[Sequence[float]]] = None,
    candidate_scores: Optional[np.ndarray] = None,
    train: Optional[Sequence[Sequence[int]]] = None,
    threshold: float = 1.0,
    width: Optional[int] = None,
) -> Case:
    """A small case from Python lists, one row for each user: ranked items, relevant items, their gains (default 1)."""
    users = len(lists)
    width = max([1, width or 0, *(len(row) for row in lists)])
    recommended = np.full((users, width), NOTHING, dtype=np.int64)
    score_array = None if scores is None else np.full((users, width), np.nan)
    for user, row in enumerate(lists):
        recommended[user, : len(row)] = row
        if score_array is not None and scores is not None:
            score_array[user, : len(row)] = scores[user]
    flat_gains = [1.0] * sum(map(len, relevant)) if gains is None else [gain for row in gains for gain in row]
    train_indptr, train_items = (None, None) if train is None else _csr(train)
    judged_indptr, judged_items = _csr(relevant)
    return Case(
        recommended,
        judged_indptr,
        judged_items,
        np.asarray(flat_gains, dtype=np.float64),
        n_items,
        score_array,
        candidate_scores,
        train_indptr,
        train_items,
        threshold,
    ).check()


def _csr(rows: Sequence[Sequence[int]]) -> "tuple[np.ndarray, np.ndarray]":
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return indptr, np.asarray([item for row in rows for item in row], dtype=np.int64)
