"""The pages of the site: each with its address, title and description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from metric_reports.html.jinja import capital
from metric_reports.html.page import TEMPLATES as REPORT
from metric_reports.site.environment import TEMPLATES, environment, per_cent, style
from metric_reports.site.scripts import choose_data, pair_data, search_data
from metric_reports.site.views import Views
from metric_reports.types.site import Index, SiteDefinition, SiteLibrary, SiteMetric, SiteRule
from metric_reports.view.words import count, first_line, listing

SCRIPTS = ("site.js", "choose.js", "pair.js", "try.js")
QUOTED = ("average_precision", "ndcg", "auc", "reciprocal_rank", "recall", "precision", "hit_rate")
"""Metrics that the description of a library names first: those on which libraries agree least."""
SENTENCE = 155
"""How many characters of a description search engines show."""


@dataclass(frozen=True)
class Site:
    """The pages of an index. url : the address of the site's folder on the web, or ""."""

    views: Views
    url: str = ""

    def files(self) -> Iterator[tuple[str, str]]:
        """The path and the text of every file, pages first."""
        views, index = self.views, self.views.index
        head = index["headline"]
        counts = f"{head['libraries']} libraries, {head['functions']} functions, {head['ndcg']} variants of NDCG"
        yield self.page(
            "index", "index.html", "Which library computes which metric?", f"{counts}: who computes what.", said=counts
        )
        for metric in index["metrics"]:
            yield self.metric(metric)
        for library in index["libraries"]:
            yield self.library(library)
            yield f"badges/{library['key']}.svg", library["badge"]
        for definition in index["definitions"]:
            yield self.definition(definition)
        for rule in index["rules"]:
            yield self.rule(rule)
        yield from self.lists()
        yield "index.json", json.dumps(index, ensure_ascii=False, separators=(",", ":")) + "\n"
        yield "data/search.js", search_data(views)
        yield "data/pair.js", pair_data(views)
        yield "data/choose.js", choose_data(views)
        yield "style.css", style()
        for name in SCRIPTS:
            yield name, (TEMPLATES / name).read_text(encoding="utf-8")
        yield "minisearch.js", (TEMPLATES.parent / "vendor" / "minisearch.js").read_text(encoding="utf-8")
        yield "variants.js", (REPORT / "variants.js").read_text(encoding="utf-8")
        if self.url:
            yield "sitemap.txt", "".join(f"{self.url}/{path}\n" for path in addresses(index))

    def page(self, template: str, path: str, title: str, description: str, **context: Any) -> tuple[str, str]:
        """One page: its path and its text."""
        text = (
            environment()
            .get_template(f"{template}.html.j2")
            .render(
                views=self.views,
                index=self.views.index,
                path=path,
                root="../" * path.count("/"),
                url=self.url,
                title=title,
                description=first_line(description, SENTENCE),
                **context,
            )
        )
        return path, text

    def metric(self, metric: SiteMetric) -> tuple[str, str]:
        """The page of a metric: who computes which definition of it."""
        groups, apart = self.views.groups(metric["key"]), self.views.groups(metric["key"], apart=True)
        named = [group for group in groups if group.definition]
        libraries = {row["library"] for group in groups for row in group.functions}
        functions = count(sum(len(group.functions) for group in groups), "function")
        summary = (
            f"{functions} of {count(len(libraries), 'library', 'libraries')}, {count(len(named), 'definition')}; "
            f"{per_cent(metric['agreement']['score'])} of pairs of libraries agree."
            if groups
            else f"{metric['about'].capitalize()}: its definitions."
        )
        label = metric["label"] + ("" if metric["label"] == metric["words"] else f" ({metric['words']})")
        return self.page(
            "metric",
            metric["page"],
            f"{metric['label']}: which library computes which definition",
            f"{label}: {summary}",
            metric=metric,
            groups=groups,
            apart=apart,
            said=summary,
            letters={group.definition["id"]: index for index, group in enumerate(named) if group.definition},
        )

    def library(self, library: SiteLibrary) -> tuple[str, str]:
        """The page of a library: what each function computes."""
        releases = self.views.of_library(library["key"])
        newest = library["releases"][-1]["version"]
        named = [row for row in releases.get(newest, []) if row["definition"] and not row["diagnostic"]]
        named.sort(key=lambda row: QUOTED.index(row["metric"]) if row["metric"] in QUOTED else len(QUOTED))
        computed = "; ".join(
            f"{row['function']} is {self.views.definitions[row['definition'] or '']['title']}" for row in named
        )
        past, history = self.views.history(library["key"])
        return self.page(
            "library",
            library["page"],
            f"{library['name']}: what its metrics compute",
            f"{library['name']} {newest}, by its own answers: {computed or 'no function is named'}.",
            library=library,
            rows=releases.get(newest, []),
            newest=newest,
            past=past,
            history=history,
        )

    def definition(self, definition: SiteDefinition) -> tuple[str, str]:
        """The page of a variant."""
        now, before = self.views.computing(definition)
        names = dict.fromkeys(self.views.libraries[row["library"]]["name"] for row in now)
        users = (
            f"Computed by {listing(list(names)[:4])}{' and others' if len(names) > 4 else ''}"
            if names
            else "No recorded library computes it"
        )
        return self.page(
            "variant",
            definition["page"],
            f"{capital(definition['title'])}: formula, example, who computes it",
            f"{definition['variant']}. {users}. Formula, worked example, signature, sentence for a paper.",
            one=definition,
            now=now,
            before=before,
        )

    def rule(self, rule: SiteRule) -> tuple[str, str]:
        """The page of a rule."""
        return self.page(
            "rule",
            rule["page"],
            f"{rule['code']}: {rule['title']}",
            rule["why"],
            rule=rule,
            functions=self.views.found.get(rule["code"], []),
        )

    def lists(self) -> Iterator[tuple[str, str]]:
        """The pages that are not about a single thing: lists, tools, the paper, the census."""
        index = self.views.index
        yield self.page(
            "metrics",
            "metrics/index.html",
            "Metrics",
            "Every metric, its definitions and how far libraries agree on it.",
        )
        yield self.page(
            "libraries",
            "libraries/index.html",
            "Libraries",
            f"{count(len(index['libraries']), 'library', 'libraries')} and what their metric functions compute.",
        )
        yield self.page(
            "variants",
            "variants/index.html",
            "Variants",
            f"{count(len(index['definitions']), 'definition')} of metrics, each with its formula and who computes it.",
        )
        yield self.page(
            "rules",
            "rules/index.html",
            "Rules",
            "What each finding means, why it matters, and how to say it to the maintainer.",
        )
        yield self.page(
            "agreement",
            "agreement.html",
            "Agreement: how often two libraries mean the same",
            "The share of pairs of libraries that compute one definition of a metric, and how it is computed.",
        )
        yield self.page(
            "choose",
            "choose.html",
            "Which definition do I want? Six questions to a signature",
            "Answer at most six questions: the signature, the sentence for a paper, and the libraries that compute it.",
        )
        yield self.page(
            "pair",
            "pair.html",
            "Two functions: where they part, and one's number as the other's",
            "Pick two metric functions: where they part, the smallest list that shows it, and how to convert.",
        )
        yield self.page(
            "paper",
            "paper.html",
            "The paper of 2021, then and now",
            "What the functions behind the tables of Tamm, Damdinov & Vasilev computed, and what they do today.",
        )
        yield self.page(
            "census",
            "census.html",
            "Census: what metric functions in public code compute",
            "Counts of the definitions of metric functions in public repositories, by reading them.",
        )


def site(index: Index, url: str = "") -> Iterator[tuple[str, str]]:
    """The path and the text of every file of the site. url : its folder's address on the web, "" if unknown."""
    return Site(Views(index), url.rstrip("/")).files()


def addresses(index: Index) -> list[str]:
    """The paths of the first page and of each metric's, library's, definition's and rule's page."""
    lists = (index["metrics"], index["libraries"], index["definitions"], index["rules"])
    return ["index.html", *(str(entry["page"]) for entries in lists for entry in entries)]
