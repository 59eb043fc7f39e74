"""Formulas: LaTeX as MathML that a browser sets, built anew from what a converter gives."""

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
"""A row of one of these is that one."""
LONGEST_FORMULA = 4000


@lru_cache(maxsize=4096)
def mathml(latex: str) -> Markup | None:
    """A formula as a ``math`` element that carries its LaTeX as an annotation; None where it cannot be converted.

    Nothing of the converter's output is taken as it is: elements and attributes that are none of those above make the
    formula unconvertible or are dropped, and every text is escaped.
    """
    latex = clean(latex)
    if len(latex) > LONGEST_FORMULA:
        return None
    try:
        root = ET.fromstring(convert(latex, display="block"))
        row = ET.Element(f"{NAMESPACE}mrow")
        row.extend(root)
        inner = _written(row)
    except Exception:  # the converter raises whatever its parser meets, on any text that is no formula
        return None
    note = f'<annotation encoding="application/x-tex">{escape(latex)}</annotation>'
    return Markup(f'<math display="block"><semantics>{inner}{note}</semantics></math>')


def _name(element: ET.Element) -> str:
    name = element.tag.removeprefix(NAMESPACE)
    if name not in ELEMENTS:
        raise ValueError(f"{name} is no element of a formula")
    return name


def _written(element: ET.Element) -> str:
    name, parts = _name(element), _joined(list(element))
    if name == "mrow" and len(parts) == 1 and _name(parts[0]) in NEEDS_NO_ROW:
        return _written(parts[0])
    given = {key: value for key, value in element.attrib.items() if key in ATTRIBUTES}
    text = (element.text or "").strip()
    if name == "mi" and len(text) > 1:
        given.pop("mathvariant", None)  # a name of several letters is upright by itself
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in given.items())
    return f"<{name}{attributes}>{escape(text)}{''.join(map(_written, parts))}</{name}>"


def _joined(parts: list[ET.Element]) -> list[ET.Element]:
    """Upright letters in a row as one name: ``rel`` is a word, not r times e times l."""
    out: list[ET.Element] = []
    for part in parts:
        if out and _upright(part) and _upright(out[-1]):
            word = ET.Element(part.tag, part.attrib)
            word.text = f"{out[-1].text}{part.text}"
            out[-1] = word
        else:
            out.append(part)
    return out


def _upright(part: ET.Element) -> bool:
    return part.tag == f"{NAMESPACE}mi" and part.get("mathvariant") == "normal" and (part.text or "").isalpha()
