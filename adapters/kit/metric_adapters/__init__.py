"""How to ask each third-party library: one folder a library, run inside that library's own environment."""
