"""Average precision as competitions score it: repeated items count once, divided by min(number of actual items, k)."""


def apk(actual, predicted, k=10):
    if not actual:
        return 0.0
    seen, hits, score = set(), 0, 0.0
    for place, guess in enumerate(predicted[:k]):
        if guess in actual and guess not in seen:
            hits += 1
            score += hits / (place + 1.0)
        seen.add(guess)
    return score / min(len(actual), k)


def mapk(actual, predicted, k=10):
    return sum(apk(wanted, given, k) for wanted, given in zip(actual, predicted, strict=True)) / len(actual)
