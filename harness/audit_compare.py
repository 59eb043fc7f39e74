"""Two functions held against each other: the same definition, or the smallest case where they differ."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from harness.ask import Worker
from harness.audit import audit, own_worker
from harness.environments import resolve_python
from harness.errors import HarnessError
from harness.examine import Options, Session, SubjectAudit, case_of
from harness.libraries import Library, find_libraries
from harness.progress import Reporter
from harness.record import to_json_number
from harness.shrink import smallest_difference
from harness.staging import stage
from harness.targets import parse_target


def compare_targets(one: str, two: str, options: Options, reporter: Reporter) -> dict[str, Any]:
    """Whether two functions follow the same definition, and if not the smallest case on which they differ.

    Returns {"same": bool, "subjects": [two subjects as JSON], "case": the smallest case or None}.
    """
    libraries = find_libraries(list(options.adapters))
    results = [audit(text, options, reporter) for text in (one, two)]
    for text, result in zip((one, two), results, strict=True):
        if len(result.subjects) != 1:
            raise HarnessError(
                f"--compare takes two functions; {text} has {len(result.subjects)}: give {text}:FUNCTION"
            )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="metric-harness-")))
        asked = []
        for number, (text, result) in enumerate(zip((one, two), results, strict=True)):
            asked.append(_asker(stack, text, result.subjects[0], libraries, options, folder / str(number), reporter))
        gap = smallest_difference(asked[0], asked[1])
    variants = [result.subjects[0].variant for result in results]
    case = None
    if gap is not None:
        case = case_of(gap, [v for v in variants if v is not None])
        if case is not None:
            case["other"] = to_json_number(gap.other)
    return {"same": gap is None, "subjects": [r.subjects[0].to_json() for r in results], "case": case}


def _asker(
    stack: ExitStack, text: str, subject: SubjectAudit, libraries: dict[str, Library], options: Options, folder: Path,
    reporter: Reporter,
) -> Any:  # fmt: skip
    target = parse_target(text, libraries)
    folder.mkdir(parents=True)
    if target.library is not None and target.release is not None:
        python = resolve_python(options.environment, target.library, target.release, reporter)
        worker = Worker(python, stage([target.library]), target.library.key, folder / "log.txt", memory=options.memory)
    else:
        worker = own_worker(target, subject.convention, folder, options)
    stack.enter_context(worker)
    offered = worker.start()["subjects"]
    session = Session(worker, target, folder, options)
    function = target.function if target.library is not None and target.function else next(iter(offered))
    return lambda case, k: session.ask(function, case, k).value
