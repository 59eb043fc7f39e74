"""``metric-harness signature cite``: a signature in the words of a paper."""

from __future__ import annotations

from metric_harness.cli import options
from metric_harness.cli.signatures.reading import SignatureText, read
from metric_harness.system.terminal import echo, to_json
from metric_harness.version import __version__
from metric_reference.signatures.methods import bibtex, latex, sentence

EXAMPLES = '[bold]Example[/bold]: metric-harness signature cite "ndcg@20|rel:>=4|mh:1.0#d4676305"'


def cite_command(signature: SignatureText, as_json: options.AsJson = False) -> None:
    """Give a sentence for the methods section, the formula in LaTeX with a footnote, and BibTeX."""
    parsed = read(signature)
    page = {
        "signature": str(parsed),
        "short": parsed.short(),
        "sentence": sentence(parsed),
        "latex": latex(parsed),
        "bibtex": bibtex(parsed, __version__),
    }
    if as_json:
        echo(to_json(page))
        return
    echo(f"{page['short']}\n{page['signature']}\n\n{page['sentence']}\n\n{page['latex']}\n\n{page['bibtex']}")
