"""What tools cost before a word is said: every request carries their specs."""

import json

from quorate.models.port import ToolSpec
from quorate.tools.command.run_command import RunCommand
from quorate.tools.command.sandbox import Sandbox
from quorate.tools.port import AnyTool
from quorate.tools.repository.git_diff import GitDiff
from quorate.tools.repository.git_log import GitLog
from tests.tools.desk import Desk


def test_the_file_tools_fit_into_two_kilobytes(desk: Desk) -> None:
    assert len(_sent(*desk.agent().dispatcher.specs)) < 2_000


def test_the_other_tools_are_as_terse(desk: Desk) -> None:
    rules = desk.rules("agent")
    tools: tuple[AnyTool, ...] = (GitLog(desk.live, rules), GitDiff(desk.live, rules))
    command = RunCommand(desk.files().lend_scratch(), Sandbox(), 1.0)
    assert len(_sent(*(tool.spec for tool in (*tools, command)))) < 1_000


def test_schemas_are_strict(desk: Desk) -> None:
    assert {spec.name: spec.schema["additionalProperties"] for spec in desk.agent().dispatcher.specs} == {
        "read_file": False,
        "list_files": False,
        "search_files": False,
        "write_file": False,
        "edit_file": False,
        "delete_file": False,
    }


def _sent(*specs: ToolSpec) -> str:
    """As providers are sent them."""
    described = [
        {
            "type": "function",
            "function": {"name": spec.name, "description": spec.description, "parameters": spec.schema},
        }
        for spec in specs
    ]
    return json.dumps(described, separators=(",", ":"))
