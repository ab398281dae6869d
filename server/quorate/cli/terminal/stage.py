"""Where a run is shown and who can be asked, by what this process is connected to."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TextIO

from quorate.cli import output
from quorate.cli.terminal.floor import Floor
from quorate.cli.terminal.json_view import JsonView
from quorate.cli.terminal.keyboard import Keyboard, someone_can_type
from quorate.cli.terminal.log_lines import logged_by
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


@contextmanager
def stage_for(options: RunOptions) -> Generator[Stage]:
    """Use it on the event loop. The terminal is left as it was found."""
    scribe = Scribe()
    screen = output.screen(besides_stdout=options.json)
    view, talk = _shown_on(screen, scribe, json=options.json)
    absentee = Absentee(talk, says_yes=options.yes)
    with logged_by(talk):
        if screen is None or not someone_can_type():
            yield Stage(view, talk, absentee, scribe)
        else:
            with Keyboard() as keyboard:
                person = PersonAtTerminal(Floor(view, talk, keyboard, scribe))
                yield Stage(view, talk, absentee if options.yes else person, scribe)


def _shown_on(screen: TextIO | None, scribe: Scribe, *, json: bool) -> tuple[View, Talk]:
    if screen is None or not _can_redraw(screen):
        talk = PlainTalk(output.besides_result() if screen is None else screen, scribe)
        return JsonView(scribe) if json else PlainView(talk), talk
    # Here and not above: rich is needed on a terminal only.
    from quorate.cli.terminal.live_view import LiveView  # noqa: PLC0415
    from quorate.cli.terminal.styled_talk import StyledTalk, console_on  # noqa: PLC0415

    console = console_on(screen)
    talk = StyledTalk(console, screen, scribe)
    return JsonView(scribe) if json else LiveView(console, screen, scribe, talk), talk


def _can_redraw(screen: TextIO) -> bool:
    if os.environ.get("TERM", "").lower() in _CANNOT_REDRAW:
        return False
    try:
        return os.get_terminal_size(screen.fileno()).columns >= _NARROWEST
    except OSError:
        return False
