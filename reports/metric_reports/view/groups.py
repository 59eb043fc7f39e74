"""The findings of one rule code, without repetition."""

from __future__ import annotations

from typing import Any

from metric_reports.html.strips import strip, sums
from metric_reports.types.run import LibraryFinding
from metric_reports.view.table import SEVERITIES, key_of, severity_rank


def group_view(code: str, findings: list[LibraryFinding]) -> dict[str, Any]:
    """The findings of one rule code, without repetition.

    Findings with the same small case form one part: the case is drawn once, with a row for every answer to it. Equal
    messages are merged. Advice common to all findings is given once for the group.
    """
    parts: dict[str, dict[str, Any]] = {}
    advice = {finding["advice"] for finding in findings}
    for finding in findings:
        case = finding["case"]
        drawing = repr([case.get("probe"), case["k"], case["users"]]) if case else ""
        blank: dict[str, Any] = {"case": case, "advice": finding["advice"]}
        blank |= {"strips": [], "messages": {}, "rows": {}, "sums": {}}
        part = parts.setdefault(repr((drawing, finding["advice"])), blank)
        part["messages"].setdefault((finding["severity"], finding["message"]), []).append(finding)
        if case:
            part["strips"] = [strip(user, case["k"]) for user in case["users"]]
            standard = case["candidates"][0]
            row = (case["value"], standard["variant"], standard["value"])
            part["rows"].setdefault(row, []).append(finding)
            part["sums"].update(sums(case["arithmetic"]))
    return {
        "code": code,
        "severity": SEVERITIES[severity_rank(findings)],
        "title": findings[0]["title"],
        "functions": len({key_of(finding) for finding in findings}),
        "advice": advice.pop() if len(advice) == 1 else None,
        "parts": list(parts.values()),
    }
