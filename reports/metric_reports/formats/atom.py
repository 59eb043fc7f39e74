"""An Atom feed (RFC 4287) of the changes that a watch found, one entry for each changed function."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from metric_reports.types.history import Change, Watched

NAMESPACE = "http://www.w3.org/2005/Atom"
OURS = uuid.UUID("5f0c1c52-5b0b-5d6c-9d51-6d7d0a6b8f0e")
"""The names of entries are made from this, so that an entry keeps its name."""
TITLE = "Changed metrics, found by metric-harness"


def atom(entries: list[Watched]) -> str:
    """The feed as text. entries : the newest first."""
    feed = Element("feed", xmlns=NAMESPACE)
    days = [entry["day"] for entry in entries]
    _texts(feed, title=TITLE, id=OURS.urn, updated=_time(max(days, default="1970-01-01")))
    _texts(SubElement(feed, "author"), name="metric-harness")
    for entry in entries:
        for change in entry["changes"]:
            name = f"{entry['library']} {change['after']} {change['function']}"
            item = SubElement(feed, "entry")
            identity, updated = uuid.uuid5(OURS, name).urn, _time(change["after_day"] or entry["day"])
            _texts(item, title=title_of(entry, change), id=identity, updated=updated)
            _texts(item, content="\n".join(facts_of(change)))
    indent(feed)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(feed, encoding="unicode") + "\n"


def title_of(entry: Watched, change: Change) -> str:
    """What changed, in a line: ``TorchMetrics 1.1.2: RetrievalNormalizedDCG: ties``."""
    what = ["definition"] * bool(change["variants"]) + list(change["edges"])
    return f"{entry['name']} {change['after']}: {change['function']}: {', '.join(what) or 'numbers'} changed"


def facts_of(change: Change) -> Iterator[str]:
    """The definition, each edge and the numbers, before and after."""
    yield f"{change['before']} -> {change['after']}"
    if change["variants"]:
        yield f"computes {' -> '.join(change['variants'])}"
    for edge, (before, after) in change["edges"].items():
        yield f"{edge}: {before} -> {after}"
    before_value, after_value = ("an error" if value is None else value for value in change["values"])
    yield f"shown by {change['probe']}, k = {change['k']}: {before_value} -> {after_value}"


def _texts(parent: Element, **texts: str) -> None:
    for name, text in texts.items():
        SubElement(parent, name).text = text


def _time(day: str) -> str:
    return f"{day}T00:00:00Z"
