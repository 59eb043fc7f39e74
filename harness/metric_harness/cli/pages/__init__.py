"""Commands that show what is known: a rule in the terminal, everything as a site."""
