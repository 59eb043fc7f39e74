"""The name that an audit gives a function of one result, and where it holds."""

from pathlib import Path

from metric_harness import audit


def name_and_where(style: Path, name: str) -> tuple[str, list[str]]:
    """The definition, and the conditions beside it but for options at their default."""
    (subject,) = audit(f"{style}:{name}").subjects
    where = [each for each in subject.to_json().get("where", []) if "default" not in each]
    return str(subject.variant), where
