"""Whether a published number is the value of its signature for two files; if not, which other signatures give it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Decimal, InvalidOperation

from metric_harness.evaluation.whole_case import Files, NoNumber
from metric_harness.system.errors import HarnessError
from metric_reference.catalogue import CATALOGUE
from metric_reference.signatures.differences import compare
from metric_reference.signatures.read import changed
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant, space
from metric_reports.tolerances import COMPOSED

MOST_USERS = 20_000
"""With more users, only signatures one change away and those of the catalogue are tried, not all of the metric."""


@dataclass(frozen=True)
class Claim:
    """A published number: its value, and how many digits after the point it has."""

    value: float
    digits: int

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest number that round to the claim; a whole number without a point is exact."""
        half = 0.5 * 10.0**-self.digits if self.digits else 0.0
        return self.value - half, self.value + half

    def holds(self, number: float) -> bool:
        """Whether a number rounds to the claim."""
        return abs(number - self.value) <= 0.5 * 10.0**-self.digits * (1 + COMPOSED)

    def cut_off(self, number: float) -> bool:
        """Whether a number, truncated instead of rounded, has the digits of the claim."""
        if not math.isfinite(number):
            return False
        truncated = Decimal(repr(number)).quantize(Decimal(1).scaleb(-self.digits), rounding=ROUND_DOWN)
        return float(truncated) == self.value


@dataclass(frozen=True)
class Other:
    """Another signature that gives the claimed number; ``how`` says in which parts it differs."""

    signature: Signature
    number: float
    how: str


@dataclass(frozen=True)
class Verdict:
    """The result: the signature's own number, whether the claim agrees with it, and, if not, the signatures that do.

    why_not : why the signature has no number (``number`` is None then); tried : how many other signatures were tried.
    """

    signature: Signature
    number: float | None
    why_not: str | None
    holds: bool
    cut_off: bool
    others: list[Other]
    tried: int


def claim_of(text: str, digits: int | None) -> Claim:
    """The claim of ``--value``, with the digits it is written with unless given. HarnessError if it is no number."""
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite():
        raise HarnessError(f"--value {text}: give a number as it is printed, such as 0.3123")
    if digits is not None and not 0 <= digits <= 15:
        raise HarnessError(f"--digits {digits}: give 0 to 15, the digits after the point")
    exponent = value.as_tuple().exponent
    written = max(0, -exponent) if isinstance(exponent, int) else 0
    return Claim(float(value), min(written, 15) if digits is None else digits)


def verify(files: Files, signature: Signature, claim: Claim | None) -> Verdict:
    """Compare the number of a signature with a claim, if any. NoNumber if it has none and nothing is claimed."""
    try:
        number, why_not = files.number(signature), None
    except NoNumber as error:
        if claim is None:
            raise
        number, why_not = None, str(error)
    if claim is None or (number is not None and claim.holds(number)):
        return Verdict(signature, number, why_not, True, False, [], 0)
    others, tried = search(files, signature, claim)
    return Verdict(signature, number, why_not, False, number is not None and claim.cut_off(number), others, tried)


def search(files: Files, signature: Signature, claim: Claim) -> tuple[list[Other], int]:
    """The other signatures that give a claimed number, the nearest first, and how many were tried."""
    others: list[Other] = []
    tried = 0
    for other in dict.fromkeys(candidates(signature, len(files.in_truth))):
        try:
            number = files.number(other)
        except NoNumber:
            continue
        tried += 1
        if claim.holds(number) and all(compare(other, known.signature).verdict != "same" for known in others):
            others.append(Other(other, number, compare(signature, other).sentence))
    return others, tried


def candidates(signature: Signature, users: int) -> Iterator[Signature]:
    """Signatures one change away, those of the catalogue, and, with few users, every variant of the metric."""
    yield from changed(signature)
    yield from _with_variants(signature, (entry.variant for entry in CATALOGUE if not entry.variant.metric.needs))
    if users <= MOST_USERS:
        yield from _with_variants(signature, space(signature.variant.metric.name))


def _with_variants(signature: Signature, variants: Iterable[Variant]) -> Iterator[Signature]:
    for variant in variants:
        other = replace(variant, k=variant.k or signature.variant.k)
        if other != signature.variant:
            yield replace(signature, variant=other)
