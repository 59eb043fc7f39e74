"""How to ask Recommenders."""
