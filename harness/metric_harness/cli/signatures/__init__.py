"""The commands that read a signature or a declaration, and the test vectors."""
