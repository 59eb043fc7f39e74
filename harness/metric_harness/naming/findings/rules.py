"""The rules, read from rules.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

from metric_harness.system.errors import HarnessError
from metric_reference.edges import VALUES, Edges
from metric_reference.variant import Variant
from metric_reports.types.common import Severity

NO_THREAD = "no public thread known"
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


@dataclass(frozen=True)
class Rule:
    """A divergence: what it means, why it matters, what to do. One condition in ``when`` must be met.

    say : the wording for the maintainer; threads : public threads about it, each an address and a subject. of_the_cut :
    it is about the cut-off, which a function may not take; of_the_mean : about who is in the mean, which may not be the
    function's own.
    """

    code: str
    severity: Severity
    title: str
    why: str
    advice: str
    when: tuple[dict[str, object], ...] = ()
    say: str = ""
    threads: tuple[tuple[str, str], ...] = ()
    of_the_cut: bool = False
    of_the_mean: bool = False

    def holds(self, variant: Variant, edges: Edges) -> bool:
        """Whether a subject with this variant and edge behaviour falls under the rule."""
        return self._met(variant, edges) is not None

    def edge_met(self, variant: Variant, edges: Edges) -> str | None:
        """The edge behaviour by which a subject falls under the rule; None where the choices of its variant decide."""
        return _edge_of(self._met(variant, edges) or {})

    @property
    def about_choices(self) -> bool:
        """Whether the rule is about the choices of a variant, not about edge behaviour."""
        return bool(self.when) and self.edge is None

    @property
    def edge(self) -> str | None:
        """The edge behaviour the rule is about, or None."""
        return next((name for condition in self.when if (name := _edge_of(condition))), None)

    def _met(self, variant: Variant, edges: Edges) -> dict[str, object] | None:
        """The first condition that a subject meets. One that names a metric is about the choices of its variant:
        ``ties`` is a choice of AUC, and an edge of every other metric."""
        choices = {"metric": variant.metric.name, **variant.choices()}
        for condition in self.when:
            facts = edges.made() if _edge_of(condition) else choices
            if all(_meets(facts.get(name), wanted) for name, wanted in condition.items()):
                return condition
        return None


def _edge_of(condition: Mapping[str, object]) -> str | None:
    """The edge behaviour that a condition is about; None for one about choices."""
    return None if "metric" in condition else next((name for name in condition if name in VALUES), None)


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
            " ".join(entry["say"].split()),
            tuple((address, subject) for address, subject in entry.get("threads", ())),
            entry.get("of_the_cut", False),
            entry.get("of_the_mean", False),
        )
        for code, entry in table.items()
    }


def rule(code: str) -> Rule:
    """The rule of a code; HarnessError for an unknown code."""
    try:
        return rules()[code]
    except KeyError:
        raise HarnessError(f"no rule {code!r}; `metric-harness explain rules` lists them all") from None


def about_an_edge(code: str) -> bool:
    """Whether a finding of this code is about an edge behaviour, not about the definition."""
    return code == "EDG001" or (code in rules() and rules()[code].edge is not None)
