"""Where a repository's data lies, and how git is made to look at it without obeying any of it.

git runs what configuration names: filters, monitors, hooks, pagers, helpers, transports. So it never sees the
repository's: it is given a directory of ours, with a configuration of ours, in which only data of the repository is
linked to (references, objects, the index). There is nothing to neutralise, whatever a repository calls its drivers.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anyio import CancelScope, to_thread

from teamwright.protocol.errors import NotFound, NotPermitted

_NULL: Final = os.devnull
_LONGEST_POINTER: Final = 10_000
# What git needs besides objects and the index. All of it is data.
_SHARED: Final = ("refs", "packed-refs", "reftable", "shallow", "logs")
_ELSEWHERE: Final = (
    "The repository's data lies elsewhere ({where}), and nothing there says that it belongs to this folder."
)
_A_LINK: Final = "{where} is a link; git's data must lie in the repository itself."


@dataclass(frozen=True, slots=True)
class RepositoryLocation:
    """`git_dir` has the index and HEAD; `common_dir`, mostly the same, what all working trees of it share."""

    top: Path
    git_dir: Path
    common_dir: Path

    @asynccontextmanager
    async def environment(self, inherited: dict[str, str]) -> AsyncGenerator[dict[str, str]]:
        """For a git that sees this repository's data and nobody's configuration."""
        own = await to_thread.run_sync(_laid_out, self)
        try:
            yield inherited | {
                "GIT_DIR": own.name,
                "GIT_WORK_TREE": str(self.top),
                "GIT_INDEX_FILE": str(self.git_dir / "index"),
                "GIT_OBJECT_DIRECTORY": str(self.common_dir / "objects"),
                "GIT_CONFIG_GLOBAL": _NULL,
                "GIT_CONFIG_SYSTEM": _NULL,
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_ATTR_NOSYSTEM": "1",
                "GIT_OPTIONAL_LOCKS": "0",
                "GIT_TERMINAL_PROMPT": "0",
                "GIT_NO_LAZY_FETCH": "1",
                "GIT_NO_REPLACE_OBJECTS": "1",
                "LC_ALL": "C",
            }
        finally:
            with CancelScope(shield=True):
                await to_thread.run_sync(own.cleanup)


def locate(folder: Path) -> RepositoryLocation:
    """The repository that a folder lies in. Blocks on the disk.

    Raises NotFound where there is none, NotPermitted where what stands for one leads to somebody else's data.
    """
    for top in (folder, *folder.parents):
        marker = top / ".git"
        try:
            mode = marker.lstat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode):
            return _checked(RepositoryLocation(top, marker, marker))
        if stat.S_ISREG(mode):
            return _checked(_pointed_to(top, marker))
        raise NotPermitted(f"`{marker.name}` in {top} is a link; git's data must lie in the folder itself.")
    raise NotFound("git has no repository here: neither this folder nor one above it is a repository.")


def _pointed_to(top: Path, marker: Path) -> RepositoryLocation:
    """A working tree of a repository that lies elsewhere, which must know of it: anybody can write a pointer."""
    git_dir = _target(marker, "gitdir: ")
    if git_dir is None:
        raise NotFound(f"git has no repository here: {marker} points nowhere.")
    back, common = git_dir / "gitdir", _target(git_dir / "commondir", "")
    if common is not None:
        # The working tree's own directory may be anybody's, too: the repository must hold it among its own.
        if _target(back, "") != marker.resolve() or git_dir.parent != common / "worktrees":
            raise NotPermitted(_ELSEWHERE.format(where=git_dir))
        return RepositoryLocation(top, git_dir, common)
    # A submodule: its data lies in the repository above it, by the name of the module.
    above = next((each for each in top.parents if (each / ".git").is_dir()), None)
    if above is None or not git_dir.is_relative_to((above / ".git" / "modules").resolve()):
        raise NotPermitted(_ELSEWHERE.format(where=git_dir))
    return RepositoryLocation(top, git_dir, git_dir)


def _target(pointer: Path, prefix: str) -> Path | None:
    try:
        if not stat.S_ISREG(pointer.lstat().st_mode):
            return None
        with pointer.open("rb") as file:
            said = os.fsdecode(file.read(_LONGEST_POINTER)).rstrip("\r\n")
    except OSError:
        return None
    if not said.startswith(prefix) or "\0" in said:
        return None
    return (pointer.parent / said.removeprefix(prefix)).resolve()


def _checked(found: RepositoryLocation) -> RepositoryLocation:
    objects = found.common_dir / "objects"
    for directory in (found.git_dir, found.common_dir, objects):
        try:
            mode = directory.lstat().st_mode
        except OSError:
            raise NotFound(f"git has no repository here: {directory} is missing.") from None
        if not stat.S_ISDIR(mode):
            raise NotPermitted(_A_LINK.format(where=directory))
    for path in (found.git_dir / "index", *_entries(objects), *_entries(objects / "pack")):
        if path.is_symlink():
            raise NotPermitted(_A_LINK.format(where=path))
    if os.path.lexists(objects / "info" / "alternates"):
        raise NotPermitted(
            "The repository borrows its history from another one (objects/info/alternates); "
            "`git repack -a -d` and removing that file make it whole."
        )
    return found


def _entries(directory: Path) -> list[Path]:
    try:
        return list(directory.iterdir())
    except OSError:
        return []


def _laid_out(location: RepositoryLocation) -> tempfile.TemporaryDirectory[str]:
    made = tempfile.TemporaryDirectory(prefix="teamwright-git-", ignore_cleanup_errors=True)
    own = Path(made.name)
    (own / "objects").mkdir()
    with suppress(OSError):
        shutil.copyfile(location.git_dir / "HEAD", own / "HEAD", follow_symlinks=False)
    for name in _SHARED:
        source = location.common_dir / name
        if os.path.lexists(source) and not source.is_symlink():
            _link(own / name, source)
    (own / "refs").mkdir(exist_ok=True)
    is_reftable = (own / "reftable").exists()
    extensions = [
        *(["objectFormat = sha256"] if _has_long_names(location) else []),
        *(["refStorage = reftable"] if is_reftable else []),
    ]
    lines = ["[core]", f"repositoryformatversion = {1 if extensions else 0}", "bare = false"]
    if extensions:
        lines += ["[extensions]", *extensions]
    (own / "config").write_text("\n".join(lines) + "\n", encoding="ascii")
    return made


def _link(link: Path, source: Path) -> None:
    """Not every Windows lets everybody make links: there what is small enough to be copied is."""
    try:
        link.symlink_to(source, target_is_directory=source.is_dir())
    except OSError:
        if source.is_dir():
            shutil.copytree(source, link, symlinks=True)
        else:
            shutil.copyfile(source, link)


def _has_long_names(location: RepositoryLocation) -> bool:
    """Whether objects are named by SHA-256: a pack, or else any object, tells by the length of its name."""
    with suppress(OSError):
        pack = next((location.common_dir / "objects" / "pack").glob("pack-*.idx"), None)
        if pack is not None:
            return len(pack.stem.removeprefix("pack-")) == 64
        for fan in (location.common_dir / "objects").iterdir():
            loose = next(fan.iterdir(), None) if len(fan.name) == 2 else None
            if loose is not None:
                return len(loose.name) == 62
    return False
