"""What the decoders of all programs share: the end of an answer, and calls of our tools."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from quorate.models.assembly import ToolCallAssembly
from quorate.models.decoding import Ending, JsonObject
from quorate.models.faults import Target
from quorate.models.port import ModelRequest, Part
from quorate.models.programs.offer import own_names


class ProgramDecoder(ABC):
    """A call ends the answer. The program may go on, as if it had been told a result: that is not listened to."""

    def __init__(self, request: ModelRequest, target: Target) -> None:
        self._target = target
        self._ending = Ending(target, ToolCallAssembly(request))
        self._names = own_names(request.tools)
        self.over = False
        """Whether nothing more is wanted of the program, not even what it has used."""

    @property
    def finished(self) -> bool:
        return self._ending.reason is not None

    def decode(self, event: JsonObject) -> Sequence[Part]:
        if not self.finished:
            return self._decode(event)
        self._decode_afterwards(event)
        return ()

    def end(self) -> Iterator[Part]:
        return self._ending.parts()

    @abstractmethod
    def _decode(self, event: JsonObject) -> Sequence[Part]: ...

    @abstractmethod
    def _decode_afterwards(self, event: JsonObject) -> None:
        """What the program says after the answer's end."""

    @property
    def _offered(self) -> bool:
        return bool(self._names)

    def _call(self, call_id: str, name: str, arguments: str, *, index: int | None = None) -> Sequence[Part]:
        """A tool that is not ours is a call too, so that the model is told which there are."""
        own = self._names.get(name, name)
        return tuple(self._ending.calls.fragment(index=index, call_id=call_id, name=own, arguments=arguments))
