"""What differs between the programs: how each is called, and how its streaming JSON is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from quorate.models.adapter import Generation
from quorate.models.faults import Target
from quorate.models.port import ModelRequest, ToolSpec
from quorate.models.programs.decoder import ProgramDecoder
from quorate.models.programs.workplace import Workplace


@dataclass(frozen=True, slots=True)
class Call:
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

    def call(self, generation: Generation, place: Workplace, tools: Sequence[ToolSpec]) -> Call:
        """The program's own tools are off, and nothing is permitted that it would have to ask for."""
        ...

    def decoder(self, request: ModelRequest, target: Target) -> ProgramDecoder: ...
