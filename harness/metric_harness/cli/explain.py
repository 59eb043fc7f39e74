"""``metric-harness explain``: what a rule means."""

from __future__ import annotations

from metric_harness.cli import options
from metric_harness.identification.rules import rule, rules
from metric_harness.system.terminal import echo

EXAMPLES = "[bold]Example[/bold]: metric-harness explain AP003"


def explain_command(code: options.Code = None) -> None:
    """Explain a rule code: what it means, why it matters, what to do."""
    if code is None:
        for each in rules().values():
            echo(f"{each.code:8} {each.severity:8} {each.title}")
        return
    found = rule(code.upper())
    echo(f"{found.code} ({found.severity}): {found.title}\n\n{found.why}\n\nWhat to do: {found.advice}")
