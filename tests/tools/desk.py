"""A workspace on disk, and models that call tools in it, each through a dispatcher of its own."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from teamwright.models.port import ModelToolCall
from teamwright.permissions.actions import Action
from teamwright.permissions.rules import Role, Roots, Rules, roots_of, whole_workspace
from teamwright.protocol.runs import ContextPath
from teamwright.tools.dispatcher import Dispatcher
from teamwright.tools.files.reading import reading_tools
from teamwright.tools.files.writing import writing_tools
from teamwright.tools.port import AnyTool, Outcome
from teamwright.workspace.copies.scratch import AgentFiles
from teamwright.workspace.files.documents import Document, Documents
from teamwright.workspace.files.folders import Folders
from teamwright.workspace.files.live_files import LiveFiles


class Caller:
    """A model at its dispatcher, and the person whom it may have to ask."""

    def __init__(self, rules: Rules, tools: Iterable[AnyTool], *, allowed: bool = True) -> None:
        self.questions: list[str] = []
        self._allowed = allowed
        self.dispatcher = Dispatcher(rules, tools, self._ask)

    async def __call__(self, tool: str, /, **arguments: Any) -> Outcome:
        return await self.dispatcher.dispatch(ModelToolCall("call_1", tool, arguments))

    async def _ask(self, action: Action, question: str) -> bool:
        del action
        self.questions.append(question)
        return self._allowed


class Desk:
    """The folder `app` is the first of the workspace, `lib` the second."""

    def __init__(self, directory: Path) -> None:
        self.app, self.lib = directory / "app", directory / "lib"
        self.app.mkdir()
        self.lib.mkdir()
        self.outside = directory / "outside"
        self.outside.mkdir()
        self.run_directory = directory / "state" / "run_1"
        self.documents = Documents()
        folders = Folders.at(self.app, self.lib)
        self.live = LiveFiles(lambda: folders, self.documents)

    def put(self, path: str, content: str | bytes = "", *, below: Path | None = None) -> Path:
        file = (below or self.app) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return file

    def show(self, path: str, text: str) -> None:
        """The editor shows this, saved or not."""
        self.documents.show(Document((self.app / path).as_uri(), 1, text))

    def rules(self, role: Role, roots: Roots | None = None, **more: Any) -> Rules:
        places = self.live.folders.places
        return Rules(role=role, places=places, roots=roots or whole_workspace(places), **more)

    def roots(self, *, read: Sequence[str] = (), write: Sequence[str] = (), protected: Sequence[str] = ()) -> Roots:
        paths = [ContextPath(path=path, permission="read") for path in read]
        paths += [ContextPath(path=path, permission="write") for path in write]
        return roots_of(paths, protected, self.live.folders.places)

    def files(self, name: str = "agent1") -> AgentFiles:
        return AgentFiles(self.live, self.run_directory, name)

    def assistant(self) -> Caller:
        """With every file tool, so that what it may not do is refused and not merely missing."""
        return self._caller(self.files(), self.rules("assistant"))

    def agent(self, roots: Roots | None = None, name: str = "agent1") -> Caller:
        return self._caller(self.files(name), self.rules("agent", roots))

    def presenter(self, roots: Roots | None = None) -> Caller:
        """It may write everywhere unless told otherwise."""
        return self._caller(self.files(), self.rules("presenter", roots or self.roots(write=["."])))

    def _caller(self, files: AgentFiles, rules: Rules) -> Caller:
        return Caller(rules, (*reading_tools(files, rules), *writing_tools(files, rules)))
