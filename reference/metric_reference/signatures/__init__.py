"""Signatures: one line that says which number a metric's name stands for, printed, read, compared and translated."""
