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
"""Brackets are in braces, so that none is read as an option of the end of a row."""
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
LONGEST_NAME, LONGEST_VARIANT, LONGEST_CAPTION = 60, 200, 600
"""Longest name of a release, printed variant and caption, in characters."""
MOST_NARROW = 4
"""A table of more metrics than this spans both columns of a page."""
MARKS = {
    "predicted": (r"$\dagger$", "predicted from a recording, not run here"),
    "unexplained": (r"$\ast$", "not what any known definition gives"),
}
NO_VALUE = {"error": "error", "not available": "n/a"}
NO_VALUE_REASONS = {"error": "it ended in an error", "not available": "it could not run here"}
DASH = "--"


def render_latex(record: Record) -> str:
    """A ``table`` for each cut-off, for a paper that loads booktabs; every text of the record is escaped."""
    known = variants(record)
    tables = [grid(record, k, known) for k in cutoffs(record)]
    head = (
        f"% metric-harness {escaped(brief(record['harness']['version'], LONGEST_NAME))}; needs \\usepackage{{booktabs}}"
    )
    parts = [line for table in tables for line in lines(record, table)]
    return "\n".join([head, *parts, *models_table(record), *paper_tables(record)]) + "\n"


def models_table(record: Record) -> Iterator[str]:
    """A table that says whether the choice of a definition matters; empty for a record that compared no models."""
    result = matters(record)
    if result is None or not result.lines:
        return
    heads = ["Metric", f"{result.model} under its definitions", "Interval over users", "Conclusions about models"]
    rows = [[line.label, line.definitions, line.interval, line.changes] for line in result.lines]
    yield from simple_table(result.answer, "models", heads, rows, "lllp{0.4\\linewidth}")


def paper_tables(record: Record) -> Iterator[str]:
    """The paper's tables: published, here, and the sign of the verdict; empty for a record without them."""
    paper = record.get("paper")
    if paper is None:
        return
    for number, table in enumerate(paper["tables"], start=1):
        heads, rows = paper_text.plain_rows(paper, table)
        text = (
            f"{table['name']}: {table['title']} Published / here; = reproduced, e explained difference, ! contradicted."
        )
        yield from simple_table(text, f"paper-{number}", ["Library", *heads], rows, "l" * (1 + len(heads)))


def simple_table(text: str, name: str, heads: list[str], rows: list[list[str]], columns: str) -> Iterator[str]:
    """A table of texts. text : of the caption. columns : their types, as ``tabular`` takes them."""
    yield from ("", r"\begin{table*}[t]", r"\centering", rf"\caption{{{escaped(brief(text, LONGEST_CAPTION))}}}")
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
    kind, size = ("table*", "footnotesize") if len(table.columns) > MOST_NARROW else ("table", "small")
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
    """The head of a column, without k, which the caption names."""
    return escaped(brief(label(metric, k).removesuffix(f"@{k}"), LONGEST_NAME))


def signature_marks(table: Grid) -> dict[str, str]:
    """The mark of each signature in a table: its number among those of its definition, empty if it is the only one."""
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for entry in (entry for row in table.rows for entries in row.entries.values() for entry in entries):
        if entry.variant and signature_of(entry.cell):
            group = groups.setdefault((entry.variant.metric, entry.variant.letter), {})
            group[signature_of(entry.cell)] = None
    return {
        signature: str(number) if len(group) > 1 else ""
        for group in groups.values()
        for number, signature in enumerate(group, start=1)
    }


def rows(row: Row, columns: list[Column], marks: Mapping[str, str]) -> Iterator[str]:
    """A release: as many lines as it has functions for a single metric, its name before the first."""
    name = escaped(brief(f"{row.library['title']} {row.library['release']}", LONGEST_NAME))
    cells = [[entry_text(entry, marks) for entry in row.entries.get(column.metric, [])] or [DASH] for column in columns]
    for index, line in enumerate(zip_longest(*cells, fillvalue="")):
        yield f"{' & '.join(['' if index else name, *line])} \\\\"


def entry_text(entry: Entry, marks: Mapping[str, str]) -> str:
    """A value with a superscript: the letter of its definition, the number of its signature and its mark."""
    if entry.flag in NO_VALUE:
        return NO_VALUE[entry.flag]
    letter = entry.variant.letter.lower() if entry.variant else ""
    raised = letter + marks.get(signature_of(entry.cell), "") + MARKS.get(entry.flag, ("", ""))[0]
    return escaped(entry.text.replace("-", "−")) + (rf"\textsuperscript{{{raised}}}" if raised else "")


def caption(record: Record, table: Grid) -> str:
    """The verdict, the data and the cut-off."""
    bundle, headline = record["bundle"], verdict(record).headline
    names = [brief(entry["name"], LONGEST_NAME) for entry in (bundle["dataset"], bundle["model"]) if entry]
    data = ", ".join([names[0], f"{bundle['counts']['users']:,} users", *names[1:]])
    text = f"{headline}. Every function was given the same lists ({data}); k = {table.k}. Letters name the definitions."
    return escaped(brief(text, LONGEST_CAPTION))


def notes(table: Grid, signatures: Mapping[str, str]) -> Iterator[str]:
    """The definitions and signatures of this table, metric by metric, and the meaning of its marks."""
    entries = [entry for row in table.rows for entries in row.entries.values() for entry in entries]
    for column in table.columns:
        shown = {entry.variant for entry in entries if entry.variant and entry.cell["metric"] == column.metric}
        if shown:
            definitions = "; ".join(
                rf"\textsuperscript{{{variant.letter.lower()}}}~{escaped(variant.label)}, "
                rf"\texttt{{{breakable(brief(variant.printed, LONGEST_VARIANT))}}}"
                + signatures_text(variant, entries, signatures)
                for variant in sorted(shown, key=lambda variant: (len(variant.letter), variant.letter))
            )
            yield rf"{head(column.metric, table.k)}: {definitions}.\par"
    apart = (
        f"{escaped(brief(library['title'], LONGEST_NAME))} {escaped(entry.cell['function'])} ({escaped(entry.apart)}) "
        f"{entry_text(entry, signatures)}"
        for library, entry in table.apart
    )
    if table.apart:
        yield rf"Not in the columns, as they do not claim the metric: {'; '.join(apart)}.\par"
    flags = {entry.flag for entry in entries}
    yield from (rf"\textsuperscript{{{mark}}}~{text}.\par" for flag, (mark, text) in MARKS.items() if flag in flags)
    missing = [f"{text}: {NO_VALUE_REASONS[flag]}" for flag, text in NO_VALUE.items() if flag in flags]
    yield f"{'; '.join([f'{DASH}: no such function', *missing])}."


def signatures_text(variant: Variant, entries: list[Entry], marks: Mapping[str, str]) -> str:
    """The signatures of a definition, each after its mark, in parentheses."""
    signatures = dict.fromkeys(signature_of(entry.cell) for entry in entries if entry.variant == variant)
    printed = [
        (rf"\textsuperscript{{{marks[signature]}}}" if marks[signature] else "") + rf"\texttt{{{breakable(signature)}}}"
        for signature in filter(None, signatures)
    ]
    return f" ({', '.join(printed)})" if printed else ""


def breakable(printed: str) -> str:
    """A printed variant or signature, escaped, with possible line breaks after ``(``, ``=`` and ``|``."""
    return "".join(written(sign) + (r"\allowbreak{}" if sign in "(=|" else "") for sign in signs(printed))


def escaped(text: str) -> str:
    """Text for LaTeX's text mode in any engine, in ASCII; a character without a command is shown by its code point."""
    return re.sub("-(?=-)", "-{}", "".join(map(written, signs(text))))  # two hyphens would be a dash


def signs(text: str) -> str:
    """A text on one line without control characters, each accent composed with its letter."""
    return unicodedata.normalize("NFC", " ".join(clean(text).split()))


def written(sign: str) -> str:
    """One character as LaTeX."""
    if sign in SPECIALS:
        return SPECIALS[sign]
    if sign.isascii():
        return sign
    decomposed = unicodedata.normalize("NFD", sign)
    letter, accent = decomposed[0], decomposed[1:]
    if accent in ACCENTS and letter.isascii() and letter.isalpha():
        return rf"\{ACCENTS[accent]}{{{letter}}}"
    return f"{{[}}U+{ord(sign):04X}{{]}}"
