"""A cut-off that a function's source holds: ``rank < 10``, ``range(5)``, or in the name of a result."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metric_harness.naming.calling import Called, Choice, verified_calls
from metric_harness.naming.probes.predictions import whole_space
from metric_harness.naming.session import Session
from metric_harness.naming.trials import Trial, try_core
from metric_reference.variant import space

MOST_LIMITS = 3
"""Constants of a function's source that are tried as its cut-off."""
DEEP = 1000
"""A cut-off at which values of unbounded metrics exceed 1."""
MOST_CONVENTIONS = 8
"""Conventions under which each constant is tried."""


def at_own_cut(session: Session, choice: Choice, metric: str | None, contradicted: set[str], text: str) -> Choice:
    """A choice verified with the function asked at no k above a constant of its source; else the given choice.

    Lists first end at k, up to the constant; if no variant fits, they hold every item and k is the constant.

    text : the target; where it names one of several results, a number in that name is its cut-off.
    """
    likely = sorted(choice.trials, key=lambda trial: not trial.values)
    trials = [trial for trial in likely if trial.called and limits_of(session, trial)][:MOST_CONVENTIONS]
    for limit in limits_to_try(list(dict.fromkeys(end for trial in trials for end in limits_of(session, trial))), text):
        names = [trial.name for trial in trials if limit in limits_of(session, trial)]
        for cuts in (session.cut_limits, session.fixed_cuts):
            cuts.update(dict.fromkeys(names, limit))
            best, rivals, _ = verified_calls(session, retry_core_probes(session, names, metric), metric, contradicted)
            if best is not None and bounded(best):
                return Choice(chosen=best, rivals=rivals, trials=choice.trials)
            for name in names:
                del cuts[name]
    return past_k(session, choice, metric, contradicted)


def past_k(session: Session, choice: Choice, metric: str | None, contradicted: set[str]) -> Choice:
    """A choice verified with lists of every item, as one of several results may ignore k; else the given choice."""
    named = [trial.name for trial in choice.trials if trial.values and "#" in trial.name]
    names = [name for name in named if "full_lists_at_k" in session.convention_of(name)["needs"]][:MOST_CONVENTIONS]
    session.past_k.update(names)
    best, rivals, _ = verified_calls(session, retry_core_probes(session, names, metric), metric, contradicted)
    if best is not None and bounded(best):
        return Choice(chosen=best, rivals=rivals, trials=choice.trials)
    session.past_k.difference_update(names)
    return choice


def bounded(called: Called) -> bool:
    """Whether the variant is bounded by 1; with one relevant item for each user, a rank is some metric's sum too."""
    return called.variant is not None and called.variant.metric.bounds(DEEP)[1] <= 1.0


def cut_notes(session: Session, name: str) -> list[str]:
    """Notes on a function that was asked at its own cut-off, with lists of every item or with columns of zeros."""
    zeros = session.convention_of(name)["zeros"]
    notes = [f"{' and '.join(zeros)} held 0 in every row: what other values do was not asked"] if zeros else []
    if name in session.past_k:
        return [*notes, "it looks past the k that it takes: it was asked with lists of every item"]
    cut = session.own_cut(name)
    if cut is None:
        return notes
    depth = "at no other" if name in session.fixed_cuts else "no deeper"
    return [*notes, f"its source holds the cut-off {cut}: it was asked {depth}"]


def limits_of(session: Session, trial: Trial) -> list[int]:
    """The constants of the source that may be a cut-off, where the convention passes no k.

    Where all users have the same number of candidates, the number in the name of a result, as in
    ``return p_1 / n, r_2 / n``, comes first.
    """
    row, element = session.convention_of(trial.name), trial.name.partition("#")[2].strip("[]")
    limits, returned = list(row["limits"]), row["returned"]
    if session.candidates(trial.name) is not None and element.isdigit() and int(element) < len(returned):
        numbered = (re.search(r"(?:[_@]|[a-z]{2})(\d+)$", name) for name in returned[int(element)])
        limits[:0] = [int(match[1]) for match in numbered if match][:1]
    return limits


def limits_to_try(limits: Sequence[int], text: str) -> list[int]:
    """The constants to try: the number in the name of the result; if it has none, the likeliest ones."""
    element = text.rpartition("[")[2] if text.endswith("]") else ""
    named = [int(number) for number in re.findall(r"\d+", element)] if not element.rstrip("]").isdigit() else []
    return [number for number in named[-1:] if number in limits] if named else list(limits[:MOST_LIMITS])


def retry_core_probes(session: Session, names: Sequence[str], metric: str | None) -> list[Trial]:
    """New trials of conventions on the core probes that the session now allows."""
    variants = list(whole_space())
    claimed = variants if metric is None else list(space(metric))
    return [
        try_core(session, Trial(order, name, variants, changed=claimed, deep=name in session.fixed_cuts), metric)
        for order, name in enumerate(names)
    ]
