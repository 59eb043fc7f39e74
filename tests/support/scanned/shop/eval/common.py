"""What the metrics share."""


def relevant_ranks(actual, predicted):
    first = [item for place, item in enumerate(predicted) if item not in predicted[:place]]
    return [rank for rank, item in enumerate(first, start=1) if item in actual]
