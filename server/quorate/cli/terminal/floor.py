"""The screen and the keyboard while a person is asked something."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from quorate.cli.terminal.keyboard import Keyboard
from quorate.cli.terminal.scribe import Scribe
from quorate.cli.terminal.talk import Line, Talk
from quorate.cli.terminal.view import View


class Floor:
    def __init__(self, view: View, talk: Talk, keyboard: Keyboard, scribe: Scribe) -> None:
        self._view = view
        self._talk = talk
        self._keyboard = keyboard
        self._scribe = scribe
        self._is_line_open = False

    @asynccontextmanager
    async def taken(self) -> AsyncGenerator[None]:
        self._view.hold()
        try:
            # Nothing that was typed before the question could be seen is an answer to it.
            await self._scribe.settle()
            self._keyboard.listen()
            yield
        finally:
            self._keyboard.ignore()
            if self._is_line_open:
                self._is_line_open = False
                self._talk.tell(Line(""))
            self._view.resume()

    def tell(self, *lines: Line) -> None:
        self._talk.tell(*lines)

    async def ask(self, prompt: str) -> str | None:
        """What was typed; None if the person closed the input."""
        self._talk.prompt(f"{prompt} ")
        self._is_line_open = True
        typed = await self._keyboard.line()
        self._is_line_open = typed is None
        return None if typed is None else typed.strip()

    async def choose(self, question: str, choices: Mapping[str, str]) -> str | None:
        """One of the keys, by itself or by the first word of what it stands for."""
        offered = ", ".join(f"[{key}] {meaning}" for key, meaning in choices.items())
        words = {meaning.split()[0].rstrip(","): key for key, meaning in choices.items()} | {
            key: key for key in choices
        }
        while (typed := await self.ask(f"{question} {offered}:")) is not None:
            if typed.lower() in words:
                return words[typed.lower()]
            self.tell(Line(f"Please type {', '.join(choices)}.", "faint"))
        return None
