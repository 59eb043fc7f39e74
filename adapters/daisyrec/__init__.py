"""How to ask DaisyRec."""
