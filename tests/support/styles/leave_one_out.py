"""Evaluation on one held-out item a user, as papers on neural collaborative filtering do."""

import math


def getHitRatio(ranklist, gtItem):
    for item in ranklist:
        if item == gtItem:
            return 1
    return 0


def getNDCG(ranklist, gtItem):
    for position in range(len(ranklist)):
        if ranklist[position] == gtItem:
            return math.log(2) / math.log(position + 2)
    return 0
