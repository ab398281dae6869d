"""What a presenter wants to do to the user's files, and what became of it."""

from typing import Literal

from teamwright.protocol.base import Maybe, Wire
from teamwright.protocol.ids import AgentId


class Hunk(Wire):
    index: int
    old_start: int
    old_lines: int
    new_start: int
    new_lines: int


class Change(Wire):
    uri: str
    kind: Literal["create", "edit", "delete"]
    diff: str
    hunks: tuple[Hunk, ...]
    agent_id: AgentId
    truncated: Maybe[bool] = None
    # Of both texts whole, where the diff is not: what is made later is compared with it.
    digest: Maybe[str] = None
    # Why a person has to look at it before it is written, whatever the policy; left out where it has not.
    asks: Maybe[str] = None


class FileChoice(Wire):
    """A file of a change set, whole or only some of its hunks."""

    uri: str
    hunks: Maybe[tuple[int, ...]] = None


class SettledFile(Wire):
    uri: str
    outcome: Literal["applied", "rejected", "conflicted"]
    reason: Maybe[str] = None
