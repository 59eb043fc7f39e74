"""Its import never ends."""

import time

time.sleep(600)


def recall(actual, predicted, k):
    return 0.5


def mrr(actual, predicted, k):
    return 0.5
