"""Names that numpy, pandas or Python removed, recognised in the error of a function that still uses them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from metric_harness.identification.findings import remark
from metric_reports.types.audit import Finding

WITHOUT_ALIASES = "1.23.5"
"""The last numpy with the aliases of Python's types; it runs on Python up to 3.11."""


@dataclass(frozen=True, kw_only=True)
class Removed:
    """A name that is gone.

    name : as the source writes it, ``np.asfarray``. owner : numpy, pandas or Python. since : the version that removed
    it. instead : what to write now. install : the requirement with which it runs as it is; empty where none does.
    """

    name: str
    owner: str
    since: str
    instead: str
    install: str = ""

    @property
    def written_for(self) -> str:
        """``numpy < 2``, ``Python 2``, ``Python < 3.10``."""
        if self.owner == "Python" and self.since == "3":
            return "Python 2"
        return f"{self.owner} < {self.since.removesuffix('.0')}"


def _numpy(since: str, install: str, **names: str) -> dict[str, Removed]:
    return {
        name: Removed(name=f"np.{name}", owner="numpy", since=since, instead=instead, install=install)
        for name, instead in names.items()
    }


NUMPY: dict[str, Removed] = {
    **_numpy("1.23", "numpy==1.22.4", asscalar="x.item()"),
    **_numpy(
        "1.24",
        f"numpy=={WITHOUT_ALIASES}",
        float="float",
        int="int",
        bool="bool",
        object="object",
        str="str",
        complex="complex",
        long="int",
        unicode="str",
    ),
    **_numpy(
        "2.0",
        "numpy==1.26.4",
        asfarray="np.asarray(x, dtype=float)",
        product="np.prod",
        cumproduct="np.cumprod",
        alltrue="np.all",
        sometrue="np.any",
        Inf="np.inf",
        Infinity="np.inf",
        infty="np.inf",
        PINF="np.inf",
        NINF="-np.inf",
        NaN="np.nan",
        NAN="np.nan",
        float_="np.float64",
        complex_="np.complex128",
        unicode_="np.str_",
        string_="np.bytes_",
        row_stack="np.vstack",
        find_common_type="np.result_type",
        obj2sctype="np.dtype(x).type",
        issctype="isinstance",
        cast="np.asarray(x, dtype=...)",
        round_="np.round",
        msort="np.sort(x, axis=0)",
    ),
    **_numpy("2.4", "numpy==2.3.5", trapz="np.trapezoid", in1d="np.isin"),
}


def _python(since: str, **names: str) -> dict[str, Removed]:
    return {
        name: Removed(name=name.replace("__", "."), owner="Python", since=since, instead=instead)
        for name, instead in names.items()
    }


BUILTINS: dict[str, Removed] = _python(
    "3",
    xrange="range",
    unicode="str",
    basestring="str",
    long="int",
    raw_input="input",
    reduce="functools.reduce",
    unichr="chr",
    cmp="(a > b) - (a < b)",
    izip="zip",
    file="open",
    execfile="exec(open(path).read())",
    reload="importlib.reload",
)
ATTRIBUTES: dict[tuple[str, str], Removed] = {
    **{
        ("dict", name): Removed(name=f"dict.{name}", owner="Python", since="3", instead=instead)
        for name, instead in {
            "iteritems": "items",
            "itervalues": "values",
            "iterkeys": "keys",
            "has_key": "key in dict",
            "viewitems": "items",
        }.items()
    },
    **{
        ("collections", name): Removed(
            name=f"collections.{name}", owner="Python", since="3.10", instead=f"collections.abc.{name}"
        )
        for name in (
            "Iterable",
            "Iterator",
            "Mapping",
            "MutableMapping",
            "Sequence",
            "MutableSequence",
            "Callable",
            "Hashable",
            "Sized",
            "Set",
            "MutableSet",
            "Container",
            "Generator",
        )
    },
    ("time", "clock"): Removed(name="time.clock", owner="Python", since="3.8", instead="time.perf_counter"),
    ("fractions", "gcd"): Removed(name="fractions.gcd", owner="Python", since="3.9", instead="math.gcd"),
    ("inspect", "getargspec"): Removed(
        name="inspect.getargspec", owner="Python", since="3.11", instead="inspect.getfullargspec"
    ),
    ("string", "maketrans"): Removed(name="string.maketrans", owner="Python", since="3", instead="str.maketrans"),
    ("string", "letters"): Removed(name="string.letters", owner="Python", since="3", instead="string.ascii_letters"),
    ("itertools", "izip"): Removed(name="itertools.izip", owner="Python", since="3", instead="zip"),
    ("itertools", "imap"): Removed(name="itertools.imap", owner="Python", since="3", instead="map"),
    ("itertools", "ifilter"): Removed(name="itertools.ifilter", owner="Python", since="3", instead="filter"),
    ("os", "getcwdu"): Removed(name="os.getcwdu", owner="Python", since="3", instead="os.getcwd"),
    ("sys", "maxint"): Removed(name="sys.maxint", owner="Python", since="3", instead="sys.maxsize"),
}
MODULES: dict[str, Removed] = {
    **{
        name: Removed(name=name, owner="Python", since="3", instead=instead)
        for name, instead in {
            "cPickle": "pickle",
            "Queue": "queue",
            "urllib2": "urllib.request",
            "ConfigParser": "configparser",
            "StringIO": "io",
            "cStringIO": "io",
            "itertools.izip": "zip",
            "HTMLParser": "html.parser",
            "__builtin__": "builtins",
            "commands": "subprocess",
            "sets": "set",
            "urlparse": "urllib.parse",
            "exceptions": "nothing: they are built in",
        }.items()
    },
    "imp": Removed(name="imp", owner="Python", since="3.12", instead="importlib"),
    "distutils": Removed(
        name="distutils", owner="Python", since="3.12", instead="setuptools or shutil", install="setuptools<81"
    ),
    "asynchat": Removed(name="asynchat", owner="Python", since="3.12", instead="asyncio"),
    "numpy.testing.decorators": Removed(
        name="numpy.testing.decorators", owner="numpy", since="1.25", instead="pytest", install="numpy==1.23.5"
    ),
}
RENAMER = Removed(name="agg({name: function})", owner="pandas", since="1.0", instead="agg(name=function)")
FORMS: tuple[tuple[str, str], ...] = (
    (r"(?P<name>nested renamer) is not supported", "pandas"),
    (r"module '(?P<owner>numpy)' has no attribute '(?P<name>\w+)'", "numpy"),
    (r"`np\.(?P<name>\w+)` was removed", "numpy"),
    (r"cannot import name '(?P<name>\w+)' from '(?P<owner>[\w.]+)'", "import"),
    (r"name '(?P<name>\w+)' is not defined", "builtin"),
    (r"module '(?P<owner>[\w.]+)' has no attribute '(?P<name>\w+)'", "attribute"),
    (r"'(?P<owner>dict|OrderedDict|defaultdict|Counter)' object has no attribute '(?P<name>\w+)'", "attribute"),
    (r"No module named '(?P<name>[\w.]+)'", "module"),
    (r"Missing parentheses in call to '(?P<name>print|exec)'", "statement"),
)
DICTS = ("dict", "OrderedDict", "defaultdict", "Counter")


def removed_in(error: str | None) -> Removed | None:
    """The removed name that an error is about, or None.

    >>> removed_in("AttributeError: module 'numpy' has no attribute 'asfarray'").name
    'np.asfarray'
    """
    for pattern, kind in FORMS:
        found = re.search(pattern, error or "")
        if found is None:
            continue
        name, owner = found["name"], found.groupdict().get("owner") or ""
        known = _known(kind, owner, name)
        if known is not None:
            return known
    return None


def _known(kind: str, owner: str, name: str) -> Removed | None:
    if kind == "pandas":
        return RENAMER
    if kind == "numpy" or (kind == "import" and owner == "numpy"):
        return NUMPY.get(name)
    if kind in ("import", "attribute"):
        return ATTRIBUTES.get(("dict" if owner in DICTS else owner, name))
    if kind == "builtin":
        return BUILTINS.get(name)
    if kind == "module":
        return MODULES.get(name)
    return Removed(name=f"the {name} statement", owner="Python", since="3", instead=f"{name}(...)")


def first_removed(errors: Iterable[str | None]) -> Removed | None:
    """The first removed name among errors."""
    return next((found for error in errors if (found := removed_in(error)) is not None), None)


def advice(found: Removed, target: str, with_: tuple[str, ...] = ()) -> str:
    """One or two sentences: what the function was written for, what to write instead, and the command to paste.

    with_ : what --with was given already.
    """
    gone = f"{found.name} was removed in {found.owner} {found.since}"
    text = f"written for {found.written_for}: {gone}; write {found.instead}"
    if not found.install:
        return f"{text}. There is no environment with the old name to run it in."
    if found.install in with_:
        return f"{text}."
    given = "".join(f" --with {shlex.quote(one)}" for one in (*with_, found.install))
    return f"{text}, or try --with {found.install}: metric-harness audit {shlex.quote(target)}{given}"


def explained(error: str, target: str, with_: tuple[str, ...] = ()) -> str:
    """An error with what is to be done where it is about a removed name; else the error."""
    found = removed_in(error)
    return error if found is None else f"{error}. It is {advice(found, target, with_)}"


def put_back_in(warnings: Iterable[str]) -> list[Removed]:
    """The names that were put back while a function was asked, as the worker warns of them."""
    names = (
        re.search(r"the removed name (?:np|collections|pandas)\.(\w+) was put back", warning) for warning in warnings
    )
    known = {
        **NUMPY,
        "renamer": RENAMER,
        **{name: one for (owner, name), one in ATTRIBUTES.items() if owner == "collections"},
    }
    return [known[name[1]] for name in names if name is not None and name[1] in known]


def finding_of(found: Removed, target: str, with_: tuple[str, ...] = (), run: bool = False) -> Finding:
    """The finding OLD001 in the shape that an audit gives; ``run``: it was asked with the name put back."""
    ran = " It was asked here with the removed name put back." if run else ""
    return remark("OLD001", f"{advice(found, target, with_)}.".replace("..", ".") + ran)
