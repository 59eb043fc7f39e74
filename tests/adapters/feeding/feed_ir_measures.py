"""ir-measures: its command on files of judgements and results, which have levels for nDCG alone.

gdeval.pl takes levels up to 4. What measures of sets get is cut at k.
"""

import subprocess
import sys

from feed import ranked, read_untrained, report, write_qrels, write_run

data = read_untrained()
data.ratings = [[min(rating, 4) for rating in row] for row in data.ratings]
write_qrels("qrels", data)
write_qrels("levels", data, graded=True)
write_run("run", data)
write_run("cut", data, data.k)


def evaluate(judged, listed, measures):
    """What the command prints for measures, by the function that is asked for each."""
    command = [sys.executable, "-m", "ir_measures", judged, listed, *measures, "--places", "-1"]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = dict(line.split("\t") for line in printed.splitlines())
    return {function: found[measure] for measure, function in measures.items()}


k = data.k
CUT = ("Success", "P", "R", "RR", "AP")
values = evaluate("qrels", "run", {f"{name}@{k}": f"{name}@k" for name in CUT})
values.update(evaluate("qrels", "run", {name: name for name in ("RR", "AP", "Rprec", "RBP(rel=1)")}))
values.update(evaluate("qrels", "cut", {name: name for name in ("SetP", "SetR", "SetF")}))
exponential = "nDCG(dcg='exp-log2')"
values.update(
    evaluate("levels", "run", {"nDCG": "nDCG", f"nDCG@{k}": "nDCG@k", f"{exponential}@{k}": f"{exponential}@k"})
)
report(values, lists=ranked(data), relevant=data.test, gains=data.ratings, train=data.train)
