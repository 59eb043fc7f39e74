"""The findings of a record as SARIF 2.1.0: laid out as an audit's, and written by what writes those."""

from __future__ import annotations

from typing import Any

from metric_reports.formats.audit_ci import CaseLines, Rules, cleaned
from metric_reports.formats.audit_ci import render_sarif as render_audit_sarif
from metric_reports.types import audit
from metric_reports.types.run import Case, Finding, Record, Source
from metric_reports.view.matters import matters
from metric_reports.view.table import Key, key_of, short_names


def render_sarif(record: Record, rules: Rules, case_lines: CaseLines) -> str:
    """One run: a rule for each code of the project, and of the record if it has others, a result for each finding."""
    strange = {one["code"]: unknown_rule(one) for one in record["findings"] if one["code"] not in rules}
    return render_audit_sarif(
        cleaned(as_audit(record)), {**rules, **cleaned(strange)}, case_lines, cleaned(beside(record))
    )


def unknown_rule(finding: Finding) -> dict[str, Any]:
    """The rule of a code that this version does not know, as far as its finding tells."""
    about = {"why": finding["title"], "advice": finding["advice"]}
    return {"severity": finding["severity"], "title": finding["title"], **about}


def as_audit(record: Record) -> dict[str, Any]:
    """The functions that have findings, with them, as an audit has its subjects."""
    names, known = short_names(record), {key_of(subject): subject for subject in record["subjects"]}
    subjects: dict[Key, dict[str, Any]] = {}
    signatures: dict[Key, list[str]] = {}
    for cell in record["cells"]:
        if cell.get("signature"):
            signatures.setdefault(key_of(cell), []).append(str(cell["signature"]))
    for finding in record["findings"]:
        key = key_of(finding)
        library, release, function, metric = key
        alone = names[library, release] == library
        subject = subjects.setdefault(
            key,
            {
                "target": f"{library if alone else f'{library}=={release}'}:{function}",
                "metric": metric,
                "variant": known[key]["variant"] if key in known else None,
                "source": place(known[key].get("source")) if key in known else None,
                "signatures": signatures.get(key, []),
                "findings": [],
            },
        )
        where = f"{library} {release}, {function}: "
        case = as_case(finding["case"])
        subject["findings"].append({**finding, "message": where + finding["message"], "case": case})
    return {"harness": record["harness"], "subjects": list(subjects.values())}


def beside(record: Record) -> dict[str, Any]:
    """What a record says beside its findings: whether the choice of a definition matters, and the paper's verdicts."""
    out: dict[str, Any] = {}
    if (found := matters(record)) is not None:
        out["models"] = {
            "answer": found.answer,
            "metrics": [
                {
                    "metric": line.label,
                    "values": line.definitions,
                    "interval": line.interval,
                    "conclusions": line.changes,
                }
                for line in found.lines
            ],
        }
    if (paper := record.get("paper")) is not None:
        out["paper"] = {
            table["name"]: {
                row["library"]: {column: cell["verdict"] for column, cell in row["cells"].items()}
                for row in table["rows"]
            }
            for table in paper["tables"]
        }
    return out


def place(source: Source | None) -> audit.Source | None:
    """File and line of a function, or None where they are not known; a line below 1 is none."""
    if not source or not source.get("file"):
        return None
    line = source.get("line")
    return {"file": source["file"], "line": line if line and line > 0 else None}


def as_case(case: Case | None) -> dict[str, Any] | None:
    """The small case of a finding as an audit holds one."""
    if case is None:
        return None
    return {
        **case,
        "users": [{"gains": [1.0] * len(user["relevant"]), **user} for user in case["users"]],
        "candidates": [{"variant": case["standard"], "value": case["standard_value"]}],
        "arithmetic": [],
        "error": None,
    }
