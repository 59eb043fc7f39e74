"""What every metric of the reference is: a frozen dataclass whose fields are its choices."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any, ClassVar, Dict, Iterator, Tuple

import numpy as np

from reference.matching import Matches

Parts = Tuple[np.ndarray, np.ndarray]


def choice(*values: str) -> Any:
    """A field that holds one of ``values``; the first is the default."""
    return dataclasses.field(default=values[0], metadata={"values": values})


def parameter(default: float) -> Any:
    """A field that holds a number, such as a rating; it is no choice and does not widen the space of variants."""
    return dataclasses.field(default=default, metadata={"values": None})


@dataclasses.dataclass(frozen=True)
class Metric:
    """A metric with its choices made.

    Subclasses give :meth:`parts`; a user's value is numerator / denominator, NaN where the denominator is 0, which
    keeps "undefined" apart from 0. The two parts also give the micro average: sum of numerators / sum of denominators.

    Class attributes: ``name``; ``about``, a line for lists; ``relevance`` and ``lists``: whether relevant items and
    the list bear on it; ``weighs``: whether users can be weighed; ``needs``: the optional arrays of the case that it
    cannot do without.

    Raises ValueError for a choice that is none of the allowed values.
    """

    name: ClassVar[str] = ""
    about: ClassVar[str] = ""
    relevance: ClassVar[bool] = True
    lists: ClassVar[bool] = True
    weighs: ClassVar[bool] = True
    needs: ClassVar[Tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            allowed = field.metadata["values"]
            if allowed is None:
                object.__setattr__(self, field.name, _number(self.name, field.name, getattr(self, field.name)))
            elif getattr(self, field.name) not in allowed:
                raise ValueError(
                    f"{self.name}: {field.name} must be one of {', '.join(allowed)}, not {getattr(self, field.name)!r}"
                )

    @classmethod
    def choices(cls) -> Dict[str, Tuple[str, ...]]:
        """The allowed values of each choice, the default first."""
        return {f.name: f.metadata["values"] for f in dataclasses.fields(cls) if f.metadata["values"] is not None}

    @classmethod
    def space(cls) -> Iterator["Metric"]:
        """Every combination of choices, the defaults first."""
        choices = cls.choices()
        for values in itertools.product(*choices.values()):
            yield cls(**dict(zip(choices, values)))

    def made(self) -> Dict[str, str]:
        """The choices made and the parameters given, by name."""
        return {field.name: _text(getattr(self, field.name)) for field in dataclasses.fields(self)}

    def parts(self, matches: Matches, k: int) -> Parts:
        """Numerator and denominator of each user: two float64 arrays, shape (users,)."""
        raise NotImplementedError

    def per_user(self, matches: Matches, k: int) -> np.ndarray:
        """Value of each user: float64, shape (users,); NaN where the metric is undefined."""
        return self.values_of(self.parts(matches, k), matches)

    def values_of(self, parts: Parts, matches: Matches) -> np.ndarray:
        """Values of users from their parts. What divides by hits is 0 for a user whose list has none, not undefined."""
        values = ratio(*parts)
        if self.divides_by_hits():
            values[np.isnan(values) & (matches.n_relevant > 0)] = 0.0
        return values

    def divides_by_hits(self) -> bool:
        """Whether the denominator counts or weighs the hits of the list."""
        return (
            "hits" in (self.made().get("divide_by"), self.made().get("ideal")) or self.made().get("over") == "mean_hits"
        )

    def bounds(self, k: int) -> Tuple[float, float]:
        """Smallest and largest value a user can have at cut-off ``k`` when no item is recommended twice."""
        raise NotImplementedError

    def formula(self) -> str:
        """The formula in LaTeX, for one user."""
        raise NotImplementedError

    def counted(self, matches: Matches, k: int) -> np.ndarray:
        """bool array, shape (users,): who the metric itself counts; the edge behaviour may leave out more."""
        return np.ones(matches.users, dtype=bool)

    def of_nobody(self, matches: Matches, k: int) -> float:
        """The mean where no user counts."""
        return float("nan")

    def whole(self) -> bool:
        """Whether :meth:`parts` gives one entry for the whole case, because users have no values of their own."""
        return False

    def canonical(self) -> "Metric":
        """The metric that stands for all those that no input can tell apart from this one."""
        return self


def ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """numerator / denominator, NaN where the denominator is 0."""
    defined = denominator != 0
    if defined.all():
        return numerator / denominator
    out = np.full(len(numerator), np.nan)
    np.divide(numerator, denominator, out=out, where=defined)
    return out


def ones(matches: Matches) -> np.ndarray:
    """The denominator of a metric that divides by nothing."""
    return np.ones(matches.users)


def _number(metric: str, name: str, value: Any) -> float:
    try:
        return float(value)
    except ValueError:
        raise ValueError(f"{metric}: {name} must be a number, not {value!r}") from None


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if value.is_integer() else repr(value)
