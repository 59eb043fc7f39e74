"""What an attempt showed, and the way of calling that was chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from metric_adapters.calls.container import CONTAINERS, Holds
from metric_adapters.calls.role import ROLES, Fact
from metric_harness.naming.attempt import Attempt
from metric_harness.naming.contradiction import Contradiction
from metric_harness.naming.evidence import Verification
from metric_harness.naming.identify import Identification, ProbeAnswer
from metric_harness.naming.probes.probe import core_of
from metric_harness.naming.trial import Trial
from metric_reference.variant import Variant, computes
from metric_reports.types.common import IN_PART, REFUSED, VERIFIED


@dataclass(frozen=True, kw_only=True)
class Called:
    """An attempt under which every probe was asked: its identification, and the evidence.

    asked : the identification that was verified, before a full list's was read as one that takes no k.
    """

    attempt: Attempt
    identification: Identification
    asked: Identification
    answers: dict[str, ProbeAnswer]
    evidence: Verification

    @property
    def variant(self) -> Variant | None:
        """The variant that its answers suggest."""
        return self.identification.variant

    @property
    def departs(self) -> bool:
        """Whether an answer at size was another number than its variant's."""
        departure = self.evidence.departure
        return departure is not None and departure.value is not None

    @property
    def takes_labels(self) -> bool:
        """Whether relevance is 0 or 1: the call shows no gains, or the function raised for them."""
        roles = self.attempt.call.roles
        return any(ROLES[role].has(Fact.BINARY) for role in roles) or self.evidence.labels_alone

    @property
    def as_many_candidates(self) -> bool:
        """Whether each user has as many candidates as any other: a rectangle of scores holds them."""
        call = self.attempt.call
        rows = bool(call.container) and CONTAINERS[call.container].has(Holds.ROWS)
        return rows and any(ROLES[role].has(Fact.CANDIDATES) for role in call.roles)

    @property
    def numbers(self) -> list[float]:
        """The numbers that the core probes got."""
        return [value for name in core_of(self.answers) if (value := self.answers[name].value) is not None]

    @property
    def looks_at_k(self) -> bool:
        """Whether its variant looks at k."""
        if self.variant is None:
            return False
        made = self.variant.metric.made()
        return made.get("cut", "k") != "none" and (self.variant.metric.lists or "within" in made)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The way of calling that was chosen.

    rivals : other ways of calling that were verified too, as other variants; ``chosen`` is then only the likeliest. Or
    ``chosen`` alone, against which parameters' names speak.
    stacked : the reading of the entries of all users in one row, where the chosen one is of one user at a time.
    trials : every attempt that was tried at first. metric : the one that the function, or this element, claims.
    contradiction : a wider way of calling that departs from the chosen one's variant. cut : the cut-off in the code of
    a function that takes no k. only_where : conditions on ids and judgements where the name
    holds; labels_alone : it holds only for labels 0 and 1. within : other limits of the name, in words.
    """

    chosen: Called
    rivals: tuple[Called, ...] = ()
    stacked: Called | None = None
    contradiction: Contradiction | None = None
    cut: int | None = None
    only_where: tuple[str, ...] = ()
    labels_alone: bool = False
    within: tuple[str, ...] = ()
    trials: tuple[Trial, ...] = ()
    metric: str | None = None

    @property
    def verified(self) -> bool:
        """Whether the chosen way is verified and no wider one contradicts it; rivals may be verified too."""
        return self.chosen.evidence.confidence == VERIFIED and self.contradiction is None

    @property
    def variant(self) -> Variant | None:
        """The variant by which the function is named; None where an answer contradicts it or there is a rival."""
        named = self.chosen.evidence.confidence != REFUSED and not self.rivals and self.contradiction is None
        return self.chosen.variant if named else None

    @property
    def doubted(self) -> bool:
        """Whether the name of one of several parameters speaks against the way of calling."""
        call = self.chosen.attempt.call
        return len(call.roles) > 1 and bool(call.against)

    @property
    def doubt(self) -> str:
        """The parameters whose names speak against the way of calling, and how to say that it is right."""
        call = self.chosen.attempt.call
        return f"{', '.join(call.against)}; `--convention {call.name}` says that it is right" if call.against else ""

    @property
    def claims_none(self) -> bool:
        """Whether it is of one of several results that claims no metric."""
        return self.chosen.attempt.claims_none(self.metric)

    @property
    def claims_hold(self) -> bool:
        """Whether it is named by a variant of the metric that is claimed."""
        return self.variant is not None and computes(self.variant, self.metric)

    def with_evidence(self, **changes: Any) -> Choice:
        """The choice with some fields of its evidence changed."""
        return replace(self, chosen=replace(self.chosen, evidence=replace(self.chosen.evidence, **changes)))

    def in_part(self, reason: str) -> Choice:
        """The choice, verified in part; a reason that it has already comes first."""
        reasons = filter(None, (self.chosen.evidence.reason, reason))
        return self.with_evidence(confidence=IN_PART, reason="; ".join(reasons))
