"""The rule codes, read from rules.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

from metric_harness.system.errors import HarnessError
from metric_reference.edges import VALUES, Edges
from metric_reference.variant import Variant
from metric_reports.types.common import Severity

SEVERITIES: tuple[Severity, ...] = get_args(Severity)


@dataclass(frozen=True)
class Rule:
    """One code: what it means, why it matters, what to do. One condition in ``when`` must be met."""

    code: str
    severity: Severity
    title: str
    why: str
    advice: str
    when: tuple[dict[str, object], ...] = ()

    def holds(self, variant: Variant, edges: Edges) -> bool:
        """Whether a subject with this variant and edge behaviour falls under the rule."""
        facts = {"metric": variant.metric.name, **variant.choices(), **edges.made()}
        return any(all(_meets(facts.get(name), wanted) for name, wanted in case.items()) for case in self.when)

    def edge_met(self, variant: Variant, edges: Edges) -> str | None:
        """The edge behaviour by which a subject falls under the rule; None where it does so by its choices."""
        facts = {"metric": variant.metric.name, **variant.choices(), **edges.made()}
        met = (case for case in self.when if all(_meets(facts.get(name), wanted) for name, wanted in case.items()))
        return next((name for case in met for name in case if name in VALUES), None)

    @property
    def about_choices(self) -> bool:
        """Whether the rule is about the choices of a variant, not about edge behaviour."""
        return bool(self.when) and self.edge is None

    @property
    def edge(self) -> str | None:
        """The edge behaviour the rule is about, or None."""
        return next((name for case in self.when for name in case if name in VALUES), None)


def _meets(value: str | None, wanted: object) -> bool:
    return value in wanted if isinstance(wanted, list) else value == wanted


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its code, in the order of the file."""
    table = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
    return {
        code: Rule(
            code,
            entry["severity"],
            entry["title"],
            " ".join(entry["why"].split()),
            " ".join(entry["advice"].split()),
            tuple(entry.get("when", ())),
        )
        for code, entry in table.items()
    }


def rule(code: str) -> Rule:
    """The rule of a code; HarnessError for an unknown code."""
    try:
        return rules()[code]
    except KeyError:
        raise HarnessError(f"no rule {code!r}; `metric-harness explain` lists them all") from None


def about_an_edge(code: str) -> bool:
    """Whether a finding of this code is about an edge behaviour, not about the definition."""
    found = rules().get(code)
    return code == "EDG001" or (found is not None and found.edge is not None)
