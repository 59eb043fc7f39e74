"""A calling convention: the roles of the parameters in order, and the container in which their data is given.

Its name is the roles, and after a colon the container unless it is a list: ``relevant,recommended``,
``relevant,recommended:sets``, ``relevance:matrix``, ``y_true,y_score:tensors``. Which parameter takes k, if any, is
read from the function's signature.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

from metric_adapters.conventions.inputs.batches import FIRST_USER, all_arguments, names_of
from metric_adapters.conventions.inputs.columns import Columns
from metric_adapters.conventions.inputs.containers import PER_USER, user_arguments
from metric_adapters.conventions.inputs.frames import frames, wide_frames
from metric_adapters.conventions.inputs.judgements import predictions, qrels, run
from metric_adapters.conventions.inputs.kit import PACKAGES
from metric_adapters.conventions.inputs.records import Record
from metric_adapters.conventions.inputs.roles import POSITIONAL
from metric_adapters.conventions.inputs.view import View
from metric_adapters.conventions.words import CONTAINER_WORDS, CUT_WORDS, FULL_WORDS, ROLE_WORDS

RANKS_ALONE = (
    "The function sees the relevance of the listed items alone: it cannot know how many relevant items the list "
    "misses, so it can neither divide by their number nor build an ideal list of them."
)
ONE_RELEVANT = ("item", "rank", "position", "positive_first", "similarity", "first_label", "places")
"""Roles of users with exactly one relevant item."""
RECORDS = ("record", "records")
ZIPPED = ("pairs", "pair-arrays", "all-pairs", "dict-pairs", "session-pairs", *RECORDS)
"""Containers that hold all roles in one argument."""
COUPLES = {"couple": "arrays", "couple-matrix": "matrix", "couple-tensors": "tensor-matrix"}
"""Containers that hold both roles in one tuple, and the container of each."""
JUDGEMENTS = ("qrels", "run", "predictions")
BY_NAME = ("dict-strings", "dict-string-sets", "text")


class Convention(NamedTuple):
    """One way of calling.

    roles : of the data parameters, in order. container : of their data. columns : of frames; columns_found : the
    function names them itself. cut : lists end at k although the function takes k. full : lists hold every item,
    because the function takes a list without a hit for a user without relevant items. record : the form of records.
    """

    roles: Tuple[str, ...]
    container: str = "lists"
    columns: Optional[Columns] = None
    columns_found: bool = False
    cut: bool = False
    full: bool = False
    record: Record = Record()

    @property
    def name(self) -> str:
        """The name by which it is asked for."""
        parts = [",".join(self.roles)]
        suffix = "-cut" if self.cut else "-full" if self.full else ""
        if suffix or self.container not in ("lists", "frames", "text"):
            parts.append(self.container + suffix)
        if self.columns is not None and not self.columns_found:
            parts.append(self.columns.printed())
        return ":".join(parts)

    @property
    def arity(self) -> int:
        """The number of data parameters."""
        return 1 if self.container in (*ZIPPED, *COUPLES) else len(self.roles)

    @property
    def per_user(self) -> bool:
        """Whether the function is called for one user at a time."""
        containers = (*PER_USER, "pairs", "pair-arrays", "couple", "user-frames", "record")
        return self.container in containers and self.roles[0] not in JUDGEMENTS

    @property
    def packages(self) -> Tuple[str, ...]:
        """The packages that make the containers."""
        packages = [package for word, package in PACKAGES.items() if word in self.container]
        if self.container in ("frames", "user-frames", "wide-frames") or "score_series" in self.roles:
            packages.append("pandas")
        return tuple(packages)

    @property
    def needs(self) -> Tuple[str, ...]:
        """What a case must have: ``one_relevant`` (exactly one item for each user), ``candidate_scores``."""
        needs = ["one_relevant"] if any(role in ONE_RELEVANT for role in self.roles) else []
        candidates = {"labels", "scores", "positive_scores", "negative_scores", "candidate_frame"}
        return (*needs, *(["candidate_scores"] if candidates & set(self.roles) else []))

    @property
    def positional(self) -> bool:
        """Whether an item is a position in a vector, so that its id is its number."""
        return any(role in POSITIONAL for role in self.roles)

    @property
    def whole_catalogue(self) -> bool:
        """Whether every item has a score, so that an item which is not listed has a rank."""
        catalogue = {
            "y_score",
            "distances",
            "gallery_distances",
            "similarity",
            "positive_first",
            "labelled_frame",
            "graded_frame",
        }
        return self.full or (bool(catalogue & set(self.roles)) and self.container != "csr-both")

    @property
    def about(self) -> str:
        """What the function is given, in words."""
        roles = ", then ".join(ROLE_WORDS[role] for role in self.roles)
        calls = (
            "called for one user at a time; the mean over the users is taken outside"
            if self.per_user
            else "called once for all users"
        )
        columns = "" if self.columns is None else f"; columns {self.columns.printed()}{self.columns.besides()}"
        cut = f"; the list {CUT_WORDS}" if self.cut else f"; the list {FULL_WORDS}" if self.full else ""
        container = "" if self.roles == ("predictions",) else f"; {CONTAINER_WORDS[self.container]}"
        text = f"{roles}{container}{columns}{cut}; {calls}."
        ranks_alone = self.roles in (("relevance",), ("relevance_graded",)) and not self.full
        return f"{text} {RANKS_ALONE}" if ranks_alone else text

    def arguments(self, view: View, user: int) -> Tuple[Any, ...]:
        """New arguments; ``user`` matters where the function is called for one user at a time."""
        if self.container in COUPLES:
            return (self._replace(container=COUPLES[self.container]).arguments(view, user),)
        if self.positional:
            view = view._replace(ids=None)
        if self.full:  # the lists of a case for a function without k hold every candidate
            view = view._replace(cut=None, complete=view.cut is None)
        if self.container == "wide-frames":
            return wide_frames(self.roles, view)
        if self.container in RECORDS:
            users = [user] if self.per_user else range(view.case.users)
            records = [self.record.made(view, each) for each in users]
            return (records[0] if self.per_user else records,)
        if self.columns is not None:
            return frames(self.roles, self.container, view, self.columns, user)
        if self.roles == ("predictions",):
            return (predictions(view),)
        if self.roles[0] in JUDGEMENTS:
            text = self.container == "text"
            return tuple((qrels if role == "qrels" else run)(view, text) for role in self.roles)
        if self.per_user:
            return user_arguments(self.roles, self.container, view, user)
        return all_arguments(self.roles, self.container, view)

    def users(self, count: int) -> Tuple[Any, ...]:
        """The name of each user in the arguments of a call with all users."""
        if "user_list" in self.roles:
            return tuple(range(FIRST_USER, FIRST_USER + count))
        return tuple(names_of(count)) if self.container in BY_NAME else tuple(range(count))
