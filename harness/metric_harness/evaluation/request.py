"""What is to be evaluated, and what the local engine may take for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from metric_harness.system.limits import BUFFERS
from metric_reference.variant import Variant


@dataclass(frozen=True, kw_only=True)
class EvaluationRequest:
    """Variants, cut-offs, and who and what counts.

    variants, ks : those without a cut-off of their own are computed at each of ``ks``.
    threshold : smallest rating that is relevant; if None, the smallest positive one.
    users : who is in the case: those of ``both`` files, of the ``truth``, ``recommended``, or ``all``.
    """

    variants: Sequence[Variant]
    ks: Sequence[int]
    threshold: float | None = None
    users: str = "both"


@dataclass(frozen=True, kw_only=True)
class Resources:
    """What the local engine may take.

    memory : bytes for DuckDB's buffers; the process takes more. work : the folder for temporary files, which are
    removed at the end; the cache if None. parts : into how many parts the users are dealt, one of which is worked on at
    a time; what the memory asks for if None.
    """

    memory: int = BUFFERS
    work: Path | None = None
    parts: int | None = None
