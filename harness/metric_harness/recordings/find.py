"""Which recorded functions compute a signature, and what they do at its edges."""

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
    """The recorded functions whose variant a signature's is: those that agree at the edges first, each with its
    signature, how it compares, and a script that calls it (None where there is none, and for older releases).

    HarnessError for a library that is not known.
    """
    libraries = find_libraries([])
    known = {each.name: each for each in libraries.values()}
    if library is not None and library not in libraries:
        raise HarnessError(f"--library {library}: no such library; one of {', '.join(libraries)} is")
    rows = []
    for function in libraries_of(signature.variant, with_edges=True):
        home = known[function["library"]]
        if library not in (None, home.key):
            continue
        theirs = signature_of(signature.variant, Edges(**function["edges"]), "all", signature.threshold)
        how = compare(replace(signature, users="all"), theirs)
        newest = function["release"] == home.newest().version
        k = signature.variant.k or EXAMPLE_K
        rows.append(
            {
                "library": function["library"],
                "release": function["release"],
                "function": function["function"],
                "signature": str(theirs),
                "verdict": how.verdict,
                "compared": how.sentence,
                "edges": function["edges"],
                "snippet": snippet(home, function["function"], k) if newest else None,
            }
        )
    return sorted(rows, key=lambda row: (VERDICTS.index(row["verdict"]), len(row["compared"])))
