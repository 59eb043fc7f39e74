"""The base of errors that a user can fix: the message names the file, row, user or option and says what to do."""


class HarnessError(Exception):
    """Bad input or a missing piece; the command line prints the message alone and ends with exit code 2.

    ``passing``: the reason may be gone at the next run although no input changed, as for a package that is missing.
    """

    passing = False
