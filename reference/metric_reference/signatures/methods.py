"""A signature in the words of a paper: a sentence of methods, the formula with its symbols, references."""

from __future__ import annotations

from typing import Dict, List

from metric_reference.catalogue import by_variant
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
"""Symbols of the formulas: what shows that one occurs, how it is written, what it means."""


def sentence(signature: Signature) -> str:
    """What was computed, in the words of a methods section."""
    variant, parts = signature.variant, signature.parts()
    entry = by_variant().get(str(Variant(variant.metric, variant.weight).canonical()))
    title = entry.title if entry is not None else variant.metric.name.replace("_", " ")
    cut = "at the cut-off k" if variant.k is None else f"at k = {variant.k}"
    choices = list(parts)[: list(parts).index("mean")]
    made = f" ({', '.join(f'{name}: {parts[name]}' for name in choices)})" if choices else ""
    about = [ABOUT["norel"][parts["norel"]]] if variant.metric.relevance else []
    if variant.metric.relevance and variant.metric.lists:
        about.append(ABOUT["nolist"][parts["nolist"]])
    if variant.metric.lists:
        about += [ABOUT["dup"][parts["dup"]], ABOUT["ties"][parts["ties"]]]
    relevant = (
        "a gain above 0" if signature.threshold is None else f"a gain of at least {shortest(signature.threshold)}"
    )
    text = f"We report {title} {cut}{made}: {ABOUT['mean'][parts['mean']]}, of {ABOUT['users'][parts['users']]}"
    text += f"; {'; '.join(about)}" if about else ""
    text += f". An item is relevant if it has {relevant}" if variant.metric.relevance else ""
    text += f". Values are multiplied by {variant.times}" if variant.times != 1 else ""
    text += f". Values are rounded to {variant.rounded} digits" if variant.rounded is not None else ""
    return f"{text}."


def symbols(formula: str) -> List[str]:
    """The symbols of a formula with their meanings, in LaTeX."""
    bare = formula.replace(r"\mathrm{rel}", "#").replace(r"\frac", "").replace(r"\right", "").replace(r"\ln", "")
    bare = bare.replace(r"\log", "").replace(r"\mathrm", "").replace(r"\bigl", "").replace(r"\bigr", "")
    found = []
    for mark, (written, meaning) in SYMBOLS.items():
        if mark in (formula if len(mark.strip()) > 1 else bare):
            found.append(f"${written}$: {meaning}")
    return found


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
    """The text of a signature for LaTeX."""
    specials: Dict[str, str] = {
        "&": r"\&",
        "_": r"\_",
        "#": r"\#",
        "|": r"\textbar\allowbreak{}",
        ">": r"\textgreater{}",
    }
    return "".join(specials.get(sign, sign) for sign in text)


def bibtex(signature: Signature, version: str) -> str:
    """BibTeX of metric-harness in a version, and of the papers that define the variant, as far as they are known."""
    variant = signature.variant
    entry = by_variant().get(str(Variant(variant.metric, variant.weight).canonical()))
    out = [
        "@software{metric_harness,",
        "  title = {metric-harness: which definition a recommender metric follows},",
        f"  version = {{{version}}},",
        f"  note = {{signature \\texttt{{{escaped(signature.short())}}}}}",
        "}",
    ]
    papers = [] if entry is None else [(key, source) for key, source in zip(entry.who, entry.sources)]
    for key, source in papers:
        if source.kind == "paper":
            out += [f"@misc{{{key},", f"  title = {{{escaped(source.title)}}},", f"  url = {{{source.address}}}", "}"]
    return "\n".join(out)
