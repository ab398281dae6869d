"""Read-only facts of a repository, told by git.

The repository is data: git does not see its configuration at all, so nothing that it names is run, fetched or locked.
What the working tree holds is not told by git but read here, as the editor shows it.
"""

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from teamwright.config.surroundings import find_program, search_path
from teamwright.protocol.errors import BadParams, FieldError, NotFound
from teamwright.workspace.git.location import locate
from teamwright.workspace.programs import Output, run_program

_SECONDS = 20.0
_MOST_BYTES = 20_000_000
_REVISION = re.compile(r"[A-Za-z0-9_@][\w./@{}^~+-]{0,199}")
# Nothing of the repository's or the user's configuration is read (see location.py); these are git's own defaults.
_OPTIONS = (
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.quotePath=false",
    "-c",
    "protocol.allow=never",
)
_PASSED_ON = frozenset(
    ("PATH", "HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
) | frozenset(("SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA"))
_FIELD, _RECORD = "\x1f", "\x1e"


@dataclass(frozen=True, slots=True)
class Commit:
    """Without the author's address, which is nobody's business."""

    revision: str
    author: str
    committed_at: str
    message: str


@dataclass(frozen=True, slots=True)
class BaseFile:
    """A file that may differ from the base: None where the base has no such file."""

    parts: tuple[str, ...]
    blob: str | None


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository that a folder lies in. Paths are relative to the folder."""

    folder: Path

    async def log(self, *, parts: tuple[str, ...] = (), limit: int = 20) -> tuple[Commit, ...]:
        """Newest first."""
        form = f"--format=%H{_FIELD}%an{_FIELD}%cI{_FIELD}%B{_RECORD}"
        output = await self._git(
            "log", f"--max-count={limit}", form, "--no-show-signature", "--no-notes", "--", *_pathspec(parts)
        )
        records = output.stdout.decode("utf-8", "replace").split(_RECORD)
        fields = (record.strip("\n").split(_FIELD) for record in records)
        return tuple(
            Commit(hash_, who, when, text.strip()) for hash_, who, when, text in (f for f in fields if len(f) == 4)
        )

    async def commit(self, base: str) -> str:
        """The commit that a revision names; with three dots behind it, where its history and ours part, as in git."""
        revision = base.removesuffix("...")
        if not _REVISION.fullmatch(revision):
            raise BadParams([FieldError(path="base", message=f"`{base}` is not the name of a revision")])
        found = await self._try("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        if found.status != 0:
            await self._require_repository()
            raise NotFound(f"The repository has no revision `{revision}`.")
        commit = found.stdout.decode("ascii").strip()
        if not base.endswith("..."):
            return commit
        return (await self._git("merge-base", commit, "HEAD")).stdout.decode("ascii").strip()

    async def candidates(self, commit: str, parts: tuple[str, ...] = ()) -> tuple[BaseFile, ...]:
        """Files that may differ from the commit on disk, untracked ones included."""
        raw = await self._git(
            "diff-index", "--raw", "-z", "--no-abbrev", "--no-renames", "--relative", "--ignore-submodules=all",
            commit, "--", *_pathspec(parts),
        )  # fmt: skip
        untracked = await self._git(
            *await self._users_ignores(), "ls-files", "--others", "--exclude-standard", "-z", "--", *_pathspec(parts)
        )
        names = (BaseFile(tuple(name.split("/")), None) for name in _fields(untracked) if name)
        return (*_from_raw(raw), *names)

    async def tracked(self, commit: str, paths: Iterable[tuple[str, ...]]) -> tuple[BaseFile, ...]:
        """What the commit holds at these paths."""
        specs = ["/".join(parts) for parts in paths]
        if not specs:
            return ()
        listed = await self._git("ls-tree", "-z", commit, "--", *specs)
        found = (line.partition("\t") for line in _fields(listed) if line)
        return tuple(
            BaseFile(tuple(name.split("/")), facts.split(" ")[2]) for facts, _, name in found if facts.startswith("100")
        )

    async def contents(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """Those that fit into what is read at most; unconverted, as they are stored."""
        wanted = "".join(f"{blob}\n" for blob in dict.fromkeys(blobs))
        output = await self._git("cat-file", "--batch", stdin=wanted.encode("ascii"))
        return _from_batch(output.stdout)

    async def show(self, base: str, parts: tuple[str, ...]) -> bytes:
        """A file as it was at a revision."""
        files = await self.tracked(await self.commit(base), [parts])
        contents = await self.contents(file.blob for file in files if file.blob is not None)
        for data in contents.values():
            return data
        raise NotFound(f"`{'/'.join(parts)}` is not in `{base}`.")

    async def _users_ignores(self) -> tuple[str, ...]:
        """The one thing that the user's own configuration says here: what is never worth a look."""
        asked = ("config", "--global", "--type=path", "--null", "--get", "core.excludesFile")
        own = await self._run(*asked, cwd=Path.home(), env=_inherited() | {"GIT_DIR": os.devnull})
        named = own.stdout.rstrip(b"\0").decode("utf-8", "replace") if own.status == 0 else ""
        return ("-c", f"core.excludesFile={named}") if named else ()

    async def _require_repository(self) -> None:
        inside = await self._try("rev-parse", "--is-inside-work-tree")
        if inside.status != 0:
            said = inside.stderr.strip().split("\n")[0].removeprefix("fatal: ")
            raise NotFound(f"git has no repository here: {said}.")
        if (await self._try("rev-parse", "--verify", "--quiet", "HEAD")).status != 0:
            raise NotFound("The repository has no commit yet.")

    async def _git(self, *arguments: str, stdin: bytes = b"") -> Output:
        output = await self._try(*arguments, stdin=stdin)
        if output.status != 0 and not output.truncated:
            await self._require_repository()
            said = output.stderr.strip().split("\n")[0].removeprefix("fatal: ")
            raise NotFound(f"git could not answer: {said}.")
        return output

    async def _try(self, *arguments: str, stdin: bytes = b"") -> Output:
        location = await to_thread.run_sync(locate, self.folder)
        async with location.environment(_inherited()) as environment:
            return await self._run(*arguments, cwd=self.folder, env=environment, stdin=stdin)

    async def _run(self, *arguments: str, cwd: Path, env: dict[str, str], stdin: bytes = b"") -> Output:
        return await run_program(
            (_program(self.folder), *_OPTIONS, *arguments),
            cwd=cwd,
            env=env,
            seconds=_SECONDS,
            most_bytes=_MOST_BYTES,
            stdin=stdin,
        )


def blob_id(data: bytes, like: str) -> str:
    """The name that git gives to a content, by the kind of hash that another name shows."""
    framed = b"blob %d\0" % len(data) + data
    if len(like) == 64:
        return hashlib.sha256(framed).hexdigest()
    return hashlib.sha1(framed, usedforsecurity=False).hexdigest()


def _program(folder: Path) -> str:
    """Nor from the folder by an absolute entry, such as that of an environment which was made there."""
    found = find_program("git")
    if found is None or Path(found).resolve().is_relative_to(folder.resolve()):
        raise NotFound("git was not found; install it, or put it on the PATH.")
    return found


def _inherited() -> dict[str, str]:
    """What programs need to run at all, and where the user's own ignores are said: git has no business with keys, and
    must not look at the repository of a hook that the server was started from."""
    passed_on = {name: value for name, value in os.environ.items() if name.upper() in _PASSED_ON}
    return passed_on | {"PATH": search_path(os.environ)}


def _pathspec(parts: tuple[str, ...]) -> tuple[str, ...]:
    return ("/".join(parts) or ".",)


def _fields(output: Output) -> list[str]:
    """Names that are no Unicode text are passed over, as in every listing."""
    whole = output.stdout.split(b"\0")[: -1 if output.truncated else None]
    names: list[str] = []
    for name in whole:
        try:
            names.append(name.decode("utf-8"))
        except UnicodeDecodeError:
            names.append("")
    return names


def _from_raw(output: Output) -> list[BaseFile]:
    """Pairs of `:old-mode new-mode old-blob new-blob status` and the path. Links and submodules are left out."""
    fields = _fields(output)
    found: list[BaseFile] = []
    for facts, name in zip(fields[::2], fields[1::2], strict=False):
        old_mode, _, blob, _, _ = facts.removeprefix(":").split(" ")
        if name and old_mode in {"100644", "100755", "000000"}:
            found.append(BaseFile(tuple(name.split("/")), None if old_mode == "000000" else blob))
    return found


def _from_batch(stdout: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    position = 0
    while (end := stdout.find(b"\n", position)) >= 0:
        facts = stdout[position:end].decode("ascii").split(" ")
        position = end + 1
        if len(facts) == 3:
            size = int(facts[2])
            data = stdout[position : position + size]
            if len(data) == size:
                found[facts[0]] = data
            position += size + 1
    return found
