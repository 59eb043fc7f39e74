"""The tables and claims of the paper of 2021."""
