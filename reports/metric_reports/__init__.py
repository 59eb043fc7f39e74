"""A finished record turned into something a person reads."""
