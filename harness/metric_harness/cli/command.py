"""A command that refuses an option given twice, where the second value would silently replace the first."""

from __future__ import annotations

from collections import Counter
from typing import Any

from typer.core import TyperCommand

from metric_harness.system.errors import HarnessError


class Command(TyperCommand):
    """Raises HarnessError for an option that is given twice, unless it takes several values or is a flag."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments of the command line."""
        _, _, occurrences = self.make_parser(ctx).parse_args(args=list(args))
        for option, times in Counter(occurrences).items():
            if times > 1 and not (option.multiple or option.nargs != 1 or getattr(option, "is_flag", False)):
                raise HarnessError(f"{option.opts[0]} is given {times} times; give it once")
        return super().parse_args(ctx, args)
