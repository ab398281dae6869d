"""What bubblewrap is told: what there is inside, and what is not. Blocks on the disk."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from teamwright.config.surroundings import find_program
from teamwright.protocol.errors import UserError
from teamwright.workspace.copies.closed_files import find_sign_ins, read_git_config, without_credentials
from teamwright.workspace.copies.toolchains import SYSTEM, Toolchains
from teamwright.workspace.git.location import locate

PROGRAM: Final = "bwrap"
HOME_INSIDE: Final = "/tmp/home"  # noqa: S108 - a name inside the box, where nobody else is
# Closed to people anyway, but not to root.
_SECRETS_OF_ROOT: Final = ("/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/etc/sudoers")
_CLOSED_TO_ALL: Final = ("/etc/ssh", "/etc/ssl/private", "/etc/sudoers.d")
_ENVIRONMENT: Final = {
    "HOME": HOME_INSIDE,
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "NO_COLOR": "1",
    # Programs that would wait for somebody at a terminal do not.
    "CI": "true",
    # There is nobody to sign for, and what is asked about the repository must not write to it.
    "GIT_OPTIONAL_LOCKS": "0",
}
_INHERITED: Final = ("USER", "LOGNAME", "SHELL", "TMPDIR", "LC_ALL")


def program() -> str | None:
    return find_program(PROGRAM)


def opening_words(toolchains: Toolchains, environment: Mapping[str, str], closed: Iterable[Path]) -> list[str]:
    """Up to the folders of the workspace. `closed` stay unseen even where programs live: the home and our state."""
    variables = _ENVIRONMENT | toolchains.environment | {"PATH": ":".join(toolchains.search)} | dict(environment)
    return [
        program() or PROGRAM,
        *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
        *("--uid", str(os.getuid()), "--gid", str(os.getgid())),
        *_each(("--setenv", name, value) for name, value in variables.items()),
        *_each(("--ro-bind-try", path, path) for path in SYSTEM),
        *("--proc", "/proc", "--dev", "/dev"),
        *_each(("--tmpfs", path) for path in (*_closed_inside(closed), *filter(os.path.isdir, _CLOSED_TO_ALL))),
        *_each(("--ro-bind-try", os.devnull, path) for path in filter(os.path.exists, _SECRETS_OF_ROOT)),
        *_each(("--ro-bind", str(path), str(path)) for path in sorted(toolchains.shown)),
        *_each(_covering(path) for shown in sorted(toolchains.shown) for path in find_sign_ins(shown)),
    ]


def own_environment(toolchains: Toolchains, environment: Mapping[str, str]) -> dict[str, str]:
    """For a command that nobody shuts in: the user's own home and programs, and none of the keys beside them."""
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    search = ":".join(dict.fromkeys((*toolchains.search, *os.environ.get("PATH", "").split(":"))))
    return {**_ENVIRONMENT, "HOME": str(Path.home()), "PATH": search, **inherited, **environment}


def repository_words(folders: Sequence[Path], directory: Path) -> list[str]:
    """The data of repositories that lies outside the folders that belong to them, without what it says of people."""
    words: list[str] = []
    for number, folder in enumerate(folders):
        try:
            found = locate(folder)
        except UserError:
            continue
        marker = found.top / ".git"
        for place in dict.fromkeys((found.common_dir, found.git_dir, marker)):
            if any(place.is_relative_to(each) for each in folders):
                continue
            words += ["--ro-bind", str(place), str(place)]
            for name in ("config", "config.worktree"):
                if (text := read_git_config(place / name)) is not None:
                    shown = directory / f"git-{number}-{len(words)}-{name}"
                    shown.write_text(without_credentials(text), encoding="utf-8", errors="surrogateescape")
                    words += ["--ro-bind", str(shown), str(place / name)]
    return words


def _closed_inside(closed: Iterable[Path]) -> Iterator[str]:
    for path in closed:
        real = path.resolve()
        if real.is_dir() and any(real.is_relative_to(Path(system).resolve()) for system in SYSTEM):
            yield str(real)


def _covering(path: Path) -> tuple[str, ...]:
    """A link leads to where it leads, which is shown or not by itself."""
    if path.is_symlink():
        return ()
    return ("--tmpfs", str(path)) if path.is_dir() else ("--ro-bind", os.devnull, str(path))


def _each(options: Iterable[tuple[str, ...]]) -> list[str]:
    return [word for option in options for word in option]
