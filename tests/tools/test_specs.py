"""What tools cost before a word is said: every request carries their specs."""

import json

from teamwright.models.port import ToolSpec
from teamwright.tools.command import RunCommandTool
from teamwright.tools.port import AnyTool
from teamwright.tools.repository import GitDiffTool, GitLogTool
from teamwright.workspace.copies.working_copy import WorkingCopy
from tests.tools.desk import Desk


def test_the_file_tools_fit_into_two_kilobytes(desk: Desk) -> None:
    assert len(_sent(*desk.agent().dispatcher.specs)) < 2_000


def test_the_other_tools_are_as_terse(desk: Desk) -> None:
    rules = desk.rules("agent")
    tools: tuple[AnyTool, ...] = (GitLogTool(desk.live, rules), GitDiffTool(desk.live, rules))
    command = RunCommandTool(WorkingCopy(desk.files(), rules.roots), rules.places, 1.0)
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
