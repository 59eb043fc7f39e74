"""How to ask Beta-RecSys."""
