"""Audits made by hand: a known and an unknown function, hostile texts, a comparison. They fit the schema."""

from __future__ import annotations

import copy
from typing import Any

from metric_reports.evidence_line import evidence_line

HOSTILE = "<script>alert(1)</script>\x1b[31m|`* [a](b) @someone ::error::\u202e %0A"
USER = {"list": [3, 7], "hits": [True, False], "relevant": [3, 9], "gains": [1.0, 1.0]}
CASE: dict[str, Any] = {
    "k": 1, "users": [USER], "value": 0.5, "error": None,
    "candidates": [{
        "variant": "recall(divide_by=relevant)", "value": 0.5000000000001,
        "formula": r"\frac{\sum_{j=1}^{k} \mathrm{rel}_j}{r}", "expression": "1.0 / 2",
    }],
    "arithmetic": ["recall(divide_by=relevant)@1: 1, divided by 2 = 0.5"],
    "call": ["returned = recall(actual=[3, 9], predicted=[3, 7], k=1)"],
}  # fmt: skip
GRADED: dict[str, Any] = {
    "k": 2, "users": [{**USER, "gains": [1.0, 4.0]}, {"list": [], "hits": [], "relevant": [], "gains": []}],
    "value": None, "error": "ValueError: empty", "candidates": [{"variant": "ndcg(gain=linear)", "value": "nan"}],
    "arithmetic": [],
}  # fmt: skip
VERIFIED: dict[str, Any] = {
    "confidence": "verified",
    "reason": None,
    "probes": {"answered": 16, "of": 16},
    "questions": 30,
    "cases": 14,
    "users": 2068,
    "cutoffs": [1, 10, 200],
    "values": 4166,
    "agreement": "same",
}
VERIFIED["summary"] = evidence_line(VERIFIED)
REFUSED: dict[str, Any] = {
    "confidence": "refused",
    "reason": HOSTILE,
    "probes": {"answered": 9, "of": 16},
    "questions": 0,
    "cases": 0,
    "users": 0,
    "cutoffs": [],
    "values": 0,
    "agreement": None,
}
REFUSED["summary"] = evidence_line(REFUSED)
CALLING = {
    "about": "the relevant items, the recommended items, best first; lists; called for one user at a time.",
    "why": "by name, actual is relevant, predicted is recommended; k is k",
    "call": "recall(actual={relevant}, predicted={recommended}, k={k})",
}
RULE = {"title": "recall divides by min(k, r)", "advice": "For each user multiply by min(k, r) / r."}
KNOWN: dict[str, Any] = {
    "target": "src/my metrics.py:recall", "source": {"file": "src/my metrics.py", "line": 12}, "metric": "recall",
    "convention": "relevant,recommended", "calling": CALLING,
    "expected": {"variant": "recall(divide_by=relevant)", "holds": False},
    "identified": True, "variant": "recall(divide_by=min_k_relevant)", "suggested": "recall(divide_by=min_k_relevant)",
    "short_signature": "recall#b1946ac9", "formula": r"\frac{\sum_{j=1}^{k} \mathrm{rel}_j}{\min(k, r)}",
    "constant_scorer": "1 where the relevant item comes first in the input, 0 where it comes last",
    "imports": ["from metrics import recall"],
    "evidence": VERIFIED, "differs": {"divide_by": ["min_k_relevant", "relevant"]}, "rivals": [],
    "choices": {"divide_by": "min_k_relevant", "weight": "user", "users": "truth"},
    "edges": {"no_list": "zero", "k_beyond_items": "ok"}, "alternatives": [], "nearest": [], "notes": [],
    "findings": [
        {"code": "EXP001", "severity": "error", "title": "not the definition expected", "message": "expected, not so",
         "advice": "Change it.", "case": CASE},
        {"code": "REC001", "severity": "warning", "message": "100% of it,\nit computes: that", "case": None,
         "edge": False, "try_with": "numpy==1.26.4", **RULE},
        {"code": "DUP001", "severity": "note", "title": "twice", "message": "counted", "advice": "No.", "case": GRADED},
    ],
}  # fmt: skip
UNKNOWN: dict[str, Any] = {
    "target": f"exec:{HOSTILE}", "source": None, "metric": None, "convention": None, "calling": None, "expected": None,
    "identified": False, "variant": None, "suggested": HOSTILE, "evidence": REFUSED, "choices": {}, "differs": {},
    "edges": {}, "alternatives": [], "rivals": [],
    "nearest": [{"variant": "ndcg(gain=binary)", "fails": ["plain"], "case": {**CASE, "k": 3}}],
    "notes": [HOSTILE],
    "findings": [
        {"code": "UNX001", "severity": "error", "title": HOSTILE, "message": HOSTILE, "advice": HOSTILE,
         "case": {**CASE, "value": None, "error": HOSTILE}},
    ],
}  # fmt: skip


def an_audit() -> dict[str, Any]:
    """Two functions, four findings."""
    return copy.deepcopy({"schema_version": 3, "subjects": [KNOWN, UNKNOWN], "harness": {"version": "1.0.0"}})


def a_comparison(same: bool = False) -> dict[str, Any]:
    """The same two functions held against each other."""
    apart = {
        "code": "CMP001",
        "severity": "error",
        "title": "two functions differ",
        "message": "a; b",
        "advice": "One.",
        "case": None,
    }
    edges = {"no_list": ["zero", "skipped"]}
    return copy.deepcopy({
        **an_audit(), "same": same, "edges": {} if same else edges, "findings": [] if same else [apart],
        "case": None if same else {**CASE, "other": "nan"},
    })  # fmt: skip
