"""Parts of a record in Markdown that follow its table: the models, the paper's tables, the signatures."""

from __future__ import annotations

from metric_reports.audit.audit_page import LONGEST_PAGE, code, escaped
from metric_reports.formats import paper_text
from metric_reports.formats.markdown_table import cells, folded, functions_cell
from metric_reports.types.run import Record
from metric_reports.view.matters import matters
from metric_reports.view.table import Key, key_of, signature_of


def models_part(record: Record) -> list[str]:
    """Whether the choice of a definition matters; empty for a record that compared no models."""
    result = matters(record)
    if result is None:
        return []
    rows = [cells([line.label, line.definitions, line.interval, line.changes]) for line in result.lines]
    names = ["metric", f"{result.model} under its definitions", "interval over users", "conclusions about models"]
    return [f"**Does it matter here?** {escaped(result.answer)}\n", *folded("Models", names, rows, LONGEST_PAGE // 8)]


def paper_part(record: Record) -> list[str]:
    """The paper's tables beside this run; empty for a record without them."""
    paper = record.get("paper")
    if paper is None:
        return []
    tally = paper_text.counts(paper)
    parts = [f"**The paper's tables**: {', '.join(f'{number} {escaped(word)}' for word, number in tally.items())}\n"]
    for table in paper["tables"]:
        heads, rows = paper_text.plain_rows(paper, table)
        parts += folded(
            f"{table['name']}: {table['title']}",
            ["published / here", *heads],
            [cells(row) for row in rows],
            LONGEST_PAGE // 10,
        )
    return parts


def signatures_part(record: Record, names: dict[tuple[str, str], str]) -> list[str]:
    """Every signature and the functions that have it; empty for a record without signatures."""
    groups: dict[str, list[Key]] = {}
    for cell in record["cells"]:
        if signature_of(cell):
            groups.setdefault(signature_of(cell), []).append(key_of(cell))
    rows = [cells([code(signature), functions_cell(keys, names)], raw=(0, 1)) for signature, keys in groups.items()]
    return folded("Signatures", ["signature", "functions"], rows, LONGEST_PAGE // 6)
