"""A terminal that can redraw: what is said for good scrolls up, and below it stand what is under way and the prompt.

prompt_toolkit edits what is typed and redraws the lower part, rich makes text of what is shown. Both work in a thread
of their own, with a loop of their own: a terminal that is slow, or stopped, holds up the display and never the team.
"""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyBindingsBase, KeyPressEvent, merge_key_bindings
from prompt_toolkit.layout import (
    CompletionsMenu,
    ConditionalContainer,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from rich.cells import cell_len

from teamwright.cli.terminal.blocks import Block, Line
from teamwright.cli.terminal.printable import wrapped
from teamwright.cli.terminal.rich_text import RichText, finished_length
from teamwright.cli.terminal.screen_parts import (
    MENU_LINES,
    LivePart,
    NoInput,
    editing_keys,
    history_in,
    output_to,
    text_field,
    typed_ahead,
)
from teamwright.cli.terminal.terminal_io import KeyListener

_ROOM_TO_ANSWER: Final = 8
_CLOSING_SECONDS: Final = 1.0
_WAITING: Final = Line("You are asked something: send or clear your message to answer.", "warn")


class Screen:
    """Made, called and closed by the event loop's thread; what is typed is told to `listener` there.

    With `commands` there is a prompt for messages, which knows these words; else only questions are answered.
    """

    redraws = True

    def __init__(
        self, stream: TextIO, listener: KeyListener, *, reads: bool, commands: Mapping[str, str], history: Path | None
    ) -> None:
        self._listener = listener
        self._caller = asyncio.get_running_loop()
        # Who is told works there, and not in the screen's thread.
        self._context = contextvars.copy_context()
        self._loop = asyncio.new_event_loop()
        self._text = RichText(stream)
        self._live = LivePart(self._text)
        self._unsaid: list[Block] = []
        self._question: tuple[str, Future[str | None]] | None = None
        self._takes_messages = reads and bool(commands)
        self._message = text_field("> ", commands, history_in(history), self._submitted, self._changed)
        self._answer = text_field(self._question_text, {}, InMemoryHistory(), self._answered, None)
        self._output = output_to(stream)
        self._app = self._application(create_input() if reads else NoInput())
        for line in typed_ahead() if self._takes_messages else ():
            self._submit(line)
        self._thread = threading.Thread(target=self._run, name="screen", daemon=True)
        self._thread.start()

    def show(self, *blocks: Block, live: Sequence[Block] | None = None) -> None:
        """For good, above what is under way, which is `live` from then on."""
        self._in_thread(lambda: self._say(blocks, live))

    def draw(self, blocks: Sequence[Block]) -> None:
        """What is under way, in place of what was drawn before."""
        self._in_thread(lambda: self._redraw(tuple(blocks)))

    def finished_length(self, markdown: str) -> int:
        return finished_length(markdown)

    async def ask(self, prompt: str) -> str | None:
        """What was typed; None if the person closed the input. Given up by cancelling it."""
        answer: Future[str | None] = Future()
        self._in_thread(lambda: self._put((prompt, answer)))
        try:
            return await asyncio.wrap_future(answer)
        finally:
            self._in_thread(lambda: self._withdraw(answer))

    async def settle(self) -> None:
        """Returns when all that was said so far is on the terminal."""
        done: Future[None] = Future()
        self._in_thread(lambda: done.set_result(None))
        await asyncio.wrap_future(done)

    def close(self) -> None:
        """Leaves what was said, and the terminal as it was found."""

        def leave() -> None:
            self._flush()
            with suppress(Exception):
                self._app.exit()

        self._in_thread(leave)
        self._thread.join(_CLOSING_SECONDS)

    # What follows runs in the screen's own thread.

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._app.run_async(set_exception_handler=False, handle_sigint=False))
        except (EOFError, OSError):
            # The terminal is gone: who is told of the end leaves.
            pass
        finally:
            self._tell(self._listener.ended)
        # Whoever still waits for a word to be written need not.
        self._loop.run_forever()

    def _in_thread(self, job: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(job)

    def _tell(self, told: Callable[[], None]) -> None:
        # The conversation may be over, and its loop closed.
        with suppress(RuntimeError):
            self._caller.call_soon_threadsafe(told, context=self._context)

    def _say(self, blocks: Sequence[Block], live: Sequence[Block] | None = None) -> None:
        if not self._unsaid:
            self._loop.call_soon(self._flush)
        self._unsaid += blocks
        if live is not None:
            self._live.blocks = tuple(live)

    def _flush(self) -> None:
        if not self._unsaid:
            return
        text = "".join(f"{line}\r\n" for line in self._text.drawn(self._unsaid))
        self._unsaid = []
        if self._app.is_running:
            self._app.renderer.erase()
        self._output.write_raw(text)
        self._output.flush()
        self._app.invalidate()

    def _redraw(self, blocks: tuple[Block, ...]) -> None:
        self._live.blocks = blocks
        self._app.invalidate()

    def _put(self, question: tuple[str, Future[str | None]]) -> None:
        self._question = question
        self._arrange()

    def _withdraw(self, answer: Future[str | None]) -> None:
        if self._question is not None and self._question[1] is answer:
            self._question = None
            self._answer.buffer.reset()
            self._arrange()

    def _question_text(self) -> str:
        """In front of the answer, or above it where that would leave no room to answer."""
        if self._question is None:
            return ""
        return f"{self._question[0]} " if self._fits else "> "

    def _wrapped_question(self) -> str:
        return "" if self._question is None else wrapped(self._question[0], self._text.size[0])

    @property
    def _fits(self) -> bool:
        return self._question is None or cell_len(self._question[0]) + _ROOM_TO_ANSWER <= self._text.size[0]

    @property
    def _is_answering(self) -> bool:
        """Who is in the middle of a message finishes it first: what they type is no answer."""
        return self._question is not None and not self._message.text

    def _arrange(self) -> None:
        self._live.note = _WAITING if self._question is not None and not self._is_answering else None
        if self._is_answering:
            self._app.layout.focus(self._answer)
        elif self._takes_messages:
            self._app.layout.focus(self._message)
        else:
            self._app.layout.focus(self._live.window)
        self._app.invalidate()

    def _changed(self, _buffer: Buffer) -> None:
        if self._question is not None:
            self._arrange()

    def _submitted(self, buffer: Buffer) -> bool:
        self._submit(buffer.text)
        return False

    def _submit(self, text: str) -> None:
        if text.strip():
            self._tell(lambda: self._listener.submitted(text))

    def _answered(self, buffer: Buffer) -> bool:
        self._reply(buffer.text)
        return False

    def _reply(self, text: str | None) -> None:
        question, self._question = self._question, None
        if question is not None and not question[1].done():
            if text is not None:
                self._say([Line(f"{question[0]} {text}".rstrip(), "strong")])
            question[1].set_result(text)
        self._arrange()

    def _application(self, source: Input) -> "Application[None]":
        above = Window(FormattedTextControl(self._wrapped_question), dont_extend_height=True)
        body = HSplit(
            [
                # Who is asked sees what it is about, right above the question.
                ConditionalContainer(self._live.window, Condition(lambda: not self._is_answering)),
                ConditionalContainer(above, Condition(lambda: self._is_answering and not self._fits)),
                ConditionalContainer(self._answer, Condition(lambda: self._is_answering)),
                ConditionalContainer(self._message, Condition(lambda: self._takes_messages and not self._is_answering)),
            ]
        )
        menu = Float(CompletionsMenu(max_height=MENU_LINES), xcursor=True, ycursor=True)
        first = self._message if self._takes_messages else self._live.window
        return Application(
            Layout(FloatContainer(body, [menu]), focused_element=first),
            key_bindings=self._keys(),
            erase_when_done=True,
            refresh_interval=1.0,
            min_redraw_interval=0.03,
            input=source,
            output=self._output,
        )

    def _keys(self) -> KeyBindingsBase:
        keys = KeyBindings()

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _clear_or_interrupt(event: KeyPressEvent) -> None:
            if event.current_buffer.text:
                event.current_buffer.reset(append_to_history=True)
                self._arrange()
            else:
                self._tell(self._listener.interrupted)

        @keys.add("c-d", filter=Condition(lambda: not self._app.current_buffer.text))
        def _end(_event: KeyPressEvent) -> None:
            if self._is_answering:
                self._reply(None)
            elif self._takes_messages:
                self._tell(self._listener.ended)

        @keys.add("c-z", filter=Condition(lambda: os.name == "posix"))
        def _suspend(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        is_typing = Condition(lambda: self._is_answering or self._takes_messages)
        return merge_key_bindings([editing_keys(is_typing), keys])
