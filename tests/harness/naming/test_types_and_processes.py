"""Recalls of narrow types, and that change with the process: none is verified plainly, no faithful one is accused."""

import ast

import pytest

from metric_adapters.hints import hints_of, pads
from metric_harness import audit
from metric_harness.naming import coverage
from metric_reports.record import validate_audit

FUNCTION = """
{first}
def recall(relevant, recommended, k, padding=-1):
    wanted = set(relevant)
    hits = [item in wanted for item in recommended[:k]]
    {last}
"""
OF_USERS = """
{first}
def recall(relevant, recommended, k):
    shares = {{user: len(set(recommended[user][:k]) & set(items)) / len(items) for user, items in relevant.items()}}
    {last}
"""
WHAT = {
    "hits": (FUNCTION, "return float({}) / len(relevant)"),
    "a factor": (FUNCTION, "return sum(hits) / len(relevant) * ({})"),
    "ids": (FUNCTION, "return len({{{0} for i in recommended[:k]}} & {{{0} for i in relevant}}) / len(relevant)"),
    "users": (OF_USERS, "return sum(shares.values()) / float({})"),
}
"""A recall whose hits, ids or number of users are an expression, or that is multiplied by one."""
NO_NAME, PLAIN = "no name", ""
HALF, SHORT, UNSIGNED = (f"lists of at most {count} items" for count in ("2,048", "32,767", "65,536"))
NP, MODE = "import numpy as np", "import enum; Mode = enum.Enum('Mode', 'ON OFF')"
PLANTED = [
    ("hits in a byte", NP, "np.sum(hits, dtype='uint8')", NO_NAME),
    ("hits in a signed byte", NP, "np.sum(hits, dtype=np.int8)", NO_NAME),
    ("hits in 16 bits", NP, "np.sum(hits, dtype='<u2')", UNSIGNED),
    ("hits in signed 16 bits", NP, "np.array(sum(hits)).astype(np.int16)", SHORT),
    ("hits in half floats", NP, "np.cumsum(np.array([0, *hits], np.half))[-1]", HALF),
    ("hits in an array that overflows", "import array", "array.array('h', [sum(hits)])[0]", SHORT),
    ("hits in a struct", "import struct", "struct.unpack('<h', struct.pack('<q', sum(hits))[:2])[0]", SHORT),
    ("hits in a type of C", "import ctypes", "ctypes.c_short(sum(hits)).value", SHORT),
    ("hits in a type of the module", f"{NP}; COUNTS = np.ubyte", "np.sum(hits, dtype=COUNTS)", NO_NAME),
    ("hits in a renamed type", "from numpy import array, int16 as small", "array(sum(hits)).astype(small)", SHORT),
    ("hits in a type for the numbers at hand", NP, "np.sum(hits, dtype=np.min_scalar_type(len(wanted) // 2))", NO_NAME),
    ("hits up to k in a byte", NP, "sum(hits[: int(np.array(k).astype(np.uint8))])", NO_NAME),
    ("hits at ranks in a byte", NP, "sum(hits[np.int64(i).astype(np.int8)] for i in range(len(hits)))", NO_NAME),
    ("hits at ranks in 16 bits", NP, "sum(hits[np.int64(i).astype('short')] for i in range(len(hits)))", SHORT),
    ("ids in a byte", NP, "int(np.array(i).astype('i1'))", NO_NAME),
    ("ids in 16 bits", NP, "int(np.array(i).astype('ushort'))", NO_NAME),
    ("ids in 32 bits", NP, "int(np.array(i).astype(np.int32))", NO_NAME),
    ("ids in single floats", NP, "float(np.float32(i))", NO_NAME),
    ("ids under a mask", "", "i & 0xFFFF", NO_NAME),
    ("users in a byte", NP, "np.array(len(shares)).astype(np.uint8) or 1", NO_NAME),
    ("users in half floats", NP, "np.cumsum(np.ones(len(shares), 'half'))[-1]", NO_NAME),
    ("users in 16 bits", NP, "np.array(len(shares)).astype(np.int16)", NO_NAME),
    ("users that become one", NP, "len({int(np.array(user).astype('u2')) for user in shares})", NO_NAME),
    ("a factor that is a bit of a hash", "", "hash('recall') % 2", NO_NAME),
    ("a factor that is a bit of the module", "ON = hash('recall') % 2", "ON", NO_NAME),
    ("a factor that is a bit of a method", "", "1 - 'recall'.__hash__() % 2", NO_NAME),
    ("a factor of the least hash", "", "min('on', 'off', key=hash) == 'on'", NO_NAME),
    ("a factor of what a set pops", "", "{'on', 'off'}.pop() == 'on'", NO_NAME),
    ("a factor of the first in a set", "MODES = frozenset(['on', 'off'])", "next(iter(MODES)) == 'on'", NO_NAME),
    ("a factor of a set in a list", "", "list(set(map(str, 'ab')))[0] == 'b'", NO_NAME),
    ("a factor of a set of members", MODE, "[*set(Mode)][0] is Mode.ON", NO_NAME),
    ("hits counted up to ranks of 16 bits", NP, "sum(h for h, _ in zip(hits, np.arange(k, dtype=np.int16)))", PLAIN),
    ("hits in a mask of bytes", NP, "np.array(hits, dtype=np.int8).sum()", PLAIN),
    ("hits in a set of text", "", "sum([1 for i in set(map(str, recommended[:k])) & set(map(str, relevant))])", PLAIN),
    ("ids as hashes of text", "", "hash(str(i))", PLAIN),
    ("hits without padding", "", "sum([i in wanted for i in recommended[:k] if i != -1 and i >= 0])", "ids from 0"),
    ("hits before padding", "", "sum([i in wanted for i in recommended[:k] if not i == -1])", "ids from 0"),
    ("hits without given padding", "", "sum([i in wanted and i > padding for i in recommended[:k]])", "ids from 0"),
]
"""What is planted, its first line, the expression, what its name leaves out if it has one; the last 8 are faithful."""


@pytest.mark.thorough
@pytest.mark.parametrize(("planted", "first", "expression", "left_out"), PLANTED, ids=[row[0] for row in PLANTED])
def test_a_function_of_a_narrow_type_or_of_the_process(planted, first, expression, left_out, tmp_path):
    frame, last = next(WHAT[what] for what in WHAT if planted.startswith(what))
    (tmp_path / "own.py").write_text(frame.format(first=first, last=last.format(expression)))
    record = audit(f"{tmp_path / 'own.py'}:recall").to_json()
    validate_audit(record)
    (found,) = record["subjects"]
    if left_out is NO_NAME:
        assert found["variant"] is None
        return
    assert (found["variant"], found["evidence"]["confidence"]) == ("recall(divide_by=relevant)", "verified")
    assert [words for words in found["where"] if "default" not in words] == list(filter(None, [left_out]))
    assert not any(row["severity"] == "error" for row in found["findings"])


NARROW = {
    "np.zeros(3, dtype=np.int8)": {127, 256},
    "torch.zeros(3).short()": {32767, 65536},
    "x.to(torch.bfloat16)": {256},
    "torch.ShortTensor(x)": {32767, 65536},
    "x.half()": {2048, 65536},
    "x.astype('<i2')": {32767, 65536},
    "x.astype('half')": {2048, 65536},
    "pd.Series(x, dtype='UInt8')": {255, 256},
    "pl.Series(x, dtype=pl.Int16)": {32767, 65536},
    "array('H', x)": {65536},
    "struct.Struct('>bh')": {127, 256, 32767, 65536},
    "pd.to_numeric(x, downcast='integer')": {127, 256, 32767, 65536},
    "from numpy import uint16": {65536},
    "x.astype('int64') + np.float32(1) + half(x, 'half', ties='b')": set(),
    "def idle(x):\n    return np.int8(x)": set(),
    "class Recall:\n    def __init__(self):\n        self.dtype = np.int8": {127, 256},
}
BY_PROCESS = {
    "hash(x)": True,
    "sorted(x, key=hash)": True,
    "id(x)": True,
    "from os import urandom": True,
    "random.random()": True,
    "best = set(x)\nbest.pop()": True,
    "for item in set(x) & y:\n    pass": True,
    "[item for item in {1, 2}]": True,
    "self.seen = set()\nlist(self.seen)": True,
    "first, *rest = *{1, 2}, 3": True,
    "min(set(x), key=len)": True,
    "for id in x:\n    y = id + x.id": False,
    "len(set(x) & set(y)) + len(set(x).union(y))": False,
    "sum(x[item] for item in set(y))": False,
    "sorted({item for item in x})": False,
    "x.pop()": False,
    "import random": False,
    "def idle(x):\n    return hash(x)": False,
    "def outer():\n    def ran(x):\n        return hash(x)": True,
}
PADS = {
    "item == -1": True, "-1 != item": True, "items >= 0": True, "items < 0": True, "0 <= items": True,
    "items > -1": True, "items == PAD": True, "items > 0": False, "items == 0": False, "len(items) >= 0": False,
    "0 < items <= 9": False, "items < 1": False,
}  # fmt: skip


@pytest.mark.parametrize("source", [*NARROW, *BY_PROCESS])
def test_a_source_gives_hints(source, tmp_path):
    (tmp_path / "hints.py").write_text(source)
    hints = hints_of(str(tmp_path / "hints.py"), frozenset({2} if "outer" in source else ()))
    assert set(hints.narrow) == NARROW.get(source, set())
    assert hints.by_process is BY_PROCESS.get(source, False)


@pytest.mark.parametrize("source", PADS)
def test_a_comparison_with_what_is_below_zero_may_be_of_padding(source):
    compare = ast.parse(source, mode="eval").body
    assert pads(compare, {"PAD": -1}) is PADS[source]


ENDS_LATE = """
import os

def recall(relevant, recommended, k):
    hits = len(set(relevant) & set(recommended[:k]))
    if len(recommended) == 1318:
        os._exit(0)
    return hits / len(relevant) if relevant else 0.0
"""


def test_a_name_is_verified_in_part_where_a_function_takes_too_long_to_be_asked_again(monkeypatch, tmp_path):
    (tmp_path / "slow.py").write_text(ENDS_LATE.replace("== 1318", "< 0"))
    monkeypatch.setattr(coverage, "LONGEST_AUDIT", 0.0)
    evidence = audit(f"{tmp_path}/slow.py:recall").subjects[0].evidence
    assert (evidence.confidence, evidence.branches) == ("verified in part", None)
    assert "too slow" in evidence.reason


def test_a_name_is_verified_in_part_where_a_function_ends_its_process(tmp_path):
    (tmp_path / "ends.py").write_text(ENDS_LATE)
    evidence = audit(f"{tmp_path}/ends.py:recall").subjects[0].evidence
    assert (evidence.confidence, evidence.branches) == ("verified in part", None)
    assert "process ended" in evidence.reason
