"""A call: the roles of the parameters in order, and the container in which their data is given.

Its name is the roles, and after a colon the container unless it is a list: ``relevant,recommended``,
``relevant,recommended:sets``, ``relevance:matrix``, ``y_true,y_score:tensors``. Which parameter takes k, if any, is
read from the function's signature.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, Optional, Tuple

from metric_adapters.calls.columns import Columns
from metric_adapters.calls.container import CONTAINERS, Container, Holds, in_one, users_of
from metric_adapters.calls.domain import Domain, domain_of
from metric_adapters.calls.records import Record
from metric_adapters.calls.role import ROLES, Fact, Role
from metric_adapters.calls.view import View, names_of

RANKS_ALONE = (
    "The function sees the relevance of the listed items alone: it cannot know how many relevant items the list "
    "misses, so it can neither divide by their number nor build an ideal list of them."
)
ENDS = {"list": "", "k": "-cut", "catalogue": "-full", "default": "-uncut"}
"""Where lists end, and what the printed name of a container gets for it."""
ENDS_WORDS = {
    "k": "; the list ends at k although the function takes k",
    "catalogue": "; the list holds every item",
    "default": "; the cut-off keeps its default, which is none",
}


@lru_cache(maxsize=None)
def roles_of(names: Tuple[str, ...]) -> Tuple[Role, ...]:
    """The rows of some roles."""
    return tuple(ROLES[name] for name in names)


@lru_cache(maxsize=None)
def facts_of(names: Tuple[str, ...]) -> Fact:
    """What is true of one of some roles."""
    facts = Fact.NOTHING
    for role in roles_of(names):
        facts |= role.facts
    return facts


class Call(NamedTuple):
    """One way of calling.

    names : of the roles of the data parameters, in order. container : of their data, by name. ends : where lists end:
    ``list``, as they are; ``k``, although the function takes k; ``catalogue``: they hold every item, because the
    function takes a list without a hit for a user without relevant items; ``default``: the function is not given k.
    columns : of frames; columns_found : the function names them itself. record : the form of records.
    """

    names: Tuple[str, ...]
    container: str = "lists"
    columns: Optional[Columns] = None
    columns_found: bool = False
    ends: str = "list"
    record: Record = Record()

    @property
    def roles(self) -> Tuple[Role, ...]:
        """The rows of the roles."""
        return roles_of(self.names)

    @property
    def holder(self) -> Container:
        """The row of the container."""
        return CONTAINERS[self.container]

    def has(self, fact: Fact) -> bool:
        """Whether one of these facts is true of some role."""
        return bool(facts_of(self.names)._value_ & fact._value_)

    @property
    def name(self) -> str:
        """The name by which it is asked for."""
        parts = [",".join(self.names)]
        if ENDS[self.ends] or not self.holder.has(Holds.UNNAMED):
            parts.append(self.container + ENDS[self.ends])
        if self.columns is not None and not self.columns_found:
            parts.append(self.columns.printed())
        return ":".join(parts)

    def of_record(self, record: Record) -> Call:
        """The same with a record, whose ids are text where the container says so."""
        return self._replace(record=record._replace(text=record.text or self.holder.has(Holds.TEXT_IDS)))

    @property
    def arity(self) -> int:
        """The number of data parameters."""
        return 1 + len(in_one(self.roles)[1]) if self.holder.has(Holds.ZIPPED | Holds.COUPLE) else len(self.names)

    @property
    def per_user(self) -> bool:
        """Whether the function is called for one user at a time."""
        return self.holder.has(Holds.USER)

    @property
    def packages(self) -> Tuple[str, ...]:
        """The packages that make the data."""
        return tuple(filter(None, (self.holder.package, *(role.package for role in self.roles))))

    @property
    def domain(self) -> Domain:
        """What it can express."""
        domain = domain_of(self.roles, self.holder, self.ends, self.per_user)
        return domain._replace(ids="text") if self.record.text else domain

    @property
    def ranks_catalogue(self) -> bool:
        """Whether every item has a score, so that an item which is not listed has a rank."""
        return self.ends == "catalogue" or (self.has(Fact.RANKED) and self.container != "csr-both")

    @property
    def about(self) -> str:
        """What the function is given, in words."""
        roles = ", then ".join(role.words for role in self.roles)
        calls = (
            "called for one user at a time; the mean over the users is taken outside"
            if self.per_user
            else "called once for all users"
        )
        columns = "" if self.columns is None else f"; columns {self.columns.printed()}{self.columns.besides()}"
        container = f"; {self.holder.words}" if self.holder.words else ""
        text = f"{roles}{container}{columns}{ENDS_WORDS.get(self.ends, '')}; {calls}."
        ranks_alone = self.names in (("relevance",), ("relevance_graded",)) and self.ends != "catalogue"
        return f"{text} {RANKS_ALONE}" if ranks_alone else text

    def arguments(self, view: View, user: int) -> Tuple[Any, ...]:
        """New arguments; ``user`` matters where the function is called for one user at a time."""
        if self.has(Fact.INDEXED):
            view = view._replace(ids=None)
        if self.has(Fact.ANY_ORDER):
            view = view._replace(unsorted=True)
        if self.ends == "catalogue":  # the lists of a case for a function without k hold every candidate
            view = view._replace(cut=None, complete=view.cut is None)
        return self.holder.build(self, self.roles, view, user)

    def users(self, count: int) -> Tuple[Any, ...]:
        """The name of each user in the arguments of a call with all users."""
        if "user_list" in self.names:
            return tuple(users_of(count))
        return tuple(names_of(count)) if self.holder.has(Holds.TEXT_USERS) else tuple(range(count))
