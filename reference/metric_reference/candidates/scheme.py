"""How the candidates of a relevant item are drawn: every choice that "99 sampled negatives" leaves open."""

from __future__ import annotations

from dataclasses import dataclass

WEIGHTS = ("uniform", "popularity")
TIES = ("optimistic", "pessimistic", "random", "expected")
PER = ("item", "user")


@dataclass(frozen=True)
class Scheme:
    """A way of drawing negatives.

    negatives : how many are drawn, from 1 on.
    weights : ``uniform``: each item of the pool alike; ``popularity``: by a weight, such as its training interactions.
    replacement : ``False``: no item twice; ``True``: an item drawn twice is a candidate twice. By popularity only with
        replacement: without it the rank has no closed form.
    per : ``item``: negatives are drawn for each relevant item alone; ``user``: once for all relevant items of a user,
        which are ranked together among them.
    ties : drawn negatives with the relevant item's score stand below it (``optimistic``), above it (``pessimistic``),
        each at a place drawn at random (``random``), or the value is the mean over all their orders (``expected``; for
        AUC a tie counts a half). ``random`` and ``expected`` have the same expectation and different variances.

    Raises ValueError for any other value.
    """

    negatives: int
    weights: str = "uniform"
    replacement: bool = False
    per: str = "item"
    ties: str = "optimistic"

    def __post_init__(self) -> None:
        if self.negatives < 1 or int(self.negatives) != self.negatives:
            raise ValueError(f"negatives: {self.negatives!r} is no whole number from 1 on")
        for name, known in (("weights", WEIGHTS), ("per", PER), ("ties", TIES)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}: {getattr(self, name)!r} is none of {', '.join(known)}")
        if self.weights == "popularity" and not self.replacement:
            raise ValueError("weights: popularity needs replacement=True; without it there is no closed form")
        if self.per == "user" and self.ties in ("random", "expected"):
            raise ValueError(f"ties: {self.ties!r} has no closed form for per='user'; take optimistic or pessimistic")

    def __str__(self) -> str:
        """``uniform99``, ``popularity100``; with what is not usual: ``uniform99(replacement, per=user)``."""
        unusual = ["replacement"] if self.replacement and self.weights == "uniform" else []
        unusual += [f"per={self.per}"] if self.per != "item" else []
        unusual += [f"ties={self.ties}"] if self.ties != "optimistic" else []
        return f"{self.weights}{self.negatives}" + (f"({', '.join(unusual)})" if unusual else "")
