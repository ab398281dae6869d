"""What a person has said once and for all in this workspace, to be looked at and taken back. Blocks on the disk."""

import shlex
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from teamwright.protocol.commands import RememberedAnswer
from teamwright.protocol.errors import NotFound
from teamwright.runtime.checks.ticks import RememberedTicks, Tick
from teamwright.store.tool_choices import StoredChoice, ToolChoices

_OF_TOOLS: Final = {"always": "may be used unasked", "never": "is never used"}
_TOOLS: Final = "tools"


def tool_choices_in(state_path: Path) -> ToolChoices:
    return ToolChoices(state_path / _TOOLS)


@dataclass(frozen=True, slots=True)
class RememberedAnswers:
    tools: ToolChoices
    ticks: RememberedTicks

    @classmethod
    def within(cls, state_path: Path) -> "RememberedAnswers":
        return cls(tool_choices_in(state_path), RememberedTicks(state_path))

    def all(self) -> tuple[RememberedAnswer, ...]:
        return tuple(answer for answer, _ in self._known())

    def forget(self, answer_ids: Collection[str] | None) -> tuple[RememberedAnswer, ...]:
        """These, or all. Raises NotFound where one is not there, and then forgets none."""
        known = self._known()
        there = {answer.answer_id for answer, _ in known}
        if unknown := [each for each in answer_ids or () if each not in there]:
            raise NotFound(f"Nothing is remembered as {unknown[0]}; the list shows what is.")
        chosen = [(answer, said) for answer, said in known if answer_ids is None or answer.answer_id in answer_ids]
        for _, said in chosen:
            if isinstance(said, Tick):
                self.ticks.forget(said)
            else:
                self.tools.forget(said)
        return tuple(answer for answer, _ in chosen)

    def _known(self) -> list[tuple[RememberedAnswer, StoredChoice | Tick]]:
        self.tools.load()
        return [
            *((_of_tool(said), said) for said in self.tools.all()),
            *((_of_check(tick), tick) for tick in self.ticks.all()),
        ]


def _of_tool(said: StoredChoice) -> RememberedAnswer:
    return RememberedAnswer(
        answer_id=f"tool-{said.name[:12]}",
        about="tool",
        title=f"The tool {said.tool} of the server {said.server}",
        says=_OF_TOOLS[said.choice],
    )


def _of_check(tick: Tick) -> RememberedAnswer:
    command = f" ({shlex.join(tick.argv)})" if tick.argv else ""
    return RememberedAnswer(
        answer_id=f"check-{tick.key[:12]}",
        about="check",
        title=f"The check {tick.check or 'of an earlier version'}{command}",
        says="runs unasked" if tick.ticked else "is left out unless you tick it",
    )
