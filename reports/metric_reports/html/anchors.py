"""The ids of a page's elements that are linked to."""

from __future__ import annotations

import re
from collections import Counter

from metric_reports.types.common import Who
from metric_reports.types.run import LibraryFinding, Record
from metric_reports.view.table import Key, Variant, by_code, key_of

SECTIONS = (
    "results",
    "controls",
    "apart",
    "others",
    "mine",
    "pair",
    "edges",
    "data",
    "pictures",
    "models",
    "paper",
    "definitions",
    "findings",
    "functions",
    "playground",
    "method",
    "reading",
)


def slug(*parts: str) -> str:
    """A text fit for an id, made of letters, digits, ``_`` and ``-``."""
    return "-".join(filter(None, (re.sub(r"[^A-Za-z0-9_]+", "-", part).strip("-") for part in parts))) or "x"


class Anchors:
    """The ids of a page's elements that are linked to, all different."""

    def __init__(self, record: Record) -> None:
        self.taken: set[str] = set(SECTIONS)
        self.titles = {(row["name"], row["release"]): row["title"] for row in record["libraries"]}
        libraries = Counter(name for name, _ in self.titles)
        self.several = {name for name, releases in libraries.items() if releases > 1}
        self.environments = {pair: self.new("environment", *pair) for pair in self.titles}
        self.subjects: dict[Key, str] = {}
        self.findings: dict[tuple[str, Key], str] = {}
        self.codes: dict[str, str] = {}
        self.places: dict[int, str] = {}
        for subject in record["subjects"]:
            self.subjects[key_of(subject)] = self.new("function", subject["library"], subject["function"])
        for code, group in by_code(record).items():
            self.codes[code] = self.new(code)
            for finding in group:
                self.places[id(finding)] = self.new(code, finding["library"], finding["function"])
                self.findings.setdefault((code, key_of(finding)), self.places[id(finding)])

    def new(self, *parts: str) -> str:
        """An id that is not yet taken."""
        name = base = slug(*parts)
        number = 1
        while name in self.taken:
            number += 1
            name = f"{base}-{number}"
        self.taken.add(name)
        return name

    def finding(self, code: str, cell: Who) -> str | None:
        """The id of a cell's finding: of the function's own finding, else of the code's section, else None."""
        return self.findings.get((code, key_of(cell))) or self.codes.get(code)

    def place(self, finding: LibraryFinding) -> str:
        """The id of a finding."""
        return self.places[id(finding)]

    def title(self, function: Who) -> str:
        """The title of a function's library."""
        return self.titles.get((function["library"], function["release"]), function["library"])

    def called(self, function: Who) -> str:
        """The title of a function's library, with the release if the record has several releases of it."""
        title = self.title(function)
        return f"{title} {function['release']}" if function["library"] in self.several else title

    def environment(self, function: Who) -> str | None:
        """The id of the environment of a function's release."""
        return self.environments.get((function["library"], function["release"]))

    def variant(self, variant: Variant) -> str:
        """The id of a variant's description."""
        return slug("variant", variant.metric, variant.letter)
