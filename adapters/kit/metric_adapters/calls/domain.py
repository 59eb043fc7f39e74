"""What a way of calling can express, as data: evidence is worth as much as what could be asked."""

from __future__ import annotations

from typing import Literal, NamedTuple, Optional, Sequence

from metric_adapters.calls.container import Container, Holds
from metric_adapters.calls.role import Fact, Role


class Domain(NamedTuple):
    """What a way of calling can express.

    ids : of items: ``numbers`` (any), ``text``, ``positions`` (an item is its place in a vector), ``none`` (not
    shown). relevant : items of a user: ``any`` number or ``one``. lists : as they are (``any``), ``cut at k``,
    ``padded to k`` with irrelevant items, or with ``every item``. unlisted : relevant items that are not listed are
    visible. gains : ``binary``, ``graded``, or ``whole`` where they are counts or the function is annotated so.
    scores : ``none``, of the ``list``, or of the ``candidates``. users : ``one`` or ``all`` in a call. k : ``given``
    to the function or not. candidates : the number that each user must have, None for any. labels : ``set`` where
    users are the items and look for each other, ``pairs`` where user and item of one number share a label.
    """

    ids: Literal["numbers", "text", "positions", "none", "unknown"]
    relevant: str
    lists: Literal["any", "cut at k", "padded to k", "every item"]
    unlisted: bool
    gains: Literal["binary", "graded", "whole", "unknown"]
    scores: str
    users: str
    k: str = "given"
    candidates: Optional[int] = None
    labels: Literal["", "set", "pairs"] = ""


ANY_DOMAIN = Domain("numbers", "any", "any", True, "graded", "candidates", "all")
"""That of a function that is handed the whole case."""
BY_ADAPTER = ANY_DOMAIN._replace(gains="unknown", ids="unknown")
"""That of a library's function: what its adapter shows of gains and ids is not described."""


def domain_of(roles: Sequence[Role], container: Container, ends: str, per_user: bool) -> Domain:
    """The domain of roles in a container; ``ends``: where lists end."""

    def any_has(fact: Fact) -> bool:
        return any(role.has(fact) for role in roles)

    holds_ids = any_has(Fact.IDS | Fact.BY_ITEM | Fact.TUPLES | Fact.FRAME) or container.name in ("text", "ints")
    lists: Literal["any", "cut at k", "padded to k", "every item"] = "any"
    if ends != "list":
        lists = "cut at k" if ends == "k" else "every item"
    elif container.has(Holds.ROWS) and roles[0].name.startswith("relevance"):
        lists = "padded to k"
    if any(role.name in ("set_order", "pair_order") for role in roles):
        lists = "every item"
    ids: Literal["numbers", "text"] = "text" if container.has(Holds.TEXT_IDS) else "numbers"
    return Domain(
        ids="positions" if any_has(Fact.INDEXED) else ids if holds_ids else "none",
        relevant="one" if any_has(Fact.ONE_RELEVANT) else "any",
        lists=lists,
        unlisted=any_has(Fact.BEYOND) or ends == "catalogue",
        gains="whole" if any_has(Fact.WHOLE) else "graded" if any_has(Fact.GRADED | Fact.GAINS) else "binary",
        scores="candidates" if any_has(Fact.CANDIDATES) else "list" if any_has(Fact.SCORES) else "none",
        users="one" if per_user else "all",
        labels="set" if any_has(Fact.ONE_SET) else "pairs" if any_has(Fact.PAIRED) else "",
    )
