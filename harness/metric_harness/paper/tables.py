"""The paper's tables: for each cell the published number, the measured or predicted one, and a verdict."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from metric_harness.bundles.build import Bundle
from metric_harness.libraries.describe import Library, Release
from metric_harness.paper.claims import claims
from metric_reports.record import from_json_number, to_json_number
from metric_reports.tolerances import FLOAT32
from metric_reports.types.paper import Paper, PaperCell, PaperRow, PaperTable, ShownCell
from metric_reports.types.run import Cell, Record

REPRODUCED, EXPLAINED, CONTRADICTED, OPEN = "reproduced", "explained difference", "contradicted", "not available"

SAME_ON_THESE_DATA = "another definition gives the same number on these data"


@cache
def published() -> dict[str, Any]:
    """The content of ``paper.toml``."""
    return tomllib.loads(Path(__file__).with_name("paper.toml").read_text(encoding="utf-8"))


def libraries_of_paper() -> list[str]:
    """The keys of the paper's libraries, in the order of its Table 1."""
    return [row["library"] for row in published()["tables"][0]["rows"]]


def _authors_data(bundle: Bundle) -> bool:
    """Whether the bundle has as many users and positives as the authors' own test set."""
    wanted = published()["test_set"]
    return (bundle.case.users, int(bundle.case.relevant.sum())) == (wanted["users"], wanted["positives"])


def paper_section(record: Record, bundle: Bundle, chosen: Sequence[tuple[Library, Release]], k: int) -> Paper:
    """The ``paper`` of a record, which ``metric-harness paper`` adds.

    chosen : the releases of the run, those that the paper used among them; k : the cut-off that is shown.

    On the authors' own data a cell is compared with the published number; on other data its order among the cells of
    its column (equal, above, below) is compared with the published order.
    """
    same_data = _authors_data(bundle)
    cells = {(c["library"], c["release"], c["function"]): c for c in record["cells"] if c["k"] == k}
    releases = {library.key: (library.of_paper(), library.newest()) for library, _ in chosen}
    tables: list[PaperTable] = []
    for table in published()["tables"]:
        rows = [_row(row, table["columns"], releases, cells) for row in table["rows"] if row["library"] in releases]
        for column in table["columns"]:
            judge([row["cells"][column] for row in rows if column in row["cells"]], same_data)
        tables.append({"name": table["name"], "title": table["title"], "columns": table["columns"], "rows": rows})
    return {
        "title": published()["title"],
        "address": published()["address"],
        "numbers": published()["numbers"],
        "k": k,
        "same_data": same_data,
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
    shown: dict[str, PaperCell] = {}
    for column in columns:
        if (entry := row.get(column)) is None:
            continue
        function, later = entry["function"], entry.get("newest", entry["function"])
        old = cells.get((key, then.version, function)) if then else None
        new = cells.get((key, now.version, later)) if later and now is not then else None
        shown[column] = {
            "published": entry.get("published"),
            "text": entry.get("text"),
            "digits": entry.get("digits"),
            "function": function,
            **_shown(old),
            "newest_function": later if new else None,
            "newest": None if new is None else _shown(new),
            "kind": entry.get("kind"),
            "why": entry.get("why"),
            "difference": None,
            "verdict": OPEN,
        }
    return {
        "library": key,
        "release": then.version if then else None,
        "newest": now.version,
        "note": row.get("note"),
        "cells": shown,
    }


def _shown(cell: Cell | None) -> ShownCell:
    """The number of a cell: the measured one, else the predicted one, else the reason why there is none."""
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
    """The published and the new number of a cell that has both."""
    assert cell["published"] is not None
    assert cell["value"] is not None
    return cell["published"], float(cell["value"])


def judge(cells: Sequence[PaperCell], same_data: bool) -> None:
    """Set the ``difference``, the ``verdict`` and the explanation of each cell of a column.

    On other data a set of cells whose order (equal, above, below) is the published one counts as reproduced; the cell
    that disagrees with most others is removed until such a set is left.
    """
    for cell in cells:
        value, number = from_json_number(cell["value"]), cell["published"]
        cell["difference"] = None if value is None or number is None else to_json_number(value - number)
        cell["verdict"] = OPEN if value is None else REPRODUCED
        if number is None:  # the paper says that it fails
            failed = value is None and cell["how"] == "none" and cell["variant"] is None and cell["reason"]
            cell["verdict"] = REPRODUCED if failed else OPEN
    with_numbers = [cell for cell in cells if cell["published"] is not None and cell["value"] is not None]
    if same_data:
        differing = [cell for cell in with_numbers if not _equal(*_numbers(cell), cell["digits"])]
    else:
        differing = _out_of_order(with_numbers)
        for cell in with_numbers:
            if any(_differ_in_paper_alone(cell, other) for other in with_numbers):
                cell["verdict"], cell["kind"], cell["why"] = EXPLAINED, "data", SAME_ON_THESE_DATA
    for cell in differing:
        cell["verdict"] = EXPLAINED if cell["why"] else CONTRADICTED


def _equal(published: float, value: float, digits: int | None) -> bool:
    """Whether two numbers are the same in float32, or to the published digits."""
    tolerance = FLOAT32 if digits is None else 0.6 * 10.0**-digits
    return abs(published - value) <= tolerance * max(1.0, abs(published))


def _out_of_order(cells: Sequence[PaperCell]) -> list[PaperCell]:
    """The cells whose order among the others is not the published one."""
    kept, removed = list(cells), []
    while kept:
        disagreeing = [sum(not _agree(cell, other) for other in kept) for cell in kept]
        worst = max(range(len(kept)), key=lambda i: (disagreeing[i], kept[i]["why"] is not None))
        if disagreeing[worst] == 0:
            break
        removed.append(kept.pop(worst))
    return removed


def _orders(cell: PaperCell, other: PaperCell) -> tuple[int, int]:
    """The order of two cells (0 equal, 1 above, -1 below) in the published table, and here."""

    def order(a: float, b: float, digits: int | None) -> int:
        return 0 if _equal(b, a, digits) else 1 if a > b else -1

    (published, value), (other_published, other_value) = _numbers(cell), _numbers(other)
    digits = other["digits"] if cell["digits"] is None else cell["digits"]
    return order(published, other_published, digits), order(value, other_value, None)


def _agree(cell: PaperCell, other: PaperCell) -> bool:
    in_paper, here = _orders(cell, other)
    return in_paper == here or _differ_in_paper_alone(cell, other)


def _differ_in_paper_alone(cell: PaperCell, other: PaperCell) -> bool:
    """Whether two different definitions have different published numbers, and the same number on these data."""
    in_paper, here = _orders(cell, other)
    variant, other_variant = cell["variant"], other["variant"]
    return here == 0 != in_paper and None not in (variant, other_variant) and variant != other_variant
