"""The package of a small shop, as the tests of the scan find it."""
