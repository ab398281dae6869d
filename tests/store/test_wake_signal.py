"""Processes of one workspace wake each other, and nobody ever waits for a receiver."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from subprocess import PIPE, Popen
from threading import Event

import pytest

from teamwright.store.wake_signal import WakeSignal, send
from tests.support.patience import PATIENCE_SECONDS

Listen = Callable[[Callable[[bytes], None]], WakeSignal]


@pytest.fixture
def listen(directory: Path) -> Iterator[Listen]:
    with ExitStack() as stack:

        def listening(hear: Callable[[bytes], None]) -> WakeSignal:
            signal = WakeSignal(directory, hear)
            stack.callback(signal.close)
            return signal

        yield listening


def test_all_but_oneself_are_woken_and_hear_every_line_in_order(directory: Path, listen: Listen) -> None:
    signals: list[SimpleQueue[bytes]] = [SimpleQueue(), SimpleQueue(), SimpleQueue()]
    own, *_ = [listen(each.put) for each in signals]
    send(directory, [b"one", b"two"], but=own.path)
    send(directory, [b"three"])
    counted = zip(signals, (1, 3, 3), strict=True)
    heard = [[each.get(timeout=PATIENCE_SECONDS) for _ in range(count)] for each, count in counted]
    assert heard == [[b"three"], [b"one", b"two", b"three"], [b"one", b"two", b"three"]]


def test_a_signal_that_was_closed_leaves_nothing_behind(directory: Path) -> None:
    heard: list[bytes] = []
    WakeSignal(directory, heard.append).close()
    send(directory, [b"one"])
    assert (heard, list(directory.iterdir())) == ([], [])


def test_the_pipe_of_a_process_that_died_is_removed_by_whoever_sends_next(directory: Path) -> None:
    program = "import sys; from pathlib import Path; from teamwright.store.wake_signal import WakeSignal\n"
    program += "WakeSignal(Path(sys.argv[1]), print); print(flush=True); sys.stdin.read()"
    with Popen([sys.executable, "-c", program, str(directory)], stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert len(list(directory.iterdir())) == 1
        process.kill()
    send(directory, [b"one"])
    assert list(directory.iterdir()) == []


def test_nobody_waits_for_a_process_that_hears_nothing(directory: Path, listen: Listen) -> None:
    is_busy, may_go_on = Event(), Event()
    heard: SimpleQueue[bytes] = SimpleQueue()

    def hear(line: bytes) -> None:
        is_busy.set()
        assert may_go_on.wait(PATIENCE_SECONDS)
        heard.put(line)

    listen(hear)
    send(directory, [b"first"])
    assert is_busy.wait(PATIENCE_SECONDS)
    line = b"x" * 1000
    send(directory, [line] * 1000)
    may_go_on.set()
    assert [heard.get(timeout=PATIENCE_SECONDS) for _ in range(20)] == [b"first", *[line] * 19]
