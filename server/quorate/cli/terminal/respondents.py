"""Who answers decisions: the person at the terminal, their word on the command line, or nobody."""

from typing import Final, Protocol

from quorate.cli.terminal.dialogues import asked
from quorate.cli.terminal.floor import Floor
from quorate.cli.terminal.questions import changes_lines
from quorate.cli.terminal.replies import Answer, Approve, Decline, Present, Reply
from quorate.cli.terminal.talk import Line, Talk
from quorate.protocol.decisions import ChangesDecision, Decision

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
    "resume": "The run was not resumed: nobody is at a terminal to decide it.",
}


class Respondent(Protocol):
    @property
    def was_missed(self) -> bool:
        """Whether something was refused only because nobody was there to be asked."""
        ...

    async def reply_to(self, decision: Decision) -> Reply: ...


class PersonAtTerminal:
    was_missed = False

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    async def reply_to(self, decision: Decision) -> Reply:
        async with self._floor.taken():
            return await asked(decision, self._floor)


class Absentee:
    """Nobody is there, though their word may be: `--yes`."""

    def __init__(self, talk: Talk, *, says_yes: bool) -> None:
        self._talk = talk
        self._says_yes = says_yes
        self.was_missed = False

    async def reply_to(self, decision: Decision) -> Reply:
        if decision.kind == "input":
            return Answer(_NOBODY_TO_ASK)
        if decision.kind == "override":
            return Present(None)
        if isinstance(decision, ChangesDecision):
            self._talk.tell(*changes_lines(decision.detail))
        if self._says_yes and decision.kind in _COVERED_BY_YES:
            return Approve()
        # Without its command an agent goes on; everything else changes what comes of the run.
        self.was_missed |= decision.kind != "command"
        self._talk.tell(Line(_MISSED[decision.kind], "alarm"))
        return Decline()
