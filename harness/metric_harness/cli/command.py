"""A command that refuses an option given twice, and outputs that would take the place of what it must not.

These are inputs and other outputs of the same run, and files that metric-harness did not write.
"""

from __future__ import annotations

import inspect
import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from typer.core import TyperCommand

from metric_harness.cli.values import UnreadWith, Writes, file_to_write, read_from
from metric_harness.system.errors import HarnessError
from metric_harness.system.outputs import is_ours, require_ours

TARGET = "TARGET"
"""How a parameter is shown whose text may begin with the path of a file of the user: ``metrics.py:ndcg``."""


class Command(TyperCommand):
    """Raises HarnessError for an option that is given twice, unless it takes several values or is a flag.

    A file that the command would write must not be one that it reads, nor be named by two options, nor be one that we
    did not write, unless ``--force`` is given.
    """

    def __init__(self, *arguments: Any, help: str | None = None, **options: Any) -> None:
        paragraphs = inspect.cleandoc(help or "").split("\n\n")
        super().__init__(*arguments, help="\n\n".join(" ".join(each.split()) for each in paragraphs), **options)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments of the command line."""
        _, _, occurrences = self.make_parser(ctx).parse_args(args=list(args))
        for option, times in Counter(occurrences).items():
            if times > 1 and not (option.multiple or option.nargs != 1 or getattr(option, "is_flag", False)):
                raise HarnessError(f"{option.opts[0]} is given {times} times; give it once")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command, unless it would write over what it reads."""
        if self.callback is not None:
            names = {param.opts[0]: param.name or "" for param in self.params}
            refuse_overwriting(inspect.unwrap(self.callback), names, ctx.params)
        return super().invoke(ctx)


def refuse_overwriting(function: Callable[..., Any], names: dict[str, str], given: dict[str, Any]) -> None:
    """HarnessError if an output of a command is one of its inputs or of its other outputs, or a file of someone else.

    function : the command; its parameters' annotations say which are read and written. names : the parameter's name by
    the option as it is typed. given : the values by name; ``force`` lets files of someone else be replaced.
    """
    known: list[tuple[str, Path]] = []
    outputs: list[tuple[str, Path]] = []
    hints = get_type_hints(function, include_extras=True)
    for option, name in names.items():
        if get_origin(hints.get(name)) is not Annotated:
            continue
        _, info, *more = get_args(hints[name])
        paths = [(option, path) for path in paths_of(given.get(name), getattr(info, "metavar", None) == TARGET)]
        callback = getattr(info, "callback", None)
        if callback is file_to_write:
            outputs += paths
        elif more and isinstance(more[0], Writes):
            outputs += [(option, folder / file) for _, folder in paths for file in more[0].files]
        elif more and isinstance(more[0], UnreadWith) and given.get(more[0].parameter):
            continue
        elif callback is read_from or getattr(info, "metavar", None) == TARGET:
            known += paths
    for option, path in outputs:
        for other, read in known:
            if same_file(path, read):
                raise HarnessError(f"{option} {path}: {other} names this file too, and it would be overwritten")
            if read.is_dir() and path.resolve().is_relative_to(read.resolve()) and path.exists() and not is_ours(path):
                raise HarnessError(f"{option} {path}: {other} reads the folder of this file; name another one")
        require_ours(path, force=bool(given.get("force")), named=option)
        known.append((option, path))


def paths_of(value: Any, target: bool) -> Iterator[Path]:
    """The paths in the value of a parameter; for a target, the files that it may name."""
    for one in value if isinstance(value, list | tuple) else [value]:
        if isinstance(one, Path):
            yield one
        elif isinstance(one, str) and target and ":" in one:
            module, _, rest = one.rpartition(":")
            yield from (Path(module), Path(f"{module.replace('.', '/')}.py"))
            yield from map(Path, _words(rest)) if module == "exec" else ()


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # an open quotation mark, which the command itself refuses
        return []


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths are the same file, or would be."""
    try:
        return os.path.samefile(one, other)
    except OSError:  # one of them is not there yet
        return one.absolute() == other.absolute()
