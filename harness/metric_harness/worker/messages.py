"""What a worker says, as types; the protocol is described in ``metric_adapters.worker``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from metric_reports.types.run import Source


class Started(TypedDict):
    """The answer to ``start``. calls : how each function is called and with which inputs, in words."""

    version: str
    python: str
    packages: dict[str, str]
    subjects: dict[str, Source]
    calls: dict[str, str]


class Checked(TypedDict):
    """The answer to ``check``. mistake : empty if the subject keeps the contract. changed : the case's arrays that it
    modified. place : file and line of the mistake.
    """

    mistake: str
    changed: list[str]
    place: tuple[str, int] | None


@dataclass(frozen=True, kw_only=True)
class Domain:
    """What a way of calling can express."""

    relevant: Literal["any", "one"] = "any"
    candidates: int | None = None


@dataclass(frozen=True, kw_only=True)
class OfferedCall:
    """A way of calling a user's function."""

    name: str
    roles: tuple[str, ...] = ()
    container: str = ""
    ends: Literal["list", "k", "catalogue"] = "list"
    about: str = ""
    why: str = ""
    against: tuple[str, ...] = ()
    call: str | None = None
    domain: Domain = Domain()
    in_vectors: bool = False
    full_lists: Literal["always", "past k", ""] = ""
    cuts: tuple[int, ...] = ()
    limits: tuple[int, ...] = ()
    returned: tuple[tuple[str, ...], ...] = ()
    rare: bool = False
    zeros: tuple[str, ...] = ()


IN_VECTORS = {"y_true", "y_true_graded", "y_score", "labels", "scores", "positive_first", "positive_scores"}
IN_VECTORS |= {"distances", "gallery_distances", "similarity", "y_listed", "item_ranks"}


def read_call(row: Mapping[str, Any]) -> OfferedCall:
    """A way of calling from the worker's answer."""
    name, needs = row["name"], row["needs"]
    roles, _, container = name.partition(":")
    ends: Any = "k" if container.endswith("-cut") else "catalogue" if container.endswith("-full") else "list"
    sizes = [int(need.partition(":")[2]) for need in needs if need.startswith("candidates:")]
    full: Any = "always" if "full_lists" in needs else "past k" if "full_lists_at_k" in needs else ""
    return OfferedCall(
        name=name,
        roles=tuple(roles.split(",")),
        container=container.removesuffix("-cut").removesuffix("-full") or "lists",
        ends=ends,
        about=row["about"],
        why=row["why"],
        against=("x",) if "; against it: " in row["why"] else (),
        call=row["call"],
        domain=Domain(relevant="one" if "one_relevant" in needs else "any", candidates=sizes[0] if sizes else None),
        in_vectors=bool(set(roles.split(",")) & IN_VECTORS),
        full_lists=full,
        cuts=tuple(row["cuts"]),
        limits=tuple(row["limits"]),
        returned=tuple(map(tuple, row["returned"])),
        rare=row["rare"],
        zeros=tuple(row["zeros"]),
    )
