"""How to ask LensKit."""
