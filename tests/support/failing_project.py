"""A project with a failing test, and three agents: two mend it wrongly and agree on one of these, one is right."""

from pathlib import Path
from typing import Final

from tests.support.model_server import ModelServer, calls, tool
from tests.support.model_server.replies import ToolCall

TEAM: Final = ("alpha", "beta", "gamma")
BROKEN: Final = "def add(a, b):\n    return a - b\n"
MENDED: Final = "def add(a, b):\n    return a + b\n"
TESTS: Final = """\
import unittest

from calc import add


class AddTest(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(add(0, 0), 0)

    def test_adds(self):
        self.assertEqual(add(2, 3), 5)
"""
# Where the test that fails without any change stands, counted from one.
FAILING_LINE: Final = TESTS.splitlines().index("        self.assertEqual(add(2, 3), 5)") + 1
WITHOUT_THE_FAILING_ONE: Final = TESTS.partition("\n    def test_adds")[0]
WRONG: Final = tool("edit_file", path="calc.py", old="return a - b", new="return a * b")


def checks_config(policy: str, *, override: str = "off") -> str:
    """For the user's own configuration. The winner's very bytes are what is proposed."""
    return (
        "checks:\n  - name: tests\n    argv: [python3, -m, unittest, -v]\n"
        f"checks_policy: {policy}\n"
        "orchestrator:\n"
        "  final_answer_strategy: winner_reuse\n"
        f"  interactive_mode: {{override: '{override}'}}\n"
    )


def write_project(folder: Path) -> None:
    (folder / "calc.py").write_text(BROKEN, encoding="utf-8")
    (folder / "test_calc.py").write_text(TESTS, encoding="utf-8")


def script_team(models: ModelServer, *, alpha: ToolCall = WRONG) -> None:
    """alpha leaves the failing test as it is, beta breaks the other one, too, and both vote for alpha's."""
    edits = {
        "alpha": alpha,
        "beta": tool("edit_file", path="calc.py", old="return a - b", new="return a + b + 1"),
        "gamma": tool("edit_file", path="calc.py", old="return a - b", new="return a + b"),
    }
    for name, edit in edits.items():
        choice = "agent3" if name == "gamma" else "agent1"
        models.model(name).replies(
            calls(edit, tool("new_answer", content=f"{name} mended it.")),
            calls(tool("vote", agent_id=choice, reason="It is complete.")),
        )
