"""Conventions under trial: each is asked the core probes until no variant fits its answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from metric_harness.auditing.session import Session, unaskable
from metric_harness.auditing.target import metric_of_name
from metric_harness.identification.ask_probes import GIVE_UP
from metric_harness.identification.changed_numbers import changes
from metric_harness.identification.identify import failures, perhaps_changed, still_fitting
from metric_harness.identification.predictions import whole_space
from metric_harness.identification.probes import Probe, core_probes_for
from metric_reference.variant import Variant, space

MOST_HANGS = 2
"""After this many conventions that crashed or timed out, and none that gave a number, the others are not tried."""
FEWEST_NUMBERS = 3
"""Different numbers on the probes without which a variant that does not hold at size is no more than a wrong call."""
MOST_ELEMENTS = 24
"""Elements of one return that are audited."""
NOT_LISTED = ("plain", "late_hit", "one_relevant")
"""Probes in which a relevant item is not listed, or a list has no hit up to k, or none at all."""
MOST_ENTRIES = 5
"""A named list of more entries than this, whose name is that of no metric, holds something else."""


@dataclass
class Trial:
    """A convention under trial.

    place : in the order of likelihood. fitting : variants that fit every answer so far. values : answers to core
    probes. numbers : all of them, values by user among them. refused : core probes on which the function raised.
    changed : variants that fit every answer so far, if the answers are rounded or in per cent.
    elements : of a return of several numbers. error : the first one. called : the function was called at all. hung : it
    crashed or timed out. deep : k is past most lists of the probes, so that one number for all of them means nothing.
    refuted : it agreed with a variant on the probes, and gave another number at size; raised : it raised there.
    """

    place: int
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
        """Whether it answered one number to everything that it was asked."""
        return len(self.numbers) == 1 and len(self.values) >= FEWEST_NUMBERS

    @property
    def telling(self) -> bool:
        """Whether its answers are enough to say of a variant that it agrees on the probes."""
        return self.plausible and len(self.numbers) >= FEWEST_NUMBERS

    @property
    def plausible(self) -> bool:
        """Whether some variant fits, most probes got a number, and the numbers are not all one."""
        telling = any(map(math.isfinite, self.values.values()))
        return (
            bool(self.fitting or self.changed)
            and telling
            and len(self.values) > self.refused
            and (self.deep or not self.constant)
        )


def core_for(metric: str | None, probes: Sequence[Probe] | None = None) -> list[Probe]:
    """Those of the core probes that a function of this metric is asked."""
    probes = core_probes_for(all_items=False, one_relevant=False) if probes is None else probes
    return [probe for probe in probes if metric is None or not probe.metrics or metric in probe.metrics]


def try_conventions(
    session: Session, names: Sequence[str], metric: str | None, step: Callable[[str], None], first: int = 0
) -> list[Trial]:
    """Each convention tried on the core probes, until nothing fits or too many of them hang.

    first : the place of the first one.
    """
    variants = list(whole_space())
    claimed = variants if metric is None else list(space(metric))
    trials: list[Trial] = []
    for place, name in enumerate(names, start=first):
        step(name)
        trials.append(try_core(session, Trial(place, name, variants, changed=claimed), metric))
        if sum(trial.hung for trial in trials) >= MOST_HANGS and not any(trial.values for trial in trials):
            break
    return trials


def try_core(session: Session, trial: Trial, metric: str | None) -> Trial:
    """Ask the core probes until no variant fits, the worker crashes or hangs, or the first few are refused."""
    for probe in core_for(metric, session.core(trial.name)):
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
    """Whether a long return without names has a number for each user or item: it is no set of metrics."""
    if len(trial.elements) <= MOST_ENTRIES or not all(element.startswith("[") for element in trial.elements):
        return False
    replies = (session.probe(trial.name, probe) for probe in core_for(metric, session.core(trial.name)))
    return any(len(reply.elements) != len(trial.elements) for reply in replies if not unaskable(reply))


def wants_everything(session: Session, name: str, trials: Sequence[Trial]) -> bool:
    """Whether a rare convention whose lists hold every item is worth a trial.

    It is where the function fails, or gives NaN, for ordinary lists: one that gives a number for what is not listed
    says what that is worth, which lists of everything would hide.
    """
    plain = name.removesuffix("-full").removesuffix(":lists")
    tried = next((trial for trial in trials if trial.name == plain), None)
    if name == plain or tried is None or tried.raised:
        return True
    asked = [probe for probe in core_probes_for(False, False) if probe.name in NOT_LISTED]
    replies = [session.probe(plain, probe) for probe in asked]
    return any(not unaskable(reply) and (reply.value is None or not math.isfinite(reply.value)) for reply in replies)


def still_changed(trial: Trial) -> list[Variant]:
    """The variants that fit every answer so far if the answers are rounded or in per cent; none if they are not."""
    possible = changes(trial.numbers)
    fitting = {
        v: None
        for by, to in possible
        for v in perhaps_changed(trial.changed, trial.values, by, to)
        if not failures(replace(v, times=by, rounded=to), trial.values)
    }
    return list(fitting)


def elements_of(trials: Sequence[Trial]) -> dict[str, list[str]]:
    """Where calls return several numbers: for each element the conventions that give it, as ``CONVENTION#ELEMENT``.

    A long list beside other results, whose name is that of no metric, is no set of metrics: its entries are left out.
    """
    out: dict[str, list[str]] = {}
    for trial in trials:
        for element in trial.elements[:MOST_ELEMENTS]:
            out.setdefault(element, []).append(f"{trial.name}#{element}")
    entries = Counter(element.partition("[")[0] for element in out if "[" in element)
    lists = {name for name, count in entries.items() if name and count > MOST_ENTRIES and not metric_of_name(name)}
    kept = {element: names for element, names in out.items() if element.partition("[")[0] not in lists}
    return dict(list((kept or out).items())[:MOST_ELEMENTS])
