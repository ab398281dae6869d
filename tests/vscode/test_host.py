"""What is proven inside the real extension host, with the real API of VS Code."""

from pathlib import Path

import pytest

from tests.vscode.installation import EXTENSION, built_host_tests
from tests.vscode.workbench import Workbench

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.mark.proves("E1")
async def test_the_extension_behaves_in_its_host(workbench: Workbench, workspace: Path) -> None:
    outcome, report = await workbench.run_inside(workspace, EXTENSION, built_host_tests())
    assert outcome == 0, report
    assert "7 passing" in report
