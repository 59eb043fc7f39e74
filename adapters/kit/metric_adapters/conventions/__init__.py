"""An old name: the recordings of four adapters hold the digest of code that imports from here."""
