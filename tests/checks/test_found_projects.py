"""Projects as they are, run by what was found, without any configuration: an environment, scripts, a Makefile."""

import json
import shutil
import site
import venv
from pathlib import Path

import pytest

from teamwright.config.check_settings import CommandSettings
from teamwright.protocol.checks import CheckCounts
from teamwright.runtime.checks.discovery import discover
from teamwright.runtime.checks.runner import CheckedTree, CheckRunner
from teamwright.workspace.files.documents import Documents
from teamwright.workspace.files.folders import Folders
from teamwright.workspace.files.live_files import LiveFiles

PYTEST = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments")


def with_pytest(environment: Path) -> None:
    """As pip would install it, from what the tests themselves run on."""
    venv.create(environment, symlinks=True)
    (installed,) = environment.glob("lib/python*/site-packages")
    here = Path(site.getsitepackages()[0])
    for package in PYTEST:
        shutil.copytree(here / package, installed / package)
    shutil.copy(here / "py.py", installed)


async def outcomes(root: Path) -> list[tuple[str, str, CheckCounts | None]]:
    folders = Folders.at(root)
    live = LiveFiles(lambda: folders, Documents())
    (root.parent / "state").mkdir()
    runner = CheckRunner(root.parent / "state", CommandSettings)
    found = [(each.check, await runner.run(each.check, CheckedTree(live))) for each in discover(live)]
    return [(check.name, finished.outcome, finished.tests) for check, finished in found]


@pytest.mark.asyncio
async def test_each_runs_as_it_was_found(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    files = {
        "shop/tests/test_a.py": "import os, sys\ndef test_a(): assert sys.prefix == os.path.abspath('.venv')\n",
        "web/package.json": json.dumps({"scripts": {"test": "node check.js", "lint": "own-linter"}}),
        "web/check.js": "process.exit(require('./node_modules/small') === 42 ? 0 : 1)\n",
        "web/node_modules/small/index.js": "module.exports = 42\n",
        "web/node_modules/.bin/own-linter": "#!/bin/sh\necho linted\n",
        "old/Makefile": "check:\n\ttest -f Makefile\n\ttest -f missing\n",
    }
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    (root / "web/node_modules/.bin/own-linter").chmod(0o755)
    with_pytest(root / "shop" / ".venv")
    assert await outcomes(root) == [
        ("make check (old)", "failed", None),
        ("tests (shop)", "passed", CheckCounts(passed=1, failed=0, skipped=0)),
        ("tests (web)", "passed", None),
        ("lint (web)", "passed", None),
    ]
