"""What every metric of the reference is: a frozen dataclass whose fields are its choices."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any, ClassVar, Dict, Iterator, Optional, Tuple

import numpy as np

from metric_reference.matching import Matches

Parts = Tuple[np.ndarray, np.ndarray]


def choice(*values: str, with_parameter: Tuple[str, ...] = ()) -> Any:
    """A field that holds one of ``values``; the first is the default.

    with_parameter : further values, each of which needs a number beside it (see :func:`parameter`). They can be given
        but are not part of the space of variants.
    """
    return dataclasses.field(default=values[0], metadata={"values": values, "with_parameter": with_parameter})


def parameter(
    default: float,
    usual: Tuple[float, ...] = (),
    between: Optional[Tuple[float, float]] = None,
    whole: bool = False,
    when: Optional[Tuple[str, str]] = None,
) -> Any:
    """A field that holds a number, such as a rating; it is no choice and does not widen the space of variants.

    usual : values that people use; where there are some, the number can be found from answers.
    between : smallest and largest value; whole : whether only whole numbers are allowed.
    when : the choice and its value without which the number has no meaning.
    """
    return dataclasses.field(
        default=default,
        metadata={"values": None, "usual": usual, "between": between, "whole": whole, "when": when},
    )


@dataclasses.dataclass(frozen=True)
class Metric:
    """A metric with its choices made.

    Subclasses give :meth:`parts`; a user's value is numerator / denominator, NaN where the denominator is 0, which
    keeps "undefined" apart from 0. The two parts also give the micro average: sum of numerators / sum of denominators.

    Class attributes: ``name``; ``about``, a line for lists; ``relevance`` and ``lists``: whether relevant items and
    the list bear on it; ``weighs``: whether there is a micro average; ``sums``: whether functions return the sum over
    users; ``needs``: the optional arrays of the case that it cannot do without; ``ranking``: whether it reads lists
    or scores and relevant items, so that probes identify it; ``intended``: False for what only faulty code computes;
    ``coincides``: groups of printed forms, of this metric and others, that give every user the same value for every
    input.

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
            value, allowed = getattr(self, field.name), field.metadata["values"]
            if allowed is None:
                object.__setattr__(self, field.name, self._checked(field, value))
            elif value not in (*allowed, *field.metadata["with_parameter"]):
                known = ", ".join((*allowed, *field.metadata["with_parameter"]))
                raise ValueError(f"{self.name}: {field.name} must be one of {known}, not {value!r}")

    def _checked(self, field: "dataclasses.Field[Any]", value: Any) -> float:
        """The number that a parameter holds; ValueError if it is none or has no meaning here."""
        number, between = _number(self.name, field.name, value), field.metadata["between"]
        if between is not None and not between[0] <= number <= between[1]:
            raise ValueError(f"{self.name}: {field.name} must lie in {between[0]:g}..{between[1]:g}, not {value!r}")
        if field.metadata["whole"] and not number.is_integer():
            raise ValueError(f"{self.name}: {field.name} must be a whole number, not {value!r}")
        if number != field.default and not self._has_meaning(field):
            raise ValueError(f"{self.name}: {field.name} has a meaning only with {'='.join(field.metadata['when'])}")
        return number

    def _has_meaning(self, field: "dataclasses.Field[Any]") -> bool:
        """Whether the choices made ask for this parameter; a choice always has a meaning."""
        when = field.metadata.get("when")
        return when is None or getattr(self, when[0]) == when[1]

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
        """Every combination of choices that needs a number which can be found from answers, and the number's name."""
        choices = cls.choices()
        for field in dataclasses.fields(cls):
            if not field.metadata.get("usual"):
                continue
            when = field.metadata["when"]
            fixed = {} if when is None else {when[0]: (when[1],)}
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
        """Values of users from their parts. What divides by hits is 0 for a user whose list has none, not undefined."""
        values = ratio(*parts)
        if self.divides_by_hits():
            values[np.isnan(values) & (matches.n_relevant > 0)] = 0.0
        return values

    def divides_by_hits(self) -> bool:
        """Whether the denominator counts or weighs the hits of the list."""
        return False

    def same_denominator(self) -> bool:
        """Whether the denominator is one number for all users, so that there is no micro average besides the mean."""
        return not self.weighs

    def pooled(self) -> bool:
        """Whether the metric itself weighs users: it is the sum of numerators over the sum of denominators."""
        return False

    def by_itself(self) -> bool:
        """Whether a user's value can be computed from that user's items alone, without the catalogue or other users."""
        return not self.whole()

    def weights(self) -> Tuple[str, ...]:
        """The ways to get from users to one number that differ for this metric; ``user``, the mean, is the first."""
        if self.whole() or self.pooled():
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


_FIELDS: "Dict[type, Tuple[dataclasses.Field[Any], ...]]" = {}


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
