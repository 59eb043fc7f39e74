"""What one's own code may do besides computing."""

import sys

CALLS = []


def precision_that_prints(actual, predicted, k):
    print('{"ok": true, "value": 99}')
    sys.__stdout__.write('{"ok": true, "value": 98}\n')
    return len(set(predicted[:k]) & set(actual)) / k


def precision_that_exits(actual, predicted, k):
    return sys.exit(3)


def precision_that_hangs(actual, predicted, k):
    hits = 0
    while actual:
        hits += 0
    return hits


def precision_that_eats(actual, predicted, k):
    return len(bytearray(1 << 40))


def precision_that_mutates(actual, predicted, k):
    del predicted[k:]
    return len(set(predicted) & set(actual)) / k


def precision_by_global_state(actual, predicted, k):
    CALLS.append(k)
    return float(len(CALLS))
