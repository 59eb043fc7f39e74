"""What to evaluate, and the resources that the local engine may use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from metric_harness.system.limits import BUFFERS
from metric_reference.variant import Variant


@dataclass(frozen=True, kw_only=True)
class EvaluationRequest:
    """What to evaluate: variants, cut-offs, users and relevance.

    variants, ks : variants without a cut-off of their own are computed at each of ``ks``.
    threshold : smallest rating that is relevant; if None, the smallest positive one.
    users : who is in the case: those of ``both`` files, of the ``truth``, ``recommended``, or ``all``.
    strict : whether files of which hardly any ids match are an error, not a warning.
    """

    variants: Sequence[Variant]
    ks: Sequence[int]
    threshold: float | None = None
    users: str = "both"
    strict: bool = False


@dataclass(frozen=True, kw_only=True)
class Resources:
    """The resources that the local engine may use.

    memory : bytes for DuckDB's buffers; the process takes more. work : the folder for temporary files, which are
    removed at the end; the cache if None. parts : the number of parts that the users are divided into and that are
    worked on one after the other; chosen by ``memory`` if None.
    """

    memory: int = BUFFERS
    work: Path | None = None
    parts: int | None = None
