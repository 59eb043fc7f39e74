"""cwl_eval: its command on files of judgements and results, with a file that names the measures.

It prints a value with four digits for each topic; the means are taken here.
"""

import subprocess
import sys
from pathlib import Path

from feed import ranked, read_untrained, report, write_qrels, write_run

data = read_untrained()
write_qrels("gains", data)
write_run("results", data)
MEASURES = {
    "PrecisionCWLMetric": f"PrecisionCWLMetric({data.k})",
    "RRCWLMetric": "RRCWLMetric()",
    "APCWLMetric": "APCWLMetric()",
    "RBPCWLMetric(0.8)": "RBPCWLMetric(0.8)",
    "NDCGCWLMetric": f"NDCGCWLMetric({data.k})",
}
Path("measures").write_text("\n".join(MEASURES.values()) + "\n", encoding="utf-8")
command = [Path(sys.executable).with_name("cwl-eval"), "gains", "results", "-m", "measures"]
printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
utility = [float(line.split("\t")[2]) for line in printed.splitlines()]
values = {name: sum(utility[index :: len(MEASURES)]) / data.users for index, name in enumerate(MEASURES)}
assert len(utility) == data.users * len(MEASURES)
report(values, lists=ranked(data), relevant=data.test, train=data.train, within=5e-5)
