"""Verification at size: a name holds only if the function follows it on random cases as large as real data."""
