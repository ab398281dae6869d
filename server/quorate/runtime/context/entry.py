"""An entry of a conversation, in two forms: as it was, and without its old output. None is ever sent in part, so that
a call and its result cannot be separated."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

from quorate.models.estimate import characters
from quorate.models.port import Deadlines, Message, ModelRequest, UserMessage
from quorate.protocol.ids import TurnId


@dataclass(frozen=True, slots=True)
class Rendering:
    messages: tuple[Message, ...]
    size: int


NOTHING: Final = Rendering((), 0)
# Only for counting; made once, because there are as many renderings as entries.
_NEVER_MIND: Final = Deadlines()


def rendering(*messages: Message) -> Rendering:
    return Rendering(messages, characters(ModelRequest(messages, deadlines=_NEVER_MIND)))


class Entry(ABC):
    """Both forms are made when they are first needed, and kept.

    `seq` is the first record of the log that it comes from; what happens between turns has no `turn_id`; `weight` is
    about how many characters it holds on to.
    """

    def __init__(self, seq: int, turn_id: TurnId | None, weight: int) -> None:
        self.seq = seq
        self.turn_id = turn_id
        self.weight = weight
        self._full: Rendering | None = None
        self._brief: Rendering | None = None

    def full(self) -> Rendering:
        if self._full is None:
            self._full = self._rendered()
        return self._full

    def brief(self) -> Rendering:
        """Never longer than the full form."""
        if self._brief is None:
            shortened = self._shortened()
            self._brief = shortened if shortened.size < self.full().size else self.full()
        return self._brief

    @abstractmethod
    def forget(self) -> None:
        """From now on only the brief form is left, and little weight."""

    @abstractmethod
    def _rendered(self) -> Rendering: ...

    @abstractmethod
    def _shortened(self) -> Rendering: ...

    def _changed(self, weight_gained: int = 0) -> None:
        self.weight += weight_gained
        self._full = self._brief = None


class Noted(Entry):
    """What Quorate itself has to say: between two entries, never inside one."""

    def __init__(self, seq: int, turn_id: TurnId | None, text: str, stub: str = "") -> None:
        super().__init__(seq, turn_id, len(text))
        self._text = text
        self._stub = stub or text

    def forget(self) -> None:
        self._text = self._stub
        self._changed(len(self._text) - self.weight)

    def _rendered(self) -> Rendering:
        return rendering(UserMessage(self._text))

    def _shortened(self) -> Rendering:
        return rendering(UserMessage(self._stub))
