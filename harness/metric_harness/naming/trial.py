"""The trial of one attempt: it is asked the core probes until no variant fits its answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from metric_harness.naming.attempt import Attempt, asking
from metric_harness.naming.identify import failures, has_user_values, perhaps_changed, still_fitting
from metric_harness.naming.probes.ask import GIVE_UP
from metric_harness.naming.probes.predictions import expected_of_users, whole_space
from metric_harness.naming.probes.probe import Probe
from metric_harness.naming.question import Question
from metric_harness.naming.rounding import changes
from metric_harness.worker.reply import Reply
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant, space

Ask = Callable[[Attempt, Question], Reply]
"""Asks a function a question in the way of an attempt."""
FEWEST_NUMBERS = 3
"""With fewer different numbers on the probes, a variant that does not hold at size means only a wrong call."""
MOST_ENTRIES = 5
"""A returned list with more entries than this holds no metrics unless its name is that of one."""


@dataclass
class Trial:
    """An attempt under trial.

    order : 0 for the likeliest attempt. fitting : variants that fit every answer so far; changed : those that fit if
    the answers are rounded or in per cent. values : answers to core probes. numbers : all different ones, users' values
    included; of_one : the answers to probes with one user. unanswered : the core probes that raised. elements : of
    a return of several numbers. error : the first one; missing : the first module that is not installed. called : the
    function was called. hung : it crashed or timed out. by_rank : the function returned a number for each rank. refuted
    : it agreed with a variant on the probes and gave another number at size; raised : it raised there.
    """

    order: int
    attempt: Attempt
    fitting: list[Variant]
    changed: list[Variant]
    values: dict[str, float] = field(default_factory=dict)
    numbers: set[float] = field(default_factory=set)
    of_one: set[float] = field(default_factory=set)
    unanswered: list[str] = field(default_factory=list)
    elements: tuple[str, ...] = ()
    error: str | None = None
    missing: str | None = None
    called: bool = False
    hung: bool = False
    by_rank: bool = False
    refuted: bool = False
    raised: bool = False

    @property
    def refused(self) -> int:
        """Number of core probes that raised, but for those where the first variant that fits leaves out a user."""
        variant = next(iter((*self.fitting, *self.changed)), None)
        if variant is None or not has_user_values(variant):
            return len(self.unanswered)
        return sum(bool(expected_of_users(variant, name, STANDARD)[1].all()) for name in self.unanswered)

    @property
    def constant(self) -> bool:
        """Whether all answers are the same number."""
        return all_equal(self.numbers) and len(self.values) >= FEWEST_NUMBERS

    @property
    def telling(self) -> bool:
        """Whether enough answers differ for an agreement on the probes to mean something."""
        return self.plausible and len(self.numbers) >= FEWEST_NUMBERS

    @property
    def plausible(self) -> bool:
        """Whether some variant fits, most probes got a number, one is finite, and the numbers differ.

        Where the only k asked is past most lists, a constant answer is plausible too, if no probe raised.
        """
        return (
            bool(self.fitting or self.changed)
            and any(map(math.isfinite, self.values.values()))
            and len(self.values) > self.refused
            and (not self.constant or (self.attempt.only_cut and not self.refused))
        )

    def claims(self, metric: str | None) -> bool:
        """Whether a variant of this metric fits; any variant where no metric is claimed."""
        return metric is None or any(variant.metric.name == metric for variant in self.fitting or self.changed)


def all_equal(numbers: Iterable[float]) -> bool:
    """Whether the finite ones of some numbers are equal within rounding; False where there are none."""
    finite = [number for number in numbers if math.isfinite(number)]
    return bool(finite) and math.isclose(min(finite), max(finite), rel_tol=1e-9)


def core_for(metric: str | None, probes: Sequence[Probe]) -> list[Probe]:
    """Those of the core probes that a function of this metric is asked."""
    return [probe for probe in probes if metric is None or not probe.metrics or metric in probe.metrics]


def tried(ask: Ask, attempt: Attempt, metric: str | None, order: int) -> Trial:
    """Ask the core probes until no variant fits, the worker crashes or hangs, or the first few are refused."""
    variants = list(whole_space())
    trial = Trial(order, attempt, variants, variants if metric is None else list(space(metric)))
    for probe in core_for(metric, attempt.core_probes()):
        reply = ask(attempt, asking(probe))
        if reply.kind == "cannot_show":
            continue
        trial.called = True
        trial.error = trial.error or reply.error
        trial.missing = trial.missing or reply.missing
        trial.by_rank = trial.by_rank or reply.by_rank
        if reply.elements:
            trial.fitting, trial.changed = [], []
            elements = without_long_lists(reply.elements)
            trial.elements = () if _is_array(ask, attempt, elements, metric) else elements
        elif reply.failed:
            trial.hung, trial.fitting, trial.changed = True, [], []
        elif reply.value is None:
            trial.unanswered.append(probe.name)
            if len(trial.unanswered) > GIVE_UP and not trial.values:
                trial.fitting, trial.changed = [], []
        else:
            trial.values[probe.name] = reply.value
            trial.numbers.update([reply.value] if reply.values is None else reply.values.tolist())
            trial.of_one.update([reply.value] if probe.case.users == 1 else [])
            trial.fitting = still_fitting(trial.fitting, probe.name, reply.value)
            trial.changed = _still_changed(trial) if trial.changed and not trial.fitting else trial.changed
        if not trial.fitting and not trial.changed:
            break
    return trial


def _is_array(ask: Ask, attempt: Attempt, elements: Sequence[str], metric: str | None) -> bool:
    """Whether a long unnamed return holds a number for each user or item rather than several metrics."""
    unnamed = all(element.startswith("[") and element.endswith("]") for element in elements)  # [0].mrr has a name
    if len(elements) <= MOST_ENTRIES or not unnamed:
        return False
    replies = (ask(attempt, asking(probe)) for probe in core_for(metric, attempt.core_probes()))
    counts = (len(without_long_lists(reply.elements)) for reply in replies if reply.kind != "cannot_show")
    return any(count != len(elements) for count in counts)


def without_long_lists(elements: Sequence[str]) -> tuple[str, ...]:
    """The results without the entries of long lists inside a tuple, ``[1][0]`` to ``[1][40]``, unless all are such."""
    inside = Counter(name.rpartition("[")[0] for name in elements if name.startswith("["))
    kept = [name for name in elements if not (place := name.rpartition("[")[0]) or inside[place] <= MOST_ENTRIES]
    return tuple(kept or elements)


def _still_changed(trial: Trial) -> list[Variant]:
    """The variants that fit every answer so far, if the answers are rounded or in per cent; else none."""
    fitting = (
        variant
        for change in changes(trial.numbers, trial.of_one)
        for variant in perhaps_changed(trial.changed, trial.values, change.times, change.rounded)
        if (changed := change.of(variant)) is not None and not failures(changed, trial.values)
    )
    return list(dict.fromkeys(fitting))
