"""The changes of a source file that the rows of :mod:`edits` propose: spans of text, so that all else stays."""

from __future__ import annotations

import ast
import itertools
import re
import tokenize
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from metric_harness.naming.discovery.candidates import defined
from metric_harness.naming.discovery.signature import Function, line_of
from metric_harness.naming.edits import EDITS, GUARD, PLACES, QUANTITIES, found

MOST_NAMES = 3
"""Names of one quantity in one function that are tried."""
LETTER = re.compile(r"\{([A-Z])\}")
NAMED = {"L": "lists", "R": "loops"}
"""Letters that stand for certain names alone."""
PLACE = re.compile(r"\{(\w+)\}")
ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List)
Definition = Function | ast.ClassDef
Place = tuple[str, int]
"""A function: its name, and its first line with its decorators."""
Quantities = Mapping[str, Sequence[str]]
"""For one function, the expressions of each quantity; ``lists`` are the names that hold the list."""


@dataclass(frozen=True)
class Span:
    """Text of the file from ``start`` to ``end``, in characters, and what takes its place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Change:
    """A change of a file. about : what it changes."""

    about: tuple[str, ...]
    spans: tuple[Span, ...]

    def overlaps(self, other: Change) -> bool:
        """Whether both change the same text."""
        pairs = itertools.product(self.spans, other.spans)
        return any((one.start < two.end and two.start < one.end) or one.start == two.start for one, two in pairs)

    def with_(self, other: Change) -> Change:
        """Both changes."""
        about = dict.fromkeys([*self.about, *other.about])
        return Change(tuple(about), tuple(sorted([*self.spans, *other.spans], key=lambda span: span.start)))


@dataclass(frozen=True)
class SourceFile:
    """The text of a file, and the global definitions that a function reaches by name.

    starts : of each line, in characters.
    """

    text: str
    encoding: str
    tree: ast.Module
    starts: Sequence[int]
    reached: Sequence[Definition] = field(default=())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Where code begins and ends, in characters."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def of(self, node: ast.expr | ast.stmt) -> str:
        """The source of code."""
        start, end = self.span(node)
        return self.text[start:end]

    def indent(self, node: ast.expr | ast.stmt) -> str:
        """The white space before code on its line; empty where other code comes before it."""
        before = self.text[self.starts[node.lineno - 1] : self.span(node)[0]]
        return before if before.isspace() else ""

    def written(self, start: int, end: int, text: str) -> Span:
        """A span whose text has the line ends of the file."""
        return Span(start, end, text.replace("\n", "\r\n") if "\r\n" in self.text else text)

    def _at(self, line: int, column: int) -> int:
        """The character of a line, from 1, and a column in bytes of UTF-8."""
        start = self.starts[line - 1]
        rest = self.text[start : start + column]
        return start + (column if rest.isascii() else len(self.text[start:].encode()[:column].decode()))

    def changed(self, change: Change) -> str:
        """The whole text after a change."""
        return replaced(self.text, change.spans)

    def code(self, change: Change) -> str:
        """The definitions that the function reaches after a change."""
        parts = []
        for node in self.reached:
            start, end = self.starts[line_of(node) - 1], self.span(node)[1]
            inside = [
                Span(span.start - start, span.end - start, span.text)
                for span in change.spans
                if start <= span.start and span.end <= end
            ]
            parts.append(replaced(self.text[start:end], inside))
        return "\n".join(dedented(part) for part in parts)


def replaced(text: str, spans: Sequence[Span]) -> str:
    """A text with its spans replaced."""
    for span in sorted(spans, key=lambda span: span.start, reverse=True):
        text = text[: span.start] + span.text + text[span.end :]
    return text


def dedented(text: str) -> str:
    """Code of a definition as that of a file; an indented one, as inside ``try``, is put below ``if True``."""
    indent = len(text) - len(text.lstrip(" \t"))
    return f"if True:\n{text}" if indent else text


def read_source(content: bytes, function: str) -> SourceFile:
    """A file and what one function of it reaches. SyntaxError or ValueError if it is no Python."""
    encoding, _ = tokenize.detect_encoding(BytesIO(content).readline)
    text = content.decode(encoding)
    tree = ast.parse(text)
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    return SourceFile(text, encoding, tree, starts, reached(tree, function.partition(".")[0]))


def reached(tree: ast.Module, name: str) -> list[Definition]:
    """The global definitions of a file that one of them reaches by name, itself among them, in their order."""
    by_name = {node.name: node for node in defined(tree.body)}
    names, left = set(), [name]
    while left:
        node = by_name.get(each := left.pop())
        if node is not None and each not in names:
            names.add(each)
            left += [inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    return [node for each, node in by_name.items() if each in names]


def proposed(source: SourceFile, quantities: Mapping[Place, Quantities]) -> list[Change]:
    """Every change of one place, and of all places that an edit matches in the same way; the smallest first."""
    changes: dict[tuple[Span, ...], Change] = {}
    alike: defaultdict[tuple[int, str, int], list[Change]] = defaultdict(list)
    for function in functions_of(source.reached):
        known = quantities.get((function.name, line_of(function)), {})
        inner = {id(each) for node in inner_functions(function) for each in ast.walk(node)}
        loops = [name for node in ast.walk(function) for name in targets(node)]
        known = {**known, "gain": gains_of_one(known, loops), "loops": loops}
        known |= {"rank": list(ranks(function)), "test": tests(source, function), "local": assigned(function)}
        for number, edit in enumerate(EDITS):
            for statement in body_of(function):
                for place, bound in found(edit, statement):
                    named = {letter: source.of(bound[letter]) for letter in NAMED if letter in bound}
                    if id(place) in inner or any(name not in known.get(NAMED[at], ()) for at, name in named.items()):
                        continue
                    for template in edit.write:
                        for rank, text in enumerate(written(source, template, place, bound, known)):
                            change = Change((edit.about,), (span_of(source, function, place, text),))
                            if source.of(place) != text and change.spans not in changes:
                                changes[change.spans] = change
                                alike[number, template, rank].append(change)
        for change in guards(source, function, known):
            changes.setdefault(change.spans, change)
    for group in alike.values():
        together = group[0]
        for change in group[1:]:
            together = together if together.overlaps(change) else together.with_(change)
        changes.setdefault(together.spans, together)
    return sorted(changes.values(), key=lambda change: size(source, change))


def size(source: SourceFile, change: Change) -> tuple[int, int]:
    """The number of places, and of characters removed and written."""
    characters = 0
    for span in change.spans:
        old, new = source.text[span.start : span.end], span.text
        same = len(common(old, new))
        characters += len(old) + len(new) - 2 * (same + len(common(old[same:][::-1], new[same:][::-1])))
    return len(change.spans), characters


def common(one: str, other: str) -> str:
    """The beginning that two texts share."""
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(letter for letter, _ in pairs)


def functions_of(definitions: Sequence[Definition]) -> Iterator[Function]:
    """The functions and methods of definitions, also those inside functions."""
    for definition in definitions:
        for node in ast.walk(definition):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node


def inner_functions(function: Function) -> Iterator[ast.AST]:
    """The functions and classes inside a function, which are looked at by themselves."""
    for node in ast.walk(function):
        if node is not function and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def body_of(function: Function) -> list[ast.stmt]:
    """The statements of a function, without its docstring."""
    return function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body


def targets(node: ast.AST) -> list[str]:
    """The names that a loop or a comprehension assigns."""
    if not isinstance(node, ast.For | ast.comprehension):
        return []
    return [each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)]


def gains_of_one(known: Quantities, loops: Collection[str]) -> list[str]:
    """The gain of the item of a loop, from each dict of gains."""
    dicts = [text.removesuffix(".values()") for text in known.get("grades", ()) if text.endswith(".values()")]
    return [f"{name}[{item}]" for name in dicts for item in dict.fromkeys(loops)]


def ranks(function: Function) -> Iterator[str]:
    """The rank of the item of each loop, from 1."""
    for node in ast.walk(function):
        if not isinstance(node, ast.For | ast.comprehension) or not isinstance(node.iter, ast.Call):
            continue
        name = targets(node)[0] if targets(node) else ""
        start = [*node.iter.args[1:], *(each.value for each in node.iter.keywords)]
        if getattr(node.iter.func, "id", "") == "enumerate" and name:
            yield name if start and ast.unparse(start[0]) == "1" else f"({name} + 1)"


def assigned(function: Function) -> list[str]:
    """The names that a function assigns, the last first."""
    statements = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
    names = [target.id for node in statements for target in node.targets if isinstance(target, ast.Name)]
    return list(dict.fromkeys(reversed(names)))


def tests(source: SourceFile, function: Function) -> list[str]:
    """The tests of a function whether something is in something, and those of its branches with such a test."""

    def asks(node: ast.AST) -> bool:
        return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In)

    nodes = list(ast.walk(function))
    branches = [node.test for node in nodes if isinstance(node, ast.If) and any(map(asks, ast.walk(node.test)))]
    compared = [node for node in nodes if isinstance(node, ast.Compare) and asks(node)]
    return list(dict.fromkeys(source.of(node) for node in [*compared, *branches]))


def written(
    source: SourceFile,
    template: str,
    place: ast.expr | ast.stmt,
    bound: Mapping[str, ast.expr],
    known: Quantities,
) -> Iterator[str]:
    """The texts that a template stands for; none where the function has no name for a quantity."""
    for name, texts in PLACES.items():
        if f"{{{name}}}" in template:
            for text in texts:
                yield from written(source, template.replace(f"{{{name}}}", text), place, bound, known)
            return
    names = [name for name in PLACE.findall(template) if name in QUANTITIES]
    for values in itertools.product(*(known.get(name, ())[:MOST_NAMES] for name in names)):
        text = template
        for name, value in zip(names, values, strict=True):
            text = text.replace(f"{{{name}}}", value)
        call = next((node for node in ast.walk(place) if isinstance(node, ast.Call)), None)
        text = filled(source, text.replace("{indent}", source.indent(place)), bound)
        called = "" if call is None else source.of(call.func)
        module = called[: called.rfind(".") + 1]
        yield text.replace("{call}", called).replace("{module}", module).replace("{whole}", source.of(place))


def filled(source: SourceFile, template: str, bound: Mapping[str, ast.expr]) -> str:
    """A template with the source of its letters, in parentheses where they are needed."""
    text = template
    for letter in dict.fromkeys(LETTER.findall(template)):
        node, code = bound[letter], source.of(bound[letter])
        safe = text.replace(f"{{{letter}}}", f"({code})")
        inside = code[1:-1] if isinstance(node, ast.GeneratorExp) else code  # a sole argument is in those of its call
        bare = text.replace(f"{{{letter}}}", inside)
        atom = isinstance(node, (*ATOMS, ast.Constant))
        text = bare if atom or same_code(LETTER.sub("x", bare), LETTER.sub("x", safe)) else safe
    return text


def same_code(one: str, other: str) -> bool:
    """Whether two texts are the same code."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except SyntaxError:
        return False


def span_of(source: SourceFile, function: Function, place: ast.expr | ast.stmt, text: str) -> Span:
    """The span that puts a text in place of code, in parentheses where they are needed."""
    start, end = source.span(place)
    if isinstance(place, ast.stmt) or isinstance(expression(text), (*ATOMS, ast.Constant)):
        return source.written(start, end, text)
    first, last = source.starts[line_of(function) - 1], source.span(function)[1]
    around = [dedented(source.text[first:start]), source.text[end:last]]
    bare, safe = (around[0] + code + around[1] for code in (text, f"({text})"))
    return Span(start, end, text if same_code(bare, safe) else f"({text})")


def expression(text: str) -> ast.expr | None:
    """The expression that a text is; None for one that needs parentheses to be one."""
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def guards(source: SourceFile, function: Function, known: Quantities) -> Iterator[Change]:
    """Early returns for a user without relevant items, before the first statement of a function."""
    first = body_of(function)[0] if body_of(function) else None
    if first is None or first.lineno == function.lineno:
        return
    start = source.span(first)[0]
    for relevant in known.get("relevant", ())[:MOST_NAMES]:
        for value in PLACES["empty"]:
            text = GUARD.replace("{relevant}", relevant).replace("{empty}", value)
            span = source.written(start, start, text.replace("{indent}", source.indent(first)))
            yield Change(("the empty user",), (span,))
