"""An entry of a conversation, in two forms: as it was, and without its old output. None is ever sent in part, so that
a call and its result cannot be separated."""

from abc import ABC, abstractmethod
from typing import Final, NamedTuple

from quorate.models.estimate import CHARACTERS_PER_MESSAGE, characters_of_message
from quorate.models.port import Message, UserMessage
from quorate.protocol.ids import TurnId


class Rendering(NamedTuple):
    messages: tuple[Message, ...]
    size: int


NOTHING: Final = Rendering((), 0)


def rendering(*messages: Message) -> Rendering:
    return Rendering(messages, sum(map(characters_of_message, messages)))


class Entry(ABC):
    """Both forms are made when they are first sent, and kept; how long the full one is, is known without making it.

    `seq` is the first record of the log that it comes from; what happens between turns has no `turn_id`; `weight` is
    about how many characters it holds on to.
    """

    __slots__ = ("_brief", "_full", "_size", "seq", "turn_id", "weight")

    def __init__(self, seq: int, turn_id: TurnId | None, weight: int) -> None:
        self.seq = seq
        self.turn_id = turn_id
        self.weight = weight
        self._size: int | None = None
        self._full: Rendering | None = None
        self._brief: Rendering | None = None

    @property
    def full_size(self) -> int:
        if self._size is None:
            self._size = self._measured()
        return self._size

    def full(self) -> Rendering:
        if self._full is None:
            self._full = Rendering(self._messages(), self.full_size)
        return self._full

    def brief(self) -> Rendering:
        """Never longer than the full form."""
        if self._brief is None:
            shortened = self._shortened()
            if shortened is None or shortened.size >= self.full_size:
                shortened = self.full()
            self._brief = shortened
        return self._brief

    @abstractmethod
    def forget(self) -> None:
        """From now on only the brief form is left, and little weight."""

    @abstractmethod
    def _messages(self) -> tuple[Message, ...]: ...

    @abstractmethod
    def _measured(self) -> int:
        """What the messages will come to, in characters."""

    @abstractmethod
    def _shortened(self) -> Rendering | None:
        """None where there is nothing to leave out."""

    def _changed(self, weight_gained: int = 0) -> None:
        self.weight += weight_gained
        self._size = self._full = self._brief = None


class Noted(Entry):
    """What Quorate itself has to say: between two entries, never inside one."""

    __slots__ = ("_stub", "_text")

    def __init__(self, seq: int, turn_id: TurnId | None, text: str, stub: str = "") -> None:
        super().__init__(seq, turn_id, len(text))
        self._text = text
        self._stub = stub

    def forget(self) -> None:
        self._text = self._stub or self._text
        self._changed(len(self._text) - self.weight)

    def _messages(self) -> tuple[Message, ...]:
        return (UserMessage(self._text),)

    def _measured(self) -> int:
        return CHARACTERS_PER_MESSAGE + len(self._text)

    def _shortened(self) -> Rendering | None:
        return rendering(UserMessage(self._stub)) if self._stub else None
