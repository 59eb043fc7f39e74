"""One function examined: its answers, what it is, what is to be said of it, and the smallest cases that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from adapters.case_files import save_case
from harness.arithmetic import arithmetic
from harness.ask import Worker
from harness.asking import ask_probes
from harness.findings import Finding, finding, subject_findings
from harness.identify import Identification, ProbeAnswer, identify
from harness.probes import all_probes, users_of
from harness.record import Record, to_json_number
from harness.reply import Reply
from harness.rules import rule
from harness.shrink import Difference, differ, smallest_difference
from harness.targets import Target
from reference.case import Case
from reference.edges import STANDARD
from reference.variant import RANKING, Variant, standard

NEAREST_SHOWN = 2


@dataclass(frozen=True)
class Options:
    """How an audit is run.

    metric : what the function claims to be, where its name does not tell. convention : how it is called, where that is
    not to be found out. expect : the definition it should follow. environment, timeout, memory : as for a comparison.
    adapters : folders with library folders of one's own.
    """

    metric: str | None = None
    convention: str | None = None
    expect: Variant | None = None
    environment: str = "isolated"
    timeout: float = 10.0
    memory: int = 4 << 30
    adapters: tuple[Path, ...] = ()


@dataclass(frozen=True)
class SubjectAudit:
    """What an audit found out about one function; :meth:`to_json` is the stable form."""

    target: str
    metric: str | None
    convention: str | None
    found: Identification
    findings: list[dict[str, Any]]
    nearest: list[dict[str, Any]]
    notes: list[str] = field(default_factory=list)

    @property
    def variant(self) -> Variant | None:
        """The variant it computes, or None if it is none of the reference's."""
        return self.found.variant

    def to_json(self) -> Record:
        """The subject as harness/schema/audit.schema.json describes it."""
        variant, edges = self.found.variant, self.found.edges
        behaviour = {name: value for name, value in edges.made().items() if value != "unclear"} if variant else {}
        return {
            "target": self.target, "metric": self.metric, "convention": self.convention,
            "identified": variant is not None, "variant": None if variant is None else str(variant),
            "choices": {} if variant is None else {**variant.choices(), "users": edges.users},
            "edges": behaviour, "alternatives": [str(other) for other in self.found.alternatives[:20]],
            "nearest": self.nearest, "notes": self.notes, "findings": self.findings,
        }  # fmt: skip


class Session:
    """A target being asked: its worker, and folders for the cases."""

    def __init__(self, worker: Worker, target: Target, folder: Path, options: Options) -> None:
        self.worker, self.target, self.folder, self.options = worker, target, folder, options
        self.numbers = count()
        self.warnings: set[str] = set()

    def ask(self, function: str, case: Case, k: int) -> ProbeAnswer:
        """The answer of a function to a case."""
        reply = self._reply(function, case, k)
        return ProbeAnswer(reply.value, reply.error, reply.users, reply.values)

    def _reply(self, function: str, case: Case, k: int) -> Reply:
        folder = self.folder / str(next(self.numbers))
        save_case(case, folder)
        reply = self.worker.ask(function, folder, k, folder / "answer", self.options.timeout)
        self.warnings.update(reply.warnings)
        return reply

    def probes(self, function: str, metric: str | None) -> dict[str, ProbeAnswer]:
        """The answers to all probes."""
        return ask_probes(all_probes(), metric, lambda probe: self._reply(function, probe.case, probe.k))


def examine(
    session: Session, function: str, name: str, metric: str | None, convention: str | None,
    known: tuple[Identification, dict[str, ProbeAnswer]] | None = None,
) -> SubjectAudit:  # fmt: skip
    """Everything about one function: what it is, what is to be said of it, and the smallest cases that show it."""
    answers = known[1] if known else session.probes(function, metric)
    found = known[0] if known else identify(metric, answers)
    claimed = metric or (found.variant.metric.name if found.variant else RANKING[0])
    who = {"library": name, "release": "", "function": function, "metric": claimed}
    rows = [shown(row) for row in subject_findings(who, claimed, found, answers)]
    rows += behaviour(session, function, who, answers)
    nearest: list[dict[str, Any]] = []
    for variant, failed in found.nearest[:NEAREST_SHOWN]:
        case = case_of(smallest(session, function, variant), [variant, standard(claimed)])
        nearest.append({"variant": str(variant), "fails": failed, "case": case})
    if nearest and nearest[0]["case"] is not None:
        rows = [{**row, "case": nearest[0]["case"]} if row["code"] == "UNX001" else row for row in rows]
    rows += held_against(session, function, who, found.variant)
    return SubjectAudit(name, metric, convention, found, rows, nearest, notes(found, answers, convention))


def smallest(session: Session, function: str, variant: Variant) -> Difference | None:
    """The smallest case on which a function is not a variant."""
    plain = Variant(variant.metric, variant.weight)
    return smallest_difference(
        lambda case, k: session.ask(function, case, k).value, lambda case, k: plain.value(case, STANDARD, k)
    )


def case_of(gap: Difference | None, candidates: Sequence[Variant]) -> dict[str, Any] | None:
    """A case with what was returned, what each candidate gives, and the arithmetic of the first candidate."""
    if gap is None:
        return None
    plain = list(dict.fromkeys(Variant(v.metric, v.weight) for v in candidates))
    return {
        "k": gap.k, "users": users_of(gap.case), "value": to_json_number(gap.value),
        "error": None if gap.value is not None else "no number",
        "candidates": [{"variant": str(v), "value": to_json_number(v.value(gap.case, k=gap.k))} for v in plain],
        "arithmetic": [f"{v.at(gap.k)}: {line}" for v in plain for line in arithmetic(v, gap.case, gap.k)],
    }  # fmt: skip


def shown(row: Finding) -> dict[str, Any]:
    """A finding of a comparison in the shape that an audit gives."""
    case = row["case"]
    if case is not None:
        case = {
            "k": case["k"], "users": case["users"], "value": case["value"], "error": None,
            "candidates": [{"variant": case["standard"], "value": case["standard_value"]}], "arithmetic": [],
        }  # fmt: skip
    return {**{name: row[name] for name in ("code", "severity", "title", "message", "advice")}, "case": case}


def held_against(session: Session, function: str, who: dict[str, str], really: Variant | None) -> list[dict[str, Any]]:
    """The finding that a function is not the definition that was expected; none where it is, or none was."""
    expected = session.options.expect
    if expected is None or (really is not None and plain(expected).canonical() == really.canonical()):
        return []
    gap = smallest(session, function, expected)
    if gap is None and really is not None:
        return []
    text = "none of the known variants" if really is None else str(really)
    row = finding(rule("EXP001"), who, f"expected {expected}; it computes {text}.", None)
    return [{**shown(row), "case": case_of(gap, [expected] if really is None else [expected, really])}]


def plain(variant: Variant) -> Variant:
    """A variant without its cut-off."""
    return Variant(variant.metric, variant.weight)


def behaviour(
    session: Session, function: str, who: dict[str, str], first: dict[str, ProbeAnswer]
) -> list[dict[str, Any]]:
    """What a function does besides computing: it answers otherwise when asked again, or changes what it is given."""
    rows = []
    probe = next(p for p in all_probes() if p.name == "two_users")
    again = [session.ask(function, probe.case, probe.k).value for _ in range(2)]
    values = [first[probe.name].value, *again] if probe.name in first else again
    if any(differ(values[0], value) for value in values):
        message = f"asked for the same case it returned {', '.join(str(v) for v in values)}"
        rows.append(shown(finding(rule("RND001"), who, message, None)))
    if any("mutates its input" in warning for warning in session.warnings):
        rows.append(
            shown(finding(rule("MUT001"), who, "a list or array it was given had changed", None))
        )
    return rows


def notes(found: Identification, answers: dict[str, ProbeAnswer], convention: str | None) -> list[str]:
    """What a reader should know to read the result."""
    out = []
    refused = {name: answer.error for name, answer in answers.items() if answer.value is None}
    if refused:
        first = next(iter(refused.values()))
        out.append(f"{len(refused)} of {len(answers)} probes got no number ({', '.join(refused)}); the first: {first}")
    if found.alternatives:
        out.append(
            f"{len(found.alternatives)} other variants fit as well, because the probes between them got no number"
        )
    if convention and convention.startswith("relevance") and not any(n in convention for n in ("n_relevant", "gains")):
        out.append(
            "it gets the relevance of the listed items alone, so it cannot know how many relevant items the list "
            "misses: it cannot divide by them, and an ideal list can only be made of the hits"
        )
    return out
