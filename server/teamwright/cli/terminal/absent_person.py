"""Decisions where nobody is at a terminal, though their word may be: `--yes`."""

from collections.abc import Iterable
from typing import Final

import anyio

from teamwright.cli.terminal.blocks import Line
from teamwright.cli.terminal.decision_prompter import Execute
from teamwright.cli.terminal.terminal_io import TerminalIO
from teamwright.protocol.decisions import Decision
from teamwright.protocol.errors import UserError
from teamwright.protocol.ids import DecisionId
from teamwright.protocol.transcript import Entry

_NOBODY_TO_ASK: Final = (
    "Nobody can be asked in this run. Decide yourself, in the way that is easiest to take back, and say what you "
    "assumed."
)
_COVERED_BY_YES: Final = frozenset({"run", "plan", "changes"})
_MISSED: Final = {
    "run": "The run needs your approval, and nobody is at a terminal to give it; use --yes to give it beforehand.",
    "plan": "The plan was not carried out: nobody is at a terminal to approve it; use --yes to approve it beforehand.",
    "changes": "The changes were not applied: nobody is at a terminal to approve them; use --yes to do so beforehand.",
    "budget": "The run was stopped at its budget: nobody is at a terminal to extend it; give a larger --budget.",
    "command": "A command was refused: nobody is at a terminal to allow it.",
    "tool": "A tool of an MCP server was refused: nobody is at a terminal to allow it.",
    "memory": "Nothing was remembered: nobody is at a terminal to allow it.",
    "resume": "The run was not resumed: nobody is at a terminal to decide it.",
}


class AbsentPerson:
    """What may be answered unasked depends on the kind of a decision, so that it has to hear of these, too."""

    def __init__(self, io: TerminalIO, execute: Execute, *, says_yes: bool) -> None:
        self._io = io
        self._execute = execute
        self._says_yes = says_yes
        # Whether something was refused only because nobody was there to be asked.
        self.was_missed = False
        self._decisions: dict[DecisionId, Decision] = {}
        self._waiting: dict[DecisionId, Entry] = {}
        self._news = anyio.Event()

    def hear_of(self, decisions: Iterable[Decision]) -> None:
        self._decisions |= {decision.decision_id: decision for decision in decisions}

    def take(self, entry: Entry) -> None:
        """A decision that is open, or that has been settled, most likely by a rule."""
        if entry.decision_id is None:
            return
        if entry.state != "waiting":
            self._waiting.pop(entry.decision_id, None)
        elif entry.decision_id in self._decisions:
            self._waiting[entry.decision_id] = entry
            self._news.set()

    async def attend(self) -> None:
        """Until it is cancelled."""
        while True:
            self._news = anyio.Event()
            for decision_id in tuple(self._waiting):
                if (entry := self._waiting.pop(decision_id, None)) is not None:
                    await self._reply_to(self._decisions.pop(decision_id), entry)
            await self._news.wait()

    async def _reply_to(self, decision: Decision, entry: Entry) -> None:
        about = {"decisionId": decision.decision_id}
        try:
            if decision.kind == "input":
                await self._execute("teamwright.respond", {**about, "text": _NOBODY_TO_ASK})
            elif decision.kind == "override":
                await self._execute("teamwright.override", {"runId": entry.run_id, "agentId": None})
            elif self._says_yes and decision.kind in _COVERED_BY_YES:
                await self._execute("teamwright.approve", {**about, "choice": "approve"})
            else:
                # Without its command or tool an agent goes on; everything else changes what comes of the run.
                self.was_missed |= decision.kind not in {"command", "tool", "memory"}
                self._io.show(Line(_MISSED[decision.kind], "alarm"))
                await self._execute("teamwright.approve", {**about, "choice": "cancel"})
        except UserError as fault:
            self._io.show(Line(fault.message, "faint"))
