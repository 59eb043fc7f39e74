"""A signature as text for a paper: a sentence for the methods section, the formula with its symbols, references."""

from __future__ import annotations

from typing import Dict, List, Optional

from metric_reference.candidates.choice import ALL
from metric_reference.catalogue import Entry, by_variant
from metric_reference.narrowed import EVERYTHING
from metric_reference.signatures.signature import Signature, shortest
from metric_reference.signatures.words import ABOUT
from metric_reference.variant import Variant

SYMBOLS = {
    "k": (r"k", "the cut-off"),
    "r": (r"r", "the number of the user's relevant items"),
    "h": (r"h", "the number of hits"),
    "|L|": (r"|L|", "the length of the list"),
    r"\mathrm{rel}": (r"\mathrm{rel}_j", "1 if the item at rank j is relevant, else 0"),
    "g": (r"g_j", "the gain (rating) of the item at rank j if it is relevant, else 0"),
    r"\mathrm{rel}^{*}": (r"\mathrm{rel}^{*}_j", "the same for the ideal list"),
    "g^{*}": (r"g^{*}_j", "the j-th largest gain of the user's relevant items"),
    r"g_{\max}": (r"g_{\max}", "the largest gain of the user's relevant items"),
    "P@": (r"P@j", "the precision at rank j"),
    " t ": ("t", "the smallest gain that is relevant"),
}
"""Symbols of the formulas: the text that shows that one occurs, its LaTeX, its meaning."""


def sentence(signature: Signature) -> str:
    """What was computed, as a sentence for a methods section."""
    variant, parts = signature.variant, signature.parts()
    entry = _entry(variant)
    title = entry.title if entry is not None else variant.metric.name.replace("_", " ")
    cut = "at the cut-off k" if variant.k is None else f"at k = {variant.k}"
    choices = list(parts)[: list(parts).index("mean")]
    made = f" ({', '.join(f'{name}: {parts[name]}' for name in choices)})" if choices else ""
    edges = ["norel"] if variant.metric.relevance else []
    if variant.metric.lists:
        edges += [*(["nolist"] if variant.metric.relevance else []), "dup", "ties"]
    gain = "above 0" if signature.threshold is None else f"of at least {shortest(signature.threshold)}"
    text = f"We report {title} {cut}{made}: {ABOUT['mean'][parts['mean']]}, of {ABOUT['users'][parts['users']]}"
    text += "".join(f"; {ABOUT[edge][parts[edge]]}" for edge in edges)
    text += f". An item is relevant if it has a gain {gain}" if variant.metric.relevance else ""
    text += f"; {ABOUT['only'][variant.only]}" if variant.only != EVERYTHING else ""
    text += f". {ranked_among(signature)}" if signature.candidates != ALL else ""
    text += f". Values are multiplied by {variant.times}" if variant.times != 1 else ""
    rounded = "Values" if variant.rounds == "mean" else "The values of users"
    text += f". {rounded} are rounded to {variant.rounded} digits" if variant.rounded is not None else ""
    return f"{text}."


def ranked_among(signature: Signature) -> str:
    """What relevant items are ranked among, as a sentence without the point at its end."""
    candidates, parts = signature.candidates, signature.parts()
    if not candidates.drawn:
        among = {"all": "all items", "given": "the candidates that are given, not all items"}
        return f"Relevant items are ranked among {among[candidates.kind]}"
    how = {"uniform": "uniformly", "popularity": "by popularity"}[candidates.kind]
    return (
        f"Relevant items are ranked among {candidates.negatives} negatives drawn {how}, "
        f"{ABOUT['repl'][parts['repl']]}, {ABOUT['per'][parts['per']]}; the number depends on the draw"
    )


def _entry(variant: Variant) -> Optional[Entry]:
    """The row of the catalogue that has the variant."""
    return by_variant().get(str(variant.plain().canonical()))


def symbols(formula: str) -> List[str]:
    """The symbols of a formula with their meanings, in LaTeX."""
    bare = formula.replace(r"\mathrm{rel}", "#").replace(r"\frac", "").replace(r"\right", "").replace(r"\ln", "")
    bare = bare.replace(r"\log", "").replace(r"\mathrm", "").replace(r"\bigl", "").replace(r"\bigr", "")
    return [
        f"${symbol}$: {meaning}"
        for mark, (symbol, meaning) in SYMBOLS.items()
        if mark in (formula if len(mark.strip()) > 1 else bare)
    ]


def latex(signature: Signature) -> str:
    """The formula of one user's value, its symbols, and the signature as a footnote."""
    formula = signature.variant.metric.formula()
    return "\n".join(
        [
            rf"\[ {formula} \]",
            f"% {'; '.join(symbols(formula))}",
            rf"\footnote{{\texttt{{{escaped(signature.short())}}}}}",
        ]
    )


def escaped(text: str) -> str:
    """A text with LaTeX's special characters escaped."""
    specials: Dict[str, str] = {
        "&": r"\&",
        "_": r"\_",
        "#": r"\#",
        "|": r"\textbar\allowbreak{}",
        ">": r"\textgreater{}",
    }
    return "".join(specials.get(character, character) for character in text)


def bibtex(signature: Signature, version: str) -> str:
    """BibTeX of metric-harness in a version, and of the papers in the catalogue that use the variant."""
    entry = _entry(signature.variant)
    lines = [
        "@software{metric_harness,",
        "  title = {metric-harness: which definition a recommender metric follows},",
        f"  version = {{{version}}},",
        f"  note = {{signature \\texttt{{{escaped(signature.short())}}}}}",
        "}",
    ]
    for key, source in zip(entry.who, entry.sources) if entry is not None else ():
        if source.kind == "paper":
            lines += [f"@misc{{{key},", f"  title = {{{escaped(source.title)}}},", f"  url = {{{source.address}}}", "}"]
    return "\n".join(lines)
