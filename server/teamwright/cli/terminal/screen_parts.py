"""What the screen is made of: the part that is redrawn, the lines that are edited, and the ways in and out."""

import os
import select
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Final, TextIO

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import ConditionalCompleter, WordCompleter
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Window
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.widgets import TextArea

from teamwright.cli.terminal.blocks import Block, Line
from teamwright.cli.terminal.rich_text import RichText

MENU_LINES: Final = 8
_MOST_INPUT_LINES: Final = 10
# The prompt, and a line for whatever the terminal needs it for.
_SPARE_LINES: Final = 3


class LivePart:
    """What is under way, made anew only when it or the terminal has changed; its end is what is seen of a long one."""

    def __init__(self, text: RichText) -> None:
        self._rich = text
        self.blocks: tuple[Block, ...] = ()
        self.note: Line | None = None
        self._made_of: object = None
        self._lines: list[str] = []
        control = FormattedTextControl(self._text, focusable=True, show_cursor=False)
        self.window = Window(control, height=self._height, dont_extend_height=True, always_hide_cursor=True)

    def _text(self) -> ANSI:
        return ANSI("\n".join(self._shown()))

    def _height(self) -> Dimension:
        return Dimension.exact(len(self._shown()))

    def _shown(self) -> list[str]:
        size = self._rich.size
        made_of = (self.blocks, self.note, size)
        if made_of != self._made_of:
            self._made_of = made_of
            blocks = self.blocks if self.note is None else (*self.blocks, self.note)
            self._lines = self._rich.drawn(blocks)[-max(1, size[1] - _SPARE_LINES) :]
        return self._lines


def text_field(
    prompt: str | Callable[[], str],
    words: Mapping[str, str],
    history: History,
    accept: Callable[[Buffer], bool],
    changed: Callable[[Buffer], None] | None,
) -> TextArea:
    def prefix(line: int, wraps: int) -> str:
        text = prompt if isinstance(prompt, str) else prompt()
        return text if line == wraps == 0 else "  "

    def height() -> Dimension:
        lines = MENU_LINES if field.buffer.complete_state is not None else 1
        return Dimension(min=lines, max=max(lines, _MOST_INPUT_LINES))

    commands = WordCompleter(list(words), meta_dict=dict(words), sentence=True)
    field = TextArea(
        multiline=True,
        history=history,
        completer=ConditionalCompleter(commands, Condition(lambda: field.text.startswith("/"))) if words else None,
        complete_while_typing=True,
        accept_handler=accept,
        dont_extend_height=True,
        height=height,
        get_line_prefix=prefix,
    )
    if changed is not None:
        field.buffer.on_text_changed += changed
    return field


def editing_keys(is_typing: Condition) -> KeyBindings:
    """What people know from elsewhere, beside the keys that prompt_toolkit has by itself."""
    keys = KeyBindings()

    @keys.add("enter", filter=is_typing)
    def _send(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter", filter=is_typing)
    @keys.add("c-j", filter=is_typing)
    def _break_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("tab", filter=is_typing)
    def _complete(event: KeyPressEvent) -> None:
        if event.current_buffer.complete_state is not None:
            event.current_buffer.complete_next()
        else:
            event.current_buffer.start_completion(select_first=True)

    @keys.add("c-x", "c-e", filter=is_typing)
    def _edit(event: KeyPressEvent) -> None:
        event.current_buffer.open_in_editor()

    return keys


def typed_ahead() -> list[str]:
    """Whole lines that were typed before anybody was there to edit them. What is left of a line is the editor's."""
    typed = b""
    # On Windows a console keeps what is typed until it is read.
    while os.name == "posix" and select.select([sys.stdin], [], [], 0)[0]:
        data = os.read(sys.stdin.fileno(), 65_536)
        if not data:
            break
        typed += data
    return typed.decode(errors="replace").splitlines()


class KeptHistory(FileHistory):
    """One that cannot be kept is no fault."""

    def load_history_strings(self) -> Iterable[str]:
        with suppress(OSError):
            return super().load_history_strings()
        return ()

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


def history_in(path: Path | None) -> History:
    return InMemoryHistory() if path is None else KeptHistory(path)


class NoInput(DummyInput):
    """Of somebody who only watches."""

    @property
    def closed(self) -> bool:
        return False

    def attach(self, input_ready_callback: Callable[[], None]) -> AbstractContextManager[None]:  # noqa: ARG002
        return nullcontext()


def output_to(stream: TextIO) -> Output:
    output = create_output(stream)
    if isinstance(output, Vt100_Output):
        # Where the cursor stands is of no use to us, and not every terminal answers.
        output.enable_cpr = False
    return output
