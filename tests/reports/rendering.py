"""Audits made by hand, and SARIF with the rules of the project."""

from dataclasses import asdict

from metric_harness.naming.findings.rules import rules
from metric_reports.audit.ci import render_sarif
from tests.support.sample_audit import a_comparison, an_audit

RULES = {code: asdict(rule) for code, rule in rules().items()}
SAMPLES = [an_audit, a_comparison, lambda: a_comparison(same=True)]


def sarif(record):
    return render_sarif(record, RULES)
