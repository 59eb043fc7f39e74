"""Every variant that a library, a paper or a text is known to use, with a name of its own and who uses it."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Tuple

from metric_reference.sources import SOURCES, Source
from metric_reference.variant import Variant


class Entry(NamedTuple):
    """A row of the catalogue: the variant, what people call it, who uses it (keys of SOURCES), and a remark."""

    variant: Variant
    title: str
    who: Tuple[str, ...]
    remark: str = ""

    @property
    def sources(self) -> List[Source]:
        """Who uses it, with addresses."""
        return [SOURCES[key] for key in self.who]


def _rows(*rows: Tuple[str, ...]) -> Tuple[Entry, ...]:
    return tuple(Entry(Variant.parse(text), title, tuple(who.split()), *remark) for text, title, who, *remark in rows)


CATALOGUE: Tuple[Entry, ...] = _rows(
    # hit rate
    ("hit_rate(value=any)", "hit rate, success",
     "recbole ranx rs_metrics rectools replay replay_2021 evidently torchmetrics recsys_pytorch ignite pytrec_eval "
     "ir_measures recometrics reclist daisyrec daisyrec_2021 elliot tf_ranking keras_rs tamm ncf text_a text_c"),
    ("hit_rate(value=hits)", "hit count", "dl_rs_eval recpack dl_rs_eval#19", "A mean number of hits; it passes 1."),
    # precision
    ("precision(divide_by=k)", "precision",
     "recbole recommenders recommenders_2021 ranx rectools replay torchmetrics cornac recpack lightfm pytrec_eval "
     "ir_measures pyspark recometrics beta_rec elliot neurec_python neurec_cpp recsys_pytorch tf_ranking keras_rs "
     "xgboost catboost tamm krichene text_a text_c"),
    ("precision(divide_by=list)", "precision over the list's length",
     "rs_metrics lenskit daisyrec reclist evidently recmetrics replay_2021 dl_rs_eval lightfm#529"),
    ("precision(divide_by=min_k_relevant)", "truncated precision", "recometrics rectools implicit#412",
     "RecTools with r_precision=True; the same number as recall over min(k, r)."),
    ("precision(divide_by=min_list_relevant)", "precision over the smaller of list and relevant items", "dl_rs_eval",
     "PRECISION_RECALL_MIN_DEN."),
    ("precision(divide_by=min_k_relevant, weight=micro)", "micro truncated precision", "implicit"),
    ("precision(divide_by=k, weight=sum)", "sum of precisions", "lightgcn_pytorch",
     "Its caller divides by the number of users."),
    ("precision(divide_by=list, cut=none)", "precision of the whole list", "llama_index"),
    ("precision(divide_by=last_hit_rank, cut=none)", "precision at the last hit", "rank_metrics",
     "It is called r_precision there, which is another metric."),
    # recall
    ("recall(divide_by=relevant)", "recall",
     "recbole recommenders recommenders_2021 ranx rs_metrics rectools replay replay_2021 torchmetrics cornac "
     "recpack lightfm pytrec_eval ir_measures pyspark recometrics reclist daisyrec daisyrec_2021 beta_rec elliot "
     "openrec dl_rs_eval neurec_python neurec_cpp recsys_pytorch tf_ranking keras_rs catboost tamm krichene cdl "
     "text_a text_c"),
    ("recall(divide_by=min_k_relevant)", "calibrated recall, truncated recall", "lenskit recpack mult_vae mrf#1"),
    ("recall(divide_by=relevant, weight=micro)", "micro recall, hit rate over pairs", "tfrs",
     "Each (user, relevant item) pair counts as a user of its own."),
    ("recall(divide_by=relevant, weight=sum)", "sum of recalls", "lightgcn_pytorch",
     "Its caller divides by the number of users."),
    ("recall(divide_by=relevant, cut=none)", "recall of the whole list", "llama_index"),
    # reciprocal rank
    ("reciprocal_rank(over=first)", "reciprocal rank (MRR)",
     "recbole ranx rs_metrics rectools replay replay_2021 evidently torchmetrics lenskit recpack ir_measures "
     "recometrics reclist daisyrec elliot dl_rs_eval neurec_python neurec_cpp tf_ranking keras_rs allrank catboost "
     "tamm recbole#1034 text_a"),
    ("reciprocal_rank(over=first, cut=none)", "reciprocal rank, not cut",
     "pytrec_eval cornac lightfm tf_ranking#115"),
    ("reciprocal_rank(over=sum)", "average reciprocal hit rank (ARHR)", "daisyrec_2021 dl_rs_eval deshpande text_c",
     "With one relevant item a user it is the reciprocal rank; with more it passes 1."),
    ("reciprocal_rank(over=mean_relevant, cut=none)", "mean reciprocal rank of all relevant items",
     "rexmex recommenders#2141 spotlight#91"),
    ("reciprocal_rank(over=sum, weight=sum)", "sum of reciprocal ranks over hits and users", "lightgcn_pytorch"),
    # average precision
    ("average_precision(divide_by=min_k_relevant)", "average precision over min(k, r)",
     "recbole recommenders replay replay_2021 implicit pyspark rexmex ml_metrics recometrics dl_rs_eval neurec_cpp "
     "xgboost lightgbm catboost tamm krichene recommenders#1702 text_a"),
    ("average_precision(divide_by=relevant)", "average precision over r (trec_eval)",
     "recommenders recommenders_2021 ranx rs_metrics rectools evidently pytrec_eval ir_measures recometrics beta_rec "
     "tf_ranking keras_rs rexmex recmetrics tamm recommenders#2091",
     "recmetrics calls it mark, rexmex mean_average_recall_at_k."),
    ("average_precision(divide_by=k)", "average precision over k", "daisyrec_2021 rectools tamm",
     "RecTools with divide_by_k=True."),
    ("average_precision(divide_by=hits)", "average precision over the hits", "torchmetrics daisyrec"),
    ("average_precision(divide_by=min_list_relevant)", "average precision over min(list, r)", "lenskit dl_rs_eval",
     "On lists of k it is average precision over min(k, r)."),
    ("average_precision(divide_by=k, sum_over=all_ranks)", "mean of precision at 1 to k", "elliot tamm text_c text_e",
     "No relevance indicator."),
    ("average_precision(divide_by=cumulative_min)", "average precision over a running sum",
     "neurec_python tamm neurec#39"),
    ("average_precision(divide_by=relevant, cut=none)", "average precision of the whole list",
     "cornac sklearn pytrec_eval pyspark recometrics recommenders#1990"),
    ("average_precision(divide_by=min_k_list_hits)", "average precision over min(k, hits of the list)", "ngcf",
     "Relevant items that are not listed cost nothing."),
    # NDCG and its forms
    ("ndcg(gain=binary)", "NDCG, binary gains",
     "recbole recommenders recommenders_2021 rs_metrics replay replay_2021 recpack implicit pyspark beta_rec "
     "neurec_python neurec_cpp recsys_pytorch cornac lightgbm tamm ncf mult_vae krichene recommenders#1749 text_a "
     "text_b"),
    ("ndcg(gain=linear)", "NDCG, gains are ratings",
     "ranx torchmetrics sklearn pytrec_eval ir_measures evidently catboost recommenders tamm text_b text_c text_e"),
    ("ndcg(gain=exponential)", "NDCG, gains 2^rating - 1",
     "ranx ignite ir_measures tf_ranking keras_rs allrank xgboost lightgbm recommenders burges anserini#92"),
    ("ndcg(gain=exponential_over_threshold)", "NDCG, gains over the threshold", "elliot"),
    ("ndcg(gain=binary, ideal=k)", "NDCG, ideal always over k", "rectools rectools#266"),
    ("ndcg(gain=exponential, ideal=relevant)", "NDCG, ideal not cut", "dl_rs_eval quepid#836"),
    ("ndcg(gain=binary, ideal=hits)", "NDCG, ideal from the list's hits",
     "daisyrec lightgcn#3 llama_index#17070",
     "A single hit at rank 1 is perfect."),
    ("ndcg(gain=binary, ideal=list_hits)", "NDCG, ideal from the hits of the whole list", "ngcf ngcf#34 rank_metrics",
     "Relevant items that are not listed cost nothing."),
    ("ndcg(gain=binary, ideal=list)", "NDCG, ideal no longer than the list", "mlflow"),
    ("ndcg(gain=exponential, ideal=list)", "NDCG, gains 2^rating - 1, ideal no longer than the list", "elasticsearch"),
    ("ndcg(gain=binary, ideal=list_ranks, cut=none)", "NDCG, ideal as if every rank hit", "llama_index"),
    ("ndcg(gain=binary, weight=sum)", "sum of NDCG", "lightgcn_pytorch"),
    ("ndcg(gain=binary, discount=max_log2)", "NDCG with ranks 1 and 2 alike, binary gains", "lenskit"),
    ("ndcg(gain=linear, discount=max_log2)", "NDCG of Järvelin & Kekäläinen, base 2", "lenskit jarvelin"),
    ("ndcg(gain=linear, discount=max_log, base=10)", "NDCG of Järvelin & Kekäläinen, base 10", "jarvelin"),
    ("ndcg(gain=linear, ideal=relevant, cut=none)", "NDCG of the whole list", "sklearn pytrec_eval rexmex"),
    ("ndcg(gain=binary, discount=shifted_log2, ideal=none)", "leave-one-out NDCG, off by one", "text_a",
     "A hit at rank 1 gets 0.631, never 1."),
    ("ndcg(gain=binary, ideal=none)", "DCG, binary gains", "openrec recpack tamm"),
    ("ndcg(gain=linear, ideal=none)", "DCG", "sklearn text_b text_c text_e jarvelin"),
    ("ndcg(gain=exponential, ideal=none)", "DCG, gains 2^rating - 1", "text_b burges"),
    ("ndcg(gain=linear, discount=none, ideal=none)", "cumulated gain (CG)", "jarvelin text_b text_e"),
    # AUC
    ("auc(scope=per_user)", "AUC, mean over users (GAUC)",
     "torchmetrics recometrics sklearn catboost bpr krichene tamm librec#236"),
    ("auc(scope=per_user, ties=lose)", "AUC, mean over users, ties lose", "cornac lightfm"),
    ("auc(scope=per_user, ties=win)", "AUC, mean over users, ties win", "openrec"),
    ("auc(scope=per_user, negatives=plus_one)", "GAUC, off by one", "elliot"),
    ("auc(scope=per_positive)", "AUC weighted by relevant items", "recbole"),
    ("auc(scope=per_positive, negatives=plus_one)", "pooled AUC, off by one", "elliot"),
    ("auc(scope=stacked)", "AUC over all pairs (SAUC)",
     "recbole recommenders recommenders_2021 beta_rec sklearn catboost xgboost tamm"),
    ("auc(scope=top_k)", "AUC inside the list (GAUC@k)", "replay replay_2021 dl_rs_eval tamm librec#236"),
    ("auc(scope=top_k, one_sided=zero)", "AUC inside the list, one-sided lists 0", "torchmetrics"),
    ("auc(scope=top_k, one_sided=nan)", "AUC inside the list, one-sided lists NaN", "daisyrec"),
    ("auc(scope=limited, negatives=plus_one)", "LAUC@k, off by one", "elliot tamm"),
    ("auc(scope=per_row)", "AUC weighted by candidates (GAUC)", "din", "Impressions are the candidates there."),
    ("auc(scope=spread)", "AUC at k, the rest spread evenly", "implicit"),
    ("partial_auc(scope=stacked)", "partial AUC, standardised", "sklearn mcclish",
     "scikit-learn with max_fpr=0.1."),
    ("pr_auc(area=step)", "average precision over all candidates", "sklearn davis"),
    ("pr_auc(area=trapezoid)", "area under the precision-recall curve, trapezoidal", "sklearn davis",
     "scikit-learn's auc(recall, precision)."),
    # what nobody means to compute
    ("filtered_rank(value=recall, within=k_plus_one)", "recall of ranks among the negatives, off by one",
     "openrec_tf1"),
    ("filtered_rank(value=precision, within=k_plus_one)", "precision of ranks among the negatives, off by one",
     "openrec_tf1", "Several relevant items share a rank, so it passes 1."),
    ("filtered_rank(value=ndcg)", "NDCG of ranks among the negatives", "openrec_tf1",
     "Several relevant items share a rank, so it passes 1."),
    ("inverted_auc(scope=top_k, misses=k)", "1 - AUC inside the list", "daisyrec_2021",
     "DaisyRec's auc_at_k, once the name that it lacks is put in."),
    ("truncated_auc(scope=per_positive)", "GAUC from rankings cut at the shortest", "recbole_2021 tamm",
     "The GAUC of 0.858 in Tamm et al. (RecSys 2021)."),
    ("constant(value=zero)", "always 0", "neurec_python", "The hit of its Python back end."),
    # other accuracy metrics
    ("f1(over=users)", "F1 by user", "ranx rectools cornac elliot"),
    ("f1(over=means, divide_by=list)", "F1 of the means", "dl_rs_eval evidently"),
    ("r_precision(divide_by=relevant, cut=none)", "R-precision", "ranx pytrec_eval"),
    ("r_precision(divide_by=relevant, who=with_hit)", "R-precision over users with a hit", "recommenders"),
    ("average_recall(sum_over=all_ranks)", "mean of recall at 1 to k (MAR)", "elliot"),
    ("average_recall(sum_over=hits, divide_by=relevant)", "recall at the hits over r (MAR)", "evidently",
     "In a list shorter than k, Evidently counts the last item again at every rank up to k."),
    ("cumulative_hit_rate(value=any)", "cumulative hit rate (cHR)", "text_c"),
    ("rating_hit_rate(divide_by=users)", "rating hit rate (rHR)", "text_c"),
    ("rank_biased_precision(cut=none)", "rank-biased precision (RBP)", "ranx ir_measures moffat"),
    ("rank_biased_precision(cut=k, persistence=0.85)", "rank-biased precision, persistence 0.85", "lenskit"),
    ("expected_reciprocal_rank(largest=fixed, grade=4)", "expected reciprocal rank (ERR), grades up to 4",
     "ir_measures chapelle"),
    ("fall_out(over=candidates)", "fall-out", "torchmetrics",
     "Asked with lists alone it is fall_out(over=list)."),
    ("mcc(over=candidates)", "Matthews correlation", "sklearn matthews"),
    # rating error
    ("mae(over=ratings)", "mean absolute error",
     "recbole recommenders lenskit cornac elliot surprise sklearn text_c",
     "Elliot takes the relevant ratings alone."),
    ("mae(over=users)", "mean absolute error by user", "lenskit cornac"),
    ("rmse(over=ratings)", "root mean squared error",
     "recbole recommenders lenskit cornac elliot recmetrics surprise sklearn text_c",
     "Elliot takes the relevant ratings alone."),
    ("rmse(over=users)", "root mean squared error by user", "lenskit cornac"),
    ("accuracy(over=ratings)", "accuracy", "sklearn text_e"),
    ("log_loss(over=rows)", "log loss, binary cross-entropy", "recbole recommenders sklearn",
     "scikit-learn keeps probabilities away from 0 and 1 by 2.2e-16, RecBole by 1e-15."),
    # coverage
    ("coverage(of=items)", "catalogue coverage", "recbole rectools recpack rs_metrics dl_rs_eval rexmex text_c",
     "RecTools with normalize=True. RecBole's trainer counts its padding item into the catalogue; rexmex rounds to "
     "three decimals."),
    ("coverage(of=items, divide_by=none)", "number of items recommended", "rectools elliot",
     "RecTools with normalize=False, its default."),
    ("coverage(of=items, divide_by=trained)", "catalogue coverage over the trained items", "recommenders recmetrics",
     "It passes 1 where untrained items are recommended. recmetrics gives per cent, rounded to two decimals."),
    ("coverage(of=trained_items, divide_by=trained)", "coverage of the trained items", "replay evidently"),
    ("coverage(of=users)", "user coverage", "rectools dl_rs_eval rexmex"),
    ("coverage(of=users, divide_by=none)", "number of users served", "elliot"),
    # popularity
    ("popularity(value=count)", "average recommendation popularity (ARP)", "recbole rectools elliot"),
    ("popularity(value=count, length=trained)", "ARP over a list's trained items", "evidently"),
    ("popularity(value=relative, length=trained)", "ARP over the largest count, trained items", "evidently",
     "Evidently with normalize_arp=True."),
    ("popularity(value=relative)", "average popularity over the largest", "dl_rs_eval"),
    ("popularity(value=share)", "average share of users", "rs_metrics"),
    ("popularity(value=interaction_share)", "average share of interactions", "rectools",
     "RecTools with normalize=True."),
    ("popularity(value=quantile)", "mean popularity rank", "lenskit"),
    ("popularity(value=tail)", "share of the long tail", "recbole"),
    # novelty
    ("novelty(probability=users)", "mean inverse user frequency, surprisal", "rectools rs_metrics zhou"),
    ("novelty(probability=users, length=k)", "self-information over k", "recmetrics rexmex",
     "Both want lists of k trained items."),
    ("novelty(probability=users, length=trained)", "mean inverse user frequency of the trained items", "evidently"),
    ("novelty(probability=users, log=largest, length=k)", "surprisal between 0 and 1", "replay"),
    ("novelty(probability=interactions, unseen=skipped, weight=micro)", "novelty over all recommendations",
     "recommenders"),
    ("novelty(probability=interactions, unseen=skipped, length=catalogue)", "novelty over the number of items",
     "dl_rs_eval"),
    ("novelty(probability=own_history)", "share of items new to the user", "replay",
     "RePlay's documentation divides by k, its code by the list's length."),
    # diversity and personalization
    ("diversity(pair=cosine_distance)", "intra-list diversity", "recommenders",
     "Its default takes an item's column of the training matrix for its vector."),
    ("diversity(pair=cosine_distance, divide_by=list)", "intra-list distance over the list's length", "evidently"),
    ("diversity(pair=hamming_distance, divide_by=pairs_or_one)", "intra-list diversity, Hamming distance", "rectools",
     "RecTools takes any distance; this is the one it brings along."),
    ("diversity(pair=cosine_similarity)", "intra-list similarity", "recmetrics rexmex"),
    ("personalization(similarity=cosine)", "personalization", "recmetrics rexmex"),
    ("personalization(similarity=overlap)", "inter-list diversity", "dl_rs_eval evidently zhou",
     "The two libraries are right for lists of k items; shorter ones they take for more different than they are."),
    # unexpectedness and serendipity
    ("unexpectedness(against=history)", "distance from the user's history", "recommenders",
     "Recommenders' serendipity where no relevance is given."),
    ("unexpectedness(against=popular, length=k)", "unexpectedness", "replay",
     "RePlay compares with any other model's lists; here with the most popular items."),
    ("serendipity(unexpected=not_popular, divide_by=list)", "useful items beyond the popular ones", "ge",
     "With the most popular items as the primitive recommender."),
    ("serendipity(unexpected=unlike_history, divide_by=list)", "serendipity against the user's history",
     "recommenders"),
    ("serendipity(unexpected=above_popularity, divide_by=list)", "serendipity against popularity ranks", "rectools"),
    ("serendipity(unexpected=complement, divide_by=list, discount=log2)", "expected popularity complement (EPC)",
     "elliot"),
    ("serendipity(unexpected=information, divide_by=list, discount=log2)", "expected free discovery (EFD)", "elliot"),
    # concentration
    ("entropy(log=log2)", "Shannon entropy, distributional coverage", "recommenders dl_rs_eval"),
    ("entropy(log=log2, over=users)", "Shannon entropy, list by list", "elliot"),
    ("entropy(log=ln, normalise=recommended_items)", "Shannon entropy over distinct items", "recbole"),
    ("herfindahl(value=diversity)", "Herfindahl diversity", "dl_rs_eval"),
    ("gini(items=catalogue)", "Gini index of exposure", "recbole lenskit",
     "RecBole's trainer counts its padding item into the catalogue."),
    ("gini(items=catalogue, attention=geometric)", "Gini index of attention", "lenskit"),
    ("gini(items=recommended, divide_by=n_minus_one)", "Gini index among the recommended items", "evidently"),
    ("gini(items=catalogue, divide_by=n_minus_one, value=equality)", "1 - Gini index", "elliot",
     "Elliot calls it Gini; large is equal."),
    ("gini(items=catalogue, divide_by=n_plus_one, value=equality)", "Gini diversity", "dl_rs_eval"),
)  # fmt: skip


def by_variant() -> Dict[str, Entry]:
    """The rows by the printed form of their canonical variant."""
    return {str(entry.variant.canonical()): entry for entry in CATALOGUE}


def ranking_variants() -> List[Variant]:
    """The variants of the catalogue that lists and relevant items alone determine, AUC over the catalogue left out."""
    from metric_reference.variant import RANKING

    return [e.variant for e in CATALOGUE if e.variant.metric.name in RANKING and not e.variant.metric.needs]
