"""A library whose import fails."""

print("printed before the import failed")
raise ImportError("cannot import name 'ndcg' from 'a_library'\n(unknown location)")
