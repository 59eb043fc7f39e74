"""What an audit would build, fetch and run; nothing of it is done."""

from __future__ import annotations

from metric_harness.auditing.session import Options
from metric_harness.auditing.target import parse_target
from metric_harness.auditing.user_function import resolve_interpreter
from metric_harness.auditing.with_packages import release_with
from metric_harness.libraries.describe import find_libraries
from metric_harness.libraries.dry_run import environment_line, release_lines
from metric_harness.libraries.git_sources import parse_sources


def target_lines(text: str, options: Options) -> list[str]:
    """What auditing a target would need and run, one line each. HarnessError for a text that is no target."""
    known = find_libraries(options.adapters)
    target = parse_target(text, known)
    if target.library is not None and target.release is not None:
        functions = [target.function] if target.function else None
        sources = parse_sources(options.sources, known)
        return release_lines(target.library, target.release, options.environment, sources, functions)
    if target.command:
        return [text, f"    would run    {' '.join(target.command)}"]
    if options.with_:
        environment = environment_line(*release_with(options.with_), "isolated")
    else:
        environment = f"{resolve_interpreter(options.environment)}, as it is"
    return [text, f"    environment  {environment}", f"    would run    {target.own}, and whatever its import runs"]
