"""What differs between the programs: how each is called, and how its streaming JSON is read."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from teamwright.models.adapter import Generation, JsonObject, StreamEnding
from teamwright.models.assembly import ToolCallAssembly
from teamwright.models.faults import Target
from teamwright.models.port import ModelRequest, Part, ToolSpec
from teamwright.models.programs.workplace import Workplace, own_names


class ProgramDecoder(ABC):
    """A call ends the answer. The program may go on, as if it had been told a result: that is not listened to."""

    def __init__(self, request: ModelRequest, target: Target) -> None:
        self._target = target
        self._ending = StreamEnding(target, ToolCallAssembly(request, target))
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


@dataclass(frozen=True, slots=True)
class ProgramCall:
    """One start of the program, which reads its prompt from stdin."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[Path, str] = field(default_factory=dict[Path, str])
    """What the arguments refer to and the workplace does not have."""


class ProgramDialect(Protocol):
    @property
    def maker(self) -> str:
        """Whose keys the program may see."""
        ...

    @property
    def oldest(self) -> tuple[int, int, int]:
        """The first version that is known to understand the arguments."""
        ...

    @property
    def oldest_with_tools(self) -> tuple[int, int, int]:
        """The first version whose model sees the tools that are offered to it from its first word on."""
        ...

    @property
    def how_to_update(self) -> str: ...

    def call(self, generation: Generation, place: Workplace, tools: Sequence[ToolSpec]) -> ProgramCall:
        """The program's own tools are off, and nothing is permitted that it would have to ask for."""
        ...

    def decoder(self, request: ModelRequest, target: Target) -> ProgramDecoder: ...
