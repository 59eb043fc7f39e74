"""It needs what is not there."""

import a_package_that_nobody_has


def average_precision(actual, predicted, k):
    return a_package_that_nobody_has.average(actual, predicted, k)


def auc(labels, scores):
    return a_package_that_nobody_has.auc(labels, scores)
