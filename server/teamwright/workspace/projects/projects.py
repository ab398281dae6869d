"""Projects: `.teamwright/projects/<name>/` in the first folder, shared by people, sessions and runs.

Blocks on the disk: call it in a worker thread.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from teamwright.permissions.names import fault_in_name
from teamwright.permissions.paths import WorkspacePath, render_path
from teamwright.protocol.commands import Project, ProjectPath
from teamwright.protocol.errors import BadParams, Conflict, FieldError, NotFound
from teamwright.protocol.ids import RunId
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.safe_files import Root, is_leftover
from teamwright.workspace.projects.own_files import (
    OwnWrite,
    Written,
    revise,
    revise_file,
    section_of,
    with_line,
    with_section,
    write_own,
)
from teamwright.workspace.projects.run_records import RunRecord, context_line, deliverable_name, run_files, slug_of

_HOME = (".teamwright", "projects")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_NOTES, _RUNS, _MEMORY = "notes", "runs", "memory"
# At the end of a line that is remembered: the workspace and the day.
_ORIGIN = re.compile(r"(?: \(from [^()]*, \d{4}-\d\d-\d\d\))+$")
_PATHS = TypeAdapter(dict[str, ProjectPath])
_RAW_PATHS = TypeAdapter(dict[str, dict[str, Any]])


class Projects:
    def __init__(self, live: LiveFiles) -> None:
        if not live.folders.folders:
            raise NotFound("Projects live in a folder; open one in the editor first.")
        self._live = live
        self._folder = live.folders.folders[0]

    def names(self) -> tuple[str, ...]:
        try:
            entries = self._folder.root.entries(_HOME)
        except NotFound:
            return ()
        return tuple(entry.name for entry in entries if entry.kind == "directory" and _NAME.fullmatch(entry.name))

    def create(self, name: str | None, goal: str | None) -> Project:
        """Without a name, the first words of the goal are one."""
        chosen = name or slug_of(goal or "")
        if not _NAME.fullmatch(chosen) or fault_in_name(chosen, "windows") is not None:
            raise BadParams([FieldError(path="name", message=_naming_advice(chosen))])
        if chosen in self.names():
            raise Conflict(f"There is a project `{chosen}` already; select it, or choose another name.")
        files = ProjectFiles(self._live, chosen)
        files.create(goal or "")
        return files.load()

    def project(self, name: str) -> "ProjectFiles":
        """Raises NotFound with those that there are."""
        if name not in self.names():
            known = ", ".join(self.names()) or "none yet"
            raise NotFound(f"There is no project `{name}`; there are: {known}.")
        return ProjectFiles(self._live, name)

    def all(self) -> tuple[Project, ...]:
        return tuple(self.project(name).load() for name in self.names())


class ProjectFiles:
    """One project that exists. Every write says whether it was made, or whose version stays."""

    def __init__(self, live: LiveFiles, name: str) -> None:
        self.name = name
        self._live = live
        self._folder = live.folders.folders[0]

    def create(self, goal: str) -> None:
        title = f"# {self.name}\n\n{goal.strip() or 'What is this project for?'}\n"
        context = with_section(with_section(title, _NOTES, "", title="Notes"), _RUNS, "", title="Runs")
        for file, text in (("CONTEXT.md", context), ("filepaths.json", "{}\n")):
            outcome = write_own(self._root, self._at(file).parts, text)
            if not isinstance(outcome, Written):
                raise Conflict(f"The project could not be created: {file} is not ours to write.")

    def load(self) -> Project:
        context = self.context()
        return Project(
            name=self.name,
            path=render_path(self._at(), self._live.folders.places),
            goal=_goal(context),
            context=context,
            filepaths=self._filepaths_or_none(),
            deliverables=self._names("deliverables"),
            runs=tuple(RunId(run) for run in self._names("runs") if RunId.admits(run)),
        )

    def context(self) -> str:
        return self._live.read_if_present(self._at("CONTEXT.md")) or ""

    def note_run(self, record: RunRecord) -> OwnWrite:
        """One dated line for each run, once."""

        def add(text: str) -> str:
            known = f"`{record.run_id}`" in (section_of(text, _RUNS) or "")
            return text if known else with_line(text, _RUNS, context_line(record), title="Runs")

        return revise(self._live, self._at("CONTEXT.md"), add)

    def set_notes(self, notes: str) -> OwnWrite:
        """The assistant's own account of goals, decisions and state."""
        return revise(self._live, self._at("CONTEXT.md"), lambda text: with_section(text, _NOTES, notes, title="Notes"))

    def filepaths(self) -> dict[str, ProjectPath]:
        return _known_paths(_parsed_paths(self._live.read_if_present(self._at("filepaths.json")) or "{}"))

    def set_filepaths(self, entries: Mapping[str, ProjectPath | None]) -> OwnWrite:
        """Adds or changes these and takes away those that are None; what people wrote beside them stays."""

        def change(text: str) -> str:
            paths = _parsed_paths(text or "{}")
            for name, entry in entries.items():
                if entry is None:
                    paths.pop(name, None)
                else:
                    paths[name] = paths.get(name, {}) | entry.to_wire()
            return json.dumps(paths, ensure_ascii=False, indent=2) + "\n"

        return revise(self._live, self._at("filepaths.json"), change)

    def save_run(self, record: RunRecord, earlier: RunRecord | None = None) -> dict[tuple[str, ...], OwnWrite]:
        """`earlier` is what was saved of the run before: its texts are ours to replace."""
        return save_run(self._root, self._at("runs", record.run_id).parts, record, earlier)

    def save_deliverable(self, record: RunRecord, text: str) -> WorkspacePath:
        path = self._at("deliverables", deliverable_name(record))
        write_own(self._root, path.parts, text if text.endswith("\n") else f"{text}\n")
        return path

    def _filepaths_or_none(self) -> dict[str, ProjectPath]:
        """A list that somebody broke must not hide the project; whoever writes to it will be told."""
        try:
            return self.filepaths()
        except Conflict:
            return {}

    @property
    def _root(self) -> Root:
        return self._folder.root

    def _at(self, *parts: str) -> WorkspacePath:
        return WorkspacePath(self._folder.name, (*_HOME, self.name, *parts))

    def _names(self, directory: str) -> tuple[str, ...]:
        try:
            entries = self._root.entries(self._at(directory).parts)
        except NotFound:
            return ()
        return tuple(entry.name for entry in entries if not is_leftover(entry.name))


def save_run(
    root: Root, directory: tuple[str, ...], record: RunRecord, earlier: RunRecord | None = None
) -> dict[tuple[str, ...], OwnWrite]:
    """Also for runs without a project, whose folder lies in the state directory.

    All of it follows from the log, which is on disk: the run's end need not wait for the disk once more.
    """
    before = run_files(earlier) if earlier is not None else {}

    def save(parts: tuple[str, ...], text: str) -> OwnWrite:
        replaces = (before[parts],) if parts in before else ()
        return write_own(root, (*directory, *parts), text, replaces=replaces, durable=False)

    return {parts: save(parts, text) for parts, text in run_files(record).items()}


def update_memory(live: LiveFiles, path: WorkspacePath, memory: str, origin: str) -> OwnWrite:
    """What the assistant remembers by a person's word, in a file that people may write in, too.

    Every line that is new says where it comes from; those that stay keep what they say of it.
    """
    return revise(live, path, lambda text: _with_memory(text, memory, origin))


def update_user_memory(config_directory: Root, memory: str, origin: str) -> OwnWrite:
    """The same for all workspaces of the user."""
    return revise_file(config_directory, ("MEMORY.md",), lambda text: _with_memory(text, memory, origin))


def _with_memory(text: str, memory: str, origin: str) -> str:
    before = (section_of(text, _MEMORY) or "").splitlines()
    known = {**{_ORIGIN.sub("", line): line for line in before}, **{line: line for line in before}}
    said = (line.rstrip() for line in memory.strip("\n").splitlines())
    lines = (known.get(line) or (f"{_ORIGIN.sub('', line)} (from {origin})" if line else "") for line in said)
    return with_section(text, _MEMORY, "\n".join(lines), title="Memory")


def _parsed_paths(text: str) -> dict[str, dict[str, Any]]:
    """With whatever else people wrote into it. Raises Conflict: a broken file is not written over."""
    try:
        parsed = _RAW_PATHS.validate_json(text)
        _known_paths(parsed)
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        said = f"{where}: {first['msg']}" if where else first["msg"]
        raise Conflict(f"filepaths.json cannot be used: {said}. Repair it, or take it away.") from None
    return parsed


def _known_paths(parsed: dict[str, dict[str, Any]]) -> dict[str, ProjectPath]:
    ours = ProjectPath.model_fields
    return _PATHS.validate_python(
        {name: {key: value for key, value in entry.items() if key in ours} for name, entry in parsed.items()}
    )


def _goal(context: str) -> str:
    """What stands under the title, up to the next heading."""
    found = re.match(r"\s*#[^\r\n]*\s*(.*?)\s*(?:^#|<!--|\Z)", context, re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def _naming_advice(name: str) -> str:
    rule = "a name has 1 to 64 small letters, digits, dots, dashes and underscores"
    better = slug_of(name)
    return f"{rule}; how about `{better}`?" if better else rule
