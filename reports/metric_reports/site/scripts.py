"""The data for the site's scripts, as scripts: a page opened from a file may load scripts but no JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from metric_reports.site.environment import same_formula
from metric_reports.site.views import Views
from metric_reports.types.site import SiteFunction

SEARCH_WORDS = {
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
"""Further words to find a metric by."""


def as_script(name: str, data: Any) -> str:
    """A script that sets ``window.site.NAME`` to the data; no text in it can end a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"(window.site = window.site || {{}}).{name} = {text};\n"


def search_data(views: Views) -> str:
    """The index of the search: title, kind, address and further words of each entry."""
    return as_script("search", [*entries(views)])


def entries(views: Views) -> Iterator[list[str]]:
    """The entries of the search, the kinds that are looked up most first."""
    for metric in views.index["metrics"]:
        more = SEARCH_WORDS.get(metric["key"], "")
        yield [f"{metric['label']}: who computes what", "metric", metric["page"], f"{metric['words']} {more}"]
    for library in views.index["libraries"]:
        yield [library["name"], "library", library["page"], f"{library['key']} {library['family']}"]
    for row in views.index["functions"]:
        if row["newest"] and row["confidence"]:
            library = views.libraries[row["library"]]
            label = views.metrics[row["metric"]]["label"]
            edges = " ".join(f"{edge} {value}" for edge, value in row["edges"].items())
            more = (
                f"{library['key']} {row['metric']} {SEARCH_WORDS.get(row['metric'], '')} {row['variant'] or ''} {edges}"
            )
            yield [f"{library['name']} {row['function']}", f"function, {label}", f"{library['page']}#{row['id']}", more]
    for definition in views.index["definitions"]:
        names = " ".join(
            f"{name['system']} {name['name']}"
            for name in definition["names"]
            if name["exact"] or same_formula(name["sentence"])
        )
        words = f"{names} {SEARCH_WORDS.get(definition['metric'], '')}"
        more = f"{definition['variant']} {definition['known_as']} {words}"
        yield [definition["title"], "definition", definition["page"], more]
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
    """The functions that can be compared, with their answers to the probes."""
    data = {
        "metrics": {metric["key"]: metric["label"] for metric in views.index["metrics"]},
        "functions": [pair_row(views, row) for row in views.index["functions"] if row["definition"]],
        "probes": views.index["probes"],
        "titles": {row["id"]: [row["title"], row["variant"], row["page"]] for row in views.index["definitions"]},
    }
    return as_script("pair", data)


def pair_row(views: Views, row: SiteFunction) -> dict[str, Any]:
    """A function as the pair page's script needs it."""
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
        "metrics": [{**row, "label": views.metrics[row["metric"]]["label"]} for row in views.index["chooser"]],
        "words": views.index["words"],
        "computed": computed,
    }
    return as_script("choose", data)
