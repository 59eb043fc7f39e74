"""Prepares all that a release needs before it can be asked: its environment, source and compiled part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from metric_harness.libraries.compiled import compiled_for
from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import EnvironmentFailure, fingerprint_of, resolve_python
from metric_harness.libraries.git_sources import source_for
from metric_harness.libraries.intact import fingerprint
from metric_harness.system.progress import Reporter
from metric_harness.worker.launch import Launch


@dataclass(frozen=True)
class Ready:
    """A release that can be asked.

    python : the interpreter of its environment; arguments : for the worker; missing : the needs that cannot be met
    (``compiled``), each with the reason. content : a digest of what is installed there; None for an environment of the
    user, whose files may change under the same versions.
    """

    python: Path
    arguments: tuple[str, ...] = ()
    missing: dict[str, str] = field(default_factory=dict)
    content: str | None = None

    def reason_against(self, needs: tuple[str, ...]) -> str | None:
        """Why a subject with these needs cannot be asked, or None if it can."""
        return next((self.missing[need] for need in needs if need in self.missing), None)

    def launch(self, staged: Path, name: str, log: Path, memory: int = 8 << 30) -> Launch:
        """How its worker is started; see :class:`metric_harness.worker.launch.Launch`."""
        return Launch(python=self.python, staged=staged, name=name, log=log, memory=memory, arguments=self.arguments)


def ready(
    environment: str, library: Library, release: Release, sources: Mapping[str, Path], reporter: Reporter
) -> Ready:
    """Make a release ready. Returns what only some subjects lack; raises EnvironmentFailure for what all need."""
    source = source_for(library, release, sources, reporter) if release.commit else None
    python = resolve_python(environment, library, release, reporter)
    arguments = ["--adapter", release.adapter, "--release", release.version]
    missing: dict[str, str] = {}
    content = fingerprint_of(python) if environment == "isolated" else None
    if source is not None:
        arguments += ["--source", str(source)]
    if any("compiled" in info.needs for info in library.subjects_of(release).values()):
        try:
            compiled = compiled_for(library, release, python, sources, reporter)
            arguments += ["--compiled", str(compiled)]
            content = content and f"{content} {fingerprint(compiled)}"
        except EnvironmentFailure as failure:
            missing["compiled"] = str(failure)
    return Ready(python, tuple(arguments), missing, content)
