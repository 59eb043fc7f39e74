"""The right way of calling a function: candidates from the probes, decided by verification at size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from metric_harness.naming.call_precedence import restricts, reversed_order
from metric_harness.naming.cases.verification_cases import FUNCTION, LIBRARY, VECTORS
from metric_harness.naming.evidence import Verification, limits_of, verify
from metric_harness.naming.full_lists import full_lists, of_the_list, without_k
from metric_harness.naming.identify import Identification, ProbeAnswer, identify
from metric_harness.naming.probes.probe import core_names
from metric_harness.naming.session import Session
from metric_harness.naming.trials import FEWEST_NUMBERS, Trial, core_for
from metric_reference.variant import Variant
from metric_reports.types.common import REFUSED, VERIFIED

ASKED_WITHOUT_FIT = 4
"""Conventions that are asked every probe where no convention fits a variant."""
MOST_ATTEMPTS = 3
"""Attempts at verifying conventions that fit the same variants on the probes."""
IN_VECTORS = {"y_true", "y_true_graded", "y_score", "labels", "scores", "positive_first", "positive_scores"}
IN_VECTORS |= {"distances", "gallery_distances", "similarity", "y_listed", "item_ranks"}
"""Roles that hold a number for every item of the catalogue."""


@dataclass(frozen=True, kw_only=True)
class Called:
    """A convention under which every probe was asked: its identification, and the evidence."""

    name: str
    identification: Identification
    answers: dict[str, ProbeAnswer]
    evidence: Verification

    @property
    def variant(self) -> Variant | None:
        """The variant that its answers suggest."""
        return self.identification.variant


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The way of calling that was chosen.

    rivals : other ways of calling that were verified too, as other variants; ``chosen`` is then only the likeliest.
    trials : every convention that was tried.
    """

    chosen: Called
    rivals: tuple[Called, ...] = ()
    trials: tuple[Trial, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether the chosen way is verified; rivals may be verified too."""
        return self.chosen.evidence.confidence == VERIFIED


def choose(session: Session, trials: Sequence[Trial], metric: str | None, contradicted: set[str]) -> Choice:
    """The convention that is verified as the claimed metric; else as another metric; else the one that fits best.

    contradicted : conventions that the parameters' names speak against. They are chosen only where no other is
    verified; where none computes the claimed metric, names alone do not decide between two orders of arguments.
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
    """The best verified convention, its rivals, and the conventions that fit only the probes."""

    def claims(trial: Trial) -> bool:
        return metric is None or any(variant.metric.name == metric for variant in trial.fitting or trial.changed)

    best: tuple[Called, bool] | None = None
    rivals: list[Called] = []
    weaker: list[Called] = []
    attempts: Counter[tuple[Variant, ...]] = Counter()
    likeliest = sorted(
        (trial for trial in trials if trial.plausible),
        key=lambda trial: (not claims(trial), trial.name in contradicted, trial.order),
    )
    for trial in likeliest:
        variants = tuple(trial.fitting or trial.changed)
        if attempts[variants] >= MOST_ATTEMPTS:
            continue
        if best is not None and best[1] and (not claims(trial) or trial.name in contradicted):
            break
        if best is not None and renamed(trial.name, best[0].name, contradicted):
            continue
        attempts[variants] += 1
        answers = session.probes(trial.name, metric)
        identified = identify(metric, answers)
        if identified.variant is None:
            continue
        called = verify_call(session, trial.name, identified, answers)
        if called.evidence.confidence != VERIFIED:
            departure = called.evidence.departure
            if trial.telling and departure is not None:
                trial.refuted, trial.raised = departure.value is not None, departure.value is None
            weaker += [called] if trial.telling else []
            continue
        attempts[variants] = MOST_ATTEMPTS
        if best is None or better(called, best[0], metric):
            best = (called, claims(trial))
        elif rival(called, best[0]):
            rivals.append(called)
    if best is None:
        return None, (), weaker
    return best[0], tuple(called for called in rivals if rival(called, best[0])), weaker


def choose_given(session: Session, trial: Trial, metric: str | None) -> Choice:
    """The choice of the convention that the user gave."""
    answers = session.probes(trial.name, metric)
    identified = identify(metric, answers)
    if identified.variant is not None:
        return Choice(chosen=verify_call(session, trial.name, identified, answers), trials=(trial,))
    return Choice(
        chosen=Called(name=trial.name, identification=identified, answers=answers, evidence=refused(trial, answers)),
        trials=(trial,),
    )


def verify_call(session: Session, name: str, identified: Identification, answers: dict[str, ProbeAnswer]) -> Called:
    """A convention under which the verification cases are asked too."""
    if session.target.library is not None:
        size = LIBRARY
    else:
        size = VECTORS if in_vectors(name.partition("#")[0]) else FUNCTION
    limits = limits_of(identified, answers, size)
    limits = replace(limits, most_k=session.own_cut(name), all_items=session.scores_all_items(name))
    limits = replace(limits, candidates=session.candidates(name))
    refined, evidence = verify(lambda case, k: session.verification(name, case, k), identified, answers, limits)
    if limits.all_items and limits.most_k is None:
        refined = without_k(refined, hits_alone=full_lists(name) and name.startswith("relevance"))
    elif full_lists(name):
        refined = of_the_list(refined, answers)
    return Called(name=name, identification=refined, answers=answers, evidence=evidence)


def in_vectors(name: str) -> bool:
    """Whether a convention passes a number for every item of the catalogue."""
    return bool(set(name.partition(":")[0].split(",")) & IN_VECTORS) or full_lists(name)


def answered(called: Called) -> int:
    """Number of core probes that got a number."""
    return len(core_values(called.answers))


def ends(called: Called) -> bool:
    """Whether the variant of a way of calling looks at k."""
    return called.variant is not None and called.variant.metric.made().get("cut", "k") != "none"


def restricted(narrow: Called, wide: Called) -> bool:
    """Whether one way of calling shows less of the same function than another one."""
    if reversed_order(narrow.name, wide.name):  # with the arguments swapped, k cuts something that is no list
        return ends(wide) and not ends(narrow)
    are_sums = [called.variant is not None and called.variant.weight == "sum" for called in (narrow, wide)]
    return restricts(narrow.name, wide.name, *are_sums)


def better(called: Called, best: Called, metric: str | None) -> bool:
    """Whether a verified way of calling replaces the best one so far: it shows the same and more."""
    if restricted(called, best):
        return without_gains(called, best, metric)
    if restricted(best, called):
        return not without_gains(best, called, metric)
    return answered(called) > 2 * answered(best)


def without_gains(plain: Called, graded: Called, metric: str | None) -> bool:
    """Whether ``plain`` is a metric without gains, and ``graded`` one with gains that the function does not claim.

    With gains of 1 the listed share of the gains is the recall, so a function that is called recall has no gains.
    """

    def gain(call: Called) -> str | None:
        return None if call.variant is None else call.variant.metric.made().get("gain")

    return metric != "ndcg" and gain(plain) is None and gain(graded) not in (None, "binary")


def renamed(name: str, best: str, contradicted: set[str]) -> bool:
    """Whether the parameters' names speak against one way of calling and not against the best one.

    They do not decide between two orders of the same arguments.
    """
    against, against_best = (convention.partition("#")[0] in contradicted for convention in (name, best))
    return against and not against_best and not reversed_order(name, best)


def rival(called: Called, best: Called) -> bool:
    """Whether a verified way of calling is another reading of the function, as good as the best one."""
    if restricted(called, best) or restricted(best, called) or 2 * answered(called) < answered(best):
        return False
    assert called.variant is not None
    assert best.variant is not None
    return replace(called.variant, weight="user") != replace(best.variant, weight="user")


def nearest_call(session: Session, trials: Sequence[Trial], metric: str | None) -> Called:
    """Where no convention fits, the one whose answers are nearest to a variant; its evidence is refused."""
    rows = []
    for trial in worth_asking(trials):
        answers = session.probes(trial.name, metric)
        identified = identify(metric, answers)
        if identified.variant is not None and tells(answers) and len(trial.values) > trial.refused:
            called = verify_call(session, trial.name, identified, answers)
            if called.evidence.confidence == VERIFIED:
                return called
        if identified.variant is not None or not tells(answers):  # a constant, or a fit on too few answers
            identified = replace(identified, variant=None, alternatives=[], expected={}, nearest=[])
        called = Called(name=trial.name, identification=identified, answers=answers, evidence=refused(trial, answers))
        rows.append((distance(called, trial, metric), trial.order, called))
    return min(rows, key=lambda row: row[:2])[2]


def refused(trial: Trial, answers: Mapping[str, ProbeAnswer]) -> Verification:
    """The evidence of a convention that was asked all probes and fits no variant, with the reason."""
    core = [answer.value for name, answer in answers.items() if name in core_names()]
    values = [value for value in core if value is not None]
    if not values:
        reason = f"no probe got a number: {trial.error or 'this way of calling cannot express them'}"
    elif len(set(values)) == 1 and len(values) >= FEWEST_NUMBERS:
        reason = f"every answer is {values[0]:.6g}: a constant tells no definition apart"
    elif len(values) <= len(core) // 2:
        reason = f"most probes raised an error: {trial.error}"
    else:
        reason = "no known definition fits the probes"
    return Verification(confidence=REFUSED, reason=reason)


def tells(answers: dict[str, ProbeAnswer]) -> bool:
    """Whether the core probes got different numbers."""
    values = core_values(answers)
    return any(value != values[0] for value in values)


def core_values(answers: dict[str, ProbeAnswer]) -> list[float]:
    """The numbers that the core probes got."""
    return [value for name, answer in answers.items() if name in core_names() and (value := answer.value) is not None]


def worth_asking(trials: Sequence[Trial]) -> list[Trial]:
    """The likeliest conventions with distinct answers; where none gave a number, the likeliest one."""
    distinct: dict[str, Trial] = {}
    for trial in trials:
        if trial.values:
            distinct.setdefault(repr(trial.values), trial)
    telling = [trial for trial in distinct.values() if not trial.constant] or list(distinct.values())
    return telling[:ASKED_WITHOUT_FIT] or [trial for trial in trials if trial.called][:1] or list(trials[:1])


def distance(called: Called, trial: Trial, metric: str | None) -> float:
    """Distance to the nearest variant: a penalty for probes failed, refused or not expressed, and for the rank."""
    core = [answer.value for name, answer in called.answers.items() if name in core_names()]
    unanswered = sum(value is None for value in core) + len(core_for(metric)) - len(core)
    constant = len({value for value in core if value is not None}) < 2
    failed = min((len(names) for _, names in called.identification.nearest), default=len(core))
    return failed + 2 * unanswered + 5 * constant + trial.order
