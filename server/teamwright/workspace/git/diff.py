"""What has changed since a revision, against what the editor shows: unsaved text included, secrets left out."""

from dataclasses import dataclass

import anyio

from teamwright.permissions.judgement import may_read
from teamwright.permissions.paths import WorkspacePath, render_path
from teamwright.permissions.rules import Rules
from teamwright.protocol.errors import NotFound, UserError
from teamwright.workspace.changes.hunks import diff_of, unified
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.text import Text, decode
from teamwright.workspace.git.repository import BaseFile, Repository, blob_id

_MOST_FILES = 300
_MOST_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class RepositoryDiff:
    """`stopped` says why there may be more."""

    text: str
    files: tuple[str, ...]
    stopped: str | None = None


async def diff_since(live: LiveFiles, rules: Rules, start: WorkspacePath, base: str = "HEAD") -> RepositoryDiff:
    repository = Repository(live.folders.root(start).path)
    commit = await repository.commit(base)
    changed = {file.parts: file for file in await repository.candidates(commit, start.parts)}
    # git knows the disk only; a file that is clean there may be dirty in the editor.
    unsaved = [path.parts for path in live.open_paths() if path.within(start) and path.parts not in changed]
    changed |= {parts: BaseFile(parts, None) for parts in unsaved}
    changed |= {file.parts: file for file in await repository.tracked(commit, unsaved)}
    readable = [changed[parts] for parts in sorted(changed) if may_read(rules, WorkspacePath(start.folder, parts))]
    texts = await anyio.to_thread.run_sync(_texts_now, live, start.folder, readable[:_MOST_FILES])
    contents = await repository.contents(file.blob for file, _ in texts if file.blob is not None)
    return await anyio.to_thread.run_sync(_render, rules, start.folder, texts, contents, len(readable) > _MOST_FILES)


def _texts_now(live: LiveFiles, folder: str, files: list[BaseFile]) -> list[tuple[BaseFile, str | None]]:
    """What the editor shows of each file that really differs; None: it is gone. What is no text is left out."""
    texts: list[tuple[BaseFile, str | None]] = []
    for file in files:
        try:
            text = _plain(live.read(WorkspacePath(folder, file.parts)).text)
        except NotFound:
            text = None
        except UserError:
            continue
        if text is None and file.blob is None:
            continue
        if text is None or file.blob is None or blob_id(text.encode("utf-8", "replace"), file.blob) != file.blob:
            texts.append((file, text))
    return texts


def _render(
    rules: Rules, folder: str, texts: list[tuple[BaseFile, str | None]], contents: dict[str, bytes], more: bool
) -> RepositoryDiff:
    pieces: list[str] = []
    names: list[str] = []
    room = _MOST_CHARACTERS
    for file, text in texts:
        before = _before(file, contents)
        if before == text or (before is None and file.blob is not None):
            continue
        name = render_path(WorkspacePath(folder, file.parts), rules.places)
        old_name, new_name = (
            f"a/{name}" if before is not None else "/dev/null",
            f"b/{name}" if text is not None else "/dev/null",
        )
        piece = unified(diff_of(before or "", text or ""), old_name, new_name)
        if len(piece) > room:
            return RepositoryDiff("".join(pieces), tuple(names), "the difference is too long; narrow it to a path")
        room -= len(piece)
        pieces.append(piece)
        names.append(name)
    return RepositoryDiff("".join(pieces), tuple(names), f"more than {_MOST_FILES} files may differ" if more else None)


def _before(file: BaseFile, contents: dict[str, bytes]) -> str | None:
    decoded = decode(contents[file.blob]) if file.blob is not None and file.blob in contents else None
    return _plain(decoded.text) if isinstance(decoded, Text) else None


def _plain(text: str) -> str:
    """git may store other line endings than it checks out; a difference in these alone is none to review."""
    return text.replace("\r\n", "\n")
