"""``metric-harness explain``: what a rule means."""

from __future__ import annotations

from metric_harness.cli import options
from metric_harness.naming.findings.rules import NO_THREAD, rule, rules
from metric_harness.system.terminal import say

EXAMPLES = "[bold]Example[/bold]: metric-harness explain AP003"


def explain_command(code: options.Code = None) -> None:
    """Explain a rule code: what it means, why it matters, what to do, how to say it to the maintainer."""
    if code is None:
        for listed in rules().values():
            say(f"{listed.code:8} {listed.severity:8} {listed.title}")
        return
    entry = rule(code.upper())
    threads = "".join(f"\n  {address}  {subject}" for address, subject in entry.threads) or f" {NO_THREAD}"
    say(f"{entry.code} ({entry.severity}): {entry.title}\n\n{entry.why}\n\nWhat to do: {entry.advice}\n")
    say(f"How to say it to the maintainer: {entry.say}\n\nPrecedents:{threads}")
