"""The audit: which variant a function really computes, how it behaves at the edges, and where it departs."""

from __future__ import annotations

import ast
import inspect
import os
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metric_harness.naming.options import AUTO, Options, accepted
from metric_harness.naming.target import Target, read_target
from metric_harness.naming.workers import library_worker, own_worker
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import scratch
from metric_harness.version import __version__
from metric_harness.worker.process import INSIDE
from metric_harness.worker.reply import StartFailure
from metric_reference.variant import Variant
from metric_reports.audit import text as audit_text
from metric_reports.types.audit import Audit
from metric_reports.versions import SCHEMA_VERSION

if TYPE_CHECKING:  # imported while the process starts
    from metric_harness.naming.session import Session
    from metric_harness.naming.subject import SubjectAudit

MOST_NEEDS = 8
"""How many requirements ``--with auto`` adds."""


@dataclass(frozen=True, repr=False)
class AuditResult:
    """The audit of one target, an entry for each function. It prints as the command does, also in Jupyter."""

    subjects: list[SubjectAudit]

    def __str__(self) -> str:
        return audit_text.plain(self.to_json())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return audit_text.html(self.to_json())

    def to_json(self) -> Audit:
        """The whole result as an audit holds it."""
        return {
            "schema_version": SCHEMA_VERSION,
            "subjects": [s.to_json() for s in self.subjects],
            "harness": {"version": __version__},
        }


def audit(
    target: Any, options: Options | None = None, reporter: Reporter | None = None, **settings: Any
) -> AuditResult:
    """Find out what a function, or every metric function of a library, really computes.

    target : ``"recbole"``, ``"recbole==1.2.0"``, ``"recommenders:map_at_k"``, ``"my_pkg.metrics:ndcg_at_k"``,
        ``"path/to/file.py:ndcg"``, ``"path/to/file.py:Class.method"``, ``"path/to/file.py:evaluate[recall@5]"``,
        ``"exec:node metrics.mjs"``, or a function or class at module level.
    options, settings : an :class:`Options`, and fields that replace those in it: ``metric="ndcg"``,
        ``expect="ndcg(gain=linear)"``, ``convention="relevant,recommended"``, ``timeout=10.0``, ...
    reporter : shows progress; silent if not given.

    The result prints itself in a terminal and in Jupyter; ``to_json()`` is the stable form. What is audited runs in a
    process of its own.

    >>> result = audit("metrics.py:ndcg_at_k", expect="ndcg(gain=linear)")       # doctest: +SKIP
    >>> result.subjects[0].variant, [f["code"] for f in result.subjects[0].findings]      # doctest: +SKIP

    Raises HarnessError if the target cannot be audited: not found, cannot be imported, or no way to call it fits.
    """
    if os.environ.get(INSIDE):
        raise HarnessError(
            "a file that is imported to be audited audits something itself; put that below `if __name__ == '__main__':`"
        )
    options = chosen_options(options, settings)
    text = target if isinstance(target, str) else target_of(target)
    reporter = reporter or Reporter()
    target = read_target(text, options.adapters)
    if options.with_ and target.own is None:
        raise HarnessError(f"{text}: --with is for functions in Python files and packages of your own")
    if AUTO in options.with_:
        return audit_with_needs(target, options, reporter)
    return audit_once(target, options, reporter)


def audit_once(target: Target, options: Options, reporter: Reporter) -> AuditResult:
    """The audit of a target in one environment."""
    with ExitStack() as stack:
        session = open_session(stack, target, options, reporter)
        return AuditResult(audit_target(session, reporter))


def audit_with_needs(target: Target, options: Options, reporter: Reporter) -> AuditResult:
    """The audit of a function in an environment with what its errors say that it needs, one requirement at a time."""
    from metric_harness.naming.with_packages import named

    requirements = tuple(requirement for requirement in options.with_ if requirement != AUTO)
    for _ in range(MOST_NEEDS):
        try:
            result = audit_once(target, replace(options, with_=requirements), reporter)
            needed = needed_by(result)
        except StartFailure as error:
            result, needed = None, error.needs
            if needed is None or needed in requirements:
                raise
        if result is not None and (needed is None or needed in requirements):
            return result
        assert needed is not None
        requirements = (*(each for each in requirements if named(each) != named(needed)), needed)
        reporter.say(f"--with auto: {target.text} needs {needed}; it is downloaded unless it was before")
    raise HarnessError(f"{target.text}: --with auto added {', '.join(requirements)}, and it still lacks a package")


def needed_by(result: AuditResult) -> str | None:
    """The requirement with which a function that has no name may get one."""
    unnamed = (subject for subject in result.subjects if subject.variant is None)
    return next((row["try_with"] for subject in unnamed for row in subject.findings if row.get("try_with")), None)


def chosen_options(options: Options | None, settings: dict[str, Any]) -> Options:
    """Options in which the settings replace the fields of their names."""
    if isinstance(settings.get("expect"), str):
        settings = {**settings, "expect": definition(settings["expect"])}
    return replace(options or Options(), **settings)


def open_session(stack: ExitStack, target: Target, options: Options, reporter: Reporter) -> Session:
    """A session for a target, whose process may be starting; closing ``stack`` ends it and removes its folder."""
    folder, ready = Path(stack.enter_context(scratch("audit-"))), None
    if target.library is None or target.release is None:
        worker = stack.enter_context(own_worker(target, options.convention, folder, options, reporter))
        worker.prepare()
    else:
        worker, ready = library_worker(target.library, target.release, options, folder, reporter)
        stack.enter_context(worker)
    from metric_harness.naming.session import Session  # while the process starts

    return Session(worker, target, folder, options, ready, reporter)


def audit_target(session: Session, reporter: Reporter) -> list[SubjectAudit]:
    """The audit of each function of a target."""
    from metric_harness.naming.own_function import audit_own

    return audit_own(session, reporter) if session.target.library is None else audit_library(session, reporter)


def identify(target: Any, options: Options | None = None, **settings: Any) -> Variant | None:
    """The variant that a function computes, or None if no known definition fits its answers.

    target, options, settings : as for :func:`audit`. A name is given only if it is verified on cases as large as real
    data, by code that all ran; ``accept="verified in part"`` or ``accept="probes only"`` gives it on less.

    Raises HarnessError where a definition fits the probes but does not hold at size, with the condition under which the
    function departs; where two ways of calling fit two definitions; where the name is not verified; for a target with
    several functions.

    >>> str(identify("recommenders:map_at_k"))                     # doctest: +SKIP
    'average_precision(divide_by=min_k_relevant)'
    """
    from metric_harness.naming.findings.finding import UNNAMED

    options = chosen_options(options, settings)
    result = audit(target, options)
    if len(result.subjects) != 1:
        first = result.subjects[0].target
        raise HarnessError(f"{target} has {len(result.subjects)} functions: give one of them, for example {first}")
    (subject,) = result.subjects
    if subject.identification.variant is None:
        return None
    if subject.variant is None:
        reason = next((row["message"] for row in subject.findings if row["code"] in UNNAMED), subject.evidence.reason)
        raise HarnessError(f"{subject.target}: {reason}")
    confidence = subject.evidence.confidence
    if not accepted(confidence, options.accept):
        raise HarnessError(
            f"{subject.target}: its answers are those of {subject.variant}, but the name is {confidence}: "
            f'{subject.evidence.reason}. To accept that: accept="{confidence}"'
        )
    return subject.variant


def definition(text: str) -> Variant:
    """The variant of a printed form such as ``ndcg(gain=linear)``; HarnessError says which part is wrong."""
    try:
        return Variant.parse(text)
    except ValueError as error:
        raise HarnessError(str(error)) from None


def target_of(function: Any) -> str:
    """The target text of a function object, ``file.py:name``.

    HarnessError for a function that no file defines, and for an object that differs from the one with its name in the
    file, such as a wrapper made later, or a method of an object with a state: the audit imports the file again.
    """
    module = sys.modules.get(getattr(function, "__module__", ""), None)
    file = getattr(module, "__file__", None)
    name = getattr(function, "__qualname__", "")
    if not file or not name or "<" in name:
        raise HarnessError(f"{function!r}: only a function or class at module level can be audited; give file.py:name")
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    owner = getattr(function, "__self__", None) if inspect.ismethod(function) else None
    on_an_object = owner is not None and not inspect.isclass(owner)
    if found != (function.__func__ if on_an_object else function):
        raise HarnessError(
            f"{function!r}: {Path(file).name} has another object named {name}, and that would be audited; "
            "define this one at module level under another name"
        )
    if on_an_object and getattr(owner, "__dict__", None):
        raise HarnessError(
            f"{function!r}: its object has a state, which the audit does not have; define a function at module level "
            "that makes the object and calls the method"
        )
    path = Path(file).resolve()
    patched = changed_global(function, path)
    if patched:
        raise HarnessError(
            f"{function!r}: {patched} of {path.name} is not as its file makes it, and the audit imports the file anew; "
            f"define {patched} in the file as it is to be"
        )
    return f"{path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}:{name}"


def changed_global(function: Any, path: Path) -> str:
    """The first global that the code of a function names and that was set after its file was imported; empty if none.

    A name that nothing in the file binds, a function of the file put in by another one, or a number or text that its
    one assignment does not give. What a ``global`` statement names is the function's own state.
    """
    function = inspect.unwrap(getattr(function, "__func__", function))
    code, scope = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    if code is None or Path(code.co_filename).resolve() != path:
        return ""
    bound: dict[str, list[ast.AST]] = {}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.alias) and node.name == "*":
            return ""
        for name in names_bound(node):
            bound.setdefault(name, []).append(node)
    for name in code.co_names:
        if name in scope and not name.startswith("__") and differs(scope[name], bound.get(name, []), path):
            return str(name)
    return ""


def names_bound(node: ast.AST) -> list[str]:
    """The names that a node of a syntax tree binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.alias):
        return [node.asname or node.name.partition(".")[0]]
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return [node.targets[0].id]
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    return node.names if isinstance(node, ast.Global) else []


def differs(value: Any, binding: list[ast.AST], path: Path) -> bool:
    """Whether a global is surely another one than what binds it in its file makes."""
    if not binding:
        return True
    if len(binding) == 1 and isinstance(binding[0], ast.FunctionDef) and not binding[0].decorator_list:
        return not inspect.isfunction(value) or Path(value.__code__.co_filename).resolve() != path
    assigned = next((each for each in binding if isinstance(each, ast.Assign)), None)
    if assigned is None or len(binding) > 2 or not isinstance(assigned.value, ast.Constant):  # itself, and its target
        return False
    return type(value) is not type(assigned.value.value) or bool(value != assigned.value.value)


def audit_library(session: Session, reporter: Reporter) -> list[SubjectAudit]:
    """Audit one or all functions of a library in its own environment."""
    from metric_harness.naming.search import choose_asked
    from metric_harness.naming.subject import audited

    library, release = session.target.library, session.target.release
    assert library is not None
    assert release is not None
    session.start()
    title = f"{library.key}=={session.version or release.version}"
    selected = (session.target.function,) if session.target.function else session.options.only
    functions = [name for name in library.subjects_of(release) if not selected or name in selected]
    audits = []
    with reporter.task(f"Auditing {library.name} {release.version}", len(functions)) as advance:
        for function in functions:
            advance(1, function)
            info = library.subjects[function]
            reason = session.ready.reason_against(info.needs) if session.ready else None
            if reason and session.target.function:
                raise HarnessError(f"{title}:{function} {reason}")
            if reason:
                reporter.say(f"{title}:{function} {reason}; left out")
                continue
            metric = session.options.metric or info.metric
            choice = choose_asked(session.ask, session.attempt(function), metric)
            audits.append(audited(session, choice, f"{title}:{function}"))
    return audits
