"""Which branches of a function's code ran: of the function itself and of what it calls in its own package.

A branch is one of the two ways on from a test, or the entry of an exception handler. Not counted are branches that end
in an error, and tests of what the caller fixes: an option that keeps one value, the type of an argument, whether one is
None, a cut-off below 1. While some branch has not run yet, the instructions of its code are traced.
"""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

from metric_adapters.calls.numbers import OTHER_THAN_ZERO
from metric_adapters.hints import held, hints_of, name_of, pads, words_in

Arc = Tuple[int, int]
"""From the offset of a test to that of the next instruction; -1 where an exception handler begins."""
INSTRUCTIONS_TRACED, CALLS_TRACED = 60_000, 40
"""At most this many for one question, so that the trace costs little; code that only later calls enter is not seen."""
HANDLER = -1
HEAP_TYPE = 1 << 9
"""Python's flag of a class that a class statement makes; one that C code defines may name any module as its own."""
LARGEST_NUMBER = 1e300
LARGEST_USUAL = 2
"""Numbers up to it bound something in every code."""
BOUNDING = ("min", "max", "minimum", "maximum", "clip", "clamp")
TYPE_TESTS = {"isinstance", "issubclass", "hasattr", "callable", "type", "is_tensor", "issparse", "is_list_like"}
LISTED = ("missed", "constants", "narrow", "tables")
OPTION = (bool, str, type(None))
CUT_OFFS = ("k", "n", "topk", "top_k", "topn", "top_n", "at", "cutoff")


class Code:
    """The branches of one code object; ``left`` are those that have not run.

    scope : the names of its module. lines : those of its source. owner : the latest ``self``. values : of each
    parameter that had one value so far.
    """

    def __init__(self, code: CodeType, scope: Dict[str, Any]) -> None:
        instructions = list(dis.get_instructions(code))
        self.code, self.scope = code, scope
        lines = [line for _, line in line_starts(code)]
        self.lines = range(min(lines), max(lines) + 1)
        self.owner: Any = None
        self.by_offset = {each.offset: place for place, each in enumerate(instructions)}
        self.instructions = instructions
        arcs: Set[Arc] = set()
        for place, each in enumerate(instructions[:-1]):
            of_with = place > 0 and instructions[place - 1].opname == "WITH_EXCEPT_START"
            if is_test(each.opname) and not of_with:
                arcs |= {(each.offset, self.landing(each.argval)), (each.offset, instructions[place + 1].offset)}
        arcs |= {(HANDLER, target) for target in handlers(code, instructions)}
        self.arcs = {arc for arc in arcs if not self.raises(arc[1])}
        self.tests = {arc[0]: arc[0] for arc in self.arcs}
        for place, each in enumerate(instructions):  # what is traced may be the prefix of a test alone
            if each.offset in self.tests and instructions[place - 1].opname == "EXTENDED_ARG":
                self.tests[instructions[place - 1].offset] = each.offset
        self.entries = {arc[1] for arc in self.arcs if arc[0] == HANDLER}
        self.left = set(self.arcs)
        self.values: Dict[str, Any] = {}
        self.varying: Set[str] = set()
        stored = {each.argval for each in instructions if each.opname in ("STORE_FAST", "STORE_DEREF")}
        self.parameters = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        self.fixed = [name for name in self.parameters if name not in stored]

    def landing(self, offset: int) -> int:
        """Where the end of a loop leads: from Python 3.12 on FOR_ITER names END_FOR, and goes on behind it.

        In 3.13 also behind the POP_TOP after it; in 3.14 a POP_ITER is there, which runs.
        """
        place = self.by_offset.get(offset)
        while place is not None and self.instructions[place].opname == "END_FOR":
            place += 1
            if self.instructions[place].opname == "POP_TOP" and sys.version_info >= (3, 13):
                place += 1
        return offset if place is None else self.instructions[place].offset

    def raises(self, offset: int) -> bool:
        """Whether the way from an offset ends in an error without another test."""
        place: Optional[int] = self.by_offset.get(offset)
        for _ in range(400):
            if place is None or place >= len(self.instructions):
                return False
            each = self.instructions[place]
            if each.opname in ("RAISE_VARARGS", "RERAISE"):
                return True
            if each.opname.startswith("RETURN") or is_test(each.opname) or "YIELD" in each.opname:
                return False
            jumps = each.opname.startswith("JUMP")
            place = self.by_offset.get(each.argval) if jumps else place + 1
        return False

    def note_arguments(self, frame: FrameType) -> None:
        """Remember the parameters that had one value so far, and the instance."""
        values = frame.f_locals
        self.owner = values.get("self")
        for name in self.fixed:
            value = values.get(name)
            if name in self.varying:
                continue
            plain = isinstance(value, (*OPTION, int, float)) or callable(value)
            if not plain or (name in self.values and not same(self.values[name], value)):
                self.varying.add(name)
            else:
                self.values[name] = value


def same(value: Any, other: Any) -> bool:
    """Whether two plain values are one."""
    return value is other or (type(value) is type(other) and value == other)


def is_test(name: str) -> bool:
    """Whether an instruction has two ways on."""
    return name == "FOR_ITER" or ("JUMP" in name and "IF" in name)


def handlers(code: CodeType, instructions: List[dis.Instruction]) -> Iterator[int]:
    """The offsets at which the code of an ``except`` without a type begins; one with a type begins with a test."""
    table = getattr(dis, "_parse_exception_table", None)
    if table is not None:
        targets = {entry.target for entry in table(code)}
    else:
        targets = {each.argval for each in instructions if each.opname == "SETUP_FINALLY"}
    for place, each in enumerate(instructions[:-1]):
        if each.offset in targets and instructions[place + 1].opname == "POP_TOP":
            yield each.offset


class Ran:
    """Traces a function and what it calls in its package, as a context around each call.

    of_library : other code of the package, which an adapter calls, is left out, and so are constructors: counted is the
    function's file, that of a base class in the same folder, and what they lead to. ``sys.settrace`` is given back as
    it was. From Python 3.12 on the instructions of a code's first call are not seen.
    """

    def __init__(self, function: Any, of_library: bool = False) -> None:
        self.root = root_of(function)
        self.files = files_of(function) if of_library else None
        self.package = "" if self.root is None else Path(self.root).stem
        self.compiled = any(is_compiled(each, self.package) for each in classes_of(function))
        self.codes: Dict[CodeType, Optional[Code]] = {}
        self.events = self.calls = 0

    def new_question(self) -> None:
        """A new question may be traced as long as the one before."""
        self.events = self.calls = 0

    def __enter__(self) -> None:
        self.before = sys.gettrace()
        self.calls += 1
        self.on = self.root is not None and self.calls <= CALLS_TRACED and self.events < INSTRUCTIONS_TRACED
        if self.on and (not self.codes or any(code is not None and code.left for code in self.codes.values())):
            sys.settrace(self._enter)

    def __exit__(self, *error: object) -> None:
        if self.on:
            sys.settrace(self.before)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code not in self.codes:
            own = self._is_own(code)
            if own and not self._led_to(frame):
                return None  # it may be later
            seen = Code(code, frame.f_globals) if own else None
            if seen is not None:
                seen.note_arguments(frame)
            self.codes[code] = seen
        seen = self.codes[code]
        if seen is None or not seen.left or self.events >= INSTRUCTIONS_TRACED:
            return None
        if seen.fixed:
            seen.note_arguments(frame)
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._tracer(seen)

    def _is_own(self, code: CodeType) -> bool:
        file = code.co_filename
        return self.root is not None and (file == self.root or file.startswith(self.root + "/")) and file[:1] != "<"

    def _led_to(self, frame: Optional[FrameType]) -> bool:
        """Whether the function's files led to a frame of its package."""
        while frame is not None and self.files is not None:
            name = frame.f_code.co_name
            if name == "<module>":
                return False
            if frame.f_code.co_filename in self.files and name != "__init__":
                return True
            frame = frame.f_back
        return self.files is None

    def _tracer(self, seen: Code) -> Any:
        last, tests, entries, left = HANDLER, seen.tests, seen.entries, seen.left

        def trace(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last
            if event == "opcode":
                here = frame.f_lasti
                if last in tests:
                    left.discard((tests[last], seen.landing(here)))
                if here in entries:
                    left.discard((HANDLER, here))
                last = here
                self.events += 1
                if not left or self.events >= INSTRUCTIONS_TRACED:
                    frame.f_trace_opcodes = False
                    return None
            return trace

        return trace

    def report(self) -> Dict[str, Any]:
        """How many branches ``ran``, ``of`` how many; the code that was ``missed``; the ``constants`` of all tests
        and bounds; what :mod:`metric_adapters.hints` finds.

        None are counted where some of the code is compiled: what ran of it is not known.
        """
        codes = [seen for seen in self.codes.values() if seen is not None]
        named = (seen.scope.get(name) for seen in codes for name in seen.code.co_names)
        if self.compiled or any(is_compiled(each, self.package) for each in named):
            return {"ran": 0, "of": 0, "by_process": False, "pads": False, **dict.fromkeys(LISTED, ())}
        ran = count = 0
        constants: List[Any] = []
        missed: Set[Tuple[str, int, int]] = set()
        for seen in codes:
            tree = tests_of(seen.code.co_filename)
            for arc in sorted(seen.arcs):
                constants += constants_at(test_at(seen, arc, tree), known(seen, tree))
            options = {arc for arc in seen.left if is_fixed(seen, test_at(seen, arc, tree))}
            inside = [lines_of(seen, arc, tree) for arc in options]
            for arc in seen.left - options:  # code behind an option that was not given
                line = lines_of(seen, arc, tree)[0] if arc[0] == HANDLER else test_line(seen, arc)
                if line is not None and any(first is not None and first <= line <= last for first, last in inside):
                    options.add(arc)
            left = seen.left - options
            count += 1 + len(seen.arcs) - len(options)  # the entry is a branch too
            ran += 1 + len(seen.arcs) - len(seen.left)
            spans = (lines_of(seen, arc, tree) for arc in left)
            missed |= {(seen.code.co_filename, first, last) for first, last in spans if first is not None}
        places = [list(place) for place in sorted(missed)]
        for seen in codes:  # after those of all tests
            constants += bounds_in(seen, tests_of(seen.code.co_filename))
            constants += [0] if OTHER_THAN_ZERO & {*seen.code.co_names} else []
        files: Dict[str, Set[int]] = {}
        for seen in codes:
            files.setdefault(seen.code.co_filename, set()).add(seen.code.co_firstlineno)
        hints = {file: hints_of(file, frozenset(lines)) for file, lines in files.items()}
        narrow = [bound for each in hints.values() for bound in each.narrow]
        narrow += [bound for seen in codes for name in seen.code.co_names for bound in held(seen.scope.get(name))]
        return {
            "ran": ran,
            "of": count,
            "missed": places,
            "constants": list(dict.fromkeys(constants)),
            "narrow": sorted({*narrow}),
            "by_process": any(each.by_process for each in hints.values()),
            "pads": any(padded(seen, each) for seen in codes for each in hints[seen.code.co_filename].compares),
            "tables": sorted({looked_up(each, codes, file) for file in hints for each in hints[file].lookups} - {""}),
        }


def counted(ask: Callable[[Any, int], Any], ran: Ran) -> Callable[[Any, int], Any]:
    """The ask of a library's subject that counts the branches of each question."""

    def asked(case: Any, k: int) -> Any:
        ran.new_question()
        with ran:
            return ask(case, k)

    return asked


def is_fixed(seen: Code, test: Optional[ast.expr]) -> bool:
    """Whether a test is about what the caller fixes."""
    if test is None:
        return False
    names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    called = {name_of(node.func) for node in ast.walk(test) if isinstance(node, ast.Call)}
    of_none = is_none(test) and names & set(seen.parameters)
    if called & TYPE_TESTS or of_none or below_one(test):
        return True
    return bool(names) and not called - {"len"} and all(is_option(seen, name, test) for name in names)


def is_option(seen: Code, name: str, test: ast.expr) -> bool:
    """Whether a name in a test has one value that the caller, the module or the instance chose."""
    if name == "self":
        attributes = [n.attr for n in ast.walk(test) if isinstance(n, ast.Attribute) and name_of(n.value) == name]
        return bool(attributes) and all(isinstance(getattr(seen.owner, each, 0), OPTION) for each in attributes)
    if name in seen.parameters:
        value = seen.values.get(name)
        switch = isinstance(value, OPTION) or callable(value) or value in (0, 1, 2)
        return name in seen.values and name not in seen.varying and switch
    return name in seen.scope and isinstance(seen.scope[name], (*OPTION, int, float, type, ModuleType))


def root_of(function: Any) -> Optional[str]:
    """The folder of the package of a function, or its file; None where its source is not known."""
    try:
        file = inspect.getsourcefile(inspect.unwrap(function))
    except (TypeError, ValueError):
        file = None
    if file is None:
        return None
    path = Path(file)
    folder = path.parent
    if not (folder / "__init__.py").exists():
        return str(path)
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return str(folder)


def classes_of(function: Any) -> Tuple[Any, ...]:
    """A class, or that of a method, and its base classes; none for any other function."""
    function = inspect.unwrap(function)
    owner = getattr(function, "__globals__", {}).get(str(getattr(function, "__qualname__", "")).partition(".")[0])
    kind = next((each for each in (function, owner) if isinstance(each, type)), None)
    return () if kind is None else kind.__mro__


def files_of(function: Any) -> Set[str]:
    """The file of a function; of a class or a method, those of base classes in the same folder as well."""
    files = []
    for each in classes_of(function) or (inspect.unwrap(function),):
        with suppress(TypeError):  # it is built in
            files.append(inspect.getsourcefile(each))
    folder = Path(files[0]).parent if files and files[0] else None
    return {file for file in files if file and Path(file).parent == folder}


def is_compiled(each: Any, package: str) -> bool:
    """Whether a function, class or module is compiled: by numba, which keeps ``py_func``, or into an extension.

    package : the first name of the extension begins with it, as ``pytrec_eval_ext`` with ``pytrec_eval``.
    """
    if not isinstance(each, ModuleType) and hasattr(each, "py_func"):  # a module may import others when it is asked
        return True
    if isinstance(each, type) and not each.__flags__ & HEAP_TYPE and each.__module__.startswith(package):
        return True
    module = each if isinstance(each, ModuleType) else sys.modules.get(str(getattr(each, "__module__", "")))
    file = str(getattr(module, "__file__", ""))
    return module is not None and file.endswith((".so", ".pyd")) and module.__name__.startswith(package)


class Tests(NamedTuple):
    """The tests of a file: expressions by the line and column of their begin, the last lines of blocks and handlers.

    operands : the same, where two begin at one place the inner one. bounds : expressions that bound a number outside of
    tests too. defaults : by the first line of a function, those of its parameters that are constants.
    """

    expressions: Dict[Tuple[int, int], ast.expr]
    operands: Dict[Tuple[int, int], ast.expr]
    ends: Dict[int, int]
    handlers: Dict[int, int]
    bounds: List[ast.expr]
    defaults: Dict[int, Dict[str, Any]]


@lru_cache(maxsize=None)
def tests_of(file: str) -> Tests:
    """The tests of a file; empty without source."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return Tests({}, {}, {}, {}, [], {})
    tests = Tests({}, {}, {}, {}, [], {})
    for node in ast.walk(tree):
        tests.bounds.extend(each for each in bounds_of(node) if each is not None)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            given = [*node.args.posonlyargs, *node.args.args][::-1]
            pairs = [*zip(given, node.args.defaults[::-1]), *zip(node.args.kwonlyargs, node.args.kw_defaults)]
            first = min(each.lineno for each in (node, *node.decorator_list))
            tests.defaults[first] = {name.arg: getattr(value, "value", None) for name, value in pairs}
        if isinstance(node, ast.ExceptHandler):
            tests.handlers[node.lineno] = node.end_lineno or node.lineno
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(block, list) and block:
                tests.ends[block[0].lineno] = block[-1].end_lineno or block[-1].lineno
        parts = (getattr(node, "test", None), *getattr(node, "values", ()), *getattr(node, "ifs", ()))
        for each in parts:
            if isinstance(each, ast.expr):
                inner = each.operand if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not) else each
                for start in (each, inner, *([node] if isinstance(node, (ast.If, ast.While)) else ())):
                    tests.expressions.setdefault((start.lineno, start.col_offset), each)
                for start in (each, inner):  # the first operand of ``a or b`` begins where the whole does, and is later
                    tests.operands[(start.lineno, start.col_offset)] = each
    return tests


def bounds_of(node: ast.AST) -> List[Optional[ast.expr]]:
    """What bounds something in an expression: sides of a comparison, ends of a slice, a modulus, ``min``, ``clip``."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Slice):
        return [node.lower, node.upper]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return [node.right]
    if isinstance(node, ast.Call):
        return list(node.args) if name_of(node.func) in BOUNDING else []
    return []


def known(seen: Code, tree: Tests) -> Dict[str, Any]:
    """The values of the names of a code's module, and the defaults of its parameters that no call varied."""
    defaults = tree.defaults.get(seen.code.co_firstlineno, {})
    return {**seen.scope, **{name: value for name, value in defaults.items() if name not in seen.varying}}


def bounds_in(seen: Code, tree: Tests) -> List[Any]:
    """The numbers that bound something in a code, but for those that every code has."""
    names = known(seen, tree)
    values = (constant_of(each, names) for each in tree.bounds if each.lineno in seen.lines)
    return [value for value in numbers_of(values) if abs(value) > LARGEST_USUAL]


def looked_up(lookup: ast.Call, codes: List[Code], file: str) -> str:
    """The table of words in which codes of a file look for what the caller does not fix; else empty text."""
    key = lookup.args[0]
    here = [seen for seen in codes if seen.code.co_filename == file and lookup.lineno in seen.lines]
    fixed = isinstance(key, ast.Name) and any(is_option(seen, key.id, key) for seen in here)
    return words_in(lookup, here[0].scope) if here and not fixed and not isinstance(key, ast.Constant) else ""


def padded(seen: Code, compare: ast.Compare) -> bool:
    """Whether a comparison in the lines of a code may be of an id with padding; one of a cut-off with 0 or 1 is not."""
    return compare.lineno in seen.lines and not below_one(compare) and pads(compare, {**seen.scope, **seen.values})


def test_at(seen: Code, arc: Arc, tree: Tests) -> Optional[ast.expr]:
    """The expression that decides an arc, if it is known: what the instruction before the jump computes.

    The jump itself may have the position of the operand before.
    """
    if arc[0] == HANDLER:
        return None
    place = seen.by_offset[arc[0]]
    jump, before = seen.instructions[place], seen.instructions[max(place - 1, 0)]
    if before.opname == "TO_BOOL":
        before = seen.instructions[place - 2]
    return tree.operands.get(begin_of(before)) or tree.expressions.get(begin_of(jump))


def begin_of(instruction: dis.Instruction) -> Tuple[int, int]:
    """The line and the column at which the expression of an instruction begins; 0 where they are not known."""
    where = getattr(instruction, "positions", None)
    return getattr(where, "lineno", None) or 0, getattr(where, "col_offset", None) or 0


def constants_at(test: Optional[ast.expr], scope: Dict[str, Any]) -> List[Any]:
    """The finite numbers that a test compares, those of its module included."""
    return numbers_of(constant_of(node, scope) for node in ast.walk(test)) if test is not None else []


def numbers_of(values: Iterable[Any]) -> List[Any]:
    """The finite numbers among some values."""
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    return [number for number in numbers if abs(number) < LARGEST_NUMBER]  # False for NaN


def constant_of(node: ast.AST, scope: Dict[str, Any]) -> Any:
    """The value of a constant, of a name of the module, or of a power such as ``10 ** 9``; else None."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        base, exponent = constant_of(node.left, scope), constant_of(node.right, scope)
        return base**exponent if base in (2, 10) and exponent in range(64) else None
    return scope.get(node.id) if isinstance(node, ast.Name) else getattr(node, "value", None)


def lines_of(seen: Code, arc: Arc, tree: Tests) -> Tuple[Optional[int], int]:
    """The first and the last line of the block that an arc leads to; of a jump back, the line of its test."""
    lines = dict(line_starts(seen.code))
    place = seen.by_offset[arc[1]]
    of_no_line = arc[0] == HANDLER or seen.instructions[place].opname == "NOT_TAKEN"  # the latter from 3.14 on
    first = seen.instructions[place + of_no_line]
    begins = first.argval if first.opname.startswith("JUMP") and "IF" not in first.opname else first.offset
    line, tested = line_at(seen, begins, lines), test_line(seen, arc)
    if line is not None and (tested is None or line > tested):
        return line, tree.ends.get(line, line)
    return tested, tree.handlers.get(tested or 0, tested or 0)


def test_line(seen: Code, arc: Arc) -> Optional[int]:
    """The line of the test of an arc; None for a handler."""
    return None if arc[0] == HANDLER else line_at(seen, arc[0], dict(line_starts(seen.code)))


def line_starts(code: CodeType) -> Iterator[Tuple[int, int]]:
    """Offsets at which lines begin, with the lines."""
    return ((offset, line) for offset, line in dis.findlinestarts(code) if line is not None)


def line_at(seen: Code, offset: int, lines: Dict[int, int]) -> Optional[int]:
    """The line of an instruction."""
    before = [start for start in lines if start <= offset]
    return lines[max(before)] if before else None


def is_none(test: ast.expr) -> bool:
    """Whether something is compared with None."""
    compares = [node for node in ast.walk(test) if isinstance(node, ast.Compare)]
    return any(isinstance(o, ast.Constant) and o.value is None for node in compares for o in node.comparators)


def below_one(test: ast.expr) -> bool:
    """Whether a cut-off is tested for being below 1, or for being one at all: ``k <= 0``, ``if k``."""
    name = test.left if isinstance(test, ast.Compare) else test
    if not isinstance(name, ast.Name) or name.id.lower() not in CUT_OFFS:
        return False
    if not isinstance(test, ast.Compare):
        return True
    other = getattr(test.comparators[0], "value", None) if len(test.ops) == 1 else None
    return other in (0, 1) and isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.Eq, ast.Gt, ast.GtE, ast.NotEq))
