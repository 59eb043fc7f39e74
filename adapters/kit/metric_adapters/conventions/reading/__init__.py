"""What the source and the signature of a function say about how it is called."""
