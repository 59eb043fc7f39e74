"""Groups of conventions: roles, each with the containers in which data may be given."""

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

    of : (roles, containers); a container ends in ``-cut`` if lists end at k, in ``-full`` if they hold every item.
    rare : they are tried only if no other convention leads to a name.
    """

    title: str
    of: Tuple[Tuple[Tuple[str, ...], Tuple[str, ...]], ...]
    rare: bool = False

    def conventions(self) -> Iterator[Convention]:
        """One convention for each pair of roles and container."""
        for roles, containers in self.of:
            for container in containers:
                base = re.sub("-(cut|full)$", "", container)
                yield Convention(roles, base, cut=container.endswith("-cut"), full=container.endswith("-full"))


Rows = Tuple[Tuple[Tuple[str, ...], Tuple[str, ...]], ...]


def single(role: str, *containers: str) -> Rows:
    """A single argument."""
    return (((role,), containers),)


def both(first: str, second: str, *containers: str) -> Rows:
    """Two arguments in both orders."""
    return (((first, second), containers), ((second, first), containers))


def any_order(roles: Sequence[str], *containers: str) -> Rows:
    """Arguments in every order."""
    return tuple((order, containers) for order in itertools.permutations(roles))


def joined(*rows: Iterable[Tuple[Tuple[str, ...], Tuple[str, ...]]]) -> Rows:
    """Rows one after the other."""
    return tuple(itertools.chain(*rows))
