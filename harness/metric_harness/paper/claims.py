"""What the paper and a review of it say about the libraries, each held against what ran."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from metric_harness.bundles.build import Bundle
from metric_harness.paper.seen import CONFIRMED, REFUTED, UNCHECKED, Seen, Told
from metric_harness.paper.statements import STATEMENTS, About
from metric_reports.types.paper import PaperClaim
from metric_reports.types.run import Record

ML_10M_USERS, ML_20M_END = 71_567, "2015-03-31"


def claims(record: Record, bundle: Bundle, k: int, page: Mapping[str, Any]) -> list[PaperClaim]:
    """Each claim with its verdict (``confirmed``, ``refuted``, ``not checked here``) and the evidence."""
    seen = Seen(record, k)
    rows = [
        ("The published test set is MovieLens-10M, not MovieLens-20M.", *published_test_set(bundle, page["test_set"]))
    ]
    rows += [(title, *check(seen)) for title, check in CLAIMS]
    releases = [(row["name"], row["release"]) for row in record["libraries"] if row["paper"]]
    about = About(Seen(record, k, releases), bundle, k, page)
    rows += [(title, *holds(about)) for title, holds in STATEMENTS]
    return [{"claim": title, "verdict": verdict, "evidence": evidence} for title, verdict, evidence in rows]


def published_test_set(bundle: Bundle, published: Mapping[str, Any]) -> Told:
    """From the authors' own test set, or from the split of MovieLens-10M or 20M by the paper's protocol."""
    name = str(bundle.manifest["dataset"]["name"])
    wanted = (published["users"], published["positives"])
    read = [step for step in bundle.manifest["steps"] if step["step"] == "as read" and step["part"] == "truth"]
    largest = int(np.max(bundle.user_ids)) if np.issubdtype(np.asarray(bundle.user_ids).dtype, np.integer) else None
    if read and (read[0]["users"], read[0]["interactions"]) == wanted and largest is not None:
        said = (
            f"the test set given is the published one ({wanted[0]} users, {wanted[1]} positives; ids up to {largest} "
            f"among the users kept). All of its ids fit the {ML_10M_USERS} users of MovieLens-10M, and its last day is "
            f"{published['last_day']}; the last fifth of MovieLens-20M ends on {ML_20M_END}"
        )
        return (CONFIRMED if largest <= ML_10M_USERS else REFUTED), said
    found = (bundle.case.users, int(bundle.case.relevant.sum()))
    if name in ("ml-10m", "ml-20m"):
        same = found == wanted
        said = f"the split of {name} has {found[0]} users, {found[1]} positives; published are {wanted[0]}, {wanted[1]}"
        return (CONFIRMED if same == (name == "ml-10m") else REFUTED), said
    return UNCHECKED, "run it on the authors' own test set, on ml-10m or on ml-20m"


def recbole_gauc(seen: Seen) -> Told:
    """The value as the authors fed it, the value on uncut lists, and Elliot's near relative."""
    fed, whole, elliot = (
        seen.value(*name)
        for name in (
            ("recbole", "gauc_[paper]"),
            ("recbole", "gauc_"),
            ("elliot", "AUC"),
        )
    )
    if fed is None or whole is None:
        return UNCHECKED, "RecBole's GAUC needs scores of all candidates, and the release of the paper"
    near = "" if elliot is None else f"; Elliot's AUC, the same quantity but for one negative, is {elliot:.4f}"
    said = f"fed as the authors did it gives {fed:.4f}, on whole lists {whole:.4f}{near}"
    if (variant := seen.variant("recbole", "gauc_[paper]")) is not None:
        said += f". So fed it computes {variant}"
    return (CONFIRMED if fed - whole > 0.005 else REFUTED), said


def elliot_sauc(seen: Seen) -> Told:
    """Which scope Elliot's AUC has."""
    variant = seen.variant("elliot", "AUC")
    if variant is None:
        return UNCHECKED, "Elliot's AUC was not identified"
    return (REFUTED if variant.choices()["scope"] == "stacked" else CONFIRMED), f"it computes {variant}"


def dl_rs_ideal(seen: Seen) -> Told:
    """Over which items DL RS Evaluation takes its ideal."""
    variant = seen.variant("dl_rs_evaluation", "NDCG")
    if variant is None:
        return UNCHECKED, "DL RS Evaluation's NDCG was not identified"
    return (CONFIRMED if variant.choices()["ideal"] == "relevant" else REFUTED), f"it computes {variant}"


def natural_log(seen: Seen) -> Told:
    """The base of the discount shows in the DCG alone; in the ratio it cancels."""
    elliot, other = seen.variant("elliot", "nDCG[dcg]"), seen.variant("dl_rs_evaluation", "dcg")
    if elliot is None or other is None:
        return UNCHECKED, "needs the DCG of Elliot and of DL RS Evaluation"
    said = f"Elliot's DCG is {elliot}; DL RS Evaluation's is {other}. In NDCG a constant base cancels"
    return (CONFIRMED if elliot.choices()["discount"] == "ln" else REFUTED), said


def neurec_back_ends(seen: Seen) -> Told:
    """NeuRec's two back ends."""
    python, cpp = seen.variant("neurec", "python:map"), seen.variant("neurec", "cpp:map")
    if python is None or cpp is None:
        return UNCHECKED, "needs both back ends, live or recorded"
    return (CONFIRMED if python != cpp else REFUTED), f"Python computes {python}; C++ computes {cpp}"


def daisyrec_auc(seen: Seen) -> Told:
    """It fails as shipped; mended, it counts the pairs that are in the wrong order."""
    shipped, mended = seen.cell("daisyrec", "auc_at_k"), seen.variant("daisyrec", "auc_at_k[mended]")
    if mended is None or (shipped is not None and shipped["value"] is not None):
        return UNCHECKED, "needs the release of the paper, live or recorded"
    failed = "it has no value" if shipped is None or not shipped["error"] else str(shipped["error"]).splitlines()[0]
    said = f"as shipped: {failed}; with the missing name put in it computes {mended}"
    value, hits, right = (
        seen.value(*name)
        for name in (
            ("daisyrec", "auc_at_k[mended]"),
            ("daisyrec", "hr_at_k"),
            ("dl_rs_evaluation", "ROC_AUC"),
        )
    )
    if value is not None and hits is not None and right is not None:
        said += f": {value:.6f}. Hit rate - AUC@k, the same where every list is full, is {hits - right:.6f}"
    return (CONFIRMED if mended.metric.name == "inverted_auc" else REFUTED), said


CLAIMS: tuple[tuple[str, Callable[[Seen], Told]], ...] = (
    ("RecBole's GAUC of 0.858 comes from its feeding: lists cut to the shortest, positives uncut.", recbole_gauc),
    ("Elliot's AUC, printed under SAUC, compares no items of different users.", elliot_sauc),
    ("DL RS Evaluation's NDCG differs because its ideal is not cut at k.", dl_rs_ideal),
    ("Elliot's NDCG uses the natural logarithm (said by a review of the paper).", natural_log),
    ("NeuRec's MAP of 0.003 is its Python back end's; its C++ back end computes another.", neurec_back_ends),
    ("DaisyRec's AUC fails as shipped and is upside down once mended.", daisyrec_auc),
)
