"""Peers: libraries that compute metrics too, each asked inside an environment of its own.

Each module named after a library has three functions: ``convert`` turns the arrays of a case into what the library
wants, ``evaluate`` lets it compute, ``per_user`` turns what it returned into one array a measure. They import the
library and numpy alone; ``run`` runs them there, ``asking`` asks from here. The tests
hold the values against the reference, the benchmarks the seconds.
"""
