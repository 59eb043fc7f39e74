"""What is printed: no text that was read steers a terminal or is taken for markup."""

import io
import json
import threading

import pytest
from rich.columns import Columns
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from metric_harness.system.progress import Reporter
from metric_harness.system.side_by_side import side_by_side
from metric_harness.system.terminal import Console, echo, to_json

STEERING = "a\x1b[31mred\x1b]0;title\u202eb\x9b2J\x7f"
HARMLESS = "a\ufffd[31mred\ufffd]0;title\ufffdb\ufffd2J\ufffd"


def inside(content):
    table = Table("head", box=None)
    table.add_row(content)
    return table


@pytest.mark.parametrize("shape", [Text, inside, lambda text: Panel(Text(text)), lambda text: Columns([Text(text)])])
def test_a_console_replaces_what_steers(shape):
    file = io.StringIO()
    Console(file=file, width=200, force_terminal=True, color_system=None).print(shape(STEERING))
    assert "a\ufffd[31mred" in file.getvalue()
    assert not set(file.getvalue()) & set("\x1b\u202e\x9b\x7f")


def test_its_own_styles_stay():
    file = io.StringIO()
    Console(file=file, width=200, force_terminal=True, color_system="standard").print(Text(STEERING, "bold"))
    assert file.getvalue() == f"\x1b[1m{HARMLESS}\x1b[0m\n"


def test_echo(capsys):
    echo(STEERING)
    echo(STEERING, err=True, end="")
    assert capsys.readouterr() == (HARMLESS + "\n", HARMLESS)


def test_json_holds_the_value_and_steers_nothing(capsys):
    echo(to_json({"é": STEERING}))
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"é": STEERING}
    assert "é" in printed
    assert not set(printed) & set("\x1b\u202e\x9b\x7f\ufffd")


def test_progress_takes_no_brackets_for_markup():
    file = io.StringIO()
    reporter = Reporter(False, Console(file=file, width=200, force_terminal=True, color_system=None))
    with reporter.task("[/x] \x1b[2J", 2) as advance:
        advance(1, "[bold]y[/] \u202e")
    assert "[/x]" in file.getvalue()
    assert "[bold]y[/" in file.getvalue()
    assert "\x1b[2J" not in file.getvalue()
    assert "\u202e" not in file.getvalue()


def test_tasks_of_several_threads_have_their_bars_below_each_other():
    file = io.StringIO()
    reporter = Reporter(False, Console(file=file, width=200, force_terminal=True, color_system=None))
    both = threading.Barrier(2, timeout=20)

    def work(title):
        with reporter.task(title, 2) as advance:
            both.wait()
            advance(1, "half")
            reporter.say(f"{title} says so")
            both.wait()

    assert side_by_side([lambda: work("first"), lambda: work("second")], 2) == [None, None]
    with pytest.raises(KeyboardInterrupt), reporter.task("third"):
        raise KeyboardInterrupt
    shown = file.getvalue()
    assert all(text in shown for text in ("first", "second", "first says so", "second says so", "left", "third"))
    assert "\x1b[?25h" in shown.rsplit("third", 1)[1]  # the cursor is back


@pytest.mark.parametrize("terminal", [True, False])
def test_sentences_break_between_words_on_a_terminal_alone(terminal):
    file = io.StringIO()
    sentence = "  one two ndcg(gain=binary, ideal=hits)@10 three"
    console = Console(file=file, width=20, force_terminal=terminal, color_system=None)
    console.print(sentence, soft_wrap=True, highlight=False, markup=False)
    broken = ["  one two", "  ndcg(gain=binary, ideal=hits)@10", "  three"]
    assert file.getvalue().splitlines() == (broken if terminal else [sentence])
