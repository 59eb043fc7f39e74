"""RePlay's metrics on Polars frames."""

import polars as pl
from cases import report
from replay_metrics import answers

report(answers(pl.from_pandas))
