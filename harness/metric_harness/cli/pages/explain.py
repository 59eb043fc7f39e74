"""``metric-harness explain``: what a rule means."""

from __future__ import annotations

from metric_harness.cli import options
from metric_harness.identification.rules import NO_THREAD, rule, rules
from metric_harness.system.terminal import echo

EXAMPLES = "[bold]Example[/bold]: metric-harness explain AP003"


def explain_command(code: options.Code = None) -> None:
    """Explain a rule code: what it means, why it matters, what to do, how to say it to the maintainer."""
    if code is None:
        for each in rules().values():
            echo(f"{each.code:8} {each.severity:8} {each.title}")
        return
    found = rule(code.upper())
    threads = "".join(f"\n  {address}  {subject}" for address, subject in found.threads) or f" {NO_THREAD}"
    echo(f"{found.code} ({found.severity}): {found.title}\n\n{found.why}\n\nWhat to do: {found.advice}\n")
    echo(f"How to say it to the maintainer: {found.say}\n\nPrecedents:{threads}")
