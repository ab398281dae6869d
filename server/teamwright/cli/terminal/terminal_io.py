"""Where words go and answers come from, whatever the terminal can do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from teamwright.cli.terminal.blocks import Block


@dataclass(frozen=True, slots=True)
class KeyListener:
    """Told on the event loop what a person does unasked."""

    submitted: Callable[[str], None]
    interrupted: Callable[[], None]
    ended: Callable[[], None]


class TerminalIO(Protocol):
    @property
    def redraws(self) -> bool:
        """Whether what is under way can be shown; else only what has happened."""
        ...

    def show(self, *blocks: Block, live: Sequence[Block] | None = None) -> None:
        """For good. `live`: what is under way from then on, so that nothing is seen twice, not even for a moment."""
        ...

    def draw(self, blocks: Sequence[Block]) -> None:
        """What is under way, in place of what was drawn before."""
        ...

    def finished_length(self, markdown: str) -> int:
        """How much of a text that still grows can be shown for good."""
        ...

    async def ask(self, prompt: str) -> str | None:
        """What was typed; None if the person closed the input. Given up by cancelling it."""
        ...

    async def settle(self) -> None:
        """Returns when all that was said so far is written."""
        ...

    def close(self) -> None:
        """Gives the terminal back. Once is enough, more does no harm."""
        ...
