"""The door of this package: one context a session. It folds the session's records, reads what stands around the
conversation once a turn, and makes requests that fit their model."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from anyio import to_thread

from teamwright.config.settings import Settings
from teamwright.config.sources import user_file
from teamwright.engine.run.state import Run
from teamwright.models.metering import characters
from teamwright.models.port import Model, ModelRequest, Replay, ToolSpec, UserPrompt
from teamwright.prompts.assistant.facts import Facts, PendingChanges, RunAtWork, Spent
from teamwright.prompts.assistant.given import GivenText
from teamwright.prompts.assistant.history import Happened, history_text
from teamwright.prompts.assistant.run_report import run_report
from teamwright.prompts.assistant.system_prompt import assistant_prompt
from teamwright.protocol.events import HiddenTextFound, RunFinished, TurnStarted
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.ids import RunId
from teamwright.protocol.modes import Modes
from teamwright.protocol.plans import TaskList
from teamwright.protocol.records import EventRecord
from teamwright.protocol.usage import Budget
from teamwright.runtime.context.attached_files import attachment_texts
from teamwright.runtime.context.conversation import SessionConversation
from teamwright.runtime.context.entry import AttachmentTexts, UserEntry
from teamwright.runtime.context.given_files import Given, brief_of, read_given, read_instructions
from teamwright.runtime.context.layout import HistoryBudget, longest_given_text, room_for
from teamwright.runtime.context.reply_entry import ProposedCall, ReplyEntry
from teamwright.runtime.context.request import Outlook, build, needs_compaction
from teamwright.runtime.context.session_runs import reported
from teamwright.runtime.context.summarising import Summarising, summarise
from teamwright.workspace.files.live_files import LiveFiles

# Long enough for the estimate's rounding not to matter.
_SAMPLE: Final = ModelRequest((UserPrompt("x" * 99_984),))
_HISTORY_ENTRIES: Final = 12
_HISTORY_RUNS: Final = 3


@dataclass(frozen=True, slots=True)
class Now:
    """What only the session knows, and what changes by the minute."""

    today: date
    modes: Modes
    spent: Spent
    budget: Budget | None = None
    tasks: TaskList = ()


@dataclass(frozen=True, slots=True)
class Instructions:
    """How the owners of the workspace want work done; `problems` are sentences for the user, each told once, and so is
    what is `hidden` in it."""

    texts: tuple[GivenText, ...]
    problems: tuple[str, ...]
    hidden: tuple[HiddenTextFound, ...]


class Context:
    def __init__(
        self,
        settings: Callable[[], Settings],
        live: LiveFiles,
        *,
        trusted: Callable[[], bool],
        own_directory: Path | None = None,
    ) -> None:
        self._get_settings = settings
        self._settings = settings()
        self._live = live
        self._trusted = trusted
        self._own_directory = own_directory
        self._conversation = SessionConversation(self._path_of)
        self._given: Given | None = None
        self._told_problems: set[str] = set()
        self._told_hidden: set[HiddenTextFound] = set()
        self._rooms: dict[str, HistoryBudget] = {}
        self._shrunk = 1

    @property
    def own_directory(self) -> Path:
        """Of the user's configuration, memory and skills: never in a folder that is open."""
        return self._own_directory or user_file(os.environ, self._live.folders.paths).parent

    def fold(self, record: EventRecord) -> None:
        self._conversation.fold(record)
        if isinstance(record.event, HiddenTextFound):
            self._told_hidden.add(record.event)
        elif isinstance(record.event, TurnStarted):
            # Not in mid-turn: a prompt that changes costs the cache of everything after it.
            self._given = None

    def recall(self, calls: Sequence[ProposedCall], replay: Replay | None) -> None:
        """To be called with each answer before its calls are recorded: what its provider wants back with the next
        request of this process. It is no part of the log."""
        if replay is not None:
            self._conversation.recall(calls, replay)

    def overflowed(self) -> None:
        """What was sent did not fit, whatever was estimated: from now on less is sent."""
        self._shrunk *= 2

    async def outlook(self, model: Model, tools: tuple[ToolSpec, ...]) -> Outlook:
        """Reads what must be read, in worker threads. The same for all calls of a turn."""
        await self._read_attachments()
        if self._given is None:
            self._given = await to_thread.run_sync(self._read_given)
            self._settings = self._get_settings()
        window = await model.window()
        brief = brief_of(
            self._settings,
            self._given,
            project=self._conversation.project,
            longest_given_text=longest_given_text(window),
            environ=os.environ,
        )
        system = assistant_prompt(brief)
        fixed = characters(ModelRequest((), system=system, tools=tools))
        hidden = self._new_hidden(self._given)
        return Outlook(system, tools, self._room(model, window, fixed), self._new_problems(self._given), hidden)

    def request(self, outlook: Outlook, now: Now | None = None) -> ModelRequest:
        return build(self._conversation, outlook, None if now is None else self._facts(now))

    def compaction_due(self, outlook: Outlook) -> Summarising | None:
        """What to sum up before the next request, if it is time for that; once a turn at most."""
        return summarise(self._conversation, outlook) if needs_compaction(self._conversation, outlook.room) else None

    def compaction(self, outlook: Outlook) -> Summarising | None:
        """What to sum up when the user wants it; None when there is nothing that would be worth it."""
        return summarise(self._conversation, outlook, on_request=True)

    def history(self) -> str:
        """What a run's agents are told of the session: its latest exchanges, and what earlier runs came to."""
        said = [_happened(entry) for entry in self._conversation.entries[-_HISTORY_ENTRIES:]]
        ended = list(self._conversation.runs.ended())[-_HISTORY_RUNS:]
        came_to = [
            Happened("run_result", f"Task: {run.task}\n{finished.result.text}")
            for run, finished in ended
            if finished.result is not None
        ]
        return history_text([*came_to, *(each for each in said if each is not None)])

    async def instructions(self) -> Instructions:
        """For the agents of a run."""
        given = await to_thread.run_sync(
            lambda: read_instructions(self._live, trusted=self._trusted(), project=self._conversation.project)
        )
        return Instructions(given.instructions, self._new_problems(given), self._new_hidden(given))

    def end_of(self, run_id: RunId) -> RunFinished | None:
        """How a run of the session ended, if it has."""
        return self._conversation.runs.finished(run_id)

    def report(self, run: Run, findings: Sequence[AgreedFinding] = ()) -> str:
        """What the assistant gets back from a run, or how it stands."""
        return run_report(reported(run, self._conversation.runs.finished(run.run_id), findings, self._path_of))

    def _new_hidden(self, given: Given) -> tuple[HiddenTextFound, ...]:
        return tuple(each for each in dict.fromkeys(given.hidden) if each not in self._told_hidden)

    def _new_problems(self, given: Given) -> tuple[str, ...]:
        """Each is told once."""
        new = tuple(each for each in dict.fromkeys(given.problems) if each not in self._told_problems)
        self._told_problems.update(new)
        return new

    def _room(self, model: Model, window: int, fixed: int) -> HistoryBudget:
        per_token = characters(_SAMPLE) / max(1, model.estimated_tokens(_SAMPLE))
        room = room_for(window=window // self._shrunk, characters_per_token=per_token, prompt_characters=fixed)
        known = self._rooms.get(model.name)
        if known is None or not known.is_about(room):
            self._rooms[model.name] = known = room
        return known

    def _read_given(self) -> Given:
        return read_given(self._live, self.own_directory, trusted=self._trusted(), project=self._conversation.project)

    async def _read_attachments(self) -> None:
        unread = tuple(self._conversation.unread)
        if not unread:
            return
        read = await to_thread.run_sync(self._texts_of, unread)
        for said, texts in zip(unread, read, strict=True):
            said.show(texts)
        shown = set(unread)
        self._conversation.unread = [said for said in self._conversation.unread if said not in shown]

    def _texts_of(self, unread: Sequence[UserEntry]) -> list[AttachmentTexts]:
        return [attachment_texts(said, self._live) for said in unread]

    def _facts(self, now: Now) -> Facts:
        runs = self._conversation.runs
        return Facts(
            today=now.today,
            spent=now.spent,
            budget=now.budget,
            modes=now.modes,
            runs_at_work=tuple(RunAtWork(run.run_id, run.task) for run in runs.at_work()),
            tasks=now.tasks,
            pending_changes=tuple(PendingChanges(run.run_id, run.pending) for run in runs.with_pending_changes()),
        )

    def _path_of(self, uri: str) -> str:
        return self._live.folders.name_of(uri)


def _happened(entry: object) -> Happened | None:
    match entry:
        case UserEntry(text=text):
            return Happened("user", text)
        case ReplyEntry(text=text) if text.strip():
            return Happened("assistant", text)
        case _:
            return None
