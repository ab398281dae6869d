"""Whole flows as an editor without a plugin has them, through pytest-lsp's client with a real editor's capabilities."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.support.patience import PATIENCE_SECONDS

FAULTY = '''"""An example."""
import os
import subprocess

PASSWORD = "hunter2-hunter2"


def run(command):
    subprocess.call(command, shell=True)
'''
_COMMANDS = {"Review with team": "teamwright.review"}


class PlainEditor:
    """What a person does in such an editor: picks a code action, presses a button, looks at the problems."""

    def __init__(self, client: LanguageClient, workspace: Path) -> None:
        self._client = client
        self.document = (workspace / "app.py").as_uri()
        self.asked: list[str] = []

        def press_first_button(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            self.asked.append(params.message)
            return params.actions[0] if params.actions else None

        client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)(press_first_button)

    async def opens_the_file(self) -> None:
        item = types.TextDocumentItem(uri=self.document, language_id="python", version=1, text=FAULTY)
        self._client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    async def picks(self, title: str) -> None:
        """From the code actions on the whole file."""
        found = await self._client.text_document_code_action_async(
            types.CodeActionParams(
                text_document=types.TextDocumentIdentifier(uri=self.document),
                range=types.Range(types.Position(0, 0), types.Position(9, 0)),
                context=types.CodeActionContext(diagnostics=[]),
            )
        )
        # The library takes every action with a command for a bare command: only its title can be relied on.
        assert title in [action.title for action in found or []]
        await self._client.workspace_execute_command_async(
            types.ExecuteCommandParams(command=_COMMANDS[title], arguments=[{"uri": self.document}])
        )

    async def problems(self, are_there: Callable[[list[str]], bool]) -> list[str]:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not are_there(told := self._told()):
                await self._client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return told

    def _told(self) -> list[str]:
        found = self._client.diagnostics.get(self.document, [])
        return [f"{each.range.start.line + 1}: {each.message}" for each in found]


@pytest_asyncio.fixture
async def serve(tmp_path: Path) -> AsyncGenerator[PlainEditor]:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "app.py").write_text(FAULTY, encoding="utf-8")
    env = {
        "TEAMWRIGHT_STATE_DIR": str(tmp_path / "state"),
        "TEAMWRIGHT_CONFIG": str(tmp_path / "none.yaml"),
        "PATH": "",
    }
    config = ClientServerConfig(server_command=[sys.executable, "-m", "teamwright", "serve"], server_env=env)
    client = cast("LanguageClient", await config.start())
    editor = PlainEditor(client, workspace)
    await client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities("neovim"),
            workspace_folders=[types.WorkspaceFolder(uri=workspace.as_uri(), name="workspace")],
            initialization_options={"trusted": True},
        )
    )
    yield editor
    await client.shutdown_session()


@pytest.mark.asyncio
@pytest.mark.proves("E3", "E5", "F4")
async def test_a_review_by_code_action_becomes_diagnostics_that_say_how_many_agree(serve: PlainEditor) -> None:
    await serve.opens_the_file()
    await serve.picks("Review with team")

    told = await serve.problems(lambda found: sum("(3 of 3 agents)" in each for each in found) == 2)

    agreed = {(each.partition("\n")[0], each.rpartition("(")[2].rstrip(")")) for each in told}
    assert {
        ("5: Secret written into the source", "3 of 3 agents"),
        ("9: Command goes through a shell", "3 of 3 agents"),
        ("2: `os` imported but unused", "1 of 3 agents"),
    } <= agreed
    assert len(serve.asked) == 1, "the run itself, and nothing else"
