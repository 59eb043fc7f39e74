"""The search for the right way of calling a function: attempts and what answers them, no input or output.

Every attempt is tried on the core probes; those that some variant fits are verified at size, the likeliest first. Where
none is verified, further attempts are made from them: at a cut-off that the source holds, with lists of every item,
with NaN read as 0.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count

from metric_adapters.calls.cut_offs import AT_ONE
from metric_adapters.calls.role import ROLES, Fact
from metric_harness.naming.attempt import Attempt, asking
from metric_harness.naming.chance import by_chance
from metric_harness.naming.choice import Called, Choice
from metric_harness.naming.contradiction import Contradiction, how_far
from metric_harness.naming.evidence import Verification, unlikely, verify
from metric_harness.naming.full_lists import of_the_list, without_k
from metric_harness.naming.identify import Identification, ProbeAnswer, identify, undecided_between
from metric_harness.naming.metric_names import metric_of_name, metrics_in_name
from metric_harness.naming.precedence import restricts, stacks
from metric_harness.naming.probes.probe import build, core_of, core_probes
from metric_harness.naming.question import Question, differ
from metric_harness.naming.rivals import (
    better,
    by_names,
    may_show_ties,
    misread,
    part_of,
    passes_candidates,
    renamed,
    rival,
)
from metric_harness.naming.trial import FEWEST_NUMBERS, MOST_ENTRIES, Ask, Trial, all_equal, core_for, tried
from metric_harness.worker.messages import OfferedCall
from metric_reference.narrowed import EVERYTHING
from metric_reference.variant import Variant, computes
from metric_reports.types.common import IN_PART, PROBES_ONLY, REFUSED, VERIFIED

MOST_HANGS = 2
"""After this many attempts that crashed or timed out, and none that gave a number, the others are not tried."""
MOST_ELEMENTS = 24
"""Elements of one return that are audited."""
COUNT = "hits"
"""The name of an element that is no metric but a number of hits, or of users with one."""
NOT_LISTED = ("plain", "late_hit", "one_relevant")
"""Probes in which a relevant item is not listed, or a list has no hit up to k or at all."""
ASKED_WITHOUT_FIT = 4
"""Attempts that are asked every probe where no attempt fits a variant."""
MOST_OF_SAME_FIT = 3
"""Attempts that are verified of those that fit the same variants on the probes."""
MOST_NUMBERED = 2
"""Attempts that are tried again with items numbered from 1."""
MOST_LIMITS = 3
"""Constants of a function's source that are tried as its cut-off."""
NUMBERS = {"one": "1", "three": "3", "five": "5", "ten": "10", "twenty": "20", "fifty": "50", "hundred": "100"}
NUMBER = re.compile(rf"(?<![a-z])({'|'.join(NUMBERS)})(?![a-z])")
"""Numbers as words in the names of results: ``recall_at_five``."""
LAST_NUMBER = re.compile(r"(?:@|_|\b[Rr]ank[- ]?|\b[Tt]op[- ]?|(?![Ff])[A-Za-z])(\d+)$")
"""The cut-off in the name of a result: ``recall@10``, ``top 5``, ``mrr10``, not ``f1``."""
MOST_SECOND, PAST_K_ASKED = 8, 4
"""Attempts that are tried again at each such constant, and with each further presumption."""
DEEP = 1000
"""A cut-off at which values of unbounded metrics exceed 1."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is looked for.

    metric : the one that the function claims, None if its name does not tell. function : its name. given : the metric
    and the call are the user's own words (each None or False where they are to be found).
    """

    metric: str | None
    function: str = ""
    given_metric: str | None = None
    given_call: bool = False


def search(
    ask: Ask, calls: Sequence[OfferedCall], wanted: Wanted, step: Callable[[Attempt], None] = lambda attempt: None
) -> dict[str, Choice]:
    """The choice for a function, under an empty name; for one that returns several metrics, one for each element.

    calls : the likeliest first. step : called before each attempt that is usual.
    """
    usual = [Attempt(call=call) for call in calls if wanted.given_call or not call.rare]
    rare = [Attempt(call=call) for call in calls if call.rare and not wanted.given_call]
    trials = try_all(ask, usual, wanted.metric, step)
    choices, found, more = concluded(ask, trials, wanted), {}, []
    if rare and not gives_a_name(choices) and not any(trial.refuted for trial in trials):
        rare = [attempt for attempt in rare if not hides_the_unjudged(attempt, trials)]
        rare = [attempt for attempt in rare if not trials or needs_full_lists(ask, attempt, trials)]
        more = try_all(ask, rare, wanted.metric, first=len(trials))
        found = concluded(ask, more, wanted)
        if gives_a_name(found) and rare_holds(found, more, wanted.metric):
            choices = {element: replace(choice, trials=(*trials, *choice.trials)) for element, choice in found.items()}
    choices = choices or {"": choose(ask, trials or more, wanted.metric)}
    if wanted.given_call:
        return choices
    if "" in choices:
        choices = {"": second_look(ask, choices[""])}
    claimed = any(choice.verified and choice.claims_hold for choice in found.values())
    if claimed and not any(choice.variant for choice in choices.values()) and rare_holds(found, more, wanted.metric):
        choices = found
    return {element: contested(ask, choice, calls) for element, choice in choices.items()}


def contested(ask: Ask, choice: Choice, calls: Sequence[OfferedCall], again: bool = False) -> Choice:
    """A choice with the wider way of calling that contradicts it, if there is one.

    again : it is a second look at a choice that was contradicted.
    """
    attempt, identified = choice.chosen.attempt, choice.chosen.asked
    if choice.variant is None or not choice.verified:
        return choice
    holds = how_far(ask, attempt, identified, calls)
    against = holds.against
    if against is None:
        return replace(choice, cut=holds.cut, only_where=holds.only_where, labels_alone=holds.labels_alone)
    reason = f"another way of calling it departs; it holds only where {' and '.join(against.only_where)}"
    refused = replace(choice.with_evidence(confidence=REFUSED, reason=reason), contradiction=against)
    if again:
        return refused
    for other in (second_look(ask, replace(refused, contradiction=None)), wider_reading(ask, refused, against)):
        other = contested(ask, other, calls, again=True)
        if other.contradiction is not None and other.chosen.attempt.cut is not None:
            other = contested(ask, wider_reading(ask, other, other.contradiction), calls, again=True)
        if other.verified:
            return other
    return refused


def wider_reading(ask: Ask, choice: Choice, against: Contradiction) -> Choice:
    """A choice that a wider call contradicts, read under that call, where it is verified as another variant there.

    The same choice where it is not. Where longer lists contradict it, the cut-off in the code is the only k asked; so
    it is where lists that end before it show no bounded variant but one with an ideal of a fixed depth.
    """
    attempt, narrow = against.attempt, choice.chosen.attempt
    cut = attempt.own_cut if against.whole else narrow.cut
    if against.whole or (cut is not None and narrow.domain.lists == "cut at k" != attempt.domain.lists):
        attempt = replace(attempt, cut=cut, full_lists=True)
    ends_before = attempt.cut is not None and not attempt.full_lists
    for reading in (attempt, replace(attempt, full_lists=True)) if ends_before else (attempt,):
        trial = tried(ask, reading, choice.metric, 0)
        best, *_ = verified_calls(ask, [trial], choice.metric)
        best = best or called(ask, trial, choice.metric)
        if best.variant is None or best.evidence.confidence != VERIFIED or by_chance(best, choice.metric):
            continue
        if reading.full_lists or not ends_before or ideal_at_k(best.variant):
            return replace(choice, chosen=best, rivals=(), contradiction=None)
    return choice


def under_a_limit(ask: Ask, choice: Choice, calls: Sequence[OfferedCall]) -> Choice | None:
    """A choice that departed when it was asked again, under a call that differs from its own in a limit alone.

    As with scores above 0. None where there is no such call, or where it is not verified as the same variant.
    """
    chosen = choice.chosen
    departure, own = chosen.evidence.departure, chosen.attempt.call
    for call in calls if departure is not None and departure.value is not None else ():
        pairs = [(role, other) for role, other in zip(call.roles, own.roles, strict=False) if role != other]
        alike = (call.container, call.ends, len(call.roles)) == (own.container, own.ends, len(own.roles))
        if alike and len(pairs) == 1 and ROLES[pairs[0][0]].within and not ROLES[pairs[0][1]].within:
            narrow = called(ask, tried(ask, replace(chosen.attempt, call=call), choice.metric, 0), choice.metric)
            if narrow.evidence.confidence == VERIFIED and narrow.asked.variant == chosen.asked.variant:
                return replace(choice, chosen=narrow, rivals=(), stacked=None)
    return None


def decided(choice: Choice) -> Choice:
    """The choice, verified in part where other variants fit all that was asked and its inputs tell them apart.

    So is one whose way of calling a parameter's name speaks against, if it has one parameter or computes what it
    claims. Others that names speak against are refused first, and rival themselves until the way of calling is given.
    """
    called, domain = choice.chosen, choice.chosen.attempt.domain
    # in a list of every item, each relevant item is a hit
    few = domain.relevant == "one" or domain.candidates is not None or called.attempt.all_items
    others = called.identification.undecided(
        one_relevant=few, binary=called.takes_labels, as_many=called.as_many_candidates
    )
    if called.evidence.confidence not in (VERIFIED, IN_PART):
        return choice
    if choice.doubted and not choice.claims_hold and not choice.rivals:
        refused = choice.with_evidence(confidence=REFUSED, reason="names of parameters speak against the call")
        return replace(refused, rivals=(refused.chosen,))
    if others:
        return choice.in_part(undecided_between(others))
    return choice.in_part(f"against this way of calling it: {choice.doubt}") if choice.doubt else choice


def gives_a_name(choices: Mapping[str, Choice]) -> bool:
    """Whether the function is verified under the chosen way of calling, or an element of its return has a name.

    A way of calling that is doubted gives none.
    """
    told = {element: choice for element, choice in choices.items() if not choice.doubted}
    return any(choice.variant is not None if element else choice.verified for element, choice in told.items())


def try_all(
    ask: Ask,
    attempts: Sequence[Attempt],
    metric: str | None,
    step: Callable[[Attempt], None] = lambda attempt: None,
    first: int = 0,
) -> list[Trial]:
    """Each attempt tried on the core probes, until too many of them hang. first : the order of the first one."""
    trials: list[Trial] = []
    for order, attempt in enumerate(attempts, start=first):
        step(attempt)
        trials.append(tried(ask, attempt, metric, order))
        if sum(trial.hung for trial in trials) >= MOST_HANGS and not any(trial.values for trial in trials):
            break
    return trials


def concluded(ask: Ask, trials: Sequence[Trial], wanted: Wanted) -> dict[str, Choice]:
    """The choice from some trials, or that for each element of a return; empty where no trial is plausible."""
    if wanted.given_call and (any(trial.plausible for trial in trials) or not elements_of(trials)):
        return {"": choose_given(ask, trials[0], wanted.metric)}
    if any(trial.plausible for trial in trials):
        return {"": choose(ask, trials, wanted.metric)}
    elements = {} if single_first(trials) else elements_of(trials)
    return choose_elements(ask, elements, wanted) if elements else {}


def single_first(trials: Sequence[Trial]) -> bool:
    """Whether the first call with a number gives NaN on some probe or that at rank 1, before any with several results.

    No variant fits them until NaN is read as 0 and k is 1, and a wrong call may return an array.
    """
    single = next((trial for trial in trials if trial.values), None)
    several = next((trial.order for trial in trials if trial.elements), -1)
    if single is None or single.order >= several:
        return False
    return single.attempt.call.at_one or any(map(math.isnan, single.values.values()))


def rare_holds(choices: Mapping[str, Choice], trials: Sequence[Trial], metric: str | None) -> bool:
    """Whether a name that rare ways of calling give can be believed; they express few inputs.

    The metric must be the one that the function's name claims. A frame with several label or score columns must give
    the same metric whichever of them is filled; the others are 0.
    """
    if "" not in choices or choices[""].chosen.variant is None:
        return not any(choice.chosen.attempt.call.zeros for choice in choices.values())
    variant, chosen = choices[""].chosen.variant, choices[""].chosen.attempt
    if not computes(variant, metric):
        return False
    labelled = [
        trial for trial in trials if trial.attempt.call.roles == ("labelled_frame",) and trial.attempt.call.zeros
    ]
    same = all(any(fit.metric.name == variant.metric.name for fit in trial.fitting) for trial in labelled)
    return same or not chosen.call.zeros


def hides_the_unjudged(attempt: Attempt, trials: Sequence[Trial]) -> bool:
    """Whether a dict that holds every item hides what a function makes of those that nobody judged.

    So it does where a dict without them gave numbers.
    """
    roles = attempt.call.roles
    wider = tuple("grades" if role == "grade_of_each" else role for role in roles)
    same = (trial for trial in trials if trial.attempt.call.roles == wider != roles)
    return any(len(trial.values) > trial.refused for trial in same)


def needs_full_lists(ask: Ask, attempt: Attempt, trials: Sequence[Trial]) -> bool:
    """Whether a rare call whose lists hold every item is worth a trial: the function fails on ordinary lists.

    A function that returns numbers for ordinary lists defines what an unlisted item counts; full lists would hide that.
    """
    same = [trial for trial in trials if attempt.call.ends == "catalogue" and trial.attempt.call.ends == "list"]
    same = [trial for trial in same if trial.attempt.call.roles == attempt.call.roles]
    ordinary = next((trial for trial in same if trial.attempt.call.container == attempt.call.container), None)
    if ordinary is None or ordinary.raised:
        return True
    probes = [probe for probe in core_probes() if probe.name in NOT_LISTED]
    replies = [ask(ordinary.attempt, asking(probe)) for probe in probes]
    shown = [reply for reply in replies if reply.kind != "cannot_show"]
    return any(reply.value is None or not math.isfinite(reply.value) for reply in shown)


def elements_of(trials: Sequence[Trial]) -> dict[str, list[Attempt]]:
    """For each element of a return of several numbers, the attempts that give it.

    The entries of a long list beside other results are left out unless the list's name is that of a metric; those of a
    list that other trials read as one result, always.
    """
    attempts: dict[str, list[Attempt]] = {}
    for trial in trials:
        for element in trial.elements[:MOST_ELEMENTS]:
            attempts.setdefault(element, []).append(replace(trial.attempt, element=element))
    counts = Counter(element.partition("[")[0] for element in attempts if "[" in element)
    long_lists = {name for name, count in counts.items() if name and count > MOST_ENTRIES and not metric_of_name(name)}
    whole = {element for element in attempts if element and "[" not in element}
    left_out = long_lists | {element.partition("[")[0] for element in attempts if "[" in element} & whole
    kept = {
        name: group for name, group in attempts.items() if "[" not in name or name.partition("[")[0] not in left_out
    }
    return dict(list((kept or attempts).items())[:MOST_ELEMENTS])


def choose_elements(ask: Ask, elements: Mapping[str, Sequence[Attempt]], wanted: Wanted) -> dict[str, Choice]:
    """The choice for each element of a return that holds several metrics.

    The claimed metric is that of the element's name; else of its name in the source's return statement, unless two have
    the same there; else, if the function's name mentions as many metrics as there are elements, the one in the same
    position, or each its own if they compute these metrics in another order. One call returns all elements: one without
    a variant is tried again in the ways that are verified for others. One that claims no metric has only those of the
    elements that compute what they claim, without an error for ordinary users if there is such a call; one that
    computes another metric than it claims, or raises such an error, is tried again in these.
    """
    mentioned = metrics_in_name(wanted.function)
    by_place = len(mentioned) == len(elements) and wanted.given_metric is None
    in_order = dict(zip(elements, mentioned, strict=True)) if by_place else {}
    by_source = claimed_by_source(next((each.call.returned for group in elements.values() for each in group), ()))
    if in_order and len(set(by_source.values())) < len(by_source):  # return hits / k, hits
        by_source = {}

    def choice_of(element: str, attempts: Sequence[Attempt]) -> Choice:
        named = None if element == COUNT else metric_of_name(element) or by_source.get(element) or in_order.get(element)
        metric = wanted.given_metric or named
        trials = try_all(ask, attempts, metric)
        if wanted.given_call:
            return choose_given(ask, trials[0], metric)
        return second_look(ask, choose(ask, trials, metric))

    choices = {element: choice_of(element, attempts) for element, attempts in elements.items()}
    named = [choice for choice in choices.values() if choice.variant and choice.verified]
    verified = calls_of(named)
    claiming = [choice for choice in named if choice.metric]
    meant = calls_of(filter(sound, claiming)) or calls_of(claiming)
    for element, choice in list(choices.items()):
        unlike = bool(meant) and choice.chosen.attempt.call.name not in meant
        unclaimed, astray = unlike and not choice.metric, unlike and choice in claiming and not sound(choice)
        calls = meant if unclaimed or astray else verified
        attempts = [attempt for attempt in elements[element] if attempt.call.name in calls]
        if (unclaimed or astray or choice.variant is None) and attempts and len(attempts) < len(elements[element]):
            again = choice_of(element, attempts)
            holds = again.variant and again.verified and (not astray or sound(again))
            choices[element] = again if unclaimed or holds else choice
    computed = [choice.variant.metric.name for choice in choices.values() if choice.variant]
    if in_order and not by_source and sorted(computed) == sorted(mentioned):  # in another order than in the name
        choices = {
            element: choice if metric_of_name(element) else replace(choice, metric=metric)
            for (element, choice), metric in zip(choices.items(), computed, strict=True)
        }
    return {element: choice for element, choice in choices.items() if not unnamed_curve(choice)} or choices


def calls_of(choices: Iterable[Choice]) -> set[str]:
    """The names of the calls of choices."""
    return {choice.chosen.attempt.call.name for choice in choices}


def sound(choice: Choice) -> bool:
    """Whether a result computes the metric that it claims, and raises no error for ordinary users."""
    return choice.claims_hold and choice.chosen.evidence.raised is None


def unnamed_curve(choice: Choice) -> bool:
    """Whether a result is a number for each rank that claims no metric and follows none: hits so far, for example."""
    return choice.metric is None and choice.variant is None and any(trial.by_rank for trial in choice.trials)


def claimed_by_source(returned: Sequence[Sequence[str]]) -> dict[str, str]:
    """The metric that each element of a return claims to be: the first one that its names in the source mention."""
    claims = {}
    for position, names in enumerate(returned):
        metrics = [metric for name in names if (metric := metric_of_name(name)) is not None]
        if metrics:
            claims[f"[{position}]"] = metrics[0]
    return claims


def choose(ask: Ask, trials: Sequence[Trial], metric: str | None) -> Choice:
    """The attempt that is verified as the claimed metric; else as another metric; else the one that fits best.

    Calls that the parameters' names speak against are chosen only where no other is verified; where none computes the
    claimed metric, names alone do not decide between two orders of arguments. A call that the names of all parameters
    speak against is not chosen alone.
    """
    best, rivals, stacked, weaker = verified_calls(ask, trials, metric)
    if best is not None and not rivals and len(best.attempt.call.against) == len(best.attempt.call.roles) > 1:
        best = None  # as its names have it, it computes nothing that is known
    refuted = [each.attempt.call for each in weaker if each.departs]
    refuted += [trial.attempt.call for trial in trials if trial.values and not trial.plausible]
    weaker = [
        each
        for each in weaker
        if each.departs or not any(stacks(each.attempt.call, call) for call in refuted)  # it was asked one at a time
    ]
    if best is None and weaker:
        best = min(weaker, key=lambda called: called.evidence.confidence == REFUSED)
    if best is None:
        best = nearest_call(ask, trials, metric)
    return Choice(chosen=best, rivals=rivals, stacked=stacked, trials=tuple(trials), metric=metric)


def choose_given(ask: Ask, trial: Trial, metric: str | None) -> Choice:
    """The choice of the call that the user gave."""
    return Choice(chosen=called(ask, trial, metric), trials=(trial,), metric=metric)


def choose_asked(ask: Ask, attempt: Attempt, metric: str | None) -> Choice:
    """The choice of the one way of asking a function of a library or a program."""
    answers = attempt.probe_answers(partial(ask, attempt), metric)
    chosen = verified_call(ask, attempt, identify(metric, answers), answers)
    return Choice(chosen=chosen, metric=metric)


def called(ask: Ask, trial: Trial, metric: str | None, at_size: bool = True) -> Called:
    """An attempt asked every probe, and verified where a variant fits; of candidates, those of any metric.

    at_size : False: the probes are enough.
    """
    side = partial(ask, trial.attempt)
    answers = trial.attempt.probe_answers(side, None if passes_candidates(trial.attempt) else metric)
    identified = identify(metric, answers)
    if identified.variant is None:
        return without_fit(trial, identified, answers)
    if at_size:
        return verified_call(ask, trial.attempt, identified, answers)
    evidence = Verification(confidence=PROBES_ONLY)
    return Called(
        attempt=trial.attempt, identification=identified, asked=identified, answers=answers, evidence=evidence
    )


def verified_call(ask: Ask, attempt: Attempt, identified: Identification, answers: dict[str, ProbeAnswer]) -> Called:
    """An attempt under which the verification cases are asked too."""
    if any(ROLES[role].has(Fact.PREDICTED) for role in attempt.call.roles):
        identified = with_predicted(identified)
    limits = attempt.limits(identified, answers)
    asked, evidence = verify(partial(ask, attempt), identified, answers, limits)
    if evidence.confidence == PROBES_ONLY and limits.short_lists:  # rows of a matrix hold no list shorter than others
        again = verify(partial(ask, attempt), identified, answers, replace(limits, short_lists=False))
        asked, evidence = again if again[1].confidence == VERIFIED else (asked, evidence)
    refined = asked
    full = attempt.call.ends == "catalogue"
    if limits.all_items and limits.most_k is None:
        refined = without_k(refined, hits_alone=full and attempt.call.roles[0].startswith("relevance"))
    elif full or attempt.call.vector:
        refined = of_the_list(refined, answers)
    return Called(attempt=attempt, identification=refined, asked=asked, answers=answers, evidence=evidence)


def with_predicted(identified: Identification) -> Identification:
    """The identification with the same variants over items predicted to be relevant, which one case at size shows."""
    fitting = [v for v in (identified.variant, *identified.alternatives) if v is not None and v.metric.lists]
    predicted = [replace(variant, only="predicted") for variant in fitting if variant.only == EVERYTHING]
    return replace(identified, alternatives=[*identified.alternatives, *predicted])


def without_fit(trial: Trial, identified: Identification, answers: dict[str, ProbeAnswer]) -> Called:
    """An attempt that was asked all probes and fits no variant, with the reason."""
    core = [answers[name].value for name in core_of(answers)]
    values = [value for value in core if value is not None]
    if not values:
        reason = f"no probe got a number: {trial.error or 'this way of calling cannot express them'}"
    elif all_equal(values) and len(values) >= FEWEST_NUMBERS:
        reason = f"every answer is {values[0]:.6g}: a constant tells no definition apart"
    elif len(values) <= len(core) // 2:
        reason = f"most probes raised an error: {trial.error}"
    else:
        reason = "no known definition fits the probes"
    evidence = Verification(confidence=REFUSED, reason=reason)
    return Called(
        attempt=trial.attempt, identification=identified, asked=identified, answers=answers, evidence=evidence
    )


def verified_calls(
    ask: Ask, trials: Sequence[Trial], metric: str | None
) -> tuple[Called | None, tuple[Called, ...], Called | None, list[Called]]:
    """The best verified attempt, its rivals, its reading of all users in one row, and what fits only the probes."""

    def against(trial: Trial) -> bool:  # parameters' names speak of the whole function, not of one result
        return bool(trial.attempt.call.against) and not trial.attempt.element

    best: tuple[Called, bool] | None = None
    rivals: list[Called] = []
    stacked: Called | None = None
    weaker: list[Called] = []
    settled: set[tuple[Variant, ...]] = set()
    asked: Counter[tuple[tuple[Variant, ...], str]] = Counter()  # numbers may fail where texts do not
    plausible = [trial for trial in trials if trial.plausible and not misread(trial, trials)]
    order = sorted(plausible, key=lambda trial: (not trial.claims(metric), against(trial), trial.order))
    for trial in order:
        variants, claims = tuple(trial.fitting or trial.changed), trial.claims(metric)
        same = (variants, trial.attempt.domain.ids)
        if variants in settled or asked[same] >= MOST_OF_SAME_FIT:
            continue
        told_off = not claims or (against(trial) and not (best and restricts(best[0].attempt.call, trial.attempt.call)))
        overruled = best is not None and (by_names(trial, best[0]) or may_show_ties(trial, best[0]))
        if best is not None and best[1] and told_off and not overruled:
            continue
        if best is not None and renamed(trial.attempt.call, best[0].attempt.call):
            continue
        if best is not None and part_of(trial, best[0], metric):
            settled.add(variants)
            continue
        if best is not None and stacks(trial.attempt.call, best[0].attempt.call):
            settled.add(variants)
            reading = called(ask, trial, metric, at_size=False)  # many users in one row take long
            stacked = reading if not by_chance(reading, metric) and rival(reading, best[0], metric) else stacked
            continue
        asked[same] += 1
        result = called(ask, trial, metric)
        if result.evidence.confidence == PROBES_ONLY:  # another way of calling may be asked more
            asked[same] -= 1
        if result.variant is None or by_chance(result, metric):
            continue
        if result.evidence.confidence != VERIFIED:
            departure = result.evidence.departure
            if trial.telling and departure is not None:
                trial.refuted, trial.raised = departure.value is not None, departure.value is None
            others = (number for (fit, ids), number in asked.items() if fit == variants and ids != same[1])
            tells = trial.telling and max(others, default=0) < MOST_OF_SAME_FIT
            weaker += [result] if tells and not trial.attempt.claims_none(metric) else []
            continue
        settled.add(variants)
        if best is None or better(result, best[0], metric):
            best = (result, claims)
        elif rival(result, best[0], metric):
            rivals.append(result)
    if best is None:
        return None, (), None, weaker
    return best[0], tuple(other for other in rivals if rival(other, best[0], metric)), stacked, weaker


def nearest_call(ask: Ask, trials: Sequence[Trial], metric: str | None) -> Called:
    """Where no attempt fits, the one whose answers are nearest to a variant; its evidence is refused.

    One of several results that claims no metric is read in the likeliest way alone.
    """
    rows = []
    for trial in worth_asking(trials)[: 1 if trials[0].attempt.claims_none(metric) else None]:
        answers = trial.attempt.probe_answers(partial(ask, trial.attempt), metric)
        identified = identify(metric, answers)
        values = [value for name in core_of(answers) if (value := answers[name].value) is not None]
        tells = not all_equal(values)
        told = tells and len(trial.values) > trial.refused and not misread(trial, trials)
        against: Verification | None = None
        if identified.variant is not None and told:
            result = verified_call(ask, trial.attempt, identified, answers)
            if result.evidence.confidence == VERIFIED and result.variant is not None:
                chance = by_chance(result, metric)
                if not chance:
                    return result
                against = unlikely(result.variant, chance)
        past_k = of_judged_lists(ask, trial.attempt, metric) if told else None
        if past_k is not None:
            return past_k
        if identified.variant is not None or not tells:  # a constant, or a fit on too few answers
            identified = replace(identified, variant=None, alternatives=[], expected={}, nearest=[])
        result = without_fit(trial, identified, answers)
        if against is not None:
            result = replace(result, evidence=against)
        rows.append((distance(result, trial, metric), trial.order, result))
    return min(rows, key=lambda row: row[:2])[2]


def of_judged_lists(ask: Ask, attempt: Attempt, metric: str | None) -> Called | None:
    """A function without k that is verified to leave out unjudged items of lists which go on past k; else None.

    It counts ranks without them, so that lists which end at k show it fewer ranks.
    """
    if attempt.call.ends != "list" or attempt.domain.k == "given" or not attempt.judges:
        return None
    past_k = replace(attempt, by_rank=True)
    answers = past_k.probe_answers(partial(ask, past_k), metric)
    identified = identify(metric, answers)
    if identified.variant is None or identified.variant.only != "judged":
        return None
    result = verified_call(ask, past_k, identified, answers)
    return result if result.evidence.confidence == VERIFIED and not by_chance(result, metric) else None


def worth_asking(trials: Sequence[Trial]) -> list[Trial]:
    """The likeliest attempts with distinct answers, those of other roles in turn; without a number the likeliest."""
    distinct: dict[tuple[tuple[str, ...], str], Trial] = {}
    for trial in trials:
        if trial.values:
            distinct.setdefault((trial.attempt.call.roles, repr(trial.values)), trial)
    telling = [trial for trial in distinct.values() if not trial.constant] or list(distinct.values())
    turns: dict[tuple[str, ...], Iterator[int]] = defaultdict(count)
    telling.sort(key=lambda trial: next(turns[trial.attempt.call.roles]))
    return telling[:ASKED_WITHOUT_FIT] or [trial for trial in trials if trial.called][:1] or list(trials[:1])


def distance(result: Called, trial: Trial, metric: str | None) -> float:
    """Distance to the nearest variant: a penalty for probes failed, refused or not expressed, and for the rank."""
    unanswered = len(core_for(metric, core_probes())) - len(result.numbers)
    constant = all_equal(result.numbers)
    failed = min((len(names) for _, names in result.identification.nearest), default=len(core_of(result.answers)))
    return failed + 2 * unanswered + 5 * constant + trial.order


def second_look(ask: Ask, choice: Choice) -> Choice:
    """A choice that is not verified, or stops past a limit, with further presumptions; the same where none helps."""
    if choice.verified and not stops_past_a_limit(ask, choice.chosen):
        return choice
    for attempts, holds in presumptions(choice):
        attempts = [attempt for attempt in attempts if not attempt.looks_past_k or ignores_k(ask, attempt)]
        trials = [tried(ask, attempt, choice.metric, order) for order, attempt in enumerate(attempts)]
        best, rivals, stacked, _ = verified_calls(ask, trials, choice.metric)
        if best is not None and best.variant is not None and holds(best.variant):
            return replace(choice, chosen=best, rivals=rivals, stacked=stacked)
    return choice


def stops_past_a_limit(ask: Ask, called: Called) -> bool:
    """Whether a function that is handed lists which end at k misses a hit past a number that its source holds."""
    attempt, variant = called.attempt, called.variant
    if attempt.all_items or attempt.cut is not None or attempt.domain.candidates is not None or variant is None:
        return False
    deepest = math.inf if attempt.element else attempt.own_cut or math.inf  # slices may be those of another result
    for limit in [each for each in limits_to_try(limits_of(attempt), attempt.element) if each < deepest]:
        case = build([list(range(limit + 1))], [[limit]], n_items=limit + 2)
        value = ask(attempt, Question(case, limit + 1)).value
        if value is not None and differ(value, variant.value(case, k=limit + 1)):
            return True
    return False


def presumptions(choice: Choice) -> Iterator[tuple[list[Attempt], Callable[[Variant], bool]]]:
    """Further attempts, and what a variant must be to be believed under them.

    It returns a number for each rank. The source holds a cut-off: lists end at it, or hold every item and it is the
    only k. The function looks past k: lists hold every item; unless it is one of several results, the metric must be
    the claimed one. So it must where NaN of a user without a hit stands for 0, where the number 0 stands for no item,
    and where the source holds the smallest gain of a relevant item.
    """

    def claimed(variant: Variant) -> bool:
        return computes(variant, choice.metric)

    curves = [trial.attempt for trial in choice.trials if trial.by_rank and trial.attempt.call.full_lists == "always"]
    yield [replace(attempt, by_rank=True) for attempt in curves][:MOST_SECOND], bounded
    likely = sorted(choice.trials, key=lambda trial: (not trial.plausible, not trial.values))
    held = [trial.attempt for trial in likely if trial.called and limits_of(trial.attempt)][:MOST_SECOND]
    element = choice.chosen.attempt.element
    for limit in limits_to_try(list(dict.fromkeys(end for each in held for end in limits_of(each))), element):
        at_limit = [attempt for attempt in held if limit == 1 or limit in limits_of(attempt)]
        for full_lists in (False, True):
            holds = bounded if full_lists else ideal_at_k
            yield [replace(attempt, cut=limit, full_lists=full_lists) for attempt in at_limit], holds
    answered = [trial.attempt for trial in choice.trials if trial.values]
    past_k = [attempt for attempt in answered if attempt.call.full_lists == "past k"][:MOST_SECOND]
    yield (
        [replace(attempt, full_lists=True) for attempt in past_k],
        lambda variant: bounded(variant) and (bool(element) or claimed(variant)),
    )
    undefined = [trial.attempt for trial in choice.trials if any(map(math.isnan, trial.values.values()))][:MOST_SECOND]
    yield [replace(attempt, nan_as_zero=True) for attempt in undefined], claimed
    numbered = [attempt for attempt in answered if attempt.domain.ids == "numbers"][:MOST_NUMBERED]
    yield [replace(attempt, from_one=True) for attempt in numbered], claimed
    graded = [attempt for attempt in answered if attempt.domain.gains != "binary"][:MOST_SECOND]
    reached = [(each, False) for attempt in graded for each in attempt.call.thresholds]
    above = [(math.floor(each) + 1.0, True) for attempt in graded for each in attempt.call.above]
    for threshold, whole in (*list(dict.fromkeys(reached))[:MOST_LIMITS], *list(dict.fromkeys(above))[:MOST_LIMITS]):
        yield (
            [replace(attempt, threshold=threshold, whole_gains=whole) for attempt in graded],
            lambda variant: claimed(variant) and "gain" not in variant.choices(),
        )


def ignores_k(ask: Ask, attempt: Attempt) -> bool:
    """Whether a function gives the same number for each k, of lists of every item; for several such lists."""
    numbers = set()
    for probe in attempt.core_probes()[:PAST_K_ASKED]:
        values = {ask(attempt, Question(probe.case, k)).value for k in (1, 2, probe.k)}
        if len(values) > 1 or None in values:
            return False
        numbers |= values
    return len(numbers) > 1


def bounded(variant: Variant) -> bool:
    """Whether a variant is bounded by 1; with one relevant item for each user, a rank is some metric's sum too."""
    return variant.metric.bounds(DEEP)[1] <= 1.0


def ideal_at_k(variant: Variant) -> bool:
    """Whether a bounded variant has no ideal of a fixed depth: with lists that end before it, the cut-off is one."""
    return bounded(variant) and variant.choices().get("ideal") != "fixed"


def limits_of(attempt: Attempt) -> list[int]:
    """The constants of the source that may be a cut-off, where the call passes no k; where it does, that in the name of
    a result: ``recall_at_1``.

    The number in the name of a result, as in ``return p_1 / n, r_2 / n``, comes first if it is one of them, or if all
    users have the same number of candidates.
    """
    returned, element = attempt.call.returned, attempt.element.strip("[]")
    if attempt.call.domain.k == "given" and not attempt.call.limits:
        return [int(number) for number in LAST_NUMBER.findall(element)]
    names = returned[int(element)] if element.isdigit() and int(element) < len(returned) else ()
    at_one = any(map(AT_ONE.search, (element, *names))) if element else attempt.call.at_one
    limits = [limit for limit in attempt.call.limits if limit > 1 or at_one]
    numbers = [int(match[1]) for name in names if (match := re.search(r"(?:[_@]|[a-z])(\d+)$", name))]
    among = attempt.call.domain.candidates is not None or at_one
    limits[:0] = [number for number in numbers if among or number in limits][:1]
    limits += map(int, LAST_NUMBER.findall(element))  # a text or a loop may give it: "recall@5", f"recall_at_{k}"
    return list(dict.fromkeys(limit for limit in limits if limit > 0))


def limits_to_try(limits: Sequence[int], element: str) -> list[int]:
    """The constants to try: the number in the name of the result; if it has none, the likeliest ones.

    A cut-off of 1, as in ``hits@1``, may be written as a comparison with 0, also by mistake under another number.
    """
    name = element.strip("[]").rpartition("[")[2]
    words = re.sub(NUMBER, lambda match: NUMBERS[match[0]], name)
    named = [] if name.isdigit() else [int(number) for number in re.findall(r"\d+", words)]
    if not named:
        return list(limits[:MOST_LIMITS])
    return [end for end in dict.fromkeys((*named[-1:], 1)) if end == 1 or end in limits]
