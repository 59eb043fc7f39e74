"""A cut-off that is written into a function: as ``rank < 10``, as ``range(5)``, in the name of a result."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metric_harness.auditing.calling import Called, Choice, verified_calls
from metric_harness.auditing.session import Session
from metric_harness.auditing.trials import Trial, try_core
from metric_harness.identification.predictions import whole_space
from metric_reference.variant import space

MOST_LIMITS = 3
"""Constants of a function that are tried as its cut-off."""
DEEP = 1000
"""A cut-off at which what is no share is larger than 1."""
MOST_CONVENTIONS = 8
"""Conventions under which each is tried."""


def at_own_cut(session: Session, choice: Choice, metric: str | None, contradicted: set[str], text: str) -> Choice:
    """The choice that is verified where the function is asked no deeper than a constant of its source; else the choice.

    Lists end at k, up to the constant; if nothing fits so, they hold every item, and k is the constant.

    text : the target; a number in the name of a result of several is its cut-off.
    """
    likely = sorted(choice.trials, key=lambda trial: not trial.values)
    trials = [trial for trial in likely if trial.called and limits_of(session, trial)][:MOST_CONVENTIONS]
    for limit in tried(list(dict.fromkeys(end for trial in trials for end in limits_of(session, trial))), text):
        names = [trial.name for trial in trials if limit in limits_of(session, trial)]
        for asked in (session.limits, session.fixed):
            asked.update(dict.fromkeys(names, limit))
            best, rivals, _ = verified_calls(session, asked_again(session, names, metric), metric, contradicted)
            if best is not None and bounded(best):
                return Choice(chosen=best, rivals=rivals, trials=choice.trials)
            for name in names:
                del asked[name]
    return past_k(session, choice, metric, contradicted)


def past_k(session: Session, choice: Choice, metric: str | None, contradicted: set[str]) -> Choice:
    """The choice that is verified where the lists hold every item: one of several results may not look at k."""
    named = [trial.name for trial in choice.trials if trial.values and "#" in trial.name]
    names = [one for one in named if "full_lists_at_k" in session.convention_of(one)["needs"]][:MOST_CONVENTIONS]
    session.whole.update(names)
    best, rivals, _ = verified_calls(session, asked_again(session, names, metric), metric, contradicted)
    if best is not None and bounded(best):
        return Choice(chosen=best, rivals=rivals, trials=choice.trials)
    session.whole.difference_update(names)
    return choice


def bounded(one: Called) -> bool:
    """Whether a value of the variant is a share. With one relevant item a user, a rank is a sum of some metric too."""
    return one.variant is not None and one.variant.metric.bounds(DEEP)[1] <= 1.0


def said(session: Session, name: str) -> list[str]:
    """What a reader should know of a function that was asked at a cut-off of its own, or with columns of zeros."""
    zeros = session.convention_of(name)["zeros"]
    out = [f"{' and '.join(zeros)} held 0 in every row: what other values do was not asked"] if zeros else []
    if name in session.whole:
        return [*out, "it looks past the k that it takes: it was asked with lists of every item"]
    found = session.own_cut(name)
    if found is None:
        return out
    asked = "at no other" if name in session.fixed else "no deeper"
    return [*out, f"its source holds the cut-off {found}: it was asked {asked}"]


def limits_of(session: Session, trial: Trial) -> list[int]:
    """The constants that may be a cut-off, where the convention hands over no k.

    In sessions of one size first the number in the name of a result: ``return p_1 / n, r_2 / n``.
    """
    row, element = session.convention_of(trial.name), trial.name.partition("#")[2].strip("[]")
    limits, returned = list(row["limits"]), row["returned"]
    if session.candidates(trial.name) is not None and element.isdigit() and int(element) < len(returned):
        numbered = (re.search(r"(?:[_@]|[a-z]{2})(\d+)$", name) for name in returned[int(element)])
        limits[:0] = [int(found[1]) for found in numbered if found][:1]
    return limits


def tried(limits: Sequence[int], text: str) -> list[int]:
    """The constants to try: the one in the name of the result; the likeliest where that name holds no number."""
    element = text.rpartition("[")[2] if text.endswith("]") else ""
    named = [int(number) for number in re.findall(r"\d+", element)] if not element.rstrip("]").isdigit() else []
    return [number for number in named[-1:] if number in limits] if named else list(limits[:MOST_LIMITS])


def asked_again(session: Session, names: Sequence[str], metric: str | None) -> list[Trial]:
    """The conventions tried on the core probes that do not look past the cut-off."""
    variants = list(whole_space())
    claimed = variants if metric is None else list(space(metric))
    return [
        try_core(session, Trial(place, name, variants, changed=claimed, deep=name in session.fixed), metric)
        for place, name in enumerate(names)
    ]
