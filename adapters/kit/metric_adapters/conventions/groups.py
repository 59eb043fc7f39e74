"""Groups of conventions: roles with the containers in which each may be handed over."""

from __future__ import annotations

import itertools
import re
from typing import Iterable, Iterator, NamedTuple, Sequence, Tuple

from metric_adapters.conventions.convention import Convention

VECTORS = ("lists", "arrays", "tensors")
MATRICES = ("matrix", "tensor-matrix")
FLAT = ("flat", "flat-lists", "flat-tensors")
PAIR = ("relevant", "recommended")


class Group(NamedTuple):
    """Conventions that belong together.

    of : (roles, containers), the containers with ``-cut`` where lists end at k, ``-full`` where they hold every item.
    rare : they are tried only where no other convention leads to a name.
    """

    title: str
    of: Tuple[Tuple[Tuple[str, ...], Tuple[str, ...]], ...]
    rare: bool = False

    def conventions(self) -> Iterator[Convention]:
        """Each with every container."""
        for roles, containers in self.of:
            for container in containers:
                plain = re.sub("-(cut|full)$", "", container)
                yield Convention(roles, plain, cut=container.endswith("-cut"), full=container.endswith("-full"))


Rows = Tuple[Tuple[Tuple[str, ...], Tuple[str, ...]], ...]


def one(role: str, *containers: str) -> Rows:
    """A single argument."""
    return (((role,), containers),)


def both(first: str, second: str, *containers: str) -> Rows:
    """Two arguments in both orders."""
    return (((first, second), containers), ((second, first), containers))


def any_order(roles: Sequence[str], *containers: str) -> Rows:
    """Arguments in every order."""
    return tuple((order, containers) for order in itertools.permutations(roles))


def joined(*rows: Iterable[Tuple[Tuple[str, ...], Tuple[str, ...]]]) -> Rows:
    return tuple(row for part in rows for row in part)
