"""The findings of a record as SARIF 2.1.0, converted to an audit and written like one."""

from __future__ import annotations

from typing import Any

from metric_reports.audit.ci import Rules, cleaned
from metric_reports.audit.ci import render_sarif as render_audit_sarif
from metric_reports.types import audit
from metric_reports.types.run import LibraryFinding, Record, Source
from metric_reports.view.matters import matters
from metric_reports.view.table import Key, key_of, short_names


def render_sarif(record: Record, rules: Rules) -> str:
    """One run: a rule for each code of the project and each other code of the record, a result for each finding."""
    unknown = {row["code"]: unknown_rule(row) for row in record["findings"] if row["code"] not in rules}
    all_rules = {**rules, **cleaned(unknown)}
    return render_audit_sarif(cleaned(as_audit(record)), all_rules, cleaned(beside(record)))


def unknown_rule(finding: LibraryFinding) -> dict[str, Any]:
    """A rule made from a finding, for a code that this version does not know."""
    title = finding["title"]
    return {"severity": finding["severity"], "title": title, "why": title, "advice": finding["advice"]}


def as_audit(record: Record) -> dict[str, Any]:
    """The functions with findings, in the form of an audit."""
    names, known = short_names(record), {key_of(subject): subject for subject in record["subjects"]}
    subjects: dict[Key, dict[str, Any]] = {}
    signatures: dict[Key, list[str]] = {}
    for cell in record["cells"]:
        if cell.get("signature"):
            signatures.setdefault(key_of(cell), []).append(str(cell["signature"]))
    for finding in record["findings"]:
        key = key_of(finding)
        library, release, function, metric = key
        one_release = names[library, release] == library
        subject = subjects.setdefault(
            key,
            {
                "target": f"{library if one_release else f'{library}=={release}'}:{function}",
                "metric": metric,
                "variant": known[key]["variant"] if key in known else None,
                "source": source_of(known[key].get("source")) if key in known else None,
                "signatures": signatures.get(key, []),
                "findings": [],
            },
        )
        message = f"{library} {release}, {function}: {finding['message']}"
        subject["findings"].append({**finding, "message": message, "case": finding["case"]})
    return {"harness": record["harness"], "subjects": list(subjects.values())}


def beside(record: Record) -> dict[str, Any]:
    """Properties besides the findings: whether the choice of a definition matters, and the paper's verdicts."""
    properties: dict[str, Any] = {}
    if (result := matters(record)) is not None:
        properties["models"] = {
            "answer": result.answer,
            "metrics": [
                {
                    "metric": line.label,
                    "values": line.definitions,
                    "interval": line.interval,
                    "conclusions": line.changes,
                }
                for line in result.lines
            ],
        }
    if (paper := record.get("paper")) is not None:
        properties["paper"] = {
            table["name"]: {
                row["library"]: {column: cell["verdict"] for column, cell in row["cells"].items()}
                for row in table["rows"]
            }
            for table in paper["tables"]
        }
    return properties


def source_of(source: Source | None) -> audit.Source | None:
    """File and line of a function, or None if unknown; a line below 1 counts as unknown."""
    if not source or not source.get("file"):
        return None
    line = source.get("line")
    return {"file": source["file"], "line": line if line and line > 0 else None}
