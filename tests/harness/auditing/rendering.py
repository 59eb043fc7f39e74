"""The formats of an audit that are made from its record, and the records they are made from here."""

from dataclasses import asdict

from metric_harness.audit_text.cases import case_lines
from metric_harness.naming.findings.rules import rules
from tests.support.sample_audit import a_comparison, an_audit

RULES = {code: asdict(rule) for code, rule in rules().items()}
SAMPLES = [an_audit, a_comparison, lambda: a_comparison(same=True)]


def rendered(render, record):
    return render(record, RULES, case_lines)
