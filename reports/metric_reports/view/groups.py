"""The findings of one rule code, without repetition."""

from __future__ import annotations

from typing import Any

from metric_reports.html.strips import strip, sums
from metric_reports.types.run import Finding
from metric_reports.view.table import SEVERITIES, key_of, severity_rank


def group_view(code: str, findings: list[Finding]) -> dict[str, Any]:
    """The findings of one rule code, without repetition.

    Findings with the same small case form one part: the case is drawn once, with a row for every answer to it. Equal
    messages are merged. Advice common to all findings is given once for the group.
    """
    parts: dict[str, dict[str, Any]] = {}
    advice = {finding["advice"] for finding in findings}
    for finding in findings:
        case = finding["case"]
        drawing = repr({name: case[name] for name in ("probe", "k", "users")}) if case else ""
        blank: dict[str, Any] = {"case": case, "advice": finding["advice"]}
        blank |= {"strips": [], "messages": {}, "rows": {}, "sums": {}}
        part = parts.setdefault(repr((drawing, finding["advice"])), blank)
        part["messages"].setdefault((finding["severity"], finding["message"]), []).append(finding)
        if case:
            part["strips"] = [strip(user, case["k"]) for user in case["users"]]
            row = (case["value"], case["standard"], case["standard_value"])
            part["rows"].setdefault(row, []).append(finding)
            part["sums"].update(sums(case.get("arithmetic", [])))
    return {
        "code": code,
        "severity": SEVERITIES[severity_rank(findings)],
        "title": findings[0]["title"],
        "functions": len({key_of(finding) for finding in findings}),
        "advice": advice.pop() if len(advice) == 1 else None,
        "parts": list(parts.values()),
    }
