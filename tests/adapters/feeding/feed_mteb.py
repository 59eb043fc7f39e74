"""MTEB: evaluate runs a small model on two tasks of retrieval of ours, of which one has levels for NDCG."""

import mteb
from datasets import Dataset
from encoder import encoder, query
from feed import ranked, read_untrained, report, text
from mteb.abstasks import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata

data = read_untrained()


class Given(AbsTaskRetrieval):
    """The data set as a task; judgements have level 1."""

    metadata = TaskMetadata(
        name="Given",
        description="Items for users.",
        reference=None,
        dataset={"path": "given", "revision": "1"},
        type="Retrieval",
        category="t2t",
        modalities=["text"],
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score=f"ndcg_at_{data.k}",
    )
    graded = False

    def load_data(self, **options):
        judged = {
            str(user): {text(item): rating if self.graded else 1 for item, rating in zip(items, ratings, strict=True)}
            for user, (items, ratings) in enumerate(zip(data.test, data.ratings, strict=True))
        }
        split = {
            "corpus": Dataset.from_list([{"id": text(item), "text": text(item)} for item in range(data.items)]),
            "queries": Dataset.from_list([{"id": str(user), "text": query(user)} for user in range(data.users)]),
            "relevant_docs": judged,
            "top_ranked": None,
        }
        self.dataset = {"default": {"test": split}}
        self.data_loaded = True


class Graded(Given):
    metadata = Given.metadata.model_copy(update={"name": "Graded"})
    graded = True


tasks = [Given(), Graded()]
found = mteb.evaluate(encoder(data), tasks, cache=None, co2_tracker=False, show_progress_bar=False)
plain, graded = (result.scores["test"][0] for result in found.task_results)
values = {name: plain[f"{name}_at_{data.k}"] for name in ("hit_rate", "precision", "recall", "mrr", "map")}
values["ndcg"] = graded[f"ndcg_at_{data.k}"]
report(values, lists=ranked(data), relevant=data.test, gains=data.ratings, train=data.train)
