"""What comes on the stream of answers is an answer, or garbage."""

import pytest

from metric_harness.worker.reply import NoAnswer, one_line, parse_line, read_reply


@pytest.mark.parametrize(
    "line", [b"", b"7", b"[]", b"{}", b'{"ok": 1}', b'{"ok": false}', b'{"ok": false, "error": "x"}', b"\xff"]
)
def test_a_line_that_is_no_answer_is_garbage(line):
    with pytest.raises(NoAnswer) as failed:
        parse_line(line)
    assert failed.value.kind == "garbage"


@pytest.mark.parametrize(
    "answer",
    [
        {"ok": True},
        {"ok": True, "value": "abc", "seconds": 1},
        {"ok": True, "value": 1.0},
        {"ok": True, "value": 1.0, "seconds": 1, "users": "/nowhere.npy", "values": "/nowhere.npy"},
        {"ok": True, "value": [1.0], "seconds": 1},
    ],
)
def test_an_answer_that_lacks_a_part_is_garbage(answer):
    with pytest.raises(NoAnswer) as failed:
        read_reply(answer, 0)
    assert failed.value.kind == "garbage"


def test_an_error_is_one_line_of_bounded_length():
    assert one_line("a\n  b\tc") == "a b c"
    assert len(one_line("x" * 1000)) == 300


def test_what_a_refused_allocation_is_called():
    torch = {"ok": False, "error": {"type": "RuntimeError", "message": "DefaultCPUAllocator: can't allocate memory"}}
    with pytest.raises(NoAnswer) as failed:
        read_reply(torch, 8 << 30)
    assert (failed.value.kind, failed.value.line.endswith("(the limit is 8 GiB)")) == ("memory", True)
