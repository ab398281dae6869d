"""What a presenter wants to do to the user's files: reviewed as hunks, chosen in part, merged with what was typed.

Only `propose` reads files; all else is pure.
"""

import hashlib
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from teamwright.permissions.paths import WorkspacePath
from teamwright.permissions.protection import reason_to_ask
from teamwright.protocol.changes import Change
from teamwright.protocol.errors import BadParams, FieldError, UserError
from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.hunks import Conflicted, Merged, diff_of, hunks_of, merge, unified, with_hunks
from teamwright.workspace.copies.staging import StagedFile
from teamwright.workspace.files.live_files import LiveFiles

_LONGEST_DIFF = 64_000


@dataclass(frozen=True, slots=True)
class FileChange:
    """From what the editor showed to what the presenter wants; None: there is no such file."""

    path: WorkspacePath
    uri: str
    before: str | None
    after: str | None

    @property
    def kind(self) -> Literal["create", "edit", "delete"]:
        if self.before is None:
            return "create"
        return "edit" if self.after is not None else "delete"


@dataclass(frozen=True, slots=True)
class Mergeable:
    """The file can be brought to this text; None: deleted."""

    text: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The file already is as wanted: applied before, or done by hand."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Applying would lose what somebody wrote. Both texts are kept; a person decides."""

    reason: str
    ours: str | None
    theirs: str | None


Resolved = Mergeable | Standing | Clash


def propose(live: LiveFiles, wanted: Iterable[StagedFile]) -> tuple[FileChange, ...]:
    """What is wanted against what the editor shows now. Blocks on the disk."""
    changes = (_proposed(live, staged) for staged in wanted)
    return tuple(change for change in changes if change.before != change.after)


def as_wanted(live: LiveFiles, staged: StagedFile) -> FileChange:
    """From what the agent began with, whatever the editor shows by now."""
    return FileChange(staged.path, live.uri(staged.path), staged.base, staged.text)


def to_wire(change: FileChange, agent_id: AgentId) -> Change:
    diff = diff_of(change.before or "", change.after or "")
    shown = "/".join(change.path.parts)
    text = unified(
        diff,
        "/dev/null" if change.before is None else f"a/{shown}",
        "/dev/null" if change.after is None else f"b/{shown}",
    )
    too_long = len(text) > _LONGEST_DIFF
    return Change(
        uri=change.uri,
        kind=change.kind,
        diff=text[: text.rfind("\n", 0, _LONGEST_DIFF) + 1] if too_long else text,
        hunks=hunks_of(diff),
        agent_id=agent_id,
        truncated=True if too_long else None,
        digest=_digest(change) if too_long else None,
        asks=reason_to_ask(change.path.parts),
    )


def _digest(change: FileChange) -> str:
    return hashlib.sha256(json.dumps([change.before, change.after]).encode("ascii")).hexdigest()


def wanted(change: FileChange, hunks: Collection[int] | None) -> str | None:
    """The text that a choice of hunks asks for; None as `hunks` is all of them."""
    if hunks is None:
        return change.after
    diff = diff_of(change.before or "", change.after or "")
    if change.kind != "edit":
        return change.after if hunks or not diff.groups else change.before
    return with_hunks(diff, hunks)


def check_hunks(chosen: Iterable[tuple[FileChange, Collection[int] | None]]) -> None:
    """Raises BadParams for each choice of a hunk that is not there, by its place in the list."""
    faults = [
        FieldError(path=f"files.{place}.hunks", message=f"{change.uri} has no hunk {unknown[0]}")
        for place, (change, hunks) in enumerate(chosen)
        if hunks and (unknown := sorted(set(hunks) - _hunk_numbers(change)))
    ]
    if faults:
        raise BadParams(faults)


def _hunk_numbers(change: FileChange) -> set[int]:
    return set(range(len(diff_of(change.before or "", change.after or "").groups)))


def resolve(change: FileChange, current: str | None, hunks: Collection[int] | None = None) -> Resolved:
    """What to do with a file that reads `current` now."""
    target = wanted(change, hunks)
    if current == target:
        return Standing()
    if current == change.before:
        return Mergeable(target)
    if change.before is None:
        return Clash("a file of that name has been created meanwhile", current, target)
    if current is None:
        return Clash("the file has been deleted meanwhile", current, target)
    if target is None:
        return Clash("the file has been changed meanwhile and is not deleted", current, target)
    match merge(change.before, current, target):
        case Merged(text):
            return Standing() if text == current else Mergeable(text)
        case Conflicted():
            return Clash("the same lines have been changed meanwhile", current, target)


def contains_change(before: str | None, now: str | None, after: str) -> bool:
    """Whether a text that was changed further has in it all that led from `before` to `after`."""
    return before is not None and now is not None and merge(before, now, after) == Merged(now)


def resolve_undo(found: str | None, wrote: str | None, current: str | None) -> Resolved:
    """Takes back exactly what we wrote, and only as long as it still stands as we wrote it."""
    if current == found:
        return Standing()
    if current == wrote:
        return Mergeable(found)
    return Clash("the file has been changed since and is left as it is", current, found)


def _proposed(live: LiveFiles, staged: StagedFile) -> FileChange:
    """What the user typed while the presenter worked is merged in, where it can be; where not, applying will tell."""
    uri = live.uri(staged.path)
    try:
        shown = live.read_if_present(staged.path)
    except UserError:
        shown = None
    if shown is not None and staged.base is not None and staged.text is not None and shown != staged.base:
        merged = merge(staged.base, shown, staged.text)
        if isinstance(merged, Merged):
            return FileChange(staged.path, uri, shown, merged.text)
    return FileChange(staged.path, uri, staged.base, staged.text)
