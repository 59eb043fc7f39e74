"""The commands as data: their names, groups and first lines. A command's module is imported when it is called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from metric_harness.cli.command import Command

FIND, TELL, KEEP, LOOK_UP = (
    "Find out what a metric computes",
    "Tell others",
    "Look after libraries",
    "Look something up",
)
"""The headings of ``--help``."""


class Row(NamedTuple):
    """A command. target : module and function, or module and Typer app, in ``metric_harness.cli``."""

    name: str
    target: str
    about: str
    panel: str | None = None
    examples: str = "EXAMPLES"


class Tree(TyperGroup):
    """A group whose commands are rows.

    former : the names that commands had before, with their present ones.
    """

    rows: tuple[Row, ...] = ()
    former: ClassVar[Mapping[str, str]] = {}

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the rows."""
        return [row.name for row in self.rows]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """What ``--help`` shows of a command: its name, first line and heading."""
        for row in self.rows:
            if row.name == cmd_name:
                return TyperCommand(row.name, help=row.about, rich_help_panel=row.panel)
        return None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, with its module imported."""
        name = args[0]
        for row in self.rows:
            if row.name == name:
                return name, loaded(row), args[1:]
        if name in self.former:
            ctx.fail(f"`metric-harness {name}` is now `metric-harness {self.former[name]}`")
        self.commands = dict.fromkeys(self.list_commands(ctx), TyperCommand("", help=""))  # for "Did you mean"
        return super().resolve_command(ctx, args)


def loaded(row: Row) -> Any:
    """The command of a row."""
    module, _, attribute = row.target.partition(":")
    home = import_module(f"metric_harness.cli.{module}")
    target = getattr(home, attribute)
    if not isinstance(target, typer.Typer):
        function = target
        target = typer.Typer(add_completion=False, rich_markup_mode="rich")
        target.command(row.name, cls=Command, epilog=getattr(home, row.examples))(function)
    command = typer.main.get_command(target)
    command.name = row.name
    return command


class LibraryTree(Tree):
    """``library``: the folders of libraries, their recordings and their histories."""

    rows = (
        Row(
            "list",
            "libraries:libraries_command",
            "List every library and release: how it is obtained, whether it can run here, and the functions to be "
            "asked.",
            examples="EXAMPLES_OF_LIBRARIES",
        ),
        Row("new", "new_library:new_library_command", "Write the folder of a new library, ready to be filled in."),
        Row("check", "check:check_command", "Check the folders of libraries, and ask their functions a few probes."),
        Row(
            "record",
            "libraries:record_command",
            "Ask releases all probes and write their recordings beside their adapters.",
            examples="EXAMPLES_OF_RECORD",
        ),
        Row(
            "history",
            "releases.history:history_command",
            "Find the releases of a library that changed what its functions compute.",
        ),
        Row(
            "watch",
            "releases.watch:watch_command",
            "Find out what the releases since the recordings changed; made for a scheduled run.",
        ),
        Row("conform", "signatures.conform:conform_command", "Hold a library's functions against its declaration."),
    )


class SignatureTree(Tree):
    """``signature``: what a number means, in a line."""

    rows = (
        Row("cite", "signatures.cite:cite_command", "Give a sentence for a paper, the formula in LaTeX, and BibTeX."),
        Row("verify", "signatures.verify:verify_command", "Recompute a number from its signature and your files."),
        Row("find", "signatures.find:find_command", "List the library functions that compute a signature."),
        Row("translate", "signatures.translate:translate_command", "Say what a tool's name for a metric stands for."),
        Row("convert", "signatures.convert:convert_command", "Convert a value between two definitions, or bound it."),
    )


class ExplainTree(Tree):
    """``explain``: rules, variants and conventions. ``explain AP003`` and ``explain 'ndcg(ideal=hits)'`` work, too."""

    rows = (
        Row("rules", "pages.explain:explain_command", "List the rules, or explain the code of one."),
        Row("variants", "variants:variants_command", "List what a metric can mean, or explain one definition."),
        Row("conventions", "conventions:conventions_command", "List the ways of calling a function that audit knows."),
    )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command before a rule's code or a definition."""
        if args and args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            args = ["rules" if re.fullmatch(r"[A-Za-z]+\d+", args[0]) else "variants", *args]
        return super().parse_args(ctx, args)


def group(cls: type[Tree], about: str) -> typer.Typer:
    """A Typer app for a tree of commands."""
    app = typer.Typer(cls=cls, no_args_is_help=True, rich_markup_mode="rich", help=about, add_completion=False)
    app.callback()(lambda: None)
    return app


LIBRARY_ABOUT = "List, add, check, record and follow the libraries that are asked."
SIGNATURE_ABOUT = "Cite, verify, find, translate and convert what a number means."
EXPLAIN_ABOUT = "Explain a rule (AP003), a definition ('ndcg(ideal=hits)'), or the ways of calling a function."
library = group(LibraryTree, LIBRARY_ABOUT)
signature = group(SignatureTree, SIGNATURE_ABOUT)
explain = group(ExplainTree, EXPLAIN_ABOUT)


class Root(Tree):
    """All commands."""

    rows = (
        Row("compare", "compare:compare_command", "Compare the metrics of real libraries on one fixed split.", FIND),
        Row(
            "audit", "audit:audit_command", "Find out what a function, or every function of a library, computes.", FIND
        ),
        Row("scan", "scan:scan_command", "Find every metric function in a code base, and what each computes.", FIND),
        Row("evaluate", "evaluate:evaluate_command", "Evaluate every definition on your own lists, of any size.", FIND),
        Row("paper", "paper:paper_command", "Repeat the comparison of Tamm, Damdinov & Vasilev (RecSys 2021).", FIND),
        Row("report", "report:app", "Write a finished comparison in another form, or compare two.", TELL),
        Row("site", "pages.site:site_command", "Write the site: a page for each metric, library and definition.", TELL),
        Row("signature", "tree:signature", SIGNATURE_ABOUT, TELL),
        Row("library", "tree:library", LIBRARY_ABOUT, KEEP),
        Row("vectors", "signatures.vectors:vectors_command", "Write or check test vectors for any language.", KEEP),
        Row("explain", "tree:explain", EXPLAIN_ABOUT, LOOK_UP),
        Row("doctor", "machine:app", "Check this machine, and show or prune what is kept between runs.", LOOK_UP),
    )
    former: ClassVar[Mapping[str, str]] = {
        **{row.name: f"library {row.name}" for row in LibraryTree.rows if row.name not in ("list", "new")},
        **{row.name: f"signature {row.name}" for row in SignatureTree.rows},
        "libraries": "library list",
        "new-library": "library new",
        "variants": "explain variants",
        "conventions": "explain conventions",
        "cache": "doctor cache",
    }
