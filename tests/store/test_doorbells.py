"""Processes of one workspace ring at each other's doors, and nobody ever waits at one."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from subprocess import PIPE, Popen
from threading import Event

import pytest

from quorate.store.doorbells import Doorbell, ring
from tests.support.patience import PATIENCE_SECONDS

Hang = Callable[[Callable[[bytes], None]], Doorbell]


@pytest.fixture
def hang(directory: Path) -> Iterator[Hang]:
    with ExitStack() as stack:

        def hung(hear: Callable[[bytes], None]) -> Doorbell:
            bell = Doorbell(directory, hear)
            stack.callback(bell.take_down)
            return bell

        yield hung


def test_all_but_oneself_are_rung_and_hear_every_line_in_order(directory: Path, hang: Hang) -> None:
    rings: list[SimpleQueue[bytes]] = [SimpleQueue(), SimpleQueue(), SimpleQueue()]
    own, *_ = [hang(each.put) for each in rings]
    ring(directory, [b"one", b"two"], but=own.path)
    ring(directory, [b"three"])
    counted = zip(rings, (1, 3, 3), strict=True)
    heard = [[each.get(timeout=PATIENCE_SECONDS) for _ in range(count)] for each, count in counted]
    assert heard == [[b"three"], [b"one", b"two", b"three"], [b"one", b"two", b"three"]]


def test_a_bell_that_was_taken_down_leaves_nothing_behind(directory: Path) -> None:
    heard: list[bytes] = []
    Doorbell(directory, heard.append).take_down()
    ring(directory, [b"one"])
    assert (heard, list(directory.iterdir())) == ([], [])


def test_the_bell_of_a_process_that_died_is_removed_by_whoever_rings_next(directory: Path) -> None:
    program = "import sys; from pathlib import Path; from quorate.store.doorbells import Doorbell\n"
    program += "Doorbell(Path(sys.argv[1]), print); print(flush=True); sys.stdin.read()"
    with Popen([sys.executable, "-c", program, str(directory)], stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert len(list(directory.iterdir())) == 1
        process.kill()
    ring(directory, [b"one"])
    assert list(directory.iterdir()) == []


def test_nobody_waits_for_a_process_that_hears_nothing(directory: Path, hang: Hang) -> None:
    is_busy, may_go_on = Event(), Event()
    heard: SimpleQueue[bytes] = SimpleQueue()

    def hear(line: bytes) -> None:
        is_busy.set()
        assert may_go_on.wait(PATIENCE_SECONDS)
        heard.put(line)

    hang(hear)
    ring(directory, [b"first"])
    assert is_busy.wait(PATIENCE_SECONDS)
    line = b"x" * 1000
    ring(directory, [line] * 1000)
    may_go_on.set()
    assert [heard.get(timeout=PATIENCE_SECONDS) for _ in range(20)] == [b"first", *[line] * 19]
