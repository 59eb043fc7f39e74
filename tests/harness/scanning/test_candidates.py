"""What looks like a metric, what only shares a word with one, and why some of it is not asked."""

import ast

import pytest

from metric_harness.naming.discovery.candidates import OF_CLASSES, candidates


def found_in(source, path="a.py"):
    return {one.name: one for one in candidates(ast.parse(source), path)}


@pytest.mark.parametrize(
    ("head", "label"),
    [
        ("def ndcg_at_k(r, k): return 1", "ndcg"),
        ("def NDCGatK_r(test_data, r, k): return 1", "ndcg"),
        ("def dcg(scores): return 1", "dcg"),
        ("def mapk(actual, predicted, k): return 1", "average_precision"),
        ("def map(rating_true, rating_pred): return 1", "average_precision"),
        ("def calc_hr(gt_item, pred_items): return 1", "hit_rate"),
        ("def HR(test_ur, pred_ur): return 1", "hit_rate"),
        ("def precision(true, pred, k): return 1", "precision"),
        ("def roc_auc_score(y_true, y_score): return 1", "auc"),
        ("def pr_auc_score(y_true, y_score): return 1", "pr_auc"),
        ("def group_auc(labels, scores): return 1", "gauc"),
        ("def RecallAtK(labels, scores, k): return 1", "recall"),
        ("def f1_score(y_true, recommended): return 1", "f1"),
        ("def f1_score(y_true, y_pred, k): return 1", "f1"),
        ("def retrieval_metrics(image_embeds, text_embeds, k_values):\n return {'recall': 1}", None),
        ("class NCISPrecision(NCISMetric):\n def value(k, *args): return 1", "precision"),
        ("def calculate_ap_for_sample(pred, target): return 1", "average_precision"),
        ("def score(actual, predicted, k):\n 'Mean reciprocal rank.'\n return 1", None),
        ("def compute_metrics(labels, scores):\n return {'ndcg': 1, 'mrr': 1}", None),
        ("def cmc(distmat, query_ids=None): return 1", "cmc"),
        ("def eval_market(distmat, q_pids, g_pids, q_camids, g_camids, max_rank): return 1", None),
        ("def compute_row(row):\n return ndcg_at_k(row.a), mrr(row.b)", None),
        ("def compute_metrics(text_features, ground_truth):\n return {'ndcg': 1}", None),
        ("def calculate_metrics(retrieved_docs, ground_truth_links, k): return ask(retrieved_docs)", None),
        ("def compute(retrieved, links):\n return {'mrr': 1, 'ndcg': 1, 'n': len(retrieved)}", None),
        ("def top_k_accuracy(qrels, results, k_values): return 1", None),
        ("def run_ranking(dataset):\n x = [r['docs'] for r in dataset]\n return ndcg_at_k(x), mrr(x)", None),
        ("def case_metrics(cases):\n return {f'ndcg@{k}': 1, 'mrr': mean(each['rank'] for each in cases)}", None),
        ("def _sample_metrics(sample, output, top_k):\n return {'recall': 1, 'mrr': first(output.ranked)}", None),
        ("def evaluate_rocauc(pos, neg): return 1", "auc"),
        (
            "def evaluate_retrieval(data, retriever, k):\n return sum(retriever.retrieve(q, k=k) for q in data) / 9",
            None,
        ),
        ("def calculate_hits(frame, top_n): return 1", "hit_rate"),
        ("def summarize(ranks):\n return {'mrr': 1, 'hit_at_1': 1}", None),
        ("def users_mean_std_rank_metrics(self, candidates, k): return 1", None),
        ("class LAUC(TopKMetric):\n def compute(self): return 1", "limited_auc"),
        ("def wdcg_scores(df, y_true, y_score): return 1", "weighted_ndcg"),
        ("def evaluate_risk_scores(matrix, ids):\n helpful_recall_1, ndcg_3 = [], []\n return 1", None),
        ("def compute_accuracy_at_k(embeddings_dict, k): return 1", None),
        (
            "class Evaluator:\n def __init__(self, it): pass\n def compute(self, labels, scores): return {'ndcg': 1}",
            None,
        ),
        ("def get_HT(truth, predicted, k): return 1", "hit_rate"),
        ("def PHR(y_true, y_pred, top_k): return 1", "hit_rate"),
        ("def AU_PRC(labels, scores): return 1", "pr_auc"),
        ("def test(logits, y):\n mrr, hits10 = 1, 2\n return mrr, hits10", None),
        ("class MRRMetric(Metric):\n def update(self, x): self.x = x\n def compute(self): return 1", "reciprocal_rank"),
        ("class HitRate:\n def __init__(self, length=20): pass\n def add(self, r, n): self.r = r", "hit_rate"),
    ],
)
def test_what_looks_like_a_metric(head, label):
    (only,) = [one for one in found_in(head).values() if not one.against]
    assert only.label == label
    assert only.why


def test_what_takes_a_gallery_is_named_with_the_reason_against_it():
    (only,) = found_in("def eval_market(distmat, q_pids, g_pids, a, b): return 1").values()
    assert (only.why, only.against) == (("parameters: distmat, q_pids, g_pids",), "it needs 5 arguments")


def test_beside_a_metric_what_takes_the_same_is_one_too():
    functions = ("recall(row)", "precision(row)", "write(row)", "map(rows, n)")
    found = found_in("\n".join(f"def {head}: return 1" for head in functions))
    assert {name: one.why for name, one in found.items()} == {
        "recall": ("name: recall",),
        "precision": ("name: precision", "parameters of recall"),
    }


def test_beside_a_metric_of_rankings_no_predictions_are_those_of_classes():
    functions = (
        "auc(truth, prediction)",
        "precision(truth, prediction)",
        "mrr(truth, prediction)",
        "recall(truth, pred)",
    )
    found = found_in("\n".join(f"def {head}: return 1 / 2" for head in functions))
    assert not found["precision"].against
    assert found["recall"].against == OF_CLASSES


@pytest.mark.parametrize(
    ("head", "against"),
    [
        ("def f1(gold, pred): return len(set(normalize_answer(gold)) & set(pred))", "it compares texts"),
        ("def recall(truth, pred): return len(self.get_tokens(truth))", "it compares texts"),
        ("def fact_recall(answer: str, retrieved_texts: list[str], k): return 1", "it compares texts"),
        ("def f1_of_parts(gold: str, prediction: str): return 1", "it compares texts"),
        ("def token_recall(truth, pred): return 1", "its name says that it is about token, not a metric"),
        ("def bert_f1(reference, prediction): return 1", "its name says that it is about bert, not a metric"),
        ("def acc_and_f1(labels, preds): return 1", "its name says that it is about acc, not a metric"),
        (
            "def f1_score(y_true, y_pred): return 1",
            OF_CLASSES,
        ),
        ("class F1Metric(Average):\n def compute(self): return 1", OF_CLASSES),
        ("class RecallMetric(ConfusionMatrixMetric):\n def value(self): return 1", OF_CLASSES),
        ("def f1(meters, k): return 1", "it needs meters"),
    ],
)
def test_a_metric_of_texts_or_classes_is_not_audited(head, against):
    (only,) = found_in(head).values()
    assert only.against == against
    assert not found_in("def scores(labels, preds):\n return {'f1': 1, 'recall': 1}")


@pytest.mark.parametrize(
    "head",
    [
        "def map_user_ids(users, items): return 1",
        "def white(x): return 1",
        "def architecture(x): return 1",
        "def process(actual, predicted): return 1",
        "def precompute(labels, scores): return 1",
        "def set_precision(x): return 1",
        "def confusion(targets, preds): return f1_score(targets, preds), precision_score(targets, preds)",
        "def triplet(features, pids): return 1",
        "def accuracy(output, target, topk): return 1",
        "class Accuracy:\n def calculate(pred, target, topk): return 1",
        "class MultiLabelMetric:\n def calculate(pred, target, topk): return {'f1': 1}",
        "def precision(labels, predictions): return 1",
        "def main(k):\n return {'mrr': 1, 'ndcg': 1}",
        "class BleuMetric:\n def compute(guess, answers, k): return 1",
        "def test_index(rows):\n return {'mrr': 1, 'recall@1': 1}",
        "def true_positives_at_k(labels, predictions):\n 'For recall@k.'\n return 1",
        "def hit(self): return 1",
        "def recall(self, query, top_k):\n found = self.search(query)\n return found[:top_k]",
        "def load_recalls(store, user):\n path = store.folder / 'recalls.json'\n return path.open()",
        "def cache_hit(key): return 1",
        "def plot_map(actual, predicted): return 1",
        "def map(function, items): return 1",
        "def evaluate(model, loader):\n recall = 1\n return recall",
        "def predict(labels, scores):\n 'Used for NDCG.'\n return 1",
        "def hit_hash(hits) -> str: return hits[0]",
        "def scores(labels: str, preds: str): return {'f1': 1, 'exact': 1}",
        "def evaluate(cases):\n return mean(each['mrr'] for each in cases), mean(each['ndcg'] for each in cases)",
        "def diff_metrics(old, new):\n return {'recall': 1, 'ndcg': 1}",
        "def recall_at_k(actual, predicted, k): ...",
        "def recall_at_k(actual, predicted, k):\n raise NotImplementedError",
        "class PrecisionError(Exception): pass",
        "class Hit(Enum): A = 1",
        "class Map(ObjectBase): pass",
        "def as_hit_dicts(hits):\n return [dict(hit) for hit in hits]",
        "def compute_score(actual_coords, guess_coords, k):\n return abs(actual_coords - guess_coords) / k",
        "if __name__ == '__main__':\n def recall(actual, predicted): return 1",
    ],
)
def test_what_only_shares_a_word(head):
    assert not found_in(head)


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("def recall(model, loader): return 1", "it needs model"),
        ("def ndcg_loss(y_true, y_pred): return 1", "its name says that it is about loss, not a metric"),
        ("def _map_func_corpus(rows): return 1", "its name says that it is about map_func, not a metric"),
        ("def precision_at_k(tp, fp): return 1", "it takes counts of hits, not lists"),
        ("def average_precision(precision, recall): return 1", "it takes finished values (precision, recall)"),
        ("def mean_reciprocal_rank(reciprocal_ranks): return 1", "it takes finished values (reciprocal_ranks)"),
        ("def mean_mrr(rows): return sum(row['mrr'] for row in rows)", "it reads finished values of a metric"),
        ("def recall_utility(hit_rate, novelty): return 1", "it takes finished values (hit_rate, novelty)"),
        ("def f1_score(pre, rec): return 2 * pre * rec / (pre + rec)", "it takes finished values (pre, rec)"),
        ("def recall(actual, predicted): print(actual)", "it returns nothing"),
        ("def evaluate(model, loader):\n ndcg = 1\n return ndcg", "it needs model"),
        ("def ranking_eval(model, metrics, test_set): return 1", "it needs model"),
        ("def run_pool(model, pool):\n return {'map': 1, 'mrr': 1, 'ndcg': 1}", "it needs model"),
        ("def test_model(model, pairs):\n return {'mrr': 1, 'recall@1': 1}", "it needs model"),
        ("def retrieval_metrics(image_vectors, dataset): return {'R@1': 1}", "it needs dataset"),
        ("def mrr(): return 1", "it takes nothing that a case could fill"),
        ("def get_recall(request): return 1", "it needs request"),
        ("def evaluate(queries, gold, retrieved, k):\n return {'recall': 1}", "it needs queries"),
        ("def compute_metrics(row, results, k):\n hit_rate.append(row)", "it returns nothing"),
        ("async def mrr(actual, predicted): return 1", "it is a coroutine"),
        (
            "def run_aggregates(rows):\n return ndcg_at_k(rows), mrr(rows)",
            "its name says that it is about aggregates, not a metric",
        ),
        (
            "class NDCG(Base):\n def __init__(self, config): pass\n def compute(self, a): return 1",
            "its class needs config",
        ),
    ],
)
def test_why_what_looks_like_a_metric_is_not_asked(head, reason):
    (only,) = found_in(head).values()
    assert only.against == reason


def test_a_file_of_metrics_of_rankings_tells_of_what_its_functions_are():
    head = "def page_accuracy(retrieved_pages, relevant_pages): return 1\ndef topic_diversity_at_k(topics, k): return 1"
    (only,) = found_in(head, "eval/retrieval_metrics.py").values()
    assert (only.name, only.why[0]) == ("page_accuracy", "file: retrieval_metrics")
    assert not found_in(head)


def test_a_class_that_adds_up_several_metrics():
    source = (
        "class Totals:\n def {add}(self, retrieved, relevant): self.{sums} += 1\n"
        " def finalize(self): return {{'mrr': self.mrr, 'ndcg': self.ndcg}}"
    )
    (only,) = found_in(source.format(add="update", sums="mrr")).values()
    assert (only.name, only.label, only.why[0]) == ("Totals", None, "methods: update, finalize")
    assert not found_in(source.format(add="rerank", sums="mrr"))


def test_a_private_helper_is_left_to_its_caller():
    found = found_in("def _mrr(true, pred): return 1\ndef mrr(true, pred, k): return _mrr(true, pred[:k])")
    assert (found["mrr"].against, found["_mrr"].against) == ("", "it is a helper of mrr")
    assert not found_in("def _mrr(true, pred): return 1")["_mrr"].against


def test_of_two_definitions_the_last_counts():
    assert found_in("def mrr(true, pred): return 1\ndef mrr(true, pred): return 2")["mrr"].line == 2


def test_inner_functions_that_need_nothing_of_what_is_around_them():
    source = (
        "class Engine:\n def __init__(self, model): self.model = model\n def valid(self, data):\n"
        "  def mrr(real, predict): return first(real, predict)\n  def first(real, predict): return 1\n"
        "  def ndcg(real, predict): return self.model\n  return data\n def recall(self, real, predict): return 1\n"
        "def ndcg_at_k(real, predict, k):\n def dcg(real, predict): return 1\n return dcg(real, predict)\n"
        "def train(model):\n for _ in range(2):\n  def hit_rate(real, predict): return 1\n return model"
    )
    found = [name for name, each in found_in(source).items() if not each.against]
    assert found == ["Engine.valid.mrr", "Engine.recall", "ndcg_at_k", "train.hit_rate"]


KEPT = """
class Evaluation:
    def __init__(self, data): self.data = data
    def MAP(self): return sum(map(precision, self.data))
    def MRR(self): return sum(map(first, self.data))
    def precision(self, k): return sum(self.data[:k]) / k
    def MRR_of_nothing(self): return 1
class Counts:
    def __init__(self, tp, fp): self.tp, self.fp = tp, fp
    def MRR(self): return self.tp / self.fp
"""


def test_a_method_may_read_what_its_object_keeps_of_its_constructor():
    """Of the parameters of a constructor that no audit can fill, nothing is kept."""
    found = found_in(KEPT)
    assert {name: one.against for name, one in found.items() if not one.against}.keys() == {
        "Evaluation.MAP",
        "Evaluation.MRR",
    }
    assert found["Evaluation.MRR_of_nothing"].against == "it takes nothing that a case could fill"


def test_a_model_of_data_is_no_metric_by_its_name_alone():
    assert not found_in("class ContextRecallVerdicts(BaseModel):\n verdicts: list")
    assert found_in("class ContextRecall(BaseModel):\n def score(self, retrieved, relevant): return 1")
