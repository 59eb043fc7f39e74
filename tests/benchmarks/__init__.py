"""How fast the reference is, beside other libraries on the same case: ``python -m tests.benchmarks``. Never a test.

cases.py makes the cases, measure.py times the reference in a process of its own, the peers the others in
theirs, report.py puts the numbers into tables.
"""
