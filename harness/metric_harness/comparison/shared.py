"""The settings of a comparison, and the objects that its releases share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from metric_harness.bundles.build import Bundle
from metric_harness.comparison.asked_cases import AskedCases
from metric_harness.comparison.kept_parts import KeptParts
from metric_harness.libraries.describe import Library, Release
from metric_harness.naming.probes.probe import Probe
from metric_harness.system.progress import Reporter
from metric_harness.worker.answer_store import AnswerStore
from metric_harness.worker.case_folders import CaseFolders

Chosen = tuple[Library, Release]


@dataclass(frozen=True)
class Settings:
    """How a comparison is run.

    environment : ``isolated``, ``current``, or the path of a Python or of an environment.
    timeout : seconds a subject may take for the bundle; memory : bytes a worker may hold.
    fresh : ignore the answers of earlier runs. sources : repositories on this machine, by library.
    live : the libraries to ask, None for all; the others are shown from their recordings.
    jobs : how many libraries are asked side by side, None for one for each core; fewer where their workers, with
        ``memory`` for each, could exceed the computer's memory. The record does not depend on it.
    """

    ks: tuple[int, ...] = (20,)
    environment: str = "isolated"
    timeout: float = 600.0
    memory: int = 8 << 30
    fresh: bool = False
    sources: Mapping[str, Path] = field(default_factory=dict)
    live: frozenset[str] | None = None
    jobs: int | None = None

    def asks(self, library: Library) -> bool:
        """Whether a library is asked; else it is shown from its recording."""
        return self.live is None or library.key in self.live


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The objects that the threads of a comparison share; all may be used by several threads at once.

    store : the answers on the bundle, kept in the folder ``out``. kept : the rows of releases, kept there too.
    cases : the folders of the probes' cases. staged : the folder of the modules that workers import.
    """

    bundle: Bundle
    settings: Settings
    out: Path
    reporter: Reporter
    store: AnswerStore
    kept: KeptParts
    probes: Sequence[Probe]
    cases: CaseFolders
    asked_cases: AskedCases
    staged: Path
