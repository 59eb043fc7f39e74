"""Formulas: LaTeX as MathML for browsers, rebuilt from a converter's output with known elements alone."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import lru_cache

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from metric_reports.view.words import clean

NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
ELEMENTS = frozenset(
    [
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "mtext",
        "mfrac",
        "msqrt",
        "mroot",
        "msub",
        "msup",
        "msubsup",
        "munder",
        "mover",
        "munderover",
        "mspace",
        "mstyle",
        "mtable",
        "mtr",
        "mtd",
    ]
)
ATTRIBUTES = frozenset(
    [
        "stretchy",
        "fence",
        "form",
        "accent",
        "minsize",
        "maxsize",
        "width",
        "linethickness",
        "displaystyle",
        "scriptlevel",
        "mathvariant",
    ]
)
NEEDS_NO_ROW = frozenset(
    ["mi", "mn", "mo", "mrow", "mtext", "mfrac", "msub", "msup", "msubsup", "msqrt", "mover", "munderover"]
)
"""An ``mrow`` with only one of these inside is replaced by it."""
LONGEST_FORMULA = 4000


@lru_cache(maxsize=4096)
def mathml(latex: str) -> Markup | None:
    """A formula as a ``math`` element with its LaTeX as an annotation; None if it cannot be converted.

    The converter's output is not trusted: an element outside ``ELEMENTS`` makes the formula unconvertible, an attribute
    outside ``ATTRIBUTES`` is dropped, and every text is escaped.
    """
    latex = clean(latex)
    if len(latex) > LONGEST_FORMULA:
        return None
    try:
        root = ET.fromstring(convert(latex, display="block"))
        row = ET.Element(f"{NAMESPACE}mrow")
        row.extend(root)
        inner = _written(row)
    except Exception:  # on a text that is no formula, the converter raises errors of many types
        return None
    note = f'<annotation encoding="application/x-tex">{escape(latex)}</annotation>'
    return Markup(f'<math display="block"><semantics>{inner}{note}</semantics></math>')


def _name(element: ET.Element) -> str:
    name = element.tag.removeprefix(NAMESPACE)
    if name not in ELEMENTS:
        raise ValueError(f"{name} is no element of a formula")
    return name


def _written(element: ET.Element) -> str:
    name, children = _name(element), _joined(list(element))
    if name == "mrow" and len(children) == 1 and _name(children[0]) in NEEDS_NO_ROW:
        return _written(children[0])
    allowed = {key: value for key, value in element.attrib.items() if key in ATTRIBUTES}
    text = (element.text or "").strip()
    if name == "mi" and len(text) > 1:
        allowed.pop("mathvariant", None)  # an identifier of several letters is upright by default
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in allowed.items())
    return f"<{name}{attributes}>{escape(text)}{''.join(map(_written, children))}</{name}>"


def _joined(elements: list[ET.Element]) -> list[ET.Element]:
    """Merge neighbouring upright letters into one identifier: ``rel`` is a word, not r times e times l."""
    merged: list[ET.Element] = []
    for element in elements:
        if merged and _upright(element) and _upright(merged[-1]):
            word = ET.Element(element.tag, element.attrib)
            word.text = f"{merged[-1].text}{element.text}"
            merged[-1] = word
        else:
            merged.append(element)
    return merged


def _upright(element: ET.Element) -> bool:
    return element.tag == f"{NAMESPACE}mi" and element.get("mathvariant") == "normal" and (element.text or "").isalpha()
