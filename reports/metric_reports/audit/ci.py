"""An audit for machines that show it beside the code: SARIF 2.1.0 and GitHub workflow commands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from metric_reports.audit.case_lines import case_lines
from metric_reports.audit.text import computed
from metric_reports.types.audit import Audit, Subject
from metric_reports.types.common import Finding
from metric_reports.view.words import clean

Rules = Mapping[str, Mapping[str, Any]]
"""By code: severity, title, why, advice."""

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "note": "note"}
COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def findings_of(record: Audit) -> Iterator[tuple[Subject, Finding, list[str]]]:
    """Every finding with its subject and its case as lines; those of a comparison belong to the first subject."""
    for subject in record["subjects"]:
        for finding in subject["findings"]:
            yield subject, finding, case_lines(finding["case"]) if finding["case"] else []
    names = [subject["target"] for subject in record["subjects"]]
    for finding in record.get("findings", []):
        yield record["subjects"][0], finding, case_lines(record["case"], names) if record["case"] else []


def render_sarif(record: Audit, rules: Rules, beside: Mapping[str, Any] | None = None) -> str:
    """One run with a rule for each code of the project and a result for each finding. beside : more properties."""
    codes = list(rules)
    run = {
        "tool": {
            "driver": {
                "name": "metric-harness",
                "version": record["harness"]["version"],
                "rules": [_rule(code, rules[code]) for code in codes],
            }
        },
        "invocations": [{"executionSuccessful": True}],
        "properties": {"subjects": [_about(subject) for subject in record["subjects"]], **(beside or {})},
        "columnKind": "unicodeCodePoints",
        "results": [_result(codes, *row) for row in findings_of(record)],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False)


def _rule(code: str, rule: Mapping[str, Any]) -> dict[str, Any]:
    text = f"{rule['why']}\n\nWhat to do: {rule['advice']}"
    return {
        "id": code,
        "shortDescription": {"text": rule["title"]},
        "fullDescription": {"text": rule["why"]},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": LEVELS[rule["severity"]]},
    }


def _result(codes: list[str], subject: Subject, finding: Finding, case: list[str]) -> dict[str, Any]:
    identity = f"{finding['code']}\0{subject['target']}\0{subject['variant']}".encode(errors="backslashreplace")
    return {
        "ruleId": finding["code"],
        "ruleIndex": codes.index(finding["code"]),
        "level": LEVELS[finding["severity"]],
        "message": {"text": clean("\n".join([finding["message"], f"What to do: {finding['advice']}", *case]))},
        "locations": [_location(subject)],
        "partialFingerprints": {"metricHarness/v1": hashlib.sha256(identity).hexdigest()},
        "properties": _about(subject),
    }


def _about(subject: Subject) -> dict[str, Any]:
    """What a function computes and on which evidence, as far as the record has these."""
    keys = ("target", "metric", "variant", "suggested", "evidence", "signatures")
    return cleaned({name: value for name, value in subject.items() if name in keys})


def cleaned(value: Any) -> Any:
    """A value of JSON with every text in it cleaned."""
    if isinstance(value, dict):
        return {name: cleaned(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [cleaned(inner) for inner in value]
    return clean(value) if isinstance(value, str) else value


def _location(subject: Subject) -> dict[str, Any]:
    source = subject["source"]
    physical: dict[str, Any] = {"artifactLocation": {"uri": address(source["file"] if source else subject["target"])}}
    if source and source["line"]:
        physical["region"] = {"startLine": source["line"]}
    logical = {"fullyQualifiedName": clean(subject["target"]), "kind": "function"}
    return {"physicalLocation": physical, "logicalLocations": [logical]}


def address(file: str) -> str:
    """The URI of a file: relative, or ``file:///...`` if the path is absolute."""
    return ("file://" if PurePosixPath(file).is_absolute() else "") + quote(clean(file))


def render_github(record: Audit) -> str:
    """A line for each finding, which GitHub Actions shows at the function, and one with all variants and evidence."""
    lines = []
    for subject, finding, case in findings_of(record):
        source = subject["source"]
        properties = {
            "file": source and source["file"],
            "line": source and source["line"],
            "title": f"{finding['code']} {finding['title']}",
        }
        text = [f"{subject['target']}: {finding['message']}", f"What to do: {finding['advice']}", *case]
        lines.append(command(COMMANDS[finding["severity"]], properties, "\n".join(text)))
    results = [
        f"{subject['target']} computes {computed(subject)} "
        f"({subject['evidence']['confidence']}: {subject['evidence']['summary']})"
        for subject in record["subjects"]
    ]
    return "\n".join([*lines, command("notice", {"title": "metric-harness"}, "\n".join(results))])


def command(name: str, properties: Mapping[str, Any], message: str) -> str:
    """A workflow command, escaped for the runner."""
    values = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value is not None)
    return f"::{name} {values}::{_data(message)}"


def _data(text: str) -> str:
    return clean(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
