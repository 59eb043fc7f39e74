"""The page of the rules of findings."""

from __future__ import annotations

from collections.abc import Iterator

from made_pages.page import MADE
from metric_harness.naming.findings.rules import NO_THREAD, Rule, rules


def rules_page() -> str:
    """Every rule: code, severity, what it means, what to do, and the condition under which it applies."""
    return "\n".join(
        [
            "# Rules",
            "",
            MADE,
            "",
            "A finding has the code of a rule. `metric-harness explain AP001` prints one of them in the terminal; the "
            "texts and conditions are in `harness/metric_harness/naming/findings/rules.toml`.",
            "",
            "| code | severity | title |",
            "| --- | --- | --- |",
            *(f"| [{each.code}](#{each.code.lower()}) | {each.severity} | {each.title} |" for each in rules().values()),
            "",
            *(line for each in rules().values() for line in _rule(each)),
        ]
    )


def _rule(each: Rule) -> Iterator[str]:
    yield from (f"## {each.code}", "", f"**{each.title}** ({each.severity})", "", each.why, "")
    yield from (f"What to do: {each.advice}", "", f"How to say it to the maintainer: {each.say}", "")
    threads = ", ".join(f"[{subject}]({address})" for address, subject in each.threads)
    yield from (f"Precedents: {threads or NO_THREAD}.", "")
    if each.when:
        conditions = (", ".join(f"{name} = {_values(wanted)}" for name, wanted in case.items()) for case in each.when)
        yield from ("Applies to: " + "; or ".join(conditions) + ".", "")
    else:
        yield from ("Decided from the returned values.", "")


def _values(wanted: object) -> str:
    return " or ".join(f"`{value}`" for value in (wanted if isinstance(wanted, list) else [wanted]))
