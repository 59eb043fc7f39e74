"""Which release of a library changed what its functions compute."""
