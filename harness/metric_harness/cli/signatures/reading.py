"""A signature given on the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from metric_harness.system.errors import HarnessError
from metric_reference.signatures.read import SignatureError, parse
from metric_reference.signatures.signature import Signature

SignatureText = Annotated[
    str, typer.Argument(metavar="SIGNATURE", help="A full or a short form, in quotation marks: it holds | and >.")
]


def read(text: str) -> Signature:
    """The signature of a text; HarnessError says what is wrong with it."""
    try:
        return parse(text)
    except SignatureError as error:
        raise HarnessError(str(error)) from None
