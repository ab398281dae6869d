"""Decisions put to the person at the terminal, one after another, until each is answered or no longer open.

What is asked and what can be answered comes with the entry: nothing here knows what kinds of decisions there are.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import anyio

from teamwright.cli.terminal.blocks import EMPTY, Line
from teamwright.cli.terminal.entry_blocks import entry_blocks, part_blocks
from teamwright.cli.terminal.field_prompts import Edits, ask_which, completed, is_missing, with_value
from teamwright.cli.terminal.terminal_io import TerminalIO
from teamwright.engine.transcript.words import duration
from teamwright.protocol.errors import BadParams, UserError
from teamwright.protocol.ids import EntryId
from teamwright.protocol.transcript import Action, AnyPart, DiffPart, Entry, InputField, PlainPart

# Carries out a command of the wire with its arguments. Raises UserError.
Execute = Callable[[str, dict[str, Any]], Awaitable[object]]

_NO_ANSWER: Final = "I leave that to you. Decide yourself, and say what you assumed."
_SOME: Final = "s"
# Words that everybody types, unless the entry has a use of its own for them.
_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})


class DecisionPrompter:
    def __init__(self, io: TerminalIO, execute: Execute) -> None:
        self._io = io
        self._execute = execute
        self._waiting: deque[Entry] = deque()
        self._being_asked: tuple[EntryId, anyio.CancelScope] | None = None
        # Of what is being asked, how it stands now; and what ends the asking when that is no longer what was shown.
        self._latest: Entry | None = None
        self._asking: anyio.CancelScope | None = None
        self._known: set[EntryId] = set()
        self._news = anyio.Event()

    def take(self, entry: Entry) -> None:
        """A decision that is new, or has been settled: by a rule, by time, by somebody else."""
        if entry.state == "waiting":
            if entry.entry_id not in self._known:
                self._known.add(entry.entry_id)
                self._waiting.append(entry)
                self._news.set()
            elif self._being_asked is not None and self._being_asked[0] == entry.entry_id:
                self._renew(entry)
            else:
                self._waiting = deque(entry if each.entry_id == entry.entry_id else each for each in self._waiting)
            return
        self._known.discard(entry.entry_id)
        self._waiting = deque(each for each in self._waiting if each.entry_id != entry.entry_id)
        if self._being_asked is not None and self._being_asked[0] == entry.entry_id:
            self._being_asked[1].cancel()
            resolutions = (part for part in entry.parts if isinstance(part, PlainPart) and part.part == "resolution")
            self._io.show(*(Line(part.text, "faint") for part in resolutions))

    def _renew(self, entry: Entry) -> None:
        """What it says may have changed, such as how its checks stand: then it is asked anew."""
        is_news = self._latest is not None and any(_news(self._latest, entry))
        self._latest = entry if is_news or self._latest is None else self._latest
        if is_news and self._asking is not None:
            self._asking.cancel()

    async def attend(self) -> None:
        """Until it is cancelled."""
        while True:
            self._news = anyio.Event()
            if not self._waiting:
                await self._news.wait()
                continue
            entry = self._waiting.popleft()
            with anyio.CancelScope() as scope:
                self._being_asked = (entry.entry_id, scope)
                try:
                    await self._put(entry)
                finally:
                    self._being_asked = None

    async def _put(self, entry: Entry) -> None:
        self._io.show(EMPTY, *entry_blocks(entry))
        if entry.expires_at is not None:
            left = max(0.0, (entry.expires_at - datetime.now(UTC)).total_seconds())
            self._io.show(Line(f"You have {duration(left)} for it.", "faint"))
        self._latest = entry
        edits: Edits = {}
        while True:
            action = None
            with anyio.CancelScope() as self._asking:
                action = await self._chosen(entry)
            self._asking = None
            if action is not None:
                arguments = await completed(self._io, action, edits)
                if arguments is not None and await self._sent(action.command, arguments) and _settles(action):
                    return
            if self._latest is not entry:
                self._io.show(*(block for part in _news(entry, self._latest) for block in part_blocks(part)))
                entry = self._latest

    async def _sent(self, command: str, arguments: dict[str, Any]) -> bool:
        """False where it cannot be taken as it is, and the question has to be put again."""
        try:
            await self._execute(command, arguments)
        except BadParams as fault:
            self._io.show(Line(fault.message, "alarm"))
            return False
        except UserError as fault:
            self._io.show(Line(fault.message, "faint"))
        return True

    async def _chosen(self, entry: Entry) -> Action:
        choices = dict(_choices(entry))
        files = [part for part in entry.parts if isinstance(part, DiffPart)]
        by_file = next((action for action in entry.actions if _hunks_field(action) is not None), None)
        offered = [f"[{key}] {action.label}" for key, action in choices.items()]
        if by_file is not None and len(files) > 1:
            offered.insert(1, f"[{_SOME}] some of the files")
        while (typed := await self._io.ask(f"{', '.join(offered)}:")) is not None:
            word = typed.strip()
            if not word and (offer := _offer(entry)) is not None:
                return offer
            if (action := _meant(word, choices)) is not None:
                return action
            if word.lower() == _SOME and by_file is not None and len(files) > 1:
                wanted = await ask_which(self._io, files)
                return _with_files(by_file, wanted) if wanted else _declining(entry)
            if word and (said := _in_own_words(entry, word)) is not None:
                return said
            self._io.show(Line(f"Please type {_one_of(list(choices))}.", "faint"))
        return _declining(entry)


def _news(before: Entry, now: Entry) -> Iterator[AnyPart]:
    """What it says beside the changes themselves, which stay as they are."""
    known = {part.part: part for part in before.parts}
    return (part for part in now.parts if known.get(part.part) != part and not isinstance(part, DiffPart))


def _settles(action: Action) -> bool:
    """Whether it is an answer. Other actions find something out that helps to give one."""
    return "decisionId" in action.arguments or action.command.endswith(".override")


def needs_windows(action: Action) -> bool:
    """What opens something, or marks it where it stands, is for clients that show files."""
    return action.command.endswith((".open", ".problems", ".report"))


def _choices(entry: Entry) -> Iterator[tuple[str, Action]]:
    taken = {action.key for action in entry.actions if action.key}
    numbers = (str(number) for number in range(1, 1000) if str(number) not in taken)
    for action in entry.actions:
        if not needs_windows(action):
            yield action.key or next(numbers), action


def _meant(word: str, choices: dict[str, Action]) -> Action | None:
    """By its key, by a beginning that only its label has, or by what everybody types."""
    word = word.lower()
    if word in choices:
        return choices[word]
    if word in _YES:
        return next((action for action in choices.values() if action.primary), None)
    if word in _NO:
        return next((action for action in choices.values() if action.arguments.get("choice") == "cancel"), None)
    meant = [action for action in choices.values() if word and action.label.lower().startswith(word)]
    meant = [action for action in meant if action.label.lower() == word] or meant
    return meant[0] if len(meant) == 1 else None


def _in_own_words(entry: Entry, words: str) -> Action | None:
    """Where something is to be said in one's own words, these are an answer by themselves."""
    for action in entry.actions:
        field = next((each for each in action.input or () if is_missing(each) and each.kind == "text"), None)
        if field is not None and action.command.endswith(".respond"):
            return action.model_copy(
                update={"arguments": with_value(action.arguments, field.path, words), "input": None}
            )
    return None


def _hunks_field(action: Action) -> InputField | None:
    return next((field for field in action.input or () if field.kind == "hunks"), None)


def _with_files(action: Action, files: list[dict[str, Any]]) -> Action:
    field = _hunks_field(action)
    path = field.path if field is not None else ()
    return action.model_copy(update={"arguments": with_value(action.arguments, path, files), "input": None})


def _declining(entry: Entry) -> Action:
    """What closing the input means: never a yes."""
    for action in entry.actions:
        if action.arguments.get("choice") == "cancel":
            return action
    return _in_own_words(entry, _NO_ANSWER) or entry.actions[-1]


def _offer(entry: Entry) -> Action | None:
    """What Enter alone may mean. Nothing is approved by it."""
    offers = (each for each in entry.actions if each.primary and not each.input)
    return next((each for each in offers if each.arguments.get("choice") != "approve"), None)


def _one_of(keys: list[str]) -> str:
    return keys[0] if len(keys) == 1 else f"{', '.join(keys[:-1])} or {keys[-1]}"
