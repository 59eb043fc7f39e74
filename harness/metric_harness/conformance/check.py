"""Audits the functions of a declaration and compares what they compute with what is declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from metric_harness.conformance.declaration import Declaration, Declared, Verdict, judged, not_asked
from metric_harness.naming.api import audit
from metric_harness.naming.options import Options
from metric_harness.naming.subject import SubjectAudit
from metric_harness.naming.target import read_target
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter

EXEC = "exec:"
"""How a target begins that is a program."""

NO_NUMBER = "ERR001"
"""The finding on a function that gave no number for any probe."""


@dataclass(frozen=True)
class Conformance:
    """The verdicts on all declared functions, and the functions of the library that are not declared."""

    verdicts: tuple[Verdict, ...]
    undeclared: tuple[str, ...] = ()

    @property
    def within(self) -> bool:
        """Whether every function is within its declaration."""
        return all(verdict.within for verdict in self.verdicts)

    @property
    def asked(self) -> bool:
        """Whether every function could be asked."""
        return all(verdict.asked for verdict in self.verdicts)


def conformance(
    declaration: Declaration, release: str, options: Options, reporter: Reporter, programs: bool = False
) -> Conformance:
    """Audit the functions of a declaration and judge them.

    release : of the library's adapter, the newest if empty. programs : whether the declaration may name programs to be
    run (``exec:``). Raises HarnessError if it does although it may not, or if a library cannot be asked.
    """
    named = [declared.function for declared in declaration.functions if declared.function.startswith(EXEC)]
    if named and not programs:
        raise HarnessError(f"{declaration.path}: {named[0]!r} runs a program; give --programs to let it")
    if declaration.library:
        return _of_library(declaration, release, options, reporter)
    verdicts = []
    for declared in declaration.functions:
        with_convention = replace(options, convention=declared.convention or None)
        try:
            subjects = audit(declared.function, with_convention, reporter).subjects
        except HarnessError as error:
            verdicts.append(not_asked(declared, str(error).splitlines()[0]))
            continue
        if len(subjects) != 1:
            names = ", ".join(subject.target for subject in subjects)
            verdicts.append(judged(declared, None, f"it returns several metrics: declare each of {names}"))
            continue
        verdicts.append(_judged(declared, subjects[0]))
    return Conformance(tuple(verdicts))


def _of_library(declaration: Declaration, release: str, options: Options, reporter: Reporter) -> Conformance:
    text = f"{declaration.library}=={release}" if release else declaration.library
    target = read_target(text, options.adapters)
    assert target.library is not None
    assert target.release is not None
    known = target.library.subjects_of(target.release)
    names = [declared.function for declared in declaration.functions]
    only = tuple(name for name in names if name in known)
    audited = audit(text, replace(options, only=only), reporter).subjects if only else []
    subjects = {subject.target.rpartition(":")[2]: subject for subject in audited}
    verdicts = [
        _judged(declared, subjects[declared.function])
        if declared.function in subjects
        else judged(declared, None, f"{text} has no such function; it has {', '.join(known)}")
        for declared in declaration.functions
    ]
    return Conformance(tuple(verdicts), tuple(name for name in known if name not in names))


def _judged(declared: Declared, subject: SubjectAudit) -> Verdict:
    page = subject.to_json()
    errors = {finding["code"]: finding["message"] for finding in page["findings"] if finding["severity"] == "error"}
    if NO_NUMBER in errors:
        return not_asked(declared, errors[NO_NUMBER])
    error = next(iter(errors.values()), None)
    reason = error or subject.evidence.reason or "no known definition fits"
    return judged(declared, page["signature"] if subject.verified else None, reason)


def declaration_of(targets: Sequence[str], options: Options, reporter: Reporter) -> str:
    """The text of a declaration of what functions compute today; targets are functions, or a single library."""
    names = [target.partition("==")[0] for target in targets if ":" not in target]
    library = next((name for name in names if not Path(name).suffix), "")
    if library and len(targets) > 1:
        raise HarnessError(f"--declare {library}: a declaration is of one library, or of functions")
    rows = []
    for target in targets:
        for subject in audit(target, options, reporter).subjects:
            name = subject.target.rpartition(":")[2] if library else subject.target
            signature = subject.to_json()["signature"]
            if signature is None or not subject.verified:
                rows.append(f"# {name}: no definition is verified\n")
                continue
            rows.append(f"[functions.{_key(name)}]\nsignature = {_quoted(signature)}\n")
            if subject.convention and not library:
                rows[-1] += f"convention = {_quoted(subject.convention)}\n"
    head = f"library = {_quoted(library)}\n\n" if library else ""
    return head + "\n".join(rows)


def _key(name: str) -> str:
    """A name as a key of TOML."""
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else _quoted(name)


def _quoted(text: str) -> str:
    """A text as a string of TOML."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
