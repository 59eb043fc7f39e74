"""Verification cases: random cases, as large as real data."""
