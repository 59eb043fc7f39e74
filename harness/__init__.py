"""The run: data, split, model, bundle, asking, identification, findings, record and the command line."""

__version__ = "0.1.0"
