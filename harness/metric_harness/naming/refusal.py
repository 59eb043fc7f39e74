"""What an unnamed function returned under each likely convention, and a wrapper that gives it a name."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from metric_harness.naming.attempt import Attempt
from metric_harness.naming.target import Target, in_brackets, own_file
from metric_harness.naming.trial import Trial
from metric_harness.naming.wrapper import WRAPPER, Named, is_bound, source_node, unknown_parameters
from metric_harness.worker.messages import OfferedCall

MOST_LISTED = 5
"""Conventions that a refusal names, and elements of a return."""


def refusal_lines(target: Target, trials: Sequence[Trial], named: Mapping[str, Named], element: str = "") -> list[str]:
    """Notes on a function without a name: the outcome of the likeliest calls, and a wrapper if one gives it a name.

    trials : the attempts that were tried, likeliest first. named : see :func:`wrapper_lines`. element : of the return,
    if it has several.
    """
    by_outcome: dict[str, list[Attempt]] = {}
    for trial in [trial for trial in trials if trial.called][:MOST_LISTED]:
        by_outcome.setdefault(outcome(trial), []).append(trial.attempt)
    lines = []
    for result, attempts in by_outcome.items():
        meaning = f" ({short(attempts[0])})" if len(attempts) == 1 else ""
        lines.append(f"called as {' or '.join(attempt.name for attempt in attempts)}{meaning}: {result}")
    told = {name for trial in trials if trial.called for name in known_of(trial.attempt.call)}
    return lines if hung(trials) else [*lines, *wrapper_lines(target, named, element, told)]


def known_of(call: OfferedCall) -> set[str]:
    """The parameters of which a call tells, by their names or the source, what they take."""
    return {*(support.partition(" is ")[0] for support in call.supports), *call.filled}


def hung(trials: Sequence[Trial]) -> bool:
    """Whether the function crashed or timed out in some attempt: each wrapper would as well."""
    return any(trial.hung for trial in trials)


def short(attempt: Attempt) -> str:
    """What a call passes to the function, up to the first full stop."""
    return "as given" if attempt.element else re.split(r"[.;] ", attempt.call.about)[0].rstrip(".")


def outcome(trial: Trial) -> str:
    """What the function returned in an attempt, in a few words."""
    if trial.elements:
        return f"it returned {len(trial.elements)} numbers: {', '.join(trial.elements[:MOST_LISTED])}"
    if not trial.values:
        return trial.error or "no number"
    if trial.constant:
        value = next(iter(trial.values.values()))
        return "every answer is NaN" if math.isnan(value) else f"every answer is {value:.6g}"
    if trial.refused:
        return f"{len(trial.values)} numbers, and an error for {trial.refused} probes: {trial.error}"
    return f"its numbers are those of {'a definition, but give no name' if trial.fitting else 'no known definition'}"


def wrapper_lines(
    target: Target, named: Mapping[str, Named], element: str = "", told: Collection[str] = ()
) -> list[str]:
    """A wrapper under which the function is verified, with its name; else what is not known of its parameters.

    named : what :func:`metric_harness.naming.wrapper.named_by_wrapper` found. element : the one that is meant, of a
    function that returns several; empty for all. told : parameters of which a call that was tried tells what they take.
    """
    named = {name: each for name, each in named.items() if element in ("", name)}
    if not named:
        node, holder = source_node(target)
        unknown = [] if node is None else unknown_parameters(node, is_bound(node, holder))
        unknown = [name for name in unknown if name not in told]
        if not unknown:
            return []
        line = f"what it takes as {' and '.join(unknown)} is not known"
        return [f"{line}: write a function of (recommended, relevant, k) that calls it, and audit that"]
    wrapper = next(iter(named.values())).wrapper
    variants = [
        f"{each.choice.variant}{f' as {in_brackets(name)}' if name else ''}"
        for name, each in named.items()
        if each.wrapper is wrapper
    ]
    path = own_file(target.own or "")
    beside = path is not None and (target.own or "").rpartition(":")[0].endswith(".py")
    file = f"{shown(path.parent / WRAPPER)}" if path is not None and beside else WRAPPER
    alone = ", one user at a time (how it combines users was not asked)" if wrapper.of_users else ""
    lead = f"with this wrapper it computes {' and '.join(variants)}, verified{alone}"
    command = f"metric-harness audit {shlex.quote(f'{file}:{wrapper.name}{in_brackets(element)}')}"
    return [f"{lead}; in {file}:", *(f"    {line}" for line in (*wrapper.place, *wrapper.code, f"# {command}"))]


def shown(path: Path) -> Path:
    """A path relative to the working folder, if it is below it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
