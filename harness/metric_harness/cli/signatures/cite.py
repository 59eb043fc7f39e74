"""``metric-harness cite``: a signature in the words of a paper."""

from __future__ import annotations

from typing import Annotated

import typer

from metric_harness.cli.signatures.reading import SignatureText, read
from metric_harness.system.terminal import echo, to_json
from metric_harness.version import __version__
from metric_reference.signatures.methods import bibtex, latex, sentence

EXAMPLES = '[bold]Example[/bold]: metric-harness cite "ndcg@20|rel:>=4|mh:1.0#d4676305"'

AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


def cite_command(signature: SignatureText, as_json: AsJson = False) -> None:
    """Give a sentence for the methods section, the formula in LaTeX with a footnote, and BibTeX."""
    asked = read(signature)
    page = {
        "signature": str(asked),
        "short": asked.short(),
        "sentence": sentence(asked),
        "latex": latex(asked),
        "bibtex": bibtex(asked, __version__),
    }
    if as_json:
        echo(to_json(page))
        return
    echo(f"{page['short']}\n{page['signature']}\n\n{page['sentence']}\n\n{page['latex']}\n\n{page['bibtex']}")
