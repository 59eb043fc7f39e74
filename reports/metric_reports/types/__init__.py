"""The JSON contracts as types: the keys and the required keys are those of the schemas beside this package."""
