"""The commands for results that travel: those that read a signature, and the test vectors."""
