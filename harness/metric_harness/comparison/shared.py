"""What the releases of one comparison have in common, and the settings it is run with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from metric_harness.bundles.build import Bundle
from metric_harness.comparison.kept_parts import KeptParts
from metric_harness.comparison.places import Places
from metric_harness.identification.probes import Probe
from metric_harness.libraries.describe import Library, Release
from metric_harness.system.progress import Reporter
from metric_harness.worker.answer_store import AnswerStore
from metric_harness.worker.case_folders import CaseFolders

Chosen = tuple[Library, Release]


@dataclass(frozen=True)
class Settings:
    """How a comparison is run.

    environment : ``isolated``, ``current``, or the path of a Python or of an environment.
    timeout : seconds a subject may take for the bundle; memory : bytes a worker may hold.
    fresh : forget the answers of earlier runs. sources : repositories on this machine, by library.
    live : the libraries to ask, all if None; of the others the recordings are shown.
    jobs : how many libraries are asked side by side, None: as many as there are cores; fewer where their workers could
        hold more than the computer's memory together (``memory`` for each of them). The record is the same.
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
        """Whether a library is asked, not only shown from its recording."""
        return self.live is None or library.key in self.live


@dataclass(frozen=True, kw_only=True)
class Shared:
    """What the threads of a comparison share; all of it may be used by several at once.

    store : the answers on the bundle, kept in the folder ``out``. kept : the rows of releases, kept there too.
    probes : with ``cases`` as their folders. staged : what the path of a worker holds.
    """

    bundle: Bundle
    settings: Settings
    out: Path
    reporter: Reporter
    store: AnswerStore
    kept: KeptParts
    probes: Sequence[Probe]
    cases: CaseFolders
    places: Places
    staged: Path
