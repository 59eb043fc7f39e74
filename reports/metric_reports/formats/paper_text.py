"""The paper's tables for a terminal: published, measured or predicted, and the verdict of each cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from metric_reports.formats.lines import print_line
from metric_reports.types.paper import Paper, PaperCell, PaperTable, ShownCell
from metric_reports.view.words import aligned, clean, label, metric_name, short

SIGNS = {"reproduced": "=", "explained difference": "e", "contradicted": "!", "not available": " "}
STYLES = {"reproduced": "green", "explained difference": "yellow", "contradicted": "bold red", "not available": "dim"}
HOW_MARKS = {"measured": "", "predicted": "~", "none": ""}


CONFIRMED = "confirmed"
MAX_DIFFERENCES, MAX_CLAIMS = 4, 5
NAME_WIDTH, COLUMN_WIDTH = 21, 17
"""Most characters of the first column and of each other column."""


def head(column: str, k: int) -> str:
    """The head of a column of the paper's tables."""
    return column if column[0].isupper() else label(column, k)


def told(cell: PaperCell) -> str:
    """What the paper printed in a cell."""
    return str(cell["text"]) if cell["published"] is None else short(cell["published"])


def found(cell: ShownCell) -> str:
    """The value of this run, marked if it is predicted; a dash if there is none."""
    return "–" if cell["value"] is None else HOW_MARKS[cell["how"]] + short(cell["value"])


def counts(paper: Paper) -> Counter[str]:
    """How many cells have each verdict."""
    return Counter(c["verdict"] for table in paper["tables"] for row in table["rows"] for c in row["cells"].values())


def plain_rows(paper: Paper, table: PaperTable) -> tuple[list[str], list[list[str]]]:
    """A table as texts: the heads of the columns after the first, and rows of a library and its cells."""
    heads = [head(column, paper["k"]) for column in table["columns"]]
    rows = [
        [row["library"], *(plain_cell(row["cells"].get(column)) for column in table["columns"])]
        for row in table["rows"]
    ]
    return heads, rows


def plain_cell(cell: PaperCell | None) -> str:
    """A cell on one line: published, here, and the sign of the verdict."""
    return "–" if cell is None else f"{told(cell)} / {found(cell)} {SIGNS[cell['verdict']]}".strip()


def basis(paper: Paper) -> str:
    """What a verdict means on these data, in a sentence."""
    if paper["same_data"]:
        return "These are the authors' own data: a cell is reproduced if its number is the published one."
    return (
        "These are not the authors' data, so their numbers cannot come out: a cell is reproduced if it stands among "
        "the others of its column (equal to which, above which, below which) as in the published table."
    )


def print_paper(paper: Paper, console: Console) -> None:
    """Print the tables, verdicts and claims; no text of the record is read as markup."""
    for table in paper["tables"]:
        console.print(Text(clean(f"{table['name']}: {table['title']}"), "bold"))
        for columns in parts(table["columns"], console.width):
            output = Table("library", *(head(column, paper["k"]) for column in columns), show_lines=True)
            for row in table["rows"]:
                cells = [entry(row["cells"].get(column)) for column in columns]
                output.add_row(Text(clean(f"{row['library']}\n{row['release'] or row['newest']}")), *cells)
            console.print(output)
    console.print(
        "In a cell: published; what the paper's release gives here (~ predicted from its recording); the newest."
    )
    console.print(basis(paper), soft_wrap=True)
    console.print(tally_of(paper), highlight=False)
    for line in differences(paper):
        console.print(Text(line), soft_wrap=True)
    for table in paper["tables"]:
        for row in table["rows"]:
            names = {column: cell.get("signature") for column, cell in row["cells"].items() if cell.get("signature")}
            for column, signature in names.items():
                console.print(Text(clean(f"{row['library']} {column}: {signature}"), "dim"), soft_wrap=True)
    console.print()
    for claim in paper["claims"]:
        console.print(Text(clean(f"{claim['claim']} {claim['verdict'].upper()}: {claim['evidence']}.")), soft_wrap=True)


def print_short(paper: Paper, console: Console) -> None:
    """Print the paper's numbers with the verdict on each, and the claims that do not hold: at most 40 lines."""
    for table in paper["tables"]:
        heads = [column if column[0].isupper() else metric_name(column) for column in table["columns"]]
        rows = [
            [row["library"], *(signed(row["cells"].get(column)) for column in table["columns"])]
            for row in table["rows"]
        ]
        first, *rest = aligned([["", *heads], *rows])
        print_line(console, first, "bold")
        for line in rest:
            print_line(console, line)
    print_line(console, f"Published numbers, and whether they are reproduced here: {tally_of(paper)}", "bold")
    console.print(Text(basis(paper), "dim"))
    for line in differences(paper)[:MAX_DIFFERENCES]:
        print_line(console, line)
    claims = Counter(claim["verdict"] for claim in paper["claims"])
    told = ", ".join(f"{number} {verdict}" for verdict, number in claims.most_common())
    print_line(console, f"{sum(claims.values())} claims: {told}", "bold")
    for claim in [claim for claim in paper["claims"] if claim["verdict"] != CONFIRMED][:MAX_CLAIMS]:
        print_line(console, f"{claim['verdict']}: {claim['claim']}")
    console.print(Text("--verbose prints the numbers of this run, the signatures and the evidence.", "dim"))


def signed(cell: PaperCell | None) -> str:
    """What was published, and the sign of the verdict."""
    return "-" if cell is None else f"{told(cell)} {SIGNS[cell['verdict']]}".rstrip()


def tally_of(paper: Paper) -> str:
    """How many cells have each verdict, in a line."""
    tally = counts(paper)
    return "; ".join(f"{tally[name]} {name} ({sign})" for name, sign in SIGNS.items() if tally[name])


def differences(paper: Paper) -> list[str]:
    """Each cell that differs from the paper or contradicts it, and why."""
    lines = []
    for table in paper["tables"]:
        for row in table["rows"]:
            for column, cell in row["cells"].items():
                if cell["verdict"] in ("explained difference", "contradicted"):
                    why = f" ({cell['kind']}): {cell['why']}" if cell["why"] else f": it computes {cell['variant']}"
                    name = f"{table['name']}, {row['library']}, {head(column, paper['k'])}"
                    lines.append(clean(f"{name}: {cell['verdict']}{why}"))
    return lines


def parts(columns: Sequence[str], width: int) -> list[Sequence[str]]:
    """The columns in groups, each of which fits the console as a table."""
    count = max(1, (width - NAME_WIDTH) // COLUMN_WIDTH)
    return [columns[start : start + count] for start in range(0, len(columns), count)]


def entry(cell: PaperCell | None) -> Text:
    """A cell of the terminal's table: three lines and the sign of the verdict."""
    if cell is None:
        return Text("-", "dim")
    lines = [told(cell), f"{found(cell)} {SIGNS[cell['verdict']]}".rstrip()]
    newest = cell["newest"]
    if newest is not None:
        same = None not in (newest["value"], cell["value"]) and found(newest) == found(cell)
        lines.append("newest same" if same else f"newest {found(newest)}")
    return Text("\n".join(lines), STYLES[cell["verdict"]])
