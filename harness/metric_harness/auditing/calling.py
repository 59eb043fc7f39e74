"""Which way of calling a function is the right one: candidates from the probes, decided by verification at size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from metric_harness.auditing.call_precedence import restricts, reversed_order
from metric_harness.auditing.full_lists import full_lists, of_the_list, without_k
from metric_harness.auditing.session import Session
from metric_harness.auditing.trials import FEWEST_NUMBERS, Trial, core_for
from metric_harness.identification.identify import Identification, ProbeAnswer, identify
from metric_harness.identification.probes import core_names
from metric_harness.verification.cases import FUNCTION, LIBRARY, VECTORS
from metric_harness.verification.verify import REFUSED, VERIFIED, Verification, limits_of, verify
from metric_reference.variant import Variant

ASKED_WITHOUT_FIT = 4
"""Conventions that are asked every probe where no variant fits under any."""
MOST_ATTEMPTS = 3
"""Conventions that are verified where the probes cannot tell them apart and none was verified yet."""
IN_VECTORS = {"y_true", "y_true_graded", "y_score", "labels", "scores", "positive_first", "positive_scores"}
IN_VECTORS |= {"distances", "gallery_distances", "similarity", "y_listed", "item_ranks"}
"""Roles that hold a number for every item of the catalogue."""


@dataclass(frozen=True, kw_only=True)
class Called:
    """A convention under which every probe was asked: the variant that it suggests, and the evidence."""

    name: str
    found: Identification
    answers: dict[str, ProbeAnswer]
    evidence: Verification

    @property
    def variant(self) -> Variant | None:
        """The variant that it suggests."""
        return self.found.variant


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The way of calling that was chosen.

    rivals : other ways of calling that were verified too, as other variants; then none is chosen, and ``chosen`` is the
    likeliest. trials : every convention that was tried.
    """

    chosen: Called
    rivals: tuple[Called, ...] = ()
    trials: tuple[Trial, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether the way that was chosen is verified; others may be too."""
        return self.chosen.evidence.confidence == VERIFIED


def choose(session: Session, trials: Sequence[Trial], metric: str | None, contradicted: set[str]) -> Choice:
    """The convention that is verified as the claimed metric; else as another metric; else the one that fits best.

    contradicted : conventions that the names of the parameters speak against. They are chosen only where nothing else
    is verified; where nothing computes the metric claimed, names alone do not decide between two orders of arguments.
    """
    best, rivals, weaker = verified_calls(session, trials, metric, contradicted)
    if best is not None:
        return Choice(chosen=best, rivals=rivals, trials=tuple(trials))
    if weaker:
        strongest = min(weaker, key=lambda called: called.evidence.confidence == REFUSED)
        return Choice(chosen=strongest, trials=tuple(trials))
    return Choice(chosen=nearest_call(session, trials, metric), trials=tuple(trials))


def verified_calls(
    session: Session, trials: Sequence[Trial], metric: str | None, contradicted: set[str]
) -> tuple[Called | None, tuple[Called, ...], list[Called]]:
    """The best convention that is verified, other readings that are as good, and those that fit the probes alone."""

    def claims(trial: Trial) -> bool:
        return metric is None or any(variant.metric.name == metric for variant in trial.fitting or trial.changed)

    best: tuple[Called, bool] | None = None
    rivals: list[Called] = []
    weaker: list[Called] = []
    attempts: Counter[tuple[Variant, ...]] = Counter()
    likeliest = sorted(
        (trial for trial in trials if trial.plausible),
        key=lambda trial: (not claims(trial), trial.name in contradicted, trial.place),
    )
    for trial in likeliest:
        fits = tuple(trial.fitting or trial.changed)
        if attempts[fits] >= MOST_ATTEMPTS:
            continue
        if best is not None and best[1] and (not claims(trial) or trial.name in contradicted):
            break
        if best is not None and renamed(trial.name, best[0].name, contradicted):
            continue
        attempts[fits] += 1
        answers = session.probes(trial.name, metric)
        identified = identify(metric, answers)
        if identified.variant is None:
            continue
        called = verified(session, trial.name, identified, answers)
        if called.evidence.confidence != VERIFIED:
            departure = called.evidence.departure
            if trial.telling and departure is not None:
                trial.refuted, trial.raised = departure.value is not None, departure.value is None
            weaker += [called] if trial.telling else []
            continue
        attempts[fits] = MOST_ATTEMPTS
        if best is None or better(called, best[0], metric):
            best = (called, claims(trial))
        elif rival(called, best[0]):
            rivals.append(called)
    if best is None:
        return None, (), weaker
    return best[0], tuple(called for called in rivals if rival(called, best[0])), weaker


def only(session: Session, trial: Trial, metric: str | None) -> Choice:
    """The convention that the user gave: it is certain, so a function that is constant under it is called that."""
    answers = session.probes(trial.name, metric)
    identified = identify(metric, answers)
    if identified.variant is not None:
        return Choice(chosen=verified(session, trial.name, identified, answers), trials=(trial,))
    return Choice(
        chosen=Called(name=trial.name, found=identified, answers=answers, evidence=refused(trial, answers)),
        trials=(trial,),
    )


def verified(session: Session, name: str, found: Identification, answers: dict[str, ProbeAnswer]) -> Called:
    """A convention with its verification cases asked."""
    if session.target.library is not None:
        size = LIBRARY
    else:
        size = VECTORS if in_vectors(name.partition("#")[0]) else FUNCTION
    limits = limits_of(found, answers, size)
    limits = replace(limits, most_k=session.own_cut(name), all_items=session.scores_all(name))
    limits = replace(limits, candidates=session.candidates(name))
    after, evidence = verify(lambda asked, k: session.verification(name, asked, k), found, answers, limits)
    if limits.all_items and limits.most_k is None:
        after = without_k(after, hits_alone=full_lists(name) and name.startswith("relevance"))
    elif full_lists(name):
        after = of_the_list(after, answers)
    return Called(name=name, found=after, answers=answers, evidence=evidence)


def in_vectors(name: str) -> bool:
    """Whether a convention hands over a number for every item of the catalogue."""
    return bool(set(name.partition(":")[0].split(",")) & IN_VECTORS) or full_lists(name)


def answered(called: Called) -> int:
    """Core probes that got a number."""
    return sum(a.value is not None for name, a in called.answers.items() if name in core_names())


def ends(called: Called) -> bool:
    """Whether the variant of a way of calling looks at k."""
    return called.variant is not None and called.variant.metric.made().get("cut", "k") != "none"


def restricted(narrow: Called, wide: Called) -> bool:
    """Whether one way of calling shows less of the same function than another."""
    if reversed_order(narrow.name, wide.name):  # where k is applied to what is no list, nothing is cut
        return ends(wide) and not ends(narrow)
    sums = [called.variant is not None and called.variant.weight == "sum" for called in (narrow, wide)]
    return restricts(narrow.name, wide.name, *sums)


def better(called: Called, best: Called, metric: str | None) -> bool:
    """Whether a verified way of calling takes the place of the best one so far: it shows the same and more."""
    if restricted(called, best):
        return without_gains(called, best, metric)
    if restricted(best, called):
        return not without_gains(best, called, metric)
    return answered(called) > 2 * answered(best)


def without_gains(one: Called, other: Called, metric: str | None) -> bool:
    """Whether one is a metric without gains, and the other is one with gains, which the function does not claim.

    The share of the gains that is found is the recall where each gain is 1: who says recall means that.
    """

    def gain(called: Called) -> str | None:
        return None if called.variant is None else called.variant.metric.made().get("gain")

    return metric != "ndcg" and gain(one) is None and gain(other) not in (None, "binary")


def renamed(name: str, best: str, contradicted: set[str]) -> bool:
    """Whether the names of the parameters speak against one way of calling, not against the best one.

    Between two orders of the same arguments the names alone do not decide.
    """
    against, for_best = name.partition("#")[0] in contradicted, best.partition("#")[0] not in contradicted
    return against and for_best and not reversed_order(name, best)


def rival(called: Called, best: Called) -> bool:
    """Whether a verified way of calling is another reading of the function, as good as the best one."""
    if restricted(called, best) or restricted(best, called) or 2 * answered(called) < answered(best):
        return False
    assert called.variant is not None
    assert best.variant is not None
    return replace(called.variant, weight="user") != replace(best.variant, weight="user")


def nearest_call(session: Session, trials: Sequence[Trial], metric: str | None) -> Called:
    """The convention whose answers are nearest to some variant, where none fits; its evidence is refused."""
    rows = []
    for trial in worth_asking(trials):
        answers = session.probes(trial.name, metric)
        identified = identify(metric, answers)
        if identified.variant is not None and tells(answers) and len(trial.values) > trial.refused:
            called = verified(session, trial.name, identified, answers)
            if called.evidence.confidence == VERIFIED:
                return called
        if identified.variant is not None or not tells(answers):  # too little to say, or a constant
            identified = replace(identified, variant=None, alternatives=[], expected={}, nearest=[])
        called = Called(name=trial.name, found=identified, answers=answers, evidence=refused(trial, answers))
        rows.append((distance(called, trial, metric), trial.place, called))
    return min(rows, key=lambda row: row[:2])[2]


def refused(trial: Trial, answers: Mapping[str, ProbeAnswer]) -> Verification:
    """Why there is no name under a convention whose probes were all asked."""
    core = [answer.value for name, answer in answers.items() if name in core_names()]
    given = [value for value in core if value is not None]
    if not given:
        reason = f"no probe got a number: {trial.error or 'this way of calling cannot express them'}"
    elif len(set(given)) == 1 and len(given) >= FEWEST_NUMBERS:
        reason = f"every answer is {given[0]:.6g}: a constant tells no definition apart"
    elif len(given) <= len(core) // 2:
        reason = f"most probes raised an error: {trial.error}"
    else:
        reason = "no known definition fits the probes"
    return Verification(confidence=REFUSED, reason=reason)


def tells(answers: dict[str, ProbeAnswer]) -> bool:
    """Whether the probes of the definition got different numbers."""
    values = core_values(answers)
    return any(value != values[0] for value in values)


def core_values(answers: dict[str, ProbeAnswer]) -> list[float]:
    """The numbers that the probes of the definition got."""
    return [value for name, answer in answers.items() if name in core_names() and (value := answer.value) is not None]


def worth_asking(trials: Sequence[Trial]) -> list[Trial]:
    """The likeliest conventions that gave numbers, each kind of answer once; the likeliest of all where none did."""
    answered: dict[str, Trial] = {}
    for trial in trials:
        if trial.values:
            answered.setdefault(repr(trial.values), trial)
    telling = [trial for trial in answered.values() if not trial.constant] or list(answered.values())
    return telling[:ASKED_WITHOUT_FIT] or [trial for trial in trials if trial.called][:1] or list(trials[:1])


def distance(called: Called, trial: Trial, metric: str | None) -> float:
    """How far the nearest variant is: probes failed, refused or not expressed, and the place in the order."""
    core = [answer.value for name, answer in called.answers.items() if name in core_names()]
    refused = sum(value is None for value in core) + len(core_for(metric)) - len(core)
    constant = len({value for value in core if value is not None}) < 2
    failed = min((len(names) for _, names in called.found.nearest), default=len(core))
    return failed + 2 * refused + 5 * constant + trial.place
