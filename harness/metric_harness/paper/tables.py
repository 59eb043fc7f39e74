"""The paper's tables beside what its libraries compute here: published, measured or predicted, and a verdict a cell."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from metric_harness.bundles.build import Bundle
from metric_harness.identification.agreement import SAME_IN_FLOAT32
from metric_harness.libraries.describe import Library, Release
from metric_harness.paper.claims import claims
from metric_reports.record import from_json_number, to_json_number
from metric_reports.types.paper import Paper, PaperCell, PaperRow, PaperTable, ShownCell
from metric_reports.types.run import Cell, Record

REPRODUCED, EXPLAINED, CONTRADICTED, OPEN = "reproduced", "explained difference", "contradicted", "not available"

NOT_TOLD_APART = "another definition gives the same number on these data"


@cache
def published() -> dict[str, Any]:
    """The page ``paper.toml``."""
    return tomllib.loads(Path(__file__).with_name("paper.toml").read_text(encoding="utf-8"))


def libraries_of_paper() -> list[str]:
    """The keys of the paper's libraries, in the order of its Table 1."""
    return [row["library"] for row in published()["tables"][0]["rows"]]


def authors_data(bundle: Bundle) -> bool:
    """Whether the bundle holds the authors' own test set: as many users and positives."""
    wanted = published()["test_set"]
    return (bundle.case.users, int(bundle.case.relevant.sum())) == (wanted["users"], wanted["positives"])


def paper_section(record: Record, bundle: Bundle, chosen: Sequence[tuple[Library, Release]], k: int) -> Paper:
    """What ``metric-harness paper`` adds to a record: its ``paper``.

    chosen : the releases of the run, those that the paper used among them; k : the cut-off that is shown.

    On the authors' own data a cell is held against the published number; on other data its place among the cells of
    its column (which are equal to it, which above, which below) against their places in the published table.
    """
    same = authors_data(bundle)
    cells = {(c["library"], c["release"], c["function"]): c for c in record["cells"] if c["k"] == k}
    releases = {library.key: (library.of_paper(), library.newest()) for library, _ in chosen}
    tables: list[PaperTable] = []
    for table in published()["tables"]:
        rows = [_row(row, table["columns"], releases, cells) for row in table["rows"] if row["library"] in releases]
        for column in table["columns"]:
            judge([row["cells"][column] for row in rows if column in row["cells"]], same)
        tables.append({"name": table["name"], "title": table["title"], "columns": table["columns"], "rows": rows})
    return {
        "title": published()["title"],
        "address": published()["address"],
        "numbers": published()["numbers"],
        "k": k,
        "same_data": same,
        "tables": tables,
        "claims": claims(record, bundle, k, published()),
        "articles": published()["articles"],
    }


def _row(
    row: Mapping[str, Any],
    columns: Sequence[str],
    releases: Mapping[str, tuple[Release | None, Release]],
    cells: Mapping[tuple[str, str, str], Cell],
) -> PaperRow:
    key = row["library"]
    then, now = releases[key]
    found: dict[str, PaperCell] = {}
    for column in columns:
        if (about := row.get(column)) is None:
            continue
        function, later = about["function"], about.get("newest", about["function"])
        old = cells.get((key, then.version, function)) if then else None
        new = cells.get((key, now.version, later)) if later and now is not then else None
        found[column] = {
            "published": about.get("published"),
            "text": about.get("text"),
            "digits": about.get("digits"),
            "function": function,
            **_shown(old),
            "newest_function": later if new else None,
            "newest": None if new is None else _shown(new),
            "kind": about.get("kind"),
            "why": about.get("why"),
            "difference": None,
            "verdict": OPEN,
        }
    return {
        "library": key,
        "release": then.version if then else None,
        "newest": now.version,
        "note": row.get("note"),
        "cells": found,
    }


def _shown(cell: Cell | None) -> ShownCell:
    """The number of a cell: measured, else predicted, else none with the reason."""
    if cell is None:
        return {"value": None, "how": "none", "variant": None, "signature": None, "reason": "the release was not asked"}
    return {
        "value": cell["predicted"] if cell["value"] is None else cell["value"],
        "how": "measured" if cell["value"] is not None else "predicted" if cell["predicted"] is not None else "none",
        "variant": cell["variant"],
        "signature": cell.get("signature_short"),
        "reason": cell["error"],
    }


def _numbers(cell: PaperCell) -> tuple[float, float]:
    """The published number of a cell and the one that came out here, where it has both."""
    assert cell["published"] is not None
    assert cell["value"] is not None
    return cell["published"], float(cell["value"])


def judge(cells: Sequence[PaperCell], same_data: bool) -> None:
    """Give each cell of a column its ``difference``, ``verdict`` and what it rests on.

    On other data: of the cells with numbers the largest set is kept whose order (equal, above, below) is the published
    one; it is found by taking out, one by one, the cell that disagrees with most others.
    """
    for cell in cells:
        value, told = from_json_number(cell["value"]), cell["published"]
        cell["difference"] = None if value is None or told is None else to_json_number(value - told)
        cell["verdict"] = OPEN if value is None else REPRODUCED
        if told is None:  # the paper says that it fails
            failed = value is None and cell["how"] == "none" and cell["variant"] is None and cell["reason"]
            cell["verdict"] = REPRODUCED if failed else OPEN
    counted = [cell for cell in cells if cell["published"] is not None and cell["value"] is not None]
    if same_data:
        wrong = [cell for cell in counted if not equal(*_numbers(cell), cell["digits"])]
    else:
        wrong = out_of_order(counted)
        for cell in counted:
            if any(_told_apart_by_paper_alone(cell, other) for other in counted):
                cell["verdict"], cell["kind"], cell["why"] = EXPLAINED, "data", NOT_TOLD_APART
    for cell in wrong:
        cell["verdict"] = EXPLAINED if cell["why"] else CONTRADICTED


def equal(published: float, value: float, digits: int | None) -> bool:
    """Whether two numbers are the same in float32, or to the digits that were published."""
    within = SAME_IN_FLOAT32 if digits is None else 0.6 * 10.0**-digits
    return abs(published - value) <= within * max(1.0, abs(published))


def out_of_order(cells: Sequence[PaperCell]) -> list[PaperCell]:
    """The cells whose place among the others is not the published one."""
    kept, out = list(cells), []
    while kept:
        disagreeing = [sum(not _agree(cell, other) for other in kept) for cell in kept]
        worst = max(range(len(kept)), key=lambda place: (disagreeing[place], kept[place]["why"] is not None))
        if disagreeing[worst] == 0:
            break
        out.append(kept.pop(worst))
    return out


def _orders(cell: PaperCell, other: PaperCell) -> tuple[int, int]:
    """How two cells stand to each other (0 equal, 1 above, -1 below) in the published table, and here."""

    def order(a: float, b: float, digits: int | None) -> int:
        return 0 if equal(b, a, digits) else 1 if a > b else -1

    (published, value), (other_published, other_value) = _numbers(cell), _numbers(other)
    digits = other["digits"] if cell["digits"] is None else cell["digits"]
    return order(published, other_published, digits), order(value, other_value, None)


def _agree(cell: PaperCell, other: PaperCell) -> bool:
    told, found = _orders(cell, other)
    return told == found or _told_apart_by_paper_alone(cell, other)


def _told_apart_by_paper_alone(cell: PaperCell, other: PaperCell) -> bool:
    """Whether two definitions that the published numbers tell apart give one number on the data at hand."""
    told, found = _orders(cell, other)
    return (
        found == 0 != told and None not in (cell["variant"], other["variant"]) and cell["variant"] != other["variant"]
    )
