"""What it costs to build the context of a session: from its whole log, and again as it goes on.

CPU time, for logs of ten to ten thousand messages, and for sizes that nobody means well with. The baseline is reading
the same log from its JSON, which nobody can go without.
"""

import gc
from collections.abc import Callable
from time import process_time
from typing import Final

from teamwright.models.metering import FIRST_CHARACTERS_PER_TOKEN, characters
from teamwright.models.port import ModelRequest
from teamwright.protocol.records import EventRecord, read_record
from teamwright.runtime.context.conversation import SessionConversation
from teamwright.runtime.context.layout import room_for
from teamwright.runtime.context.request import Outlook, build
from tests.context.telling import Told

SIZES: Final = (10, 100, 1_000, 10_000)
# The first call of a session, from its records, as long as everything fits the window.
LIMIT_MS: Final = 10.0
FITTING: Final = 1_000
MOST_OF_READING: Final = 3.0
# For ten times the messages. Past the window old output is also named in brief, which costs once more per message.
MOST_GROWTH: Final = 25.0
HOSTILE_LIMIT_MS: Final = 2_000.0
OUTLOOK: Final = Outlook(
    "You are the assistant.",
    (),
    room_for(window=200_000, characters_per_token=FIRST_CHARACTERS_PER_TOKEN, prompt_characters=10_000),
)


def talk(messages: int) -> list[EventRecord]:
    """Of each four messages one is a question, two are a call with its result, and one is an answer."""
    told = Told()
    for number in range(messages // 4):
        told.asks(f"What does part {number} do, and who calls it?")
        told.calls("read_file", "x = 1  # a line of code\n" * 40, path=f"src/part_{number}.py", line=number + 1)
        told.says("It adds one, and the scheduler calls it once a minute. " * 8)
        told.finishes()
    return told.records


def folded(records: list[EventRecord]) -> SessionConversation:
    conversation = SessionConversation()
    for record in records:
        conversation.fold(record)
    return conversation


def rebuild(records: list[EventRecord]) -> ModelRequest:
    return build(folded(records), OUTLOOK)


def one_line(length: int) -> list[EventRecord]:
    told = Told()
    told.asks("x" * length)
    return told.records


def tool_results(results: int) -> list[EventRecord]:
    told = Told()
    told.asks("Read everything.")
    for number in range(results):
        told.calls("read_file", "y" * 2_000, path=f"{number}.py")
    return told.records


def overlapping_calls(calls: int) -> list[EventRecord]:
    told = Told()
    told.asks("Read everything at once.")
    for call in [told.begins("read_file", path=f"{number}.py") for number in range(calls)]:
        told.ends(call, "z" * 2_000)
    return told.records


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """The best of some rounds, without the collector's pauses."""
    taken: list[float] = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            begun = process_time()
            work()
            taken.append(process_time() - begun)
    finally:
        gc.enable()
    return min(taken) * 1000


def grows_in_step() -> bool:
    held, before = True, None
    for size in SIZES:
        records = talk(size)
        rows = [record.to_json() for record in records]
        reading = milliseconds(lambda log=rows: [read_record(row) for row in log], rounds=3)
        whole = milliseconds(lambda log=records: rebuild(log), rounds=max(15, 20_000 // size))
        conversation = folded(records)
        build(conversation, OUTLOOK)
        again = milliseconds(lambda known=conversation: build(known, OUTLOOK), rounds=7)
        growth = f", {whole / before:.1f} times the last" if before else ""
        print(
            f"context of {size:>6,} messages: {whole:.2f} ms, {whole / reading:.2f} of reading the log{growth}; "
            f"{again:.2f} ms for the next call"
        )
        held = held and (before is None or whole / before <= MOST_GROWTH) and whole / reading <= MOST_OF_READING
        held = held and (size > FITTING or whole <= LIMIT_MS)
        before = whole
    return held


def stays_bounded() -> bool:
    held = True
    hostile = {
        "one line of 5 MB": one_line(5_000_000),
        "10,000 tool results in one turn": tool_results(10_000),
        "10,000 calls in one answer": overlapping_calls(10_000),
    }
    for what, records in hostile.items():
        size = characters(rebuild(records)) - len(OUTLOOK.system)
        taken = milliseconds(lambda log=records: rebuild(log), rounds=3)
        print(f"{what}: {taken:.1f} ms, {size:,} characters of {OUTLOOK.room.whole:,} sent")
        held = held and size <= OUTLOOK.room.whole and taken <= HOSTILE_LIMIT_MS
    return held


def main() -> bool:
    in_step = grows_in_step()
    return stays_bounded() and in_step


if __name__ == "__main__":
    main()
