"""allRank: fit trains a model of its own, and compute_metrics evaluates it, as fit does after each epoch.

torchvision, of which its data loading takes Compose, and gcsfs are replaced by empty modules.
"""
# /// script
# dependencies = ["tensorboardX==2.6.4"]
# ///

import sys
import types
from types import SimpleNamespace

for name in ("torchvision", "torchvision.transforms", "gcsfs"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["torchvision"].transforms = sys.modules["torchvision.transforms"]
sys.modules["torchvision.transforms"].Compose = object

import numpy as np  # noqa: E402
import torch  # noqa: E402
from allrank.data.dataset_loading import FixLength, LibSVMDataset, ToTensor, create_data_loaders  # noqa: E402
from allrank.models.losses import pointwise_rmse  # noqa: E402
from allrank.models.model import make_model  # noqa: E402
from allrank.training.train_utils import compute_metrics, fit  # noqa: E402
from feed import labels, read_untrained, report  # noqa: E402
from scipy.sparse import csr_matrix  # noqa: E402

data = read_untrained()
torch.manual_seed(1)
features = np.column_stack([np.ravel(data.scores), np.random.default_rng(1).random((data.users * data.items, 2))])
users = np.repeat(np.arange(data.users), data.items)
model = make_model({"sizes": [4], "input_norm": False, "activation": None, "dropout": 0.0}, None, {"d_output": 1}, 3)


def loaders(graded):
    """Batches of slates, each a user's items with three features."""
    length, tensor = FixLength(data.items), ToTensor()
    made = LibSVMDataset(
        csr_matrix(features), np.ravel(labels(data, graded)).astype(float), users, lambda sample: tensor(length(sample))
    )
    return create_data_loaders(made, made, num_workers=0, batch_size=8)


train, valid = loaders(graded=True)
config = SimpleNamespace(metrics={"ndcg": [data.k]}, val_metric=f"ndcg_{data.k}")
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
loss = lambda predicted, truth: pointwise_rmse(predicted, truth, no_of_levels=1)  # noqa: E731
fit(2, model, loss, optimizer, None, train, valid, config, None, 10, "cpu", ".", "board")
values = {}
with torch.no_grad():
    for name, graded in (("ndcg", True), ("mrr", True), ("mrr", False)):
        _, valid = loaders(graded)
        values[name, graded] = compute_metrics({name: [data.k]}, model, valid, "cpu")[f"{name}_{data.k}"]
    (scores, places) = zip(*((model.score(x, y == -1, places), places) for x, y, places in valid), strict=True)
predicted = np.zeros((data.users, data.items))
np.put_along_axis(predicted, torch.cat(places).numpy(), torch.cat(scores).numpy(), axis=1)  # slates are shuffled
assert len(np.unique(predicted)) == predicted.size
lists = np.argsort(-predicted, axis=1).tolist()
shown = {"lists": lists, "relevant": data.test, "train": data.train, "within": 1e-6}
report({"ndcg": values["ndcg", True], "mrr": values["mrr", True]}, gains=data.ratings, **shown)
report({"mrr[labels 0 and 1]": values["mrr", False]}, **shown)
