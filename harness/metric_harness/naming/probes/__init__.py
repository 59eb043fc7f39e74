"""Probes: tiny cases, and the values of every variant on them."""
