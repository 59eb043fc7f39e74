"""Names that numpy, pandas or Python removed, recognised in the error of a function that still uses them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from metric_adapters.put_back import OF_SCIPY
from metric_harness.naming.findings.finding import remark
from metric_harness.worker.reply import StartFailure
from metric_reports.types.common import Finding

WITHOUT_ALIASES = "1.23.5"
"""The last numpy with the aliases of Python's types; it runs on Python up to 3.11."""


@dataclass(frozen=True, kw_only=True)
class Removed:
    """A name that numpy, pandas, polars or Python no longer has.

    name : as the source writes it, ``np.asfarray``. owner : numpy, pandas, polars or Python. since : the version that
    removed it. instead : what to write now. install : the requirement that still has the name; empty where none does.
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

    def try_with(self, with_: tuple[str, ...]) -> str | None:
        """The requirement to add to those given; None if none has the name or it is given already."""
        return None if self.install in ("", *with_) else self.install


def _removed(owner: str, since: str, prefix: str = "", install: str = "", **replacements: str) -> dict[str, Removed]:
    """Names that one version removed, keyed as the source writes them; ``replacements`` are without the prefix."""
    return {
        prefix + name: Removed(name=prefix + name, owner=owner, since=since, instead=instead, install=install)
        for name, instead in replacements.items()
    }


NUMPY: dict[str, Removed] = {
    **_removed("numpy", "1.23", "np.", "numpy==1.22.4", asscalar="x.item()"),
    **_removed(
        "numpy",
        "1.24",
        "np.",
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
    **_removed(
        "numpy",
        "2.0",
        "np.",
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
    **_removed("numpy", "2.4", "np.", "numpy==2.3.5", trapz="np.trapezoid", in1d="np.isin"),
}
BUILTINS: dict[str, Removed] = _removed(
    "Python",
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
ABSTRACT_COLLECTIONS = (
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
ATTRIBUTES: dict[str, Removed] = {
    **_removed(
        "Python",
        "3",
        "dict.",
        iteritems="items",
        itervalues="values",
        iterkeys="keys",
        has_key="key in dict",
        viewitems="items",
    ),
    **_removed("Python", "3.10", "collections.", **{name: f"collections.abc.{name}" for name in ABSTRACT_COLLECTIONS}),
    **_removed("Python", "3.8", "time.", clock="time.perf_counter"),
    **_removed("Python", "3.9", "fractions.", gcd="math.gcd"),
    **_removed("Python", "3.11", "inspect.", getargspec="inspect.getfullargspec"),
    **_removed("Python", "3", "string.", maketrans="str.maketrans", letters="string.ascii_letters"),
    **_removed("Python", "3", "itertools.", izip="zip", imap="map", ifilter="filter"),
    **_removed("Python", "3", "os.", getcwdu="os.getcwd"),
    **_removed("Python", "3", "sys.", maxint="sys.maxsize"),
    **_removed("scipy", "1.14", "scipy.sparse.", "scipy==1.13.1", A="toarray()", A1="toarray().ravel()", H="conj().T"),
    **_removed("scipy", "1.12", "scipy.", "scipy==1.11.4", **{name: f"np.{name}" for name in OF_SCIPY}),
    **_removed("pandas", "2.0", "pandas.", "pandas==1.5.3", append="pandas.concat", iteritems="items", np="numpy"),
    **_removed("pandas", "1.0", "pandas.", as_matrix="to_numpy()"),
    **_removed(
        "polars", "1.0", "polars.", "polars==0.20.31", groupby="group_by", cumsum="cum_sum", cumcount="cum_count"
    ),
    **_removed("polars", "2.0", "polars.", "polars<2", with_row_count="with_row_index", count="polars.len()"),
    **_removed(
        "scipy",
        "1.14",
        "scipy.integrate.",
        "scipy==1.13.1",
        simps="scipy.integrate.simpson",
        trapz="scipy.integrate.trapezoid",
        cumtrapz="scipy.integrate.cumulative_trapezoid",
    ),
}
MODULES: dict[str, Removed] = {
    **_removed(
        "Python",
        "3",
        cPickle="pickle",
        Queue="queue",
        urllib2="urllib.request",
        ConfigParser="configparser",
        StringIO="io",
        cStringIO="io",
        HTMLParser="html.parser",
        __builtin__="builtins",
        commands="subprocess",
        sets="set",
        urlparse="urllib.parse",
        exceptions="nothing: they are built in",
        **{"itertools.izip": "zip"},
    ),
    **_removed("Python", "3.12", imp="importlib", asynchat="asyncio"),
    **_removed("Python", "3.12", install="setuptools<81", distutils="setuptools or shutil"),
    **_removed("scikit-learn", "0.24", "sklearn.metrics.", base="sklearn.metrics", ranking="sklearn.metrics"),
    **_removed("numpy", "1.25", "numpy.testing.", "numpy==1.23.5", decorators="pytest"),
}
RENAMER = Removed(name="agg({name: function})", owner="pandas", since="1.0", instead="agg(name=function)")
GROUPS = Removed(
    name="the column that frames are grouped by, in groupby(...).apply,",
    owner="pandas",
    since="3.0",
    instead="groupby(column)[columns].apply",
    install="pandas<3",
)
COUNTS = Removed(
    name="a count with a fraction, in np.linspace,",
    owner="numpy",
    since="1.18",
    instead="np.linspace(start, stop, int(count))",
)
POSITIONS = Removed(
    name="an argument by position after the second, in sklearn.metrics,",
    owner="scikit-learn",
    since="1.0",
    instead="name=value",
)
FORMS: tuple[tuple[str, str], ...] = (
    (r"(?P<name>nested renamer) is not supported", "pandas"),
    (r"module '(?P<owner>numpy)' has no attribute '(?P<name>\w+)'", "numpy"),
    (r"`np\.(?P<name>\w+)` was removed", "numpy"),
    (r"cannot import name '(?P<name>\w+)' from '(?P<owner>[\w.]+)'", "import"),
    (r"name '(?P<name>\w+)' is not defined", "builtin"),
    (r"module '(?P<owner>[\w.]+)' has no attribute '(?P<name>\w+)'", "attribute"),
    (r"'(?P<owner>dict|OrderedDict|defaultdict|Counter)' object has no attribute '(?P<name>\w+)'", "attribute"),
    (r"'(?P<owner>DataFrame|Series)' object has no attribute '(?P<name>\w+)'", "frame"),
    (r"'(?P<owner>c\w\w_(matrix|array))' object has no attribute '(?P<name>\w+)'", "sparse"),
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
        match = re.search(pattern, error or "")
        if match is None:
            continue
        removed = _look_up(kind, match.groupdict().get("owner") or "", match["name"])
        if removed is not None:
            return removed
    return None


def _look_up(kind: str, owner: str, name: str) -> Removed | None:
    if kind == "pandas":
        return RENAMER
    if kind == "numpy" or (kind == "import" and owner == "numpy"):
        return NUMPY.get(f"np.{name}")
    if kind in ("import", "attribute"):
        return ATTRIBUTES.get(f"{'dict' if owner in DICTS else owner}.{name}")
    if kind in ("frame", "sparse"):
        return ATTRIBUTES.get(f"{'pandas' if kind == 'frame' else 'scipy.sparse'}.{name}")
    if kind == "builtin":
        return BUILTINS.get(name)
    if kind == "module":
        return MODULES.get(name)
    return Removed(name=f"the {name} statement", owner="Python", since="3", instead=f"{name}(...)")


def first_removed(errors: Iterable[str | None]) -> Removed | None:
    """The first removed name that one of the errors is about, or None."""
    return next((removed for error in errors if (removed := removed_in(error)) is not None), None)


def advice(removed: Removed, target: str, with_: tuple[str, ...] = ()) -> str:
    """One or two sentences: what the function was written for, what to write instead, and the command to paste.

    with_ : the requirements that --with has already.
    """
    removal = f"{removed.name} was removed in {removed.owner} {removed.since}"
    text = f"written for {removed.written_for}: {removal}; write {removed.instead}"
    if not removed.install:
        return f"{text}. There is no environment with the old name to run it in."
    if removed.try_with(with_) is None:
        return f"{text}."
    with_options = "".join(f" --with {shlex.quote(requirement)}" for requirement in (*with_, removed.install))
    return f"{text}, or try --with {removed.install}: metric-harness audit {shlex.quote(target)}{with_options}"


def advised(error: StartFailure, target: str, with_: tuple[str, ...] = ()) -> StartFailure:
    """A failure to start, with advice where it is about a removed name or a package that is not installed."""
    removed = removed_in(str(error))
    if removed is not None:
        return StartFailure(f"{error}. It is {advice(removed, target, with_)}", error.cause, removed.try_with(with_))
    needed = error.needs
    if needed is None:
        return error
    return StartFailure(f"{error}. The function needs it: --with {needed}, or --with auto", error.cause)


def put_back_in(names: Iterable[str]) -> list[Removed]:
    """The removed names that the worker defined again so that a function runs."""
    known = {
        **NUMPY,
        **ATTRIBUTES,
        **BUILTINS,
        **MODULES,
        "pandas.renamer": RENAMER,
        "pandas.groups": GROUPS,
        "numpy.linspace": COUNTS,
        "sklearn.metrics.positions": POSITIONS,
    }
    return [known[name] for name in names if name in known]


def finding_of(removed: Removed, target: str, with_: tuple[str, ...] = (), run: bool = False) -> Finding:
    """The finding OLD001; ``run``: the function ran with the removed name put back."""
    ran = " It was asked here with the removed name put back." if run else ""
    message = f"{advice(removed, target, with_)}.".replace("..", ".") + ran
    return {**remark("OLD001", message), "try_with": removed.try_with(with_)}
