"""Repair of a user's function: the smallest change of its source under which it is verified as a definition.

Changes are asked the probes first, inside the worker and beside the file. Only one that gives every number of the
definition is written to a copy of the file and audited there, as any function is.
"""

from __future__ import annotations

import ast
import difflib
import itertools
import math
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from metric_adapters.case_files import save_small_case
from metric_adapters.imports import folders_above, place_of
from metric_harness.naming.agreement import agrees
from metric_harness.naming.api import audit_once, definition, open_session
from metric_harness.naming.attempt import Attempt
from metric_harness.naming.changes import Change, Place, Quantities, SourceFile, proposed, read_source, size
from metric_harness.naming.findings.shown_case import case_of
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.options import AUTO, Options
from metric_harness.naming.own_function import audit_own
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import Probe, all_probes
from metric_harness.naming.question import side_of
from metric_harness.naming.session import Session
from metric_harness.naming.small_cases import first_difference
from metric_harness.naming.subject import SubjectAudit, smallest
from metric_harness.naming.target import Target, in_brackets, own_file, read_target
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import scratch
from metric_harness.version import __version__
from metric_harness.worker.reply import StartFailure
from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import match
from metric_reference.registry import METRICS
from metric_reference.signatures.words import EDGES, nearest
from metric_reference.variant import Variant
from metric_reports.files import write_atomically
from metric_reports.record import to_json_number
from metric_reports.types.audit import Audit, Repair, RepairCase
from metric_reports.types.common import VERIFIED
from metric_reports.versions import SCHEMA_VERSION

SECONDS = 30.0
"""The search for changes ends after this long; audits of what it finds are not counted."""
CANDIDATE_SECONDS = 2.0
"""A change that does not answer the probes within this time is none."""
MOST_AUDITED = 6
"""Changes that give every number of the definition and are audited."""
MOST_BASES = 40
"""Changes that are tried together with every other one."""
MOST_CALLS = 20
"""Ways of calling that are tried of a function without a name."""
MOST_HUNG = 8
"""After this many changes that hang or end the worker, the search ends."""


@dataclass(frozen=True)
class Wanted:
    """A definition that a function is to follow. edges : the behaviour at those edges that were asked for, by name."""

    variant: Variant
    edges: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        words = {edge: (part, known) for part, (edge, known) in EDGES.items()}
        parts = (f"|{words[edge][0]}:{words[edge][1][value]}" for edge, value in self.edges.items())
        return f"{self.variant}{''.join(parts)}"


def read_wanted(text: str) -> Wanted:
    """A definition, and after it parts of a signature that say what it does at edges: ``ndcg(gain=linear)|norel:0``.

    Raises HarnessError for any other text, with the nearest name.
    """
    head, *parts = (part.strip() for part in text.split("|"))
    name = head.partition("(")[0].partition("@")[0].strip()
    meant = nearest(name, METRICS) if name not in METRICS else None
    if meant is not None:
        raise HarnessError(f"{name!r} is no metric; the nearest is {meant}")
    variant, edges = replace(definition(head), k=None), {}
    for part in parts:
        key, _, word = part.partition(":")
        edge, words = EDGES.get(key, ("", {}))
        values = [value for value, known in words.items() if known == word]
        if not values:
            allowed = " or ".join(f"{key}:{known}" for known in words.values()) or ", ".join(EDGES)
            raise HarnessError(f"{text!r}: {part!r} is no behaviour at an edge; write {allowed}")
        edges[edge] = values[0]
    return Wanted(variant, edges)


@dataclass(frozen=True)
class Probes:
    """The probes that changes are asked, and what each is to return.

    cases : the folder of each on disk. numbers : of the definition, for the core probes. finite : those at edges for
    which the function returned a number before, and must again.
    """

    probes: Sequence[Probe]
    cases: Sequence[tuple[Path, int]]
    numbers: Mapping[str, float]
    finite: frozenset[str]

    def agreeing(self, values: Sequence[float | None]) -> int:
        """How many numbers are those of the definition."""
        pairs = zip(self.probes, values, strict=True)
        return sum(
            value is not None and agrees(value, self.numbers[probe.name])
            for probe, value in pairs
            if probe.name in self.numbers
        )

    def kept(self, values: Sequence[float | None]) -> bool:
        """Whether there is a number at every edge at which there was one."""
        pairs = zip(self.probes, values, strict=True)
        return all(value is not None and math.isfinite(value) for probe, value in pairs if probe.name in self.finite)

    def answers(self, values: Sequence[float | None]) -> dict[str, ProbeAnswer]:
        """The values as an identification takes them."""
        pairs = zip(self.probes, values, strict=True)
        return {probe.name: ProbeAnswer(value, "no number" if value is None else None) for probe, value in pairs}


class Search:
    """The search for a change of one function under one way of calling it."""

    def __init__(
        self, session: Session, before: SubjectAudit, wanted: Wanted, source: SourceFile, attempt: Attempt
    ) -> None:
        self.session, self.before, self.wanted, self.source, self.attempt = session, before, wanted, source, attempt
        self.probes = probes_of(session, before, wanted, attempt)
        self.single = proposed(source, quantities_of(session, attempt, self.probes))
        self.tried: dict[Change, list[float | None]] = {}
        self.hung = 0
        self.deadline = math.inf

    def values(self, change: Change) -> list[float | None]:
        """What the function returns for the probes after a change."""
        if change not in self.tried:
            self.tried[change] = self.asked(change, self.probes.cases)
        return self.tried[change]

    def asked(self, change: Change, cases: Sequence[tuple[Path, int]]) -> list[float | None]:
        """What it returns for some cases; a change that hangs gives no numbers."""
        worker, element = self.session.worker, self.attempt.element or None
        try:
            code = self.source.code(change)
            return worker.edited(self.attempt.call.name, code, cases, CANDIDATE_SECONDS, element)
        except StartFailure:
            self.hung += 1
            return [None] * len(cases)

    def over(self) -> bool:
        """Whether the time has passed, or too many changes hung."""
        return time.monotonic() > self.deadline or self.hung > MOST_HUNG

    def passes(self, change: Change) -> bool:
        """Whether a change gives every number of the definition, numbers at the edges, and the edges asked for."""
        values = self.values(change)
        numbers = self.probes.numbers
        if not numbers or self.probes.agreeing(values) < len(numbers) or not self.probes.kept(values):
            return False
        return not self.wanted.edges or self.holds_edges(self.edges(change))

    def holds_edges(self, edges: Edges) -> bool:
        """Whether the behaviour at the edges is the one asked for."""
        return all(getattr(edges, name) == value for name, value in self.wanted.edges.items())

    def edges(self, change: Change) -> Edges:
        """The behaviour at the edges after a change, by the probes."""
        return identify(self.wanted.variant.metric.name, self.probes.answers(self.values(change))).edges

    def edges_changed(self, change: Change) -> int:
        """At how many edges it behaves otherwise than before, where nothing was asked for."""
        before, after = self.before.identification.edges.made(), self.edges(change).made()
        return sum(
            value not in ("unclear", "unspecified", after[name]) and name not in self.wanted.edges
            for name, value in before.items()
        )

    def alone(self) -> list[Change]:
        """The single changes that pass, in order."""
        for change in self.single:
            if self.over():
                break
            self.values(change)
        return self.in_order(change for change in self.single if change in self.tried and self.passes(change))

    def pairs(self) -> Iterator[Change]:
        """The pairs of single changes that pass: those with the change that brings most numbers alone come first."""
        asked = [change for change in self.single if change in self.tried]
        agreeing = {change: self.probes.agreeing(self.tried[change]) for change in asked}
        least = self.probes.agreeing(self.values(Change((), ())))
        likely = [change for change in asked if agreeing[change] >= least and set(self.tried[change]) != {None}]
        for base in sorted(likely, key=lambda change: -agreeing[change])[:MOST_BASES]:
            passing = []
            for other in asked:
                if self.over():
                    break
                if not base.overlaps(other) and self.passes(pair := base.with_(other)):
                    passing.append(pair)
            yield from self.in_order(passing)
            if self.over():
                return

    def in_order(self, changes: Iterator[Change] | list[Change]) -> list[Change]:
        """Changes that pass, those first that leave the edges as they were, then the smallest."""
        return sorted(changes, key=lambda change: (self.edges_changed(change), size(self.source, change)))


def attempts_of(before: SubjectAudit, wanted: Wanted) -> list[Attempt]:
    """The ways of calling that are tried: the chosen one; the likeliest others with numbers if it gave no name.

    So too if it shows no gains and the definition has some.
    """
    chosen, gain = before.choice.chosen.attempt, wanted.variant.choices().get("gain", "binary")
    only = before.variant is not None and (gain == "binary" or not before.choice.chosen.takes_labels)
    others = [] if only else [trial.attempt for trial in before.choice.trials if trial.values]
    return list(dict.fromkeys([chosen, *others]))[:MOST_CALLS]


def probes_of(session: Session, before: SubjectAudit, wanted: Wanted, attempt: Attempt) -> Probes:
    """The probes that the function can be shown in a way of calling."""
    answers = before.answers
    if attempt != before.choice.chosen.attempt:
        answers = attempt.probe_answers(session.side(attempt), before.metric)
    core = {probe.name: probe for probe in attempt.core_probes()}
    every = {probe.name: probe for probe in all_probes()} | core
    shown = [probe for name, probe in every.items() if name in answers and answers[name].shown]
    probes = [probe for probe in shown if probe.asked_of(wanted.variant.metric.name)]
    cases = []
    for probe in probes:
        folder = session.folder / f"repair {probe.name}"
        save_small_case(probe.case, folder)
        cases.append((folder, probe.k))
    numbers = {
        p.name: expected(wanted.variant, p.name) for p in probes if p.edge is None and not p.name.startswith("tied")
    }
    freed = {"nan", "poisons_mean", "error"}
    finite = {
        probe.name
        for probe in probes
        if probe.edge is not None
        and (value := answers[probe.name].value) is not None
        and math.isfinite(value)
        and wanted.edges.get(probe.edge) not in freed
    }
    return Probes(probes, cases, numbers, frozenset(finite))


def quantities_of(session: Session, attempt: Attempt, probes: Probes) -> dict[Place, Quantities]:
    """The names by which each function of the file holds the quantities of a case: those equal to them in all cases."""
    true: list[dict[str, float]] = []
    held: defaultdict[Place, defaultdict[str, dict[int, Sequence[float]]]] = defaultdict(lambda: defaultdict(dict))
    for probe, (folder, k) in zip(probes.probes, probes.cases, strict=True):
        if probe.edge is None:
            with suppress(StartFailure):  # the others tell enough
                for row in session.worker.held(attempt.call.name, folder, k, CANDIDATE_SECONDS):
                    held[row.function, row.line][row.expression][len(true)] = row.numbers
                true.append(numbers_of(probe.case, k))
    alone = [number for number, row in enumerate(true) if row["users"] == 1]

    def named(place: Place, *quantities: str) -> list[str]:
        texts = [
            text
            for quantity in quantities
            for text, numbers in held[place].items()
            if all(
                number in numbers and true[number][quantity] in numbers[number]
                for number in (range(len(true)) if quantity == "users" else alone)
            )
        ]
        return sorted(dict.fromkeys(texts), key=len)

    return {
        place: {
            "k": [text for text in named(place, "k") if "(" not in text],
            "relevant": named(place, "relevant"),
            "hits": named(place, "hits", "all_hits"),
            "listed": named(place, "listed", "cut"),
            "users": named(place, "users") if len(alone) < len(true) else [],
            "lists": [text[4:-1] for text in named(place, "listed") if text.startswith("len(")],
            "labels": [text[4:-1] for text in named(place, "hits") if text.startswith("sum(")],
            "grades": [text[4:-1] for text in named(place, "gains") if text.startswith("sum(")],
        }
        for place in held
    }


def numbers_of(case: Case, k: int) -> dict[str, float]:
    """The quantities of the first user of a case, and the number of users."""
    matches = match(case)
    listed = int(matches.lengths[0])
    return {
        "k": k,
        "users": case.users,
        "relevant": int(matches.n_relevant[0]),
        "hits": int(matches.hit_count(k)[0]),
        "all_hits": int(matches.hit_count(listed)[0]),
        "listed": listed,
        "cut": min(k, listed),
        "gains": float(matches.relevant.gains[: int(matches.n_relevant[0])].sum()),
    }


def repaired(text: str, wanted: Wanted, options: Options, reporter: Reporter, *, apply: bool = False) -> Audit:
    """The audit of a function of a user's file, and the smallest change that makes it follow a definition.

    text : ``FILE.py:function``. apply : write the change to the file; HarnessError if it changed meanwhile.

    Raises HarnessError for a target that is no function in a file, and where the audit does.
    """
    target = read_target(text, options.adapters)
    path = file_of(target)
    if AUTO in options.with_:
        raise HarnessError("--repair audits a function several times: name its packages in place of --with auto")
    options = replace(options, expect=wanted.variant, accept=VERIFIED)
    content = path.read_bytes()
    source = source_to_change(path, content, target.function or "")
    begun = time.monotonic()
    with ExitStack() as stack:
        session = open_session(stack, target, options, reporter)
        audits = audit_own(session, reporter)
        if len(audits) != 1:
            results = ", ".join(f"{text}{in_brackets(each.choice.chosen.attempt.element)}" for each in audits)
            raise HarnessError(f"{text} returns several results; give one of them: {results}")
        (before,) = audits
        repair, changed = Repair(asked=str(wanted), outcome="unchanged"), None
        if not holds(before, wanted):
            repair, changed = searched(session, before, wanted, source, path, reporter)
    repair["seconds"] = round(time.monotonic() - begun, 1)
    if apply and changed is not None:
        write(path, content, changed)
        repair["applied"] = True
    return {
        "schema_version": SCHEMA_VERSION,
        "subjects": [{**before.to_json(), "repair": repair}],
        "harness": {"version": __version__},
    }


def file_of(target: Target) -> Path:
    """The file of a target; HarnessError for a target of another kind."""
    location, _, name = (target.own or "").rpartition(":")
    if not location.endswith(".py"):
        path = own_file(target.own or "")
        hint = f": {path}:{name}" if path is not None else ", as in metrics.py:ndcg"
        raise HarnessError(f"{target.text}: --repair changes a function in a file; give FILE.py:FUNCTION{hint}")
    return Path(location)


def source_to_change(path: Path, content: bytes, function: str) -> SourceFile:
    """The source of a function's file; HarnessError if the function is inside another one, or not defined there."""
    try:
        source = read_source(content, function)
    except (SyntaxError, ValueError) as error:
        raise HarnessError(f"{path}: cannot be read as Python ({error})") from None
    name, _, inner = function.partition(".")
    node = next((node for node in source.reached if node.name == name), None)
    if node is None:
        raise HarnessError(f"{path}: {name} is not defined there; name the file that defines it")
    if inner and not isinstance(node, ast.ClassDef):
        raise HarnessError(f"{path}: {inner} is inside {name}; --repair changes no function inside another one")
    return source


def holds(subject: SubjectAudit, wanted: Wanted) -> bool:
    """Whether an audit verifies the definition, and the behaviour at the edges that was asked for."""
    actual, edges = subject.variant, subject.identification.edges
    if actual is None or not subject.verified or subject.evidence.confidence != VERIFIED:
        return False
    same = replace(actual, k=None).canonical() == wanted.variant.canonical()
    return same and all(getattr(edges, name) == value for name, value in wanted.edges.items())


def searched(
    session: Session, before: SubjectAudit, wanted: Wanted, source: SourceFile, path: Path, reporter: Reporter
) -> tuple[Repair, bytes | None]:
    """The repair by the smallest change whose audit verifies the definition, and the file after it."""
    with reporter.task(f"Looking for a change of {session.target.text}"):
        searches: list[Search] = []
        passing = found(
            searches, (Search(session, before, wanted, source, attempt) for attempt in attempts_of(before, wanted))
        )
        for search, change in itertools.islice(passing, MOST_AUDITED):
            changed, begun = source.changed(change).encode(source.encoding), time.monotonic()
            after = audit_changed(path, changed, session)
            for each in searches:
                each.deadline += time.monotonic() - begun
            if after is not None and holds(after, wanted):
                return found_repair(search, change, after, searches), changed
    return {"asked": str(wanted), "outcome": "none", "tried": tried_of(searches)}, None


def found(searches: list[Search], more: Iterator[Search]) -> Iterator[tuple[Search, Change]]:
    """The changes that pass, within the time: single ones under each way of calling, then pairs.

    searches : grows by each that is begun.
    """
    deadline = time.monotonic() + SECONDS
    for search in more:
        searches.append(search)
        search.deadline = deadline
        yield from ((search, change) for change in search.alone())
        if search.over():
            break
        deadline = search.deadline
    for search in searches:
        yield from ((search, change) for change in search.pairs())


def tried_of(searches: Sequence[Search]) -> int:
    """The number of changes that were asked."""
    return sum(len(search.tried) for search in searches)


def found_repair(search: Search, change: Change, after: SubjectAudit, searches: Sequence[Search]) -> Repair:
    """A repair as the record holds it."""
    target, before = search.session.target.text, search.before.to_json()["edges"]
    audit = after.to_json()
    edges = {name: [before[name], value] for name, value in audit["edges"].items() if before.get(name, value) != value}
    return {
        "asked": str(search.wanted),
        "outcome": "found",
        "about": list(change.about),
        "diff": diff_of(target.rpartition(":")[0], search.source, change),
        "edges": edges,
        "case": shown_case(search, change),
        "evidence": audit["evidence"],
        "tried": tried_of(searches),
    }


def audit_changed(path: Path, content: bytes, session: Session) -> SubjectAudit | None:
    """The ordinary audit of a function in a copy of its file that was changed; None where there is none."""
    target = session.target
    with scratch("repair-") as folder:
        copy = staged_copy(path, content, Path(folder))
        text = f"{copy}:{target.function}{target.element}"
        options = replace(session.options, folders=(*session.options.folders, *folders_above(path)))
        try:
            subjects = audit_once(read_target(text), options, Reporter(quiet=True)).subjects
        except HarnessError:  # it does not import, or no call fits any more
            return None
    return subjects[0] if len(subjects) == 1 else None


def staged_copy(path: Path, content: bytes, folder: Path) -> Path:
    """A copy of a file with other content, beside links to what is beside the file in its packages."""
    root, names = place_of(path)
    for name in (*names[:-1], path.name):
        for entry in root.iterdir():
            if entry.name not in (name, "__pycache__"):
                (folder / entry.name).symlink_to(entry)
        root, folder = root / name, folder / name
        if root != path:
            folder.mkdir()
    folder.write_bytes(content)
    return folder


def diff_of(file: str, source: SourceFile, change: Change) -> str:
    """The unified diff of a change, as ``patch`` and ``git apply -p0`` read it."""
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (source.text, source.changed(change)))
    lines = difflib.unified_diff(before, after, fromfile=file, tofile=file)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def shown_case(search: Search, change: Change) -> RepairCase | None:
    """The smallest case on which the function differed from the definition, with its number before and after."""
    session, wanted, called = search.session, search.wanted, search.before.choice.chosen
    side = session.side(search.attempt)
    gap = smallest(side, replace(called, attempt=search.attempt), wanted.variant, called.variant)
    if gap is None and wanted.edges:
        probes = ((probe.case, probe.k) for probe in all_probes() if probe.edge in wanted.edges)
        gap = first_difference(side, side_of(wanted.variant, replace(STANDARD, **wanted.edges)), probes)
    case = case_of(gap, [wanted.variant])
    if gap is None or case is None:
        return None
    folder = session.folder / "repair shown"
    save_small_case(gap.case, folder)
    (after,) = search.asked(change, [(folder, gap.k)])
    return {**case, "after": to_json_number(after)}


def write(path: Path, before: bytes, after: bytes) -> None:
    """Replace a file whole or not at all; HarnessError if it is no longer as it was, or cannot be written."""
    if path.read_bytes() != before:
        raise HarnessError(f"{path}: it was changed while a repair was looked for; nothing was written")
    write_atomically(path, after)
