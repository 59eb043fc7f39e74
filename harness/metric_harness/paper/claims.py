"""Claims of the paper and of a review of it about single libraries, each checked against the record of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from metric_harness.bundles.build import Bundle
from metric_harness.paper.seen import CONFIRMED, REFUTED, UNCHECKED, Seen, Verdict
from metric_harness.paper.statements import STATEMENTS, About
from metric_reports.types.paper import PaperClaim
from metric_reports.types.run import Record

ML_10M_USERS, ML_20M_END = 71_567, "2015-03-31"


def claims(record: Record, bundle: Bundle, k: int, page: Mapping[str, Any]) -> list[PaperClaim]:
    """Each claim with its verdict (``confirmed``, ``refuted``, ``not checked here``) and the evidence."""
    seen = Seen(record, k)
    first = "The published test set is MovieLens-10M, not MovieLens-20M."
    rows = [(first, *_published_test_set(bundle, page["test_set"]))]
    rows += [(title, *check(seen)) for title, check in CLAIMS]
    releases = [(row["name"], row["release"]) for row in record["libraries"] if row["paper"]]
    context = About(Seen(record, k, releases), bundle, k, page)
    rows += [(title, *check(context)) for title, check in STATEMENTS]
    return [{"claim": title, "verdict": verdict, "evidence": evidence} for title, verdict, evidence in rows]


def _published_test_set(bundle: Bundle, published: Mapping[str, Any]) -> Verdict:
    """Checked on the authors' own test set, or on the split of MovieLens-10M or 20M by the paper's protocol."""
    name = str(bundle.manifest["dataset"]["name"])
    wanted = (published["users"], published["positives"])
    read = [step for step in bundle.manifest["steps"] if step["step"] == "as read" and step["part"] == "truth"]
    largest = int(np.max(bundle.user_ids)) if np.issubdtype(np.asarray(bundle.user_ids).dtype, np.integer) else None
    if read and (read[0]["users"], read[0]["interactions"]) == wanted and largest is not None:
        evidence = (
            f"the test set given is the published one ({wanted[0]} users, {wanted[1]} positives; ids up to {largest} "
            f"among the users kept). All of its ids fit the {ML_10M_USERS} users of MovieLens-10M, and its last day is "
            f"{published['last_day']}; the last fifth of MovieLens-20M ends on {ML_20M_END}"
        )
        return (CONFIRMED if largest <= ML_10M_USERS else REFUTED), evidence
    users, positives = bundle.case.users, int(bundle.case.relevant.sum())
    if name in ("ml-10m", "ml-20m"):
        same = (users, positives) == wanted
        evidence = (
            f"the split of {name} has {users} users, {positives} positives; published are {wanted[0]}, {wanted[1]}"
        )
        return (CONFIRMED if same == (name == "ml-10m") else REFUTED), evidence
    return UNCHECKED, "run it on the authors' own test set, on ml-10m or on ml-20m"


def _recbole_gauc(seen: Seen) -> Verdict:
    """RecBole's value for the authors' inputs, its value on uncut lists, and Elliot's AUC, which differs little."""
    as_published, on_uncut_lists = seen.value("recbole", "gauc_[paper]"), seen.value("recbole", "gauc_")
    elliot = seen.value("elliot", "AUC")
    if as_published is None or on_uncut_lists is None:
        return UNCHECKED, "RecBole's GAUC needs scores of all candidates, and the release of the paper"
    evidence = f"fed as the authors did it gives {as_published:.4f}, on whole lists {on_uncut_lists:.4f}"
    if elliot is not None:
        evidence += f"; Elliot's AUC, the same quantity but for one negative, is {elliot:.4f}"
    if (variant := seen.variant("recbole", "gauc_[paper]")) is not None:
        evidence += f". So fed it computes {variant}"
    return (CONFIRMED if as_published - on_uncut_lists > 0.005 else REFUTED), evidence


def _elliot_sauc(seen: Seen) -> Verdict:
    """The scope of Elliot's AUC."""
    variant = seen.variant("elliot", "AUC")
    if variant is None:
        return UNCHECKED, "Elliot's AUC was not identified"
    return (REFUTED if variant.choices()["scope"] == "stacked" else CONFIRMED), f"it computes {variant}"


def _dl_rs_ideal(seen: Seen) -> Verdict:
    """The items over which DL RS Evaluation takes its ideal."""
    variant = seen.variant("dl_rs_evaluation", "NDCG")
    if variant is None:
        return UNCHECKED, "DL RS Evaluation's NDCG was not identified"
    return (CONFIRMED if variant.choices()["ideal"] == "relevant" else REFUTED), f"it computes {variant}"


def _natural_log(seen: Seen) -> Verdict:
    """The base of the discount, which shows in DCG alone: in NDCG it cancels."""
    elliot, dl_rs = seen.variant("elliot", "nDCG[dcg]"), seen.variant("dl_rs_evaluation", "dcg")
    if elliot is None or dl_rs is None:
        return UNCHECKED, "needs the DCG of Elliot and of DL RS Evaluation"
    evidence = f"Elliot's DCG is {elliot}; DL RS Evaluation's is {dl_rs}. In NDCG a constant base cancels"
    return (CONFIRMED if elliot.choices()["discount"] == "ln" else REFUTED), evidence


def _neurec_back_ends(seen: Seen) -> Verdict:
    """Whether NeuRec's two back ends compute the same variant."""
    python, cpp = seen.variant("neurec", "python:map"), seen.variant("neurec", "cpp:map")
    if python is None or cpp is None:
        return UNCHECKED, "needs both back ends, live or recorded"
    return (CONFIRMED if python != cpp else REFUTED), f"Python computes {python}; C++ computes {cpp}"


def _daisyrec_auc(seen: Seen) -> Verdict:
    """Whether DaisyRec's AUC fails as shipped and, mended, counts the pairs in the wrong order."""
    shipped, mended = seen.cell("daisyrec", "auc_at_k"), seen.variant("daisyrec", "auc_at_k[mended]")
    if mended is None or (shipped is not None and shipped["value"] is not None):
        return UNCHECKED, "needs the release of the paper, live or recorded"
    failed = "it has no value" if shipped is None or not shipped["error"] else str(shipped["error"]).splitlines()[0]
    evidence = f"as shipped: {failed}; with the missing name put in it computes {mended}"
    value, hit_rate = seen.value("daisyrec", "auc_at_k[mended]"), seen.value("daisyrec", "hr_at_k")
    auc = seen.value("dl_rs_evaluation", "ROC_AUC")
    if value is not None and hit_rate is not None and auc is not None:
        evidence += f": {value:.6f}. Hit rate - AUC@k, the same where every list is full, is {hit_rate - auc:.6f}"
    return (CONFIRMED if mended.metric.name == "inverted_auc" else REFUTED), evidence


CLAIMS: tuple[tuple[str, Callable[[Seen], Verdict]], ...] = (
    ("RecBole's GAUC of 0.858 comes from its feeding: lists cut to the shortest, positives uncut.", _recbole_gauc),
    ("Elliot's AUC, printed under SAUC, compares no items of different users.", _elliot_sauc),
    ("DL RS Evaluation's NDCG differs because its ideal is not cut at k.", _dl_rs_ideal),
    ("Elliot's NDCG uses the natural logarithm (said by a review of the paper).", _natural_log),
    ("NeuRec's MAP of 0.003 is its Python back end's; its C++ back end computes another.", _neurec_back_ends),
    ("DaisyRec's AUC fails as shipped and is upside down once mended.", _daisyrec_auc),
)
