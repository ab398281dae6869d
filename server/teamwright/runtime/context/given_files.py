"""The files that tell the assistant how to work here, and the brief for its prompt that is made of them.

AGENTS.md, CONTEXT.md, memory and skills are read anew for every turn; nothing of a workspace that is not trusted is
read. Reading blocks on the disk.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from teamwright.config.backends import ApiBackend, CliBackend, OfflineBackend, resolve_backend
from teamwright.config.nodes import MapNode
from teamwright.config.settings import AgentSettings, ApprovalThreshold, Settings
from teamwright.config.yaml_reader import read_yaml
from teamwright.models.targets import label_of
from teamwright.permissions.names import fault_in_name
from teamwright.permissions.paths import WorkspacePath, render_path
from teamwright.prompts.assistant.given import MOST_SKILLS, GivenText, NamedProject, Skill
from teamwright.prompts.assistant.hidden_text import hidden_text
from teamwright.prompts.assistant.system_prompt import AssistantBrief
from teamwright.prompts.assistant.team import RunPolicy, TeamMember
from teamwright.protocol.errors import NotFound, UserError
from teamwright.protocol.events import HiddenTextFound
from teamwright.protocol.runs import ContextPath
from teamwright.protocol.visible_text import visible
from teamwright.workspace.files.beneath import DirectoryEntry
from teamwright.workspace.files.folders import STYLE
from teamwright.workspace.files.live_files import LiveFiles, text_or_refusal
from teamwright.workspace.files.safe_files import Root, hash_of
from teamwright.workspace.projects.projects import Projects

_CONTEXT: Final = "CONTEXT.md"
_INSTRUCTIONS: Final = ("AGENTS.md", _CONTEXT)
_OURS: Final = ".teamwright"
_MEMORY: Final = "MEMORY.md"
_SKILLS: Final = "skills"
_SKILL: Final = "SKILL.md"
_FENCE: Final = "---"
_LARGEST_FILE: Final = 500_000
_LONGEST_FRONT_MATTER: Final = 4_000


@dataclass(frozen=True, slots=True)
class Given:
    """`problems` are sentences for the user about files that are there and could not be read; `hidden` are
    facts about words in them that nobody sees."""

    instructions: tuple[GivenText, ...] = ()
    memory: tuple[GivenText, ...] = ()
    skills: tuple[Skill, ...] = ()
    projects: tuple[NamedProject, ...] = ()
    problems: tuple[str, ...] = ()
    hidden: tuple[HiddenTextFound, ...] = ()


@dataclass(frozen=True, slots=True)
class _Shelf:
    """A place with files of one owner. `path_of` is how tools name a file there; None where they cannot reach it."""

    read: Callable[[tuple[str, ...]], str]
    entries: Callable[[tuple[str, ...]], tuple[DirectoryEntry, ...]]
    path_of: Callable[[tuple[str, ...]], str | None]
    problems: list[str] = field(default_factory=list[str])
    hidden: list[HiddenTextFound] = field(default_factory=list[HiddenTextFound])

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
        """As a model may read it: with every character to be seen."""
        try:
            text = self.read(parts)
        except NotFound:
            return None
        except UserError as fault:
            self.problems.append(f"The assistant is not told what {parts[-1]} says: {fault.message}")
            return None
        told = hidden_text(self.path_of(parts) or f"Your own {'/'.join(parts)}", text)
        if told is not None:
            self.hidden.append(HiddenTextFound(text=told, digest=hash_of(text.encode(errors="surrogatepass"))))
        return visible(text.removeprefix("\ufeff"))


def read_given(live: LiveFiles, own: Path, *, trusted: bool, project: str | None) -> Given:
    """`own` is the folder of the user's configuration. What belongs to us is read in the first folder alone."""
    users = _users_shelf(Root(own))
    roots = _shelves(live, trusted=trusted)
    first = roots[:1]
    return Given(
        instructions=_instructions(roots, project),
        # What is known of the user is no business of a workspace that they do not trust.
        memory=(*users.given(_MEMORY), *(text for root in first for text in root.given(_OURS, _MEMORY)))
        if trusted
        else (),
        skills=(*users.skills(_SKILLS), *(skill for root in first for skill in root.skills(_OURS, _SKILLS))),
        projects=_projects(live) if first else (),
        problems=tuple(problem for catalog in (users, *roots) for problem in catalog.problems),
        hidden=tuple(found for catalog in (users, *roots) for found in catalog.hidden),
    )


def read_instructions(live: LiveFiles, *, trusted: bool, project: str | None) -> Given:
    """Only how the owners of the workspace want work done."""
    roots = _shelves(live, trusted=trusted)
    return Given(
        instructions=_instructions(roots, project),
        problems=tuple(problem for shelf in roots for problem in shelf.problems),
        hidden=tuple(found for shelf in roots for found in shelf.hidden),
    )


def _shelves(live: LiveFiles, *, trusted: bool) -> list[_Shelf]:
    return [_live_shelf(live, folder.name) for folder in live.folders.folders] if trusted else []


def _instructions(roots: Sequence[_Shelf], project: str | None) -> tuple[GivenText, ...]:
    homes = [(_OURS, "projects", project)] if project is not None and _is_plain(project) else []
    return (
        *(text for root in roots for name in _INSTRUCTIONS for text in root.given(name)),
        *(text for root in roots[:1] for home in homes for text in root.given(*home, _CONTEXT)),
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


def brief_of(
    settings: Settings, given: Given, *, project: str | None, longest_given_text: int, environ: Mapping[str, str]
) -> AssistantBrief:
    """`longest_given_text`: characters of each file that is quoted."""
    return AssistantBrief(
        team=tuple(_member(agent, settings, environ) for agent in settings.agents),
        policy=_policy(settings),
        skills=given.skills,
        memory=given.memory,
        project=project,
        other_projects=tuple(other for other in given.projects if other.name != project),
        instructions=given.instructions,
        appended=settings.orchestrator.interactive_mode.append_system_prompt or "",
        longest_given_text=longest_given_text,
    )


def _member(agent: AgentSettings, settings: Settings, environ: Mapping[str, str]) -> TeamMember:
    servers = (*settings.mcp_servers, *agent.backend.mcp_servers)
    return TeamMember(
        agent_id=agent.id,
        mind=_mind(agent, environ),
        role=agent.system_message or "",
        mcp_servers=tuple(dict.fromkeys(server.name for server in servers)),
    )


def _mind(agent: AgentSettings, environ: Mapping[str, str]) -> str:
    match resolve_backend(agent.backend, environ):
        case ApiBackend(model=model, settings=backend):
            return f"{model} at {label_of(backend.type)}"
        case CliBackend(model=model, settings=backend):
            return f"the program {label_of(backend.type)}" + (f" with {model}" if model else "")
        case OfflineBackend():
            return "rule-based analyser, no language model: reviews and explains code, writes none"


def _policy(settings: Settings) -> RunPolicy:
    interactive, orchestrator = settings.orchestrator.interactive_mode, settings.orchestrator
    match interactive.require_approval:
        case ApprovalThreshold(above_usd=usd):
            approval = usd
        case asked:
            approval = "always" if asked else "never"
    return RunPolicy(
        approval=approval,
        apply_changes=interactive.apply_changes,
        seconds=settings.timeout_settings.orchestrator_timeout_seconds,
        context_paths=tuple(
            ContextPath(path=entry.path, permission=entry.permission) for entry in orchestrator.context_paths
        ),
        plans_first=orchestrator.coordination.enable_planning_mode,
    )
