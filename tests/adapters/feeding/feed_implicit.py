"""Implicit: its evaluation of a fitted model, AlternatingLeastSquares, which recommends what a user has not seen."""

import numpy as np
from feed import columns, read, report
from implicit import evaluation
from implicit.als import AlternatingLeastSquares
from scipy.sparse import csr_matrix

data = read()


def matrix(rows):
    users, items = columns(rows)
    return csr_matrix((np.ones(len(users), dtype=np.float32), (users, items)), shape=(data.users, data.items))


train, test = matrix(data.train), matrix(data.test)
model = AlternatingLeastSquares(factors=4, iterations=5, random_state=3, num_threads=1)
model.fit(train, show_progress=False)
values = {
    name: getattr(evaluation, name)(model, train, test, K=data.k, show_progress=False, num_threads=1)
    for name in ("precision_at_k", "mean_average_precision_at_k", "ndcg_at_k", "AUC_at_k")
}
lists, _ = model.recommend(np.arange(data.users), train, N=data.k)
report(values, lists=lists.tolist(), relevant=data.test)
