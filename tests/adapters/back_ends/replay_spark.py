"""RePlay's metrics on Spark frames."""
# /// script
# dependencies = ["pyspark==3.5.1", "pyarrow==22.0.0", "setuptools==80.9.0"]
# ///

from cases import FEW, report, session
from replay_metrics import answers

report(answers(session().createDataFrame, FEW))
