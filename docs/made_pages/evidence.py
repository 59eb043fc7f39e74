"""The page of the evidence: written by hand but for the table of verification cases."""

from __future__ import annotations

import re

from made_pages.page import DOCS
from metric_harness.naming.cases.verification_cases import Limits, verification_cases
from metric_harness.naming.library_evidence import EDGES

CASES = re.compile(r"(?s)(<!-- cases: [^>]*-->\n).*?(<!-- end of cases -->)")


def evidence_page() -> str:
    """The page as it is, with the table of the verification cases made anew."""
    table = ["| case | what it holds | k |", "| --- | --- | --- |"]
    for case in verification_cases(Limits(edges=EDGES)):
        table.append(f"| {case.name} | {case.about} | {', '.join(map(str, case.ks))} |")
    rows = "\n".join(table)
    page = (DOCS / "evidence.md").read_text(encoding="utf-8")
    return CASES.sub(lambda found: f"{found[1]}\n{rows}\n\n{found[2]}", page)
