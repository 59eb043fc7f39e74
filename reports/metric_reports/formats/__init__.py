"""A record as text for one reader: a terminal, Markdown, LaTeX, CSV, SARIF."""
