"""The names that an audit gives a function: of one result with where it holds, or of each result."""

from collections.abc import Iterable
from pathlib import Path

from metric_harness import audit
from metric_harness.naming.subject import SubjectAudit


def name_and_where(style: Path, name: str) -> tuple[str, list[str]]:
    """The definition, and the conditions beside it but for options at their default."""
    (subject,) = audit(f"{style}:{name}").subjects
    where = [each for each in subject.to_json().get("where", []) if "default" not in each]
    return str(subject.variant), where


def names_of(subjects: Iterable[SubjectAudit]) -> dict[str, str | None]:
    """The definition of each result by its name, which is empty for the only one; None without a definition."""
    return {
        subject.target.partition("[")[2].rstrip("]"): None if subject.variant is None else str(subject.variant)
        for subject in subjects
    }
