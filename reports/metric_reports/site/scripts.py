"""The data that the site's scripts read, as scripts: a page that is opened from a file may load no JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from metric_reports.site.environment import same_formula
from metric_reports.site.views import Views
from metric_reports.types.site import SiteFunction

NAMES_OF_METRICS = {
    "average_precision": "map mean average precision ap mAP",
    "reciprocal_rank": "mrr mean reciprocal rank rr",
    "ndcg": "ndcg normalized normalised discounted cumulative gain dcg",
    "hit_rate": "hit rate hr success hit ratio",
    "auc": "auc gauc roc area under curve",
    "f1": "f1 f-measure",
    "recall": "recall sensitivity",
    "precision": "precision",
    "average_recall": "mar mean average recall",
}
"""Words that people look a metric up by."""


def as_script(name: str, data: Any) -> str:
    """A script that keeps data under a name; no text in it can end a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"(window.site = window.site || {{}}).{name} = {text};\n"


def search_data(views: Views) -> str:
    """What the search looks at: title, kind, address and further words of each thing that has a place on a page."""
    return as_script("search", [*entries(views)])


def entries(views: Views) -> Iterator[list[str]]:
    """The things with a place, those that are looked up most first."""
    for metric in views.index["metrics"]:
        more = NAMES_OF_METRICS.get(metric["key"], "")
        yield [f"{metric['label']}: who computes what", "metric", metric["page"], f"{metric['words']} {more}"]
    for library in views.index["libraries"]:
        yield [library["name"], "library", library["page"], f"{library['key']} {library['family']}"]
    for row in views.index["functions"]:
        if row["newest"] and row["confidence"]:
            library = views.libraries[row["library"]]
            label = views.metrics[row["metric"]]["label"]
            more = f"{row['metric']} {NAMES_OF_METRICS.get(row['metric'], '')} {row['variant'] or ''}"
            yield [f"{library['name']} {row['function']}", f"function, {label}", f"{library['page']}#{row['id']}", more]
    for one in views.index["definitions"]:
        names = " ".join(
            f"{name['system']} {name['name']}"
            for name in one["names"]
            if name["exact"] or same_formula(name["sentence"])
        )
        yield [
            one["title"],
            "definition",
            one["page"],
            f"{one['variant']} {one['known_as']} {names} {NAMES_OF_METRICS.get(one['metric'], '')}",
        ]
    for rule in views.index["rules"]:
        yield [f"{rule['code']}: {rule['title']}", "rule", rule["page"], rule["why"]]
    for title, page, more in (
        ("Which definition do I want?", "choose.html", "chooser questions signature cite paper reproduce"),
        ("Two functions: where they part, convert", "pair.html", "compare convert difference turn into"),
        ("Agreement", "agreement.html", "score share libraries"),
        ("The paper, then and now", "paper.html", "tamm damdinov vasilev recsys 2021"),
        ("Census", "census.html", "public code repositories counts"),
    ):
        yield [title, "page", page, more]


def pair_data(views: Views) -> str:
    """The functions that can be held against each other, with their answers to the probes."""
    labels = {one["key"]: one["label"] for one in views.index["metrics"]}
    rows = [pair_row(views, row) for row in views.index["functions"] if row["definition"]]
    data = {
        "metrics": labels,
        "functions": rows,
        "probes": views.index["probes"],
        "titles": {one["id"]: [one["title"], one["variant"], one["page"]] for one in views.index["definitions"]},
    }
    return as_script("pair", data)


def pair_row(views: Views, row: SiteFunction) -> dict[str, Any]:
    """A function as the page of pairs reads it."""
    library = views.libraries[row["library"]]
    return {
        "id": row["id"],
        "name": f"{library['name']} {row['release']}: {row['function']}",
        "page": library["page"],
        "library": library["key"] if row["newest"] else f"{library['key']}=={row['release']}",
        "metric": row["metric"],
        "newest": row["newest"],
        "definition": row["definition"],
        "signature": row["signature"],
        "edges": row["edges"],
        "answers": row["answers"],
    }


def choose_data(views: Views) -> str:
    """The questions, and the libraries that compute each definition."""
    computed: dict[str, list[list[str]]] = {}
    for row in views.index["functions"]:
        if row["newest"] and row["definition"] and not row["diagnostic"]:
            library = views.libraries[row["library"]]
            entry = [f"{library['name']} {row['function']}", f"{library['page']}#{row['id']}", row["confidence"] or ""]
            computed.setdefault(row["definition"], []).append(entry)
    data = {
        "metrics": [{**one, "label": views.metrics[one["metric"]]["label"]} for one in views.index["chooser"]],
        "words": views.index["words"],
        "computed": computed,
    }
    return as_script("choose", data)
