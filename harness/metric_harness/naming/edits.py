"""Small changes of a metric function as data: what each changes, which code it matches, what it writes.

A pattern is Python in which a single capital letter stands for any expression, ``L`` for a name that holds the list,
``R`` for one that a loop assigns. A function is matched by its last name: ``math.log2`` as ``log2``. In what is
written, ``{A}`` is the source of that expression, ``{whole}`` that of all that matched, ``{call}`` that of the function
called, ``{module}`` the module before its name with a dot, and ``{divisor}`` is each number that a divisor may be
(:data:`PLACES`), by the names under which the function holds it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

Bound = Mapping[str, ast.expr]
"""The expressions for which the capital letters of a pattern stand."""


def is_number(node: ast.expr) -> bool:
    """Whether it is a literal number."""
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def is_small(node: ast.expr) -> bool:
    """Whether it is one of the whole numbers by which ranks are shifted."""
    return isinstance(node, ast.Constant) and type(node.value) is int and 0 <= node.value <= 3


def is_discount(node: ast.expr) -> bool:
    """Whether it may be the discount of a rank: it has a logarithm, or a name that says so."""
    words = [getattr(each, "attr", getattr(each, "id", "")).lower() for each in ast.walk(node)]
    return any("log" in word or "disc" in word for word in words)


def is_plain(node: ast.expr) -> bool:
    """Whether it is no literal number, power or discount: it may be a gain."""
    power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Pow)
    return not is_number(node) and not power and not is_discount(node)


COUNTS = (
    "{k}",
    "{relevant}",
    "min({k}, {relevant})",
    "{hits}",
    "{listed}",
    "min({listed}, {relevant})",
    "min({k}, {listed})",
)
PLACES: Mapping[str, tuple[str, ...]] = {
    "count": COUNTS,
    "divisor": (
        *COUNTS,
        "max(min({k}, {listed}), 1)",
        "max({relevant}, 1)",
        "max(min({k}, {relevant}), 1)",
        "max({hits}, 1)",
        "max({listed}, 1)",
        "{users}",
    ),
    "shift": ("1", "2"),
    "start": ("0", "1", "2"),
    "empty": ("0.0", "1.0", 'float("nan")'),
    "ideal": (
        "[1] * {relevant}",
        "[1] * min({k}, {relevant})",
        "sorted({grades}, reverse=True)",
        "sorted({grades}, reverse=True)[:{k}]",
    ),
}
"""What is tried in each place. The words in braces are those of :data:`QUANTITIES`."""
QUANTITIES = ("k", "relevant", "hits", "listed", "users", "labels", "grades", "gain", "rank", "test", "local")
"""The cut-off; the number of relevant items, of hits, of listed items, of users; 0 or 1 for each rank; the gains of the
relevant items; the gain of one item, and its rank; a test of whether an item is relevant; a name that the function
assigns."""


@dataclass(frozen=True)
class Edit:
    """A change.

    about : what it changes. find : the pattern, an expression or a statement. write : the texts that may replace it, or
    ``at``, one of its letters. where : what the expressions must be, by letter.
    """

    about: str
    find: str
    write: tuple[str, ...]
    at: str = ""
    where: Mapping[str, Callable[[ast.expr], bool]] | None = None


GUARD = "if {relevant} == 0:\n{indent}    return {empty}\n{indent}"
"""An early return for users without relevant items, before the first statement of a function."""
EXPONENTIAL = ("2 ** A - 1", "2 ** A - 1.0", "power(2, A) - 1", "pow(2, A) - 1", "exp2(A) - 1", "(1 << A) - 1")
"""The ways of writing an exponential gain."""
EDITS = (
    Edit("the divisor", "A / B", ("{divisor}",), at="B"),
    Edit("the divisor", "A // B", ("{A} / {B}", "{A} / {divisor}")),
    Edit("the divisor", "A /= B", ("{divisor}",), at="B"),
    Edit("the divisor", "divide(A, B)", ("{divisor}",), at="B"),
    Edit("the divisor", "A / B", ("{A}", "{A} / {B} if {relevant} else 0.0")),
    Edit("the divisor", "return A", ("{A} / {divisor}",), at="A"),
    Edit("a constant factor", "A * C", ("{A}",), where={"C": is_number}),
    Edit("a constant factor", "C * A", ("{A}",), where={"C": is_number}),
    Edit("a constant", "A + C", ("{A}",), where={"C": is_number}),
    Edit("a constant", "A - C", ("{A}",), where={"C": is_number}),
    Edit("rounding", "round(A, B)", ("{A}",)),
    Edit("rounding", "round(A)", ("{A}",)),
    Edit("rounding", "int(A)", ("{A}",)),
    Edit("a bound", "min(A, B)", ("{A}", "{B}", "{count}")),
    Edit("a bound", "max(A, B)", ("{A}", "{B}")),
    Edit("a bound", "minimum(A, B)", ("{A}", "{B}")),
    Edit("a bound", "range(A)", ("{count}",), at="A"),
    Edit("a bound", "range(A, B)", ("{count}", "{count} + 1"), at="B"),
    Edit("a bound", "arange(A, B)", ("{count} + 1", "{count} + 2"), at="B"),
    Edit("a bound", "ones(A)", ("{count}",), at="A"),
    Edit("a bound", "A[:B]", ("{count}",), at="B"),
    Edit("a bound", "A * B", ("{count}",), at="B", where={"A": lambda node: isinstance(node, ast.List)}),
    Edit("the cut", "A[:B]", ("{A}",)),
    Edit("the cut", "L", ("{L}[:{k}]",)),
    Edit("the cut", "set(A)", ("{call}({A}[:{k}])",)),
    Edit("the cut", "enumerate(A)", ("{call}({A}[:{k}])",)),
    Edit("the cut", "sorted(A, reverse=True)", ("sorted({A}, reverse=True)[:{k}]",)),
    Edit("the cut", "A.index(B)", ("{A}[:{k}].index({B})",)),
    Edit("the ideal", "sorted(A, reverse=True)", ("{ideal}",)),
    Edit("the ideal", "sorted(A)[::-1]", ("{ideal}",)),
    Edit("the ideal", "sort(A)[::-1]", ("{call}({grades})[::-1]", "{call}({grades})[::-1][:{k}]")),
    Edit("the ideal", "return A", ("{A} / {local} if {local} else 0.0",), at="A"),
    Edit("the ideal", "list(A)", ("sorted({A}, reverse=True)",)),
    Edit("the ideal", "sorted(A)", ("sorted({A}, reverse=True)",)),
    Edit("the ideal", "sort(A)", ("{call}({A})[::-1]",)),
    *(Edit("the gain", find, ("{A}", "({A} > 0)")) for find in EXPONENTIAL),
    Edit("the gain", "2 ** A", ("{A}", "(2 ** {A} - 1)")),
    Edit("the gain", "A > 0", ("{A}", "2 ** {A} - 1")),
    *(
        Edit("the gain", find, ("(2 ** {A} - 1)", "({A} > 0)"), at="A", where={"A": is_plain, "D": is_discount})
        for find in ("A / D", "A * D", "D * A")
    ),
    Edit("the gain", "C / D", ("{gain}",), at="C", where={"C": is_number, "D": is_discount}),
    Edit("the gain", "A.get(B, 0)", ("2 ** {A}.get({B}, 0) - 1", "{A}.get({B}, 0) > 0")),
    Edit("the gain", "A.get(B, 0.0)", ("2 ** {A}.get({B}, 0.0) - 1", "{A}.get({B}, 0.0) > 0")),
    Edit("a rank or a bound", "A + C", ("{A} + {shift}",), where={"C": is_number}),
    Edit("a rank or a bound", "A - C", ("{A} + {shift}",), where={"C": is_number}),
    Edit("a rank or a bound", "R", ("{R} + 1",)),
    Edit("a rank or a bound", "A[C:B]", ("{A}[:{B}]",), where={"C": is_number}),
    Edit("a rank or a bound", "C", ("{start}",), where={"C": is_small}),
    Edit("the discount", "return C", ("{C} / {rank}",), at="C", where={"C": is_number}),
    Edit("the discount", "A += C", ("{C} / {rank}",), at="C"),
    Edit("the gain", "C / A", ("{hits}",), at="C", where={"C": is_number}),
    Edit("the discount", "arange(C, A + C)", ("{call}({shift}, {A} + {shift})",)),
    Edit("the discount", "log2(A)", ("{call}({A} + 1)",)),
    Edit("the discount", "enumerate(A)", ("enumerate({A}, start=1)", "enumerate({A}, start=2)")),
    Edit("the discount", "enumerate(A, start=B)", ("enumerate({A})",)),
    Edit("the discount", "enumerate(A, B)", ("enumerate({A})",)),
    Edit("the discount", "log2(A)", ("max(1.0, {whole})",)),
    Edit("the discount", "sqrt(A)", ("{module}log2({A} + 1)",)),
    Edit("the discount", "max(C, D)", ("{D}",), where={"C": is_number, "D": is_discount}),
    Edit("the discount", "A / D", ("{A}",), where={"D": is_discount}),
    Edit("the value", "sum(A)", ("float(any({A}))",)),
    Edit("the value", "any(A)", ("sum({A})",)),
    Edit("the value", "A.sum()", ("{A}.any()", "{A}.mean()")),
    Edit("the value", "A.any()", ("{A}.sum()",)),
    Edit("the value", "A.all()", ("{A}.any()",)),
    Edit("the value", "A.mean()", ("{A}.any()", "{A}.sum()", "{A}.sum() / {divisor}")),
    Edit("the value", "return A", ("min({A}, 1.0)", "float({A} > 0)"), at="A"),
    Edit("the rank", "A += B", ("{whole}\n{indent}break",)),
    Edit("the rank", "A = B", ("{whole}\n{indent}break",)),
    Edit("the rank", "break", ("pass",)),
    Edit("the rank", "next(A, C)", ("sum({A})",)),
    Edit("the ranks that count", "sum(A)", ("{call}({A} * {labels})",)),
    Edit("the ranks that count", "A += B", ("if {test}:\n{indent}    {whole}",)),
    Edit("a comparison", "A < B", ("{A} <= {B}",)),
    Edit("a comparison", "A <= B", ("{A} < {B}",)),
    Edit("a comparison", "A > B", ("{A} >= {B}",)),
    Edit("a comparison", "A >= B", ("{A} > {B}",)),
    Edit("the empty user", "return C", ("{empty}",), at="C", where={"C": is_number}),
    Edit("the empty user", "A if B else C", ("{empty}",), at="C"),
    Edit("the order", "argsort(A)", ("-{A}",), at="A"),
    Edit("the order", "argsort(A, kind=B)", ("-{A}",), at="A"),
    Edit("the order", "argsort(-A)", ("{call}({A})",)),
    Edit("the order of ties", "argsort(A)", ('{call}({A}, kind="stable")',)),
    Edit("the order of ties", "argsort(A)[::-1]", ('{call}(-{A}, kind="stable")',)),
)
"""Every change of an expression or a statement, the likeliest of equal size first."""


@dataclass(frozen=True)
class Pattern:
    """A pattern that was read. letters : those that stand for any expression."""

    node: ast.AST
    letters: frozenset[str]


def read_pattern(text: str) -> Pattern:
    """The pattern of a text: an expression if it is one, else a statement."""
    (statement,) = ast.parse(text).body
    node = statement.value if isinstance(statement, ast.Expr) else statement
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return Pattern(node, frozenset(name for name in names if len(name) == 1 and name.isupper()))


PATTERNS = {edit.find: read_pattern(edit.find) for edit in EDITS}


def found(edit: Edit, tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, dict[str, ast.expr]]]:
    """The places where an edit matches: the code that it replaces, and what the letters stand for."""
    pattern = PATTERNS[edit.find]
    for node in code_in(tree):
        bound: dict[str, ast.expr] = {}
        if not matches(pattern.node, node, pattern.letters, bound):
            continue
        if all(holds(bound[letter]) for letter, holds in (edit.where or {}).items()):
            place = bound[edit.at] if edit.at else node
            if isinstance(place, ast.expr | ast.stmt):
                yield place, bound


def code_in(tree: ast.AST) -> Iterator[ast.AST]:
    """All code of a tree but that inside f-strings, whose columns Python tells wrongly."""
    yield tree
    if not isinstance(tree, ast.JoinedStr):
        for child in ast.iter_child_nodes(tree):
            yield from code_in(child)


def matches(pattern: object, node: object, letters: frozenset[str], bound: dict[str, ast.expr]) -> bool:
    """Whether code has the form of a pattern; adds what its letters stand for to ``bound``."""
    if isinstance(pattern, ast.Name) and pattern.id in letters:
        if not isinstance(node, ast.expr) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)):
            return False
        if pattern.id in bound:
            return ast.dump(bound[pattern.id]) == ast.dump(node)
        if isinstance(pattern.ctx, ast.Load) != isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return False
        bound[pattern.id] = node
        return True
    if isinstance(pattern, ast.Name) and isinstance(node, ast.Attribute):
        return pattern.id == node.attr
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, ast.AST):
        names = [name for name in pattern._fields if name not in ("ctx", "type_comment", "kind")]
        return all(matches(getattr(pattern, name), getattr(node, name), letters, bound) for name in names)
    if isinstance(pattern, list) and isinstance(node, list):
        same = len(pattern) == len(node)
        return same and all(matches(one, other, letters, bound) for one, other in zip(pattern, node, strict=True))
    return bool(pattern == node)
