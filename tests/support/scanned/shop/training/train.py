"""Nothing here is a metric, whatever the names say."""


def ndcg_loss(actual, predicted):
    return 1.0


def plot_recall(actual, predicted, k):
    return None


def map_items(items, index):
    return [index[item] for item in items]


def train_until_mrr(model, data, epochs):
    return model


def hit_cache(key):
    return key


def float_precision(number):
    return round(number, 3)


def precision_at_k(model, dataset, k=5):
    return model.evaluate(dataset, k)
