"""Verification at size: checks a suggested variant on random cases as large as real data."""
