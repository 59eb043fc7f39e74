"""The library x metric table for a paper: LaTeX with booktabs, the definitions as letters explained below it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from metric_reports.formats import paper_text
from metric_reports.types.run import Record
from metric_reports.view.brief import brief
from metric_reports.view.matters import matters
from metric_reports.view.table import Column, Entry, Grid, Row, Variant, cutoffs, grid, signature_of, variants
from metric_reports.view.verdict import verdict
from metric_reports.view.words import clean, label

SPECIALS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "'": r"\char39{}",
    "`": r"\char96{}",
    "[": "{[}",
    "]": "{]}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\ldots{}",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "∞": r"$\infty$",
    "−": "$-$",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "ß": r"\ss{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
}
"""Brackets stand in braces, so that none is read as an option of the end of a row."""
ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
NAME, VARIANT, CAPTION = 60, 200, 600
"""Longest name of a release, printed variant and caption, in characters."""
WIDE = 4
"""A table of more metrics than this goes over both columns of a page."""
MARKS = {
    "predicted": (r"$\dagger$", "predicted from a recording, not run here"),
    "unexplained": (r"$\ast$", "not what any known definition gives"),
}
LACKING = {"error": "error", "not available": "n/a"}
WHY = {"error": "it ended in an error", "not available": "it could not run here"}
DASH = "--"


def render_latex(record: Record) -> str:
    """A ``table`` for each cut-off, to be put into a paper that loads booktabs; every text of the record is escaped."""
    known = variants(record)
    tables = [grid(record, k, known) for k in cutoffs(record)]
    head = f"% metric-harness {escaped(brief(record['harness']['version'], NAME))}; needs \\usepackage{{booktabs}}"
    parts = [line for table in tables for line in lines(record, table)]
    return "\n".join([head, *parts, *models_table(record), *paper_tables(record)]) + "\n"


def models_table(record: Record) -> Iterator[str]:
    """A table that says whether the choice of a definition matters; nothing for a record that compared no models."""
    found = matters(record)
    if found is None or not found.lines:
        return
    heads = ["Metric", f"{found.model} under its definitions", "Interval over users", "Conclusions about models"]
    rows = [[line.label, line.definitions, line.interval, line.changes] for line in found.lines]
    yield from simple_table(found.answer, "models", heads, rows, "lllp{0.4\\linewidth}")


def paper_tables(record: Record) -> Iterator[str]:
    """The paper's tables: published, here, and the sign of the verdict; nothing for a record without them."""
    paper = record.get("paper")
    if paper is None:
        return
    for number, table in enumerate(paper["tables"], start=1):
        heads, rows = paper_text.plain_rows(paper, table)
        about = (
            f"{table['name']}: {table['title']} Published / here; = reproduced, e explained difference, ! contradicted."
        )
        yield from simple_table(about, f"paper-{number}", ["Library", *heads], rows, "l" * (1 + len(heads)))


def simple_table(about: str, name: str, heads: list[str], rows: list[list[str]], columns: str) -> Iterator[str]:
    """A table of texts."""
    yield from ("", r"\begin{table*}[t]", r"\centering", rf"\caption{{{escaped(brief(about, CAPTION))}}}")
    yield from (
        rf"\label{{tab:metric-harness-{name}}}",
        r"\footnotesize",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
    )
    yield rf"{' & '.join(map(escaped, heads))} \\"
    yield r"\midrule"
    yield from (rf"{' & '.join(map(escaped, row))} \\" for row in rows)
    yield from (r"\bottomrule", r"\end{tabular}", r"\end{table*}")


def lines(record: Record, table: Grid) -> Iterator[str]:
    """One table: caption, label, rows, notes."""
    kind, size = ("table*", "footnotesize") if len(table.columns) > WIDE else ("table", "small")
    marks = signature_marks(table)
    heads = ["Library", *(head(column.metric, table.k) for column in table.columns)]
    yield from (rf"\begin{{{kind}}}[t]", r"\centering", rf"\caption{{{caption(record, table)}}}")
    yield from (rf"\label{{tab:metric-harness-{table.k}}}", rf"\{size}\setlength{{\tabcolsep}}{{4pt}}")
    yield from (rf"\begin{{tabular}}{{l{'l' * len(table.columns)}}}", r"\toprule", f"{' & '.join(heads)} \\\\")
    yield r"\midrule"
    for row in table.rows:
        yield from rows(row, table.columns, marks)
    yield from (r"\bottomrule", r"\end{tabular}", r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize")
    yield from notes(table, marks)
    yield from (r"\end{minipage}", rf"\end{{{kind}}}")


def head(metric: str, k: int) -> str:
    """The head of a column; the caption names k."""
    return escaped(brief(label(metric, k).removesuffix(f"@{k}"), NAME))


def signature_marks(table: Grid) -> dict[str, str]:
    """A number for each signature of a definition that has several in a table, by short form; empty for an only one."""
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for entry in (entry for row in table.rows for found in row.entries.values() for entry in found):
        if entry.variant and signature_of(entry.cell):
            group = groups.setdefault((entry.variant.metric, entry.variant.letter), {})
            group[signature_of(entry.cell)] = None
    return {
        one: str(number) if len(group) > 1 else ""
        for group in groups.values()
        for number, one in enumerate(group, start=1)
    }


def rows(row: Row, columns: list[Column], marks: Mapping[str, str]) -> Iterator[str]:
    """A release: as many lines as it has functions for one metric, its name before the first."""
    name = escaped(brief(f"{row.library['title']} {row.library['release']}", NAME))
    shown = [[entry_text(one, marks) for one in row.entries.get(column.metric, [])] or [DASH] for column in columns]
    for index, line in enumerate(zip_longest(*shown, fillvalue="")):
        yield f"{' & '.join(['' if index else name, *line])} \\\\"


def entry_text(entry: Entry, marks: Mapping[str, str]) -> str:
    """A value and, raised, the letter of its definition, the number of its signature and its mark."""
    if entry.flag in LACKING:
        return LACKING[entry.flag]
    signed = marks.get(signature_of(entry.cell), "")
    raised = (entry.variant.letter.lower() if entry.variant else "") + signed + MARKS.get(entry.flag, ("", ""))[0]
    return escaped(entry.text.replace("-", "−")) + (rf"\textsuperscript{{{raised}}}" if raised else "")


def caption(record: Record, table: Grid) -> str:
    """What the table shows: the verdict, on which data, at which cut-off."""
    bundle = record["bundle"]
    told = verdict(record).headline
    basis = [
        part
        for part in (named(bundle.get("dataset")), counted(bundle.get("counts")), named(bundle.get("model")))
        if part
    ]
    over = f" ({', '.join(basis)})" if basis else ""
    text = f"{told}. Every function was given the same lists{over}; k = {table.k}. Letters name the definitions."
    return escaped(brief(text, CAPTION))


def named(thing: object) -> str:
    """The name of a data set or a model, in whichever shape the manifest has it."""
    found = thing.get("name") if isinstance(thing, Mapping) else thing
    return brief(str(found), NAME) if found else ""


def counted(counts: object) -> str:
    """How many users the lists are for."""
    users = counts.get("users") if isinstance(counts, Mapping) else None
    return f"{users:,} users" if isinstance(users, int) else ""


def notes(table: Grid, signatures: Mapping[str, str]) -> Iterator[str]:
    """The definitions behind the letters with their signatures, metric by metric, then the marks; of this table's."""
    entries = [entry for row in table.rows for found in row.entries.values() for entry in found]
    for column in table.columns:
        met = {entry.variant for entry in entries if entry.variant and entry.cell["metric"] == column.metric}
        if met:
            known = sorted(met, key=lambda variant: (len(variant.letter), variant.letter))
            each = "; ".join(
                rf"\textsuperscript{{{one.letter.lower()}}}~{escaped(one.label)}, "
                rf"\texttt{{{breakable(brief(one.printed, VARIANT))}}}" + signed(one, entries, signatures)
                for one in known
            )
            yield rf"{head(column.metric, table.k)}: {each}.\par"
    beside = (
        f"{escaped(brief(home['title'], NAME))} {escaped(one.cell['function'])} ({escaped(one.apart)}) "
        f"{entry_text(one, signatures)}"
        for home, one in table.apart
    )
    if table.apart:
        yield rf"Not in the columns, as they do not claim the metric: {'; '.join(beside)}.\par"
    used = [MARKS[flag] for flag in MARKS if any(entry.flag == flag for entry in entries)]
    yield from (rf"\textsuperscript{{{mark}}}~{meaning}.\par" for mark, meaning in used)
    lacking = {flag for flag in LACKING if any(entry.flag == flag for entry in entries)}
    meanings = [f"{DASH}: no such function", *(f"{LACKING[flag]}: {WHY[flag]}" for flag in LACKING if flag in lacking)]
    yield f"{'; '.join(meanings)}."


def signed(variant: Variant, entries: list[Entry], marks: Mapping[str, str]) -> str:
    """The signatures of a definition's numbers, each behind its number if there are several."""
    those = dict.fromkeys(
        signature_of(one.cell) for one in entries if one.variant == variant and signature_of(one.cell)
    )
    numbers = {one: rf"\textsuperscript{{{marks[one]}}}" if marks[one] else "" for one in those}
    printed = (rf"{number}\texttt{{{breakable(one)}}}" for one, number in numbers.items())
    return f" ({', '.join(printed)})" if those else ""


def breakable(printed: str) -> str:
    """A printed variant, escaped, that may break behind a parenthesis or an equals sign."""
    return "".join(written(sign) + (r"\allowbreak{}" if sign in "(=|" else "") for sign in signs(printed))


def escaped(text: str) -> str:
    """Text for LaTeX's text mode in any engine: ASCII alone comes out; a sign that has no name is its code point."""
    return re.sub("-(?=-)", "-{}", "".join(map(written, signs(text))))  # two hyphens would be a dash


def signs(text: str) -> str:
    """A text on one line without control characters, composed, so that an accent and its letter are one."""
    return unicodedata.normalize("NFC", " ".join(clean(text).split()))


def written(sign: str) -> str:
    """One character."""
    if sign in SPECIALS:
        return SPECIALS[sign]
    if sign.isascii():
        return sign
    apart = unicodedata.normalize("NFD", sign)
    if len(apart) == 2 and apart[1] in ACCENTS and apart[0].isascii() and apart[0].isalpha():
        return rf"\{ACCENTS[apart[1]]}{{{apart[0]}}}"
    return f"{{[}}U+{ord(sign):04X}{{]}}"
