"""A library whose import ends the process."""

import os

os._exit(7)
