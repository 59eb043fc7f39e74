"""How to ask RePlay."""
