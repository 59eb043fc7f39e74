"""The makers of the pages that generate.py writes: a file a page, and what pages share."""
