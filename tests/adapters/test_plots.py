"""A function that draws a plot beside its number."""

import time

import pytest

from metric_harness.naming.api import audit

pytestmark = pytest.mark.thorough

pytest.importorskip("matplotlib")
DRAWS = """
import matplotlib.pyplot as plt


def hit_rate(actual, predicted, k):
    found = float(bool(set(actual) & set(predicted[:k])))
    figure, axes = plt.subplots(figsize=(8, 6))
    (line,) = axes.plot([0, 1], [0, found], label="hits")
    figure.add_subplot(111).set_title("hits")
    plt.figure()
    plt.plot([0, 1], [0, found], label="hits")
    plt.legend(loc="lower right")
    plt.savefig("hits.png")
    plt.show()
    return found
"""


def test_nothing_is_drawn_while_a_function_is_asked(tmp_path):
    path = tmp_path / "drawn.py"
    path.write_text(DRAWS)
    begun = time.monotonic()
    (subject,) = audit(f"{path}:hit_rate").subjects
    assert (str(subject.variant), subject.verified) == ("hit_rate(value=any)", True)
    assert time.monotonic() - begun < 60  # a thousand figures take minutes
    assert not list(tmp_path.glob("*.png"))
