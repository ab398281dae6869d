"""The files that tell the assistant how to work here: AGENTS.md, CONTEXT.md, memory and skills. They are read anew for
every turn. Nothing of a workspace that is not trusted is read. Everything here blocks on the disk."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from quorate.config.nodes import MapNode
from quorate.config.yaml_reader import read_yaml
from quorate.permissions.names import fault_in_name
from quorate.permissions.paths import WorkspacePath, render_path
from quorate.prompts.assistant.given import MOST_SKILLS, GivenText, NamedProject, Skill
from quorate.protocol.errors import NotFound, UserError
from quorate.workspace.beneath import Entry
from quorate.workspace.folders import STYLE
from quorate.workspace.live_files import LiveFiles, text_or_refusal
from quorate.workspace.projects import Projects
from quorate.workspace.safe_files import Root

_CONTEXT: Final = "CONTEXT.md"
_INSTRUCTIONS: Final = ("AGENTS.md", _CONTEXT)
_OURS: Final = ".quorate"
_MEMORY: Final = "MEMORY.md"
_SKILLS: Final = "skills"
_SKILL: Final = "SKILL.md"
_FENCE: Final = "---"
_LARGEST_FILE: Final = 500_000
_LONGEST_FRONT_MATTER: Final = 4_000


@dataclass(frozen=True, slots=True)
class Given:
    """`problems` are sentences for the user about files that are there and could not be read."""

    instructions: tuple[GivenText, ...] = ()
    memory: tuple[GivenText, ...] = ()
    skills: tuple[Skill, ...] = ()
    projects: tuple[NamedProject, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Shelf:
    """A place with files of one owner. `path_of` is how tools name a file there; None where they cannot reach it."""

    read: Callable[[tuple[str, ...]], str]
    entries: Callable[[tuple[str, ...]], tuple[Entry, ...]]
    path_of: Callable[[tuple[str, ...]], str | None]
    problems: list[str] = field(default_factory=list[str])

    def given(self, *parts: str) -> tuple[GivenText, ...]:
        text = self._text(parts)
        return () if text is None else (GivenText(self.path_of(parts) or f"the user's own {parts[-1]}", text),)

    def skills(self, *home: str) -> Iterator[Skill]:
        try:
            folders = [entry.name for entry in self.entries(home) if entry.kind == "directory"]
        except UserError:
            return
        for folder in folders[:MOST_SKILLS]:
            parts = (*home, folder, _SKILL)
            if (text := self._text(parts)) is not None:
                yield _skill(folder, text, self.path_of(parts))

    def _text(self, parts: tuple[str, ...]) -> str | None:
        try:
            return self.read(parts)
        except NotFound:
            return None
        except UserError as fault:
            self.problems.append(f"The assistant is not told what {parts[-1]} says: {fault.message}")
            return None


def read_given(live: LiveFiles, own: Path, *, trusted: bool, project: str | None) -> Given:
    """`own` is the folder of the user's configuration. What belongs to us is read in the first folder alone."""
    users = _users_shelf(Root(own))
    roots = [_live_shelf(live, folder.name) for folder in live.folders.folders] if trusted else []
    first = roots[:1]
    homes = [(_OURS, "projects", project)] if project is not None and _is_plain(project) else []
    return Given(
        instructions=(
            *(text for root in roots for name in _INSTRUCTIONS for text in root.given(name)),
            *(text for root in first for home in homes for text in root.given(*home, _CONTEXT)),
        ),
        memory=(*users.given(_MEMORY), *(text for root in first for text in root.given(_OURS, _MEMORY))),
        skills=(*users.skills(_SKILLS), *(skill for root in first for skill in root.skills(_OURS, _SKILLS))),
        projects=_projects(live) if first else (),
        problems=tuple(problem for shelf in (users, *roots) for problem in shelf.problems),
    )


def _projects(live: LiveFiles) -> tuple[NamedProject, ...]:
    return tuple(NamedProject(project.name, project.goal) for project in Projects(live).all())


def _users_shelf(root: Root) -> _Shelf:
    return _Shelf(
        lambda parts: text_or_refusal(root.read(parts, _LARGEST_FILE), parts),
        root.entries,
        lambda _: None,
    )


def _live_shelf(live: LiveFiles, folder: str) -> _Shelf:
    return _Shelf(
        lambda parts: live.read(WorkspacePath(folder, parts)).text,
        lambda parts: live.entries(WorkspacePath(folder, parts)),
        lambda parts: render_path(WorkspacePath(folder, parts), live.folders.places),
    )


def _is_plain(name: str) -> bool:
    """A single part of a path that leads nowhere else."""
    return bool(name) and "/" not in name and name != "." and fault_in_name(name, STYLE) is None


def _skill(folder: str, text: str, path: str | None = None) -> Skill:
    matter, body = _front_matter(text)
    name = (matter.text("name") if matter is not None else None) or folder
    described = matter.text("description") if matter is not None else None
    return Skill(name, described or _first_line(body), path, "" if path is not None else body.strip())


def _front_matter(text: str) -> tuple[MapNode | None, str]:
    """What stands between two lines of `---` at the top, as far as it is a mapping, and the rest."""
    if not text.startswith(_FENCE):
        return None, text
    end = text.find(f"\n{_FENCE}", len(_FENCE), _LONGEST_FRONT_MATTER)
    if end < 0:
        return None, text
    matter = read_yaml(text[len(_FENCE) : end], _SKILL)
    return (matter if isinstance(matter, MapNode) else None), text[end + len(_FENCE) + 1 :]


def _first_line(body: str) -> str:
    return next((line.strip("# \r") for line in body.split("\n", 50) if line.strip("# \r")), "")
