"""The recorded functions that compute the variant of a signature, and how they compare with it at the edges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from metric_harness.libraries.describe import find_libraries
from metric_harness.recordings.known_functions import libraries_of
from metric_harness.recordings.snippets import EXAMPLE_K, snippet
from metric_harness.system.errors import HarnessError
from metric_reference.edges import Edges
from metric_reference.signatures.differences import compare
from metric_reference.signatures.signature import Signature, signature_of

VERDICTS = ("same", "unknown", "differ")


def find(signature: Signature, library: str | None = None) -> list[dict[str, Any]]:
    """The recorded functions with the variant of a signature, those that agree at the edges first.

    Each row has the function's signature, how it compares, and a script that calls the function (None for an older
    release, or without a snippet). HarnessError for an unknown library.
    """
    libraries = find_libraries([])
    by_name = {described.name: described for described in libraries.values()}
    if library is not None and library not in libraries:
        raise HarnessError(f"--library {library}: no such library; one of {', '.join(libraries)} is")
    rows = []
    for function in libraries_of(signature.variant, with_edges=True):
        described = by_name[function["library"]]
        if library not in (None, described.key):
            continue
        own = signature_of(signature.variant, Edges(**function["edges"]), "all", signature.threshold)
        own = replace(own, candidates=signature.candidates)
        difference = compare(replace(signature, users="all"), own)
        newest = function["release"] == described.newest().version
        k = signature.variant.k or EXAMPLE_K
        rows.append(
            {
                "library": function["library"],
                "release": function["release"],
                "function": function["function"],
                "signature": str(own),
                "verdict": difference.verdict,
                "compared": difference.sentence,
                "edges": function["edges"],
                "snippet": snippet(described, function["function"], k) if newest else None,
            }
        )
    return sorted(rows, key=lambda row: (VERDICTS.index(row["verdict"]), len(row["compared"])))
