"""The base class of the metrics: a frozen dataclass whose fields are its choices."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any, ClassVar, Dict, Iterator, Optional, Tuple

import numpy as np

from metric_reference.matching import Matches

Parts = Tuple[np.ndarray, np.ndarray]
"""Numerators and denominators: two float64 arrays, shape (users,), or (1,) for the whole case."""


def choice(*values: str, with_parameter: Tuple[str, ...] = ()) -> Any:
    """A field that holds one of ``values``; the first is the default.

    with_parameter : further values that need a number (see :func:`parameter`); they are allowed, but not part of the
        space of variants.
    """
    return dataclasses.field(default=values[0], metadata={"values": values, "with_parameter": with_parameter})


def parameter(
    default: float,
    usual: Tuple[float, ...] = (),
    between: Optional[Tuple[float, float]] = None,
    whole: bool = False,
    when: Optional[Tuple[str, ...]] = None,
) -> Any:
    """A field that holds a number, such as a rating; it is not part of the space of variants.

    usual : common values; where there are some, the number is found from answers.
    between : smallest and largest value; whole : whether only whole numbers are allowed.
    when : the choice, and the values of it, for which the number has a meaning; None: always.
    """
    return dataclasses.field(
        default=default,
        metadata={"values": None, "usual": usual, "between": between, "whole": whole, "when": when},
    )


@dataclasses.dataclass(frozen=True)
class Metric:
    """A metric with its choices made.

    Subclasses implement :meth:`parts`; a user's value is numerator / denominator, NaN (undefined) where the
    denominator is 0. The micro average is the sum of numerators / the sum of denominators.

    Class attributes: ``name``; ``about``: one line for tables; ``relevance`` and ``lists``: whether the value depends
    on relevant items and on the list; ``weighs``: whether there is a micro average; ``sums``: whether functions return
    the sum over users; ``needs``: the optional arrays of the case that it requires; ``ranking``: whether it reads only
    lists or scores and relevant items, so that the ranking probes identify it; ``intended``: False for what only faulty
    code computes; ``coincides``: groups of variants, of this metric and others, in printed form, that give every user
    the same value for every input.

    Raises ValueError for a choice that is not allowed.
    """

    name: ClassVar[str] = ""
    about: ClassVar[str] = ""
    relevance: ClassVar[bool] = True
    lists: ClassVar[bool] = True
    weighs: ClassVar[bool] = True
    sums: ClassVar[bool] = True
    needs: ClassVar[Tuple[str, ...]] = ()
    ranking: ClassVar[bool] = False
    intended: ClassVar[bool] = True
    coincides: ClassVar[Tuple[Tuple[str, ...], ...]] = ()

    def __post_init__(self) -> None:
        for field in _fields(self):
            value = getattr(self, field.name)
            if field.metadata["values"] is None:
                object.__setattr__(self, field.name, self._checked(field, value))
                continue
            allowed = (*field.metadata["values"], *field.metadata["with_parameter"])
            if value not in allowed:
                raise ValueError(f"{self.name}: {field.name} must be one of {', '.join(allowed)}, not {value!r}")

    def _checked(self, field: "dataclasses.Field[Any]", value: Any) -> float:
        """The value of a parameter as a number; ValueError if it is not allowed or has no meaning here."""
        try:
            number = float(value)
        except ValueError:
            raise ValueError(f"{self.name}: {field.name} must be a number, not {value!r}") from None
        between = field.metadata["between"]
        if between is not None and not between[0] <= number <= between[1]:
            raise ValueError(f"{self.name}: {field.name} must lie in {between[0]:g}..{between[1]:g}, not {value!r}")
        if field.metadata["whole"] and not number.is_integer():
            raise ValueError(f"{self.name}: {field.name} must be a whole number, not {value!r}")
        if number != field.default and not self._has_meaning(field):
            raise ValueError(
                f"{self.name}: {field.name} has a meaning only with {condition_of(field.metadata['when'])}"
            )
        return number

    def _has_meaning(self, field: "dataclasses.Field[Any]") -> bool:
        """Whether the choices made use this parameter; True for a choice."""
        when = field.metadata.get("when")
        return when is None or getattr(self, when[0]) in when[1:]

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

    @classmethod
    def with_parameter(cls) -> Iterator[Tuple["Metric", str]]:
        """Every combination of choices with a parameter that can be found from answers, and that parameter's name."""
        choices = cls.choices()
        for field in dataclasses.fields(cls):
            if not field.metadata.get("usual"):
                continue
            when = field.metadata["when"]
            fixed = {} if when is None else {when[0]: when[1:]}
            for values in itertools.product(*{**choices, **fixed}.values()):
                yield cls(**dict(zip(choices, values))), field.name

    def made(self) -> Dict[str, str]:
        """The choices made and the parameters that have a meaning with them, by name."""
        return {f.name: _text(getattr(self, f.name)) for f in _fields(self) if self._has_meaning(f)}

    def parts(self, matches: Matches, k: int) -> Parts:
        """Numerator and denominator of each user: two float64 arrays, shape (users,)."""
        raise NotImplementedError

    def per_user(self, matches: Matches, k: int) -> np.ndarray:
        """Value of each user: float64, shape (users,); NaN where the metric is undefined."""
        return self.values_of(self.parts(matches, k), matches)

    def values_of(self, parts: Parts, matches: Matches) -> np.ndarray:
        """Values of users from their parts; 0 for NaN if :meth:`divides_by_hits` and the user has relevant items."""
        values = ratio(*parts)
        if self.divides_by_hits():
            values[np.isnan(values) & (matches.n_relevant > 0)] = 0.0
        return values

    def divides_by_hits(self) -> bool:
        """Whether the denominator counts or weighs the hits of the list, so that a list without hits has 0, not NaN."""
        return False

    def ends_at_relevant(self) -> bool:
        """Whether the list ends at rank r, the number of relevant items, beside any other cut."""
        return False

    def same_denominator(self) -> bool:
        """Whether all users have the same denominator, so that the micro average is the mean."""
        return not self.weighs

    def pooled(self) -> bool:
        """Whether the metric is always the sum of numerators over the sum of denominators."""
        return False

    def by_itself(self) -> bool:
        """Whether a user's value can be computed from that user's items alone, without the catalogue or other users."""
        return not self.of_whole_case()

    def weights(self) -> Tuple[str, ...]:
        """The weights that give different numbers for this metric; ``user``, the mean, is the first."""
        if self.of_whole_case() or self.pooled():
            return ("user",)
        micro = () if self.same_denominator() else ("micro",)
        return ("user", *micro, *(("sum",) if self.sums else ()))

    def bounds(self, k: int) -> Tuple[float, float]:
        """Smallest and largest value a user can have at cut-off ``k`` when no item is recommended twice."""
        raise NotImplementedError

    def formula(self) -> str:
        """The formula in LaTeX, for one user."""
        raise NotImplementedError

    def counted(self, matches: Matches, k: int) -> np.ndarray:
        """bool array, shape (users,): users whom the metric counts; edge behaviour may exclude more."""
        return np.ones(matches.users, dtype=bool)

    def of_nobody(self, matches: Matches, k: int) -> float:
        """The mean where no user counts."""
        return float("nan")

    def of_whole_case(self) -> bool:
        """Whether :meth:`parts` returns one entry for the whole case; users then have no values."""
        return False

    def canonical(self) -> "Metric":
        """The representative of all metrics that no input can tell apart from this one."""
        return self


_FIELDS: "Dict[type, Tuple[dataclasses.Field[Any], ...]]" = {}


def condition_of(when: Tuple[str, ...], sign: str = "=") -> str:
    """The choice and its values for which a parameter has a meaning, such as ``ideal=fixed``."""
    return f"{when[0]}{sign}{' or '.join(when[1:])}"


def _fields(metric: Metric) -> "Tuple[dataclasses.Field[Any], ...]":
    kind = type(metric)
    if kind not in _FIELDS:  # looked up often, and slow to make
        _FIELDS[kind] = dataclasses.fields(metric)
    return _FIELDS[kind]


def ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """numerator / denominator, NaN where the denominator is 0."""
    defined = denominator != 0
    if defined.all():
        return numerator / denominator
    return np.divide(numerator, denominator, out=np.full(len(numerator), np.nan), where=defined)


def ones(matches: Matches) -> np.ndarray:
    """The denominators of a metric that does not divide."""
    return np.ones(matches.users)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if value.is_integer() else repr(value)
