"""Where a run or a conversation is shown and who can be asked, by what this process is connected to."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TextIO

from quorate.cli import output
from quorate.cli.terminal.chat_view import ChatView, NewView
from quorate.cli.terminal.floor import Floor
from quorate.cli.terminal.json_view import JsonView
from quorate.cli.terminal.keyboard import Keyboard, someone_can_type
from quorate.cli.terminal.log_lines import logged_by
from quorate.cli.terminal.message_lines import EditedLines, MessageLines, PipedLines
from quorate.cli.terminal.options import RunOptions
from quorate.cli.terminal.plain_view import PlainView
from quorate.cli.terminal.respondents import Absentee, PersonAtTerminal, Respondent
from quorate.cli.terminal.scribe import Scribe
from quorate.cli.terminal.talk import PlainTalk, Talk
from quorate.cli.terminal.view import View

_NARROWEST: Final = 20
_CANNOT_REDRAW: Final = frozenset({"dumb", "unknown"})


@dataclass(frozen=True, slots=True)
class Stage:
    view: View
    talk: Talk
    respondent: Respondent
    scribe: Scribe


@dataclass(frozen=True, slots=True)
class ChatStage:
    view: ChatView
    talk: Talk
    respondent: Respondent
    scribe: Scribe
    # None where nobody can type and nothing is piped in.
    lines: MessageLines | None
    has_person: bool


@contextmanager
def stage_for(options: RunOptions) -> Generator[Stage]:
    """Use it on the event loop. The terminal is left as it was found."""
    scribe = Scribe()
    is_report = options.is_report and not options.json
    screen = output.stdout_terminal() if is_report else output.screen(besides_stdout=options.json)
    talk, new_view = _talk_on(screen, scribe, elsewhere=output.with_result() if is_report else output.besides_result())
    view = JsonView(scribe) if options.json else new_view()
    absentee = Absentee(talk, says_yes=options.yes)
    with logged_by(talk):
        if screen is None or not someone_can_type():
            yield Stage(view, talk, absentee, scribe)
        else:
            with Keyboard() as keyboard:
                person = PersonAtTerminal(Floor(view, talk, keyboard, scribe))
                yield Stage(view, talk, absentee if options.yes else person, scribe)


@contextmanager
def chat_stage(*, yes: bool) -> Generator[ChatStage]:
    """Likewise, for a conversation."""
    scribe = Scribe()
    screen = output.screen()
    talk, new_view = _talk_on(screen, scribe, elsewhere=output.besides_result())
    view = ChatView(talk, scribe, new_view)
    absentee = Absentee(talk, says_yes=yes)
    with logged_by(talk):
        if screen is None or not someone_can_type():
            lines = PipedLines() if output.input_is_piped() else None
            yield ChatStage(view, talk, absentee, scribe, lines, has_person=False)
        else:
            with Keyboard() as keyboard:
                person = PersonAtTerminal(Floor(view, talk, keyboard, scribe))
                lines = EditedLines(keyboard, scribe, talk)
                yield ChatStage(view, talk, absentee if yes else person, scribe, lines, has_person=True)


def _talk_on(screen: TextIO | None, scribe: Scribe, *, elsewhere: TextIO | None) -> tuple[Talk, NewView]:
    """What is said there, and how a run is shown beside it."""
    if screen is None or not _can_redraw(screen):
        plain = PlainTalk(elsewhere if screen is None else screen, scribe)
        return plain, lambda: PlainView(plain)
    # Here and not above: rich is needed on a terminal only.
    from quorate.cli.terminal.live_view import LiveView  # noqa: PLC0415
    from quorate.cli.terminal.styled_talk import StyledTalk, console_on  # noqa: PLC0415

    console = console_on(screen)
    talk = StyledTalk(console, screen, scribe)
    return talk, lambda: LiveView(console, screen, scribe, talk)


def _can_redraw(screen: TextIO) -> bool:
    if os.environ.get("TERM", "").lower() in _CANNOT_REDRAW:
        return False
    try:
        return os.get_terminal_size(screen.fileno()).columns >= _NARROWEST
    except OSError:
        return False
