"""How a reply travels: its latency, the gates where it waits, and what goes wrong on the way. Pure: a plan of steps."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, assert_never

from tests.support.model_server.faults import Fault
from tests.support.model_server.frames import TERMINAL, Frame, encoded
from tests.support.model_server.waiting import Gate

Point: TypeAlias = Literal["headers", "body", "end"] | int
"""Before the headers, before the first event, before the end, or after so many deltas."""


@dataclass(frozen=True)
class Whole:
    """The reply is delivered to its end."""


@dataclass(frozen=True)
class Cut:
    """The socket closes in the middle of the chunk that follows so many deltas."""

    after: int


@dataclass(frozen=True)
class Stall:
    """Nothing more is sent after so many deltas until the client goes away."""

    after: int


@dataclass(frozen=True)
class EndsBefore:
    """The stream ends as if it were complete, but without its finish reason or its terminal event."""

    part: Literal["finish", "done"]


@dataclass(frozen=True)
class Breaks:
    """After so many deltas the provider reports an error inside the stream."""

    after: int
    fault: Fault


Ending: TypeAlias = Whole | Cut | Stall | EndsBefore | Breaks


@dataclass(frozen=True)
class Hold:
    gate: Gate
    at: Point


@dataclass(frozen=True)
class Noise:
    """Text that is no event of the format, sent as it stands after so many deltas."""

    text: str
    after: int


@dataclass(frozen=True)
class Delivery:
    first_byte_after: float = 0.0
    pace: float = 0.0
    holds: tuple[Hold, ...] = ()
    ending: Ending = field(default_factory=Whole)
    noise: tuple[Noise, ...] = ()
    line_end: Literal["\n", "\r\n"] = "\n"
    write_size: int | None = None


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Wait:
    until: Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Head:
    """The status line and headers. Without a length the body travels in chunks."""

    status: int
    headers: Mapping[str, str]
    length: int | None = None


@dataclass(frozen=True)
class Send:
    data: bytes


@dataclass(frozen=True)
class SendHalf:
    """Half of what would have been sent, and then the socket closes."""

    data: bytes


@dataclass(frozen=True)
class Silence:
    """Nothing, until the client goes away."""


@dataclass(frozen=True)
class HangUp:
    """The socket closes."""


Step: TypeAlias = Pause | Wait | Head | Send | SendHalf | Silence | HangUp


ErrorFrames: TypeAlias = Callable[[Fault, int], Sequence[Frame]]
"""The frames that report a fault inside a stream of which so many frames have been sent."""


def stream_plan(head: Head, frames: Sequence[Frame], delivery: Delivery, error_frames: ErrorFrames) -> Iterator[Step]:
    """The steps of a streamed reply."""
    yield from opening(delivery)
    yield head
    yield from _waits(delivery, "body")
    deltas = 0
    at_end = False
    for number, frame in enumerate(frames):
        if frame.part == "delta":
            yield from _between_deltas(delivery, deltas)
        elif frame.part in TERMINAL and not at_end:
            at_end = True
            yield from _between_deltas(delivery, deltas)
            yield from _waits(delivery, "end")
        if _stops_before(frame, deltas, delivery.ending):
            yield from _early_end(delivery, frame, error_frames, sent=number)
            return
        yield from _sends([frame], delivery)
        deltas += frame.part == "delta"


def _stops_before(frame: Frame, deltas: int, ending: Ending) -> bool:
    match ending:
        case Whole():
            return False
        case EndsBefore(part=part):
            return frame.part in {part, "done"}
        case Cut(after=after) | Stall(after=after) | Breaks(after=after):
            return frame.part in TERMINAL or (frame.part == "delta" and deltas == after)
        case _:
            assert_never(ending)


def body_plan(head: Head, body: bytes, delivery: Delivery) -> Iterator[Step]:
    """The steps of a reply in one piece."""
    yield from opening(delivery)
    yield from (Wait(hold.gate.passage) for hold in delivery.holds if hold.at != "headers")
    yield head
    match delivery.ending:
        case Whole():
            yield Send(body)
        case Cut():
            yield SendHalf(body)
        case Stall():
            yield Send(body[: len(body) // 2])
            yield Silence()
        case EndsBefore() | Breaks():
            raise ValueError("only a streamed reply can miss its end or break in its middle")
        case _:
            assert_never(delivery.ending)


def opening(delivery: Delivery) -> Iterator[Step]:
    """What comes before the first byte."""
    if delivery.first_byte_after:
        yield Pause(delivery.first_byte_after)
    yield from _waits(delivery, "headers")


def _waits(delivery: Delivery, point: Point) -> Iterator[Step]:
    yield from (Wait(hold.gate.passage) for hold in delivery.holds if hold.at == point)


def _between_deltas(delivery: Delivery, deltas: int) -> Iterator[Step]:
    yield from _waits(delivery, deltas)
    for noise in delivery.noise:
        if noise.after == deltas:
            yield Send(noise.text.replace("\n", delivery.line_end).encode())


def _early_end(delivery: Delivery, frame: Frame, error_frames: ErrorFrames, *, sent: int) -> Iterator[Step]:
    match delivery.ending:
        case Cut():
            yield SendHalf(encoded(frame, delivery.line_end))
        case Stall():
            yield Silence()
        case Breaks(fault=fault):
            yield from _sends(error_frames(fault, sent), delivery)
        case EndsBefore() | Whole():
            return
        case _:
            assert_never(delivery.ending)


def _sends(frames: Iterable[Frame], delivery: Delivery) -> Iterator[Step]:
    for frame in frames:
        if delivery.pace and frame.part == "delta":
            yield Pause(delivery.pace)
        data = encoded(frame, delivery.line_end)
        size = delivery.write_size or len(data)
        yield from (Send(data[start : start + size]) for start in range(0, len(data), size))
