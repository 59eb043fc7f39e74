"""Trials of conventions: each is asked the core probes until no variant fits its answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from metric_harness.naming.identify import failures, perhaps_changed, still_fitting
from metric_harness.naming.probes.ask import GIVE_UP
from metric_harness.naming.probes.predictions import whole_space
from metric_harness.naming.probes.probe import Probe, core_probes_for
from metric_harness.naming.rounding import changes
from metric_harness.naming.session import Session, unaskable
from metric_harness.naming.target import metric_of_name
from metric_reference.variant import Variant, space

MOST_HANGS = 2
"""After this many conventions that crashed or timed out, and none that gave a number, the others are not tried."""
FEWEST_NUMBERS = 3
"""With fewer different numbers on the probes, a variant that does not hold at size means only a wrong call."""
MOST_ELEMENTS = 24
"""Elements of one return that are audited."""
NOT_LISTED = ("plain", "late_hit", "one_relevant")
"""Probes in which a relevant item is not listed, or a list has no hit up to k or at all."""
MOST_ENTRIES = 5
"""A returned list with more entries than this holds no metrics unless its name is that of one."""


@dataclass
class Trial:
    """A convention under trial.

    order : 0 for the likeliest convention. fitting : variants that fit every answer so far. values : answers to core
    probes. numbers : all different ones, users' values included. refused : number of core probes that raised.
    changed : variants that fit every answer so far, if the answers are rounded or in per cent.
    elements : of a return of several numbers. error : the first one. called : the function was called. hung : it
    crashed or timed out. deep : k is past most lists of the probes, so that a constant answer means nothing.
    refuted : it agreed with a variant on the probes and gave another number at size; raised : it raised there.
    """

    order: int
    name: str
    fitting: list[Variant]
    values: dict[str, float] = field(default_factory=dict)
    numbers: set[float] = field(default_factory=set)
    refused: int = 0
    elements: tuple[str, ...] = ()
    error: str | None = None
    called: bool = False
    hung: bool = False
    changed: list[Variant] = field(default_factory=list)
    deep: bool = False
    refuted: bool = False
    raised: bool = False

    @property
    def constant(self) -> bool:
        """Whether all answers are the same number."""
        return len(self.numbers) == 1 and len(self.values) >= FEWEST_NUMBERS

    @property
    def telling(self) -> bool:
        """Whether enough answers differ for an agreement on the probes to mean something."""
        return self.plausible and len(self.numbers) >= FEWEST_NUMBERS

    @property
    def plausible(self) -> bool:
        """Whether some variant fits, most probes got a number, one is finite, and the numbers differ."""
        return (
            bool(self.fitting or self.changed)
            and any(map(math.isfinite, self.values.values()))
            and len(self.values) > self.refused
            and (self.deep or not self.constant)
        )


def core_for(metric: str | None, probes: Sequence[Probe] | None = None) -> list[Probe]:
    """The core probes, or those of ``probes``, that a function of this metric is asked."""
    probes = core_probes_for(all_items=False, one_relevant=False) if probes is None else probes
    return [probe for probe in probes if metric is None or not probe.metrics or metric in probe.metrics]


def try_conventions(
    session: Session, names: Sequence[str], metric: str | None, step: Callable[[str], None], first: int = 0
) -> list[Trial]:
    """Each convention tried on the core probes, until nothing fits or too many of them hang.

    first : the order of the first one.
    """
    variants = list(whole_space())
    claimed = variants if metric is None else list(space(metric))
    trials: list[Trial] = []
    for order, name in enumerate(names, start=first):
        step(name)
        trials.append(try_core(session, Trial(order, name, variants, changed=claimed), metric))
        if sum(trial.hung for trial in trials) >= MOST_HANGS and not any(trial.values for trial in trials):
            break
    return trials


def try_core(session: Session, trial: Trial, metric: str | None) -> Trial:
    """Ask the core probes until no variant fits, the worker crashes or hangs, or the first few are refused."""
    for probe in core_for(metric, session.core_probes(trial.name)):
        reply = session.probe(trial.name, probe)
        if unaskable(reply):
            continue
        trial.called = True
        trial.error = trial.error or reply.error
        if reply.elements:
            trial.elements, trial.fitting, trial.changed = reply.elements, [], []
            if is_array(session, trial, metric):
                trial.elements = ()
        elif reply.kind not in ("answer", "exception"):
            trial.hung, trial.fitting, trial.changed = True, [], []
        elif reply.value is None:
            trial.refused += 1
            if trial.refused > GIVE_UP and not trial.values:
                trial.fitting, trial.changed = [], []
        else:
            trial.values[probe.name] = reply.value
            trial.numbers.update([reply.value] if reply.values is None else reply.values.tolist())
            trial.fitting = still_fitting(trial.fitting, probe.name, reply.value)
            trial.changed = still_changed(trial) if trial.changed and not trial.fitting else trial.changed
        if not trial.fitting and not trial.changed:
            break
    return trial


def is_array(session: Session, trial: Trial, metric: str | None) -> bool:
    """Whether a long unnamed return holds a number for each user or item rather than several metrics."""
    if len(trial.elements) <= MOST_ENTRIES or not all(element.startswith("[") for element in trial.elements):
        return False
    replies = (session.probe(trial.name, probe) for probe in core_for(metric, session.core_probes(trial.name)))
    return any(len(reply.elements) != len(trial.elements) for reply in replies if not unaskable(reply))


def needs_full_lists(session: Session, name: str, trials: Sequence[Trial]) -> bool:
    """Whether a rare convention whose lists hold every item is worth a trial: the function fails on ordinary lists.

    A function that returns numbers for ordinary lists defines what an unlisted item counts; full lists would hide that.
    """
    ordinary = name.removesuffix("-full").removesuffix(":lists")
    ordinary_trial = next((trial for trial in trials if trial.name == ordinary), None)
    if name == ordinary or ordinary_trial is None or ordinary_trial.raised:
        return True
    probes = [probe for probe in core_probes_for(False, False) if probe.name in NOT_LISTED]
    replies = [session.probe(ordinary, probe) for probe in probes]
    return any(not unaskable(reply) and (reply.value is None or not math.isfinite(reply.value)) for reply in replies)


def still_changed(trial: Trial) -> list[Variant]:
    """The variants that fit every answer so far, if the answers are rounded or in per cent; else none."""
    fitting = (
        variant
        for factor, digits in changes(trial.numbers)
        for variant in perhaps_changed(trial.changed, trial.values, factor, digits)
        if not failures(replace(variant, times=factor, rounded=digits), trial.values)
    )
    return list(dict.fromkeys(fitting))


def elements_of(trials: Sequence[Trial]) -> dict[str, list[str]]:
    """For each element of a return of several numbers, the conventions that give it, as ``CONVENTION#ELEMENT``.

    The entries of a long list beside other results are left out unless the list's name is that of a metric.
    """
    conventions: dict[str, list[str]] = {}
    for trial in trials:
        for element in trial.elements[:MOST_ELEMENTS]:
            conventions.setdefault(element, []).append(f"{trial.name}#{element}")
    entry_counts = Counter(element.partition("[")[0] for element in conventions if "[" in element)
    long_lists = {
        name for name, count in entry_counts.items() if name and count > MOST_ENTRIES and not metric_of_name(name)
    }
    kept = {element: names for element, names in conventions.items() if element.partition("[")[0] not in long_lists}
    return dict(list((kept or conventions).items())[:MOST_ELEMENTS])
