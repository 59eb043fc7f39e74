"""A signature given on the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import require_cutoffs
from metric_reference.signatures.read import SignatureError, parse
from metric_reference.signatures.signature import Signature

SignatureText = Annotated[
    str, typer.Argument(metavar="SIGNATURE", help="A full or a short form, in quotation marks: it holds | and >.")
]


def read(text: str) -> Signature:
    """The signature of a text; HarnessError says what is wrong with it, or that no list is as long as its cut-off."""
    try:
        signature = parse(text)
    except SignatureError as error:
        raise HarnessError(str(error)) from None
    return within_bounds(signature)


def within_bounds(signature: Signature) -> Signature:
    """The signature, unless its cut-off is beyond all lists."""
    require_cutoffs([] if signature.variant.k is None else [signature.variant.k])
    return signature
