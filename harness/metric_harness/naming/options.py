"""The options of an audit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from metric_harness.system.errors import HarnessError
from metric_reference.variant import RANKING, Variant
from metric_reports.types.common import IN_PART, PROBES_ONLY, VERIFIED

AUTO = "auto"
"""In place of a requirement: those that the function's errors name."""
ACCEPTED = (VERIFIED, IN_PART, PROBES_ONLY)
"""The evidence that a name may rest on, strongest first."""


def accepted(confidence: str, least: str) -> bool:
    """Whether evidence is at least as strong as what is accepted."""
    return confidence in ACCEPTED[: ACCEPTED.index(least) + 1]


@dataclass(frozen=True)
class Options:
    """How an audit is run.

    metric : what the function claims to be, if its name does not tell. convention : how it is called; found out if
    None. expect : the definition it should follow. environment : as for a comparison. timeout : seconds for a
    question. memory : bytes that the worker may hold. adapters : the user's folders with library folders. sources :
    repositories on this machine, as NAME=PATH, for releases that are git commits. accept : the evidence that an
    expected definition needs: ``verified``, or to accept less ``verified in part`` or ``probes only``. with_ :
    requirements of an environment that is built for the function, such as ``numpy==1.26.4``; ``auto`` among them adds
    those that the errors name. start_timeout : seconds for the import. total_timeout : seconds for all questions
    together, 0 for no limit. folders : further folders for the imports of a user's function. bytecode : whether Python
    may write its compiled files beside the source. only : the functions of a library that are audited, all if empty.

    Raises HarnessError for a metric that audits cannot identify, a time-out that is not above 0, and options that
    exclude each other.
    """

    metric: str | None = None
    convention: str | None = None
    expect: Variant | None = None
    environment: str = "isolated"
    timeout: float = 10.0
    memory: int = 4 << 30
    adapters: tuple[Path, ...] = ()
    sources: tuple[str, ...] = ()
    accept: str = VERIFIED
    with_: tuple[str, ...] = ()
    start_timeout: float = 300.0
    total_timeout: float = 0.0
    folders: tuple[Path, ...] = ()
    bytecode: bool = True
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.metric is not None and self.metric not in RANKING:
            raise HarnessError(f"metric {self.metric!r}: give one of {', '.join(RANKING)}")
        if self.accept not in ACCEPTED:
            raise HarnessError(f"accept {self.accept!r}: give one of {', '.join(ACCEPTED)}")
        if not self.timeout > 0:
            raise HarnessError(f"timeout {self.timeout:g}: give seconds, more than 0")
        if self.with_ and self.environment not in ("isolated", "current"):
            raise HarnessError("--with builds an environment and --environment names one: give one of them")
        if self.expect is not None and self.expect.metric.name not in RANKING:
            raise HarnessError(f"{self.expect}: an audit identifies the metrics {', '.join(RANKING)}")
