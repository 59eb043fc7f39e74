"""A record such as a run writes, made by hand: every status, severity and kind of answer occurs in it."""

from __future__ import annotations

from typing import Any

from metric_reports.record import to_json_number

AP = r"\frac{1}{\min(k, r)} \sum_{j=1}^{k} P@j \cdot \mathrm{rel}_j"
DCG = r"\sum_{j=1}^{k} \frac{\mathrm{rel}_j}{\log_2(j + 1)}"
FORMULAS = {
    "hit_rate": r"\left[ \sum_{j=1}^{k} \mathrm{rel}_j > 0 \right]",
    "hit_rate(value=hits)": r"\sum_{j=1}^{k} \mathrm{rel}_j",
    "precision": r"\frac{1}{k} \sum_{j=1}^{k} \mathrm{rel}_j",
    "precision(divide_by=list)": r"\frac{1}{\min(k, |L|)} \sum_{j=1}^{k} \mathrm{rel}_j",
    "recall": r"\frac{1}{r} \sum_{j=1}^{k} \mathrm{rel}_j",
    "recall(divide_by=min_k_relevant)": r"\frac{1}{\min(k, r)} \sum_{j=1}^{k} \mathrm{rel}_j",
    "reciprocal_rank": r"\frac{1}{\min \{ j \le k : \mathrm{rel}_j \}}",
    "average_precision": AP,
    "average_precision(divide_by=relevant)": AP.replace(r"\min(k, r)", "r"),
    "average_precision(divide_by=hits)": AP.replace(r"\min(k, r)", r"\sum_j \mathrm{rel}_j"),
    "average_precision(sum_over=all_ranks, divide_by=k)": r"\frac{1}{k} \sum_{j=1}^{k} P@j",
    "ndcg": rf"\frac{{{DCG}}}{{\sum_{{j=1}}^{{\min(k, r)}} \frac{{1}}{{\log_2(j + 1)}}}}",
    "ndcg(ideal=hits)": rf"\frac{{{DCG}}}{{\sum_{{j=1}}^{{h}} \frac{{1}}{{\log_2(j + 1)}}}}",
    "auc(scope=stacked)": r"\frac{1}{|P| \, |N|} \sum_{p \in P} \sum_{n \in N} [s_p > s_n]",
    "auc(scope=per_positive)": r"\frac{1}{\sum_u |P_u|} \sum_u \sum_{p \in P_u} \frac{1}{|N_u|} \sum_{n} [s_p > s_n]",
    "auc(scope=top_k)": r"\frac{1}{|P_L| \, |N_L|} \sum_{p \in P_L} \sum_{n \in N_L} [j_p < j_n]",
}  # fmt: skip

# library: title, release, what it offers as (function, metric, variant, value at k = 20, finding codes).
LIBRARIES: dict[str, tuple[str, str, list[tuple[str, str, str | None, float | None, str]]]] = {
    "recbole": ("RecBole", "1.2.1", [
        ("Hit", "hit_rate", "hit_rate", 0.47457006952067327, ""),
        ("Precision", "precision", "precision", 0.057519209659714604, ""),
        ("Recall", "recall", "recall", 0.09632131280310642, "NAN001"),
        ("MRR", "reciprocal_rank", "reciprocal_rank", 0.18632413351027097, ""),
        ("MAP", "average_precision", "average_precision", 0.03927176078866248, "DOC001"),
        ("NDCG", "ndcg", "ndcg", 0.09326437896736814, ""),
        ("AUC", "auc", "auc(scope=stacked)", 0.686625474152309, ""),
        ("GAUC", "auc", "auc(scope=per_positive)", 0.68817197886286131, "AUC001"),
    ]),
    "recommenders": ("Recommenders", "1.2.1", [
        ("precision_at_k", "precision", "precision", 0.0575192096597146, ""),
        ("recall_at_k", "recall", "recall", 0.09632131280310642, ""),
        ("map_at_k", "average_precision", "average_precision", 0.03927176078866247, ""),
        ("map", "average_precision", "average_precision(divide_by=relevant)", 0.031690245847362415, "AP002"),
        ("ndcg_at_k", "ndcg", "ndcg", 0.09326437896736813, ""),
        ("auc", "auc", "auc(scope=stacked)", 0.686625474152309, ""),
    ]),
    "rs_metrics": ("rs_metrics", "0.6.0", [
        ("hitrate", "hit_rate", "hit_rate", 0.47457006952067327, ""),
        ("precision", "precision", "precision(divide_by=list)", 0.057519209659714604, "PRE001 NAN001"),
        ("recall", "recall", "recall", 0.09632131280310642, ""),
        ("mrr", "reciprocal_rank", "reciprocal_rank", 0.18632413351027097, ""),
        ("mapr", "average_precision", "average_precision(divide_by=relevant)", 0.031690245847362415, "AP002"),
        ("ndcg", "ndcg", "ndcg", 0.09326437896736813, ""),
    ]),
    "daisyrec": ("DaisyRec", "2.3.0", [
        ("HR", "hit_rate", "hit_rate", 0.47457006952067327, ""),
        ("Precision", "precision", "precision(divide_by=list)", 0.0575192096597146, "PRE001"),
        ("Recall", "recall", "recall", 0.09632131280310641, ""),
        ("MRR", "reciprocal_rank", "reciprocal_rank", 0.18632413351027094, ""),
        ("MAP", "average_precision", "average_precision(divide_by=hits)", 0.2214407130829201, "AP004"),
        ("NDCG", "ndcg", "ndcg(ideal=hits)", 0.3102776014399713, "NDCG002"),
        ("AUC", "auc", "auc(scope=top_k)", float("nan"), "NAN001"),
    ]),
    "recpack": ("RecPack", "0.3.6", [
        ("HitK", "hit_rate", "hit_rate(value=hits)", 1.150384193194292, "HR001 RNG001"),
        ("PrecisionK", "precision", "precision", 0.057519215, ""),
        ("RecallK", "recall", "recall", 0.096321315, ""),
        ("CalibratedRecallK", "recall", "recall(divide_by=min_k_relevant)", 0.10170441, "REC001"),
        ("ReciprocalRankK", "reciprocal_rank", None, None, ""),
        ("NDCGK", "ndcg", None, 0.0912055, "UNX001"),
    ]),
    "elliot": ("Elliot", "git fc27efed", [
        ("MAP", "average_precision", "average_precision(sum_over=all_ranks, divide_by=k)", 0.0729853256514008, "AP003"),
        ("HR", "hit_rate", None, None, ""),
    ]),
}  # fmt: skip
RULES: dict[str, tuple[str, str, str]] = {
    "HR001": ("error", "Hits are counted, so the hit rate passes 1", "Divide it by k and read it as precision."),
    "RNG001": ("error", "A value lies outside [0, 1]", "See the finding that names the cause."),
    "NAN001": (
        "error",
        "One user's NaN makes the mean NaN",
        "Leave such users out beforehand.",
    ),
    "UNX001": ("error", "No known definition explains the value", "Do not compare this number."),
    "AP002": (
        "warning",
        "Average precision divides by all relevant items",
        "Compare it among those that do so too.",
    ),
    "AP003": (
        "warning",
        "Average precision has no relevance indicator",
        "It is no average precision.",
    ),
    "AP004": ("warning", "Average precision divides by the hits", "Recompute it from the lists."),
    "NDCG002": (
        "warning",
        "The ideal list is made of the list's own hits",
        "Take an ideal over min(k, r).",
    ),
    "REC001": ("note", "Recall divides by min(k, r)", "Compare it with the truncated recall of other libraries."),
    "PRE001": ("note", "Precision divides by the length of the list", "Give it full lists."),
    "AUC001": ("warning", "The AUC weighs users by their relevant items", "Say so beside the number."),
    "DOC001": ("note", "The documentation claims another definition", "Trust the definition found here."),
}
CASES: dict[str, tuple[str, int, list[list[Any]], float, str, float]] = {
    "HR001": ("plain", 5, [[[8, 3, 0, 6, 9, 1, 4, 7], [3, 0, 1, 4, 11]]], 2.0, "hit_rate", 1.0),
    "AP002": ("many_relevant", 3, [[[5, 2, 7, 0, 9, 4], [5, 7, 4, 10, 11, 1, 6]]], 5 / 21, "average_precision", 5 / 9),
    "AP004": ("plain", 5, [[[8, 3, 0, 6, 9, 1, 4, 7], [3, 0, 1, 4, 11]]], 7 / 12, "average_precision", 7 / 30),
    "AP003": ("short_list", 5, [[[7, 2, 5], [5, 7, 0, 10]]], 46 / 75, "average_precision", 5 / 12),
    "NDCG002": ("late_hit", 3, [[[2, 6, 4, 9, 1, 8], [9, 8, 3]], [[3, 5], [5, 4]]], 0.3154648768, "ndcg", 0.1934264036),
    "NAN001": ("no_list", 4, [[[2, 5, 1, 8, 6], [5, 8, 6]], [[], [1, 2]]], float("nan"), "recall", 1 / 3),
    "REC001": ("many_relevant", 3, [[[5, 2, 7, 0, 9, 4], [5, 7, 4, 10, 11, 1, 6]]], 2 / 3, "recall", 2 / 7),
    "PRE001": ("short_list", 5, [[[7, 2, 5], [5, 7, 0, 10]]], 2 / 3, "precision", 0.4),
}  # fmt: skip
EDGES = {
    "no_relevant": "zero", "no_list": "zero", "short_list": "by_k", "duplicates": "counted", "ties": "input_order",
    "k_beyond_items": "ok",
}  # fmt: skip


def sample_record(ks: tuple[int, ...] = (20,)) -> dict[str, Any]:
    """A fresh record that fits the schema ``run``; its values at other cut-offs than 20 are made up."""
    subjects, cells, findings = [], [], []
    for name, (_, release, offers) in LIBRARIES.items():
        for function, metric, variant, value, codes in offers:
            key = {"library": name, "release": release, "function": function, "metric": metric}
            subjects.append(_subject(key, variant))
            cells += [_cell(key, k, variant, value, codes.split()) for k in ks]
            findings += [_finding(key, code) for code in codes.split()]
    return {
        "schema_version": 3,
        "harness": {"version": "1.0.0", "python": "3.11.7", "numpy": "2.4.6", "platform": "Linux-6.1-x86_64"},
        "created": "2026-11-20T12:00:00Z",
        "seconds": 41.25,
        "command": f"metric-harness compare --dataset ml-100k --k {','.join(map(str, ks))} --out out",
        "settings": {"ks": list(ks), "libraries": list(LIBRARIES), "environment": "isolated", "timeout": 600.0},
        "bundle": _manifest(),
        "libraries": [_library(name, title, release) for name, (title, release, _) in LIBRARIES.items()],
        "subjects": subjects,
        "cells": cells,
        "findings": findings,
        "probes": [_probe(*CASES[code][:3]) for code in ("HR001", "AP002", "AP003", "NAN001", "NDCG002")],
    }


def _subject(key: dict[str, str], variant: str | None) -> dict[str, Any]:
    choices = (
        dict(part.split("=") for part in variant.rstrip(")").partition("(")[2].split(", ") if part) if variant else {}
    )
    edges = {**EDGES, "no_list": "poisons_mean"} if key["library"] == "rs_metrics" else EDGES
    expected = 0.4166666666666667 if variant else None
    return {
        **key,
        "claim": f"{key['metric'].replace('_', ' ')} of the first k items",
        "address": f"https://example.org/{key['library']}/metrics#{key['function']}",
        "source": {"file": f"{key['library']}/metrics.py", "line": 99, "sha256": "ab" * 32},
        "identified": variant is not None,
        "variant": variant,
        "formula": FORMULAS[variant] if variant else None,
        "choices": choices,
        "edges": edges if variant else dict.fromkeys(EDGES, "unclear"),
        "alternatives": ["auc(scope=per_user)"] if key["function"] == "GAUC" else [],
        "nearest": [] if variant else [
            {"variant": key["metric"], "fails": ["late_hit"]},
            {"variant": f"{key['metric']}(cut=none)", "fails": ["many_relevant", "late_hit", "short_list"]},
        ],
        "answers": [
            {"probe": "plain", "value": 7 / 30, "expected": 7 / 30 if variant else None, "error": None},
            {"probe": "short_list", "value": 0.41666668, "expected": expected, "error": None},
            {"probe": "no_list", "value": "nan", "expected": "nan" if variant else None, "error": None},
            {"probe": "duplicates", "value": None, "expected": None, "error": "ValueError: duplicate items"},
        ],
    }  # fmt: skip


def _cell(key: dict[str, str], k: int, variant: str | None, value: float | None, codes: list[str]) -> dict[str, Any]:
    here = None if value is None else value if k == 20 else value * (0.7 + 0.015 * k)
    cell = {
        **key, "k": k, "value": to_json_number(here), "variant": variant, "predicted": to_json_number(here),
        "difference": 0.0 if here == here else "nan", "agreement": "same", "status": "explained", "seconds": 0.0137,
        "findings": codes, "error": None,
        "warnings": ["RuntimeWarning: invalid value encountered in divide"] if "NAN001" in codes else [],
        "users": {"answered": 943, "equal": 943, "largest_difference": 0.0} if key["library"] == "recbole" else None,
    }  # fmt: skip
    if key["library"] == "elliot":
        error = None if variant else "nothing recorded for this function"
        lacking = dict.fromkeys(("value", "difference", "agreement", "seconds"))
        return {**cell, **lacking, "status": "not_available", "error": error}
    if value is None:
        error = "IndexError: index 20 is out of bounds for axis 1 with size 20\n  in recpack/metrics/reciprocal_rank.py"
        return {**cell, "status": "error", "difference": None, "agreement": None, "error": error}
    if variant is None:
        return {**cell, "status": "unexplained", "predicted": None, "difference": None, "agreement": None}
    if key["library"] == "recpack" and here is not None:
        return {**cell, "predicted": here + 2.0e-9, "difference": -2.0e-9, "agreement": "same_in_float32"}
    return cell


def _finding(key: dict[str, str], code: str) -> dict[str, Any]:
    severity, title, advice = RULES[code]
    case = None
    if code in CASES:
        probe, k, users, value, standard, standard_value = CASES[code]
        usual = {"variant": standard, "value": standard_value}
        case = {"probe": probe, "k": k, "users": [_user(*user) for user in users], "value": to_json_number(value),
                "error": None, "candidates": [usual], "arithmetic": []}  # fmt: skip
    message = f"{key['function']} of {key['library']}: {title[0].lower()}{title[1:]}."
    return {
        **key,
        "code": code,
        "severity": severity,
        "title": title,
        "message": message,
        "advice": advice,
        "case": case,
    }


def _user(listed: list[int], relevant: list[int]) -> dict[str, Any]:
    hits = [item in relevant for item in listed]
    return {"list": listed, "hits": hits, "relevant": relevant, "gains": [1.0] * len(relevant)}


def _probe(name: str, k: int, users: list[list[Any]]) -> dict[str, Any]:
    return {"name": name, "about": f"shows {name.replace('_', ' ')}", "k": k, "users": [_user(*user) for user in users]}


def _library(name: str, title: str, release: str) -> dict[str, Any]:
    missing = name == "elliot"
    reason = "its requirements need Python 3.8; its answers come from a recording" if missing else None
    return {
        "name": name, "title": title, "release": release, "homepage": f"https://example.org/{name}", "licence": "MIT",
        "status": "not_available" if missing else "ran", "reason": reason, "note": None, "python": "3.11.7",
        "packages": {"numpy": "1.26.4", "pandas": "2.3.3", name: release}, "stderr": "",
    }  # fmt: skip


def _manifest() -> dict[str, Any]:
    steps = [
        ("all", "as read", 943, 1682, 100000), ("all", "rating at least 4", 942, 1447, 55375),
        ("train", "first 80 % by time", 751, 1392, 44300), ("test", "last 20 % by time", 301, 1171, 11075),
        ("test", "users and items of training only", 106, 1019, 2711),
    ]  # fmt: skip
    return {
        "format": 2,
        "recipe": {"format": 2, "kind": "split", "depth": 100},
        "dataset": {
            "name": "ml-100k",
            "source": "https://example.org/ml-100k",
            "sha256": "cd" * 32,
            "licence": "research",
        },
        "protocol": {
            "description": "Ratings from 4 count; the last 20 % by time are the test.",
            "threshold": 4.0,
            "method": "global_time",
            "test_fraction": 0.2,
            "seed": 0,
        },
        "steps": [dict(zip(("part", "step", "users", "items", "interactions"), step, strict=True)) for step in steps],
        "model": {"name": "EASE", "parameters": {"lambda": 0.5}, "tie_rule": "item id, ascending"},
        "depth": 100,
        "counts": {"users": 106, "items": 1392, "judged": 2711, "relevant": 2711, "recommended": 10600},
        "arrays": {
            "recommended": {"file": "recommended.npy", "sha256": "ef" * 32, "shape": [106, 100], "dtype": "int64"}
        },
        "settings": {"file": "case.json", "sha256": "01" * 32},
        "versions": {"python": "3.11.7", "numpy": "2.4.6", "scipy": "1.17", "pandas": "3.0", "harness": "1.0.0"},
        "notes": ["Gains are ratings; with binary gains the forms of NDCG's gain are one."],
    }
