"""The extension's own checks: strict types, lint, and its units."""

import subprocess

import pytest

from tests.vscode.installation import EXTENSION, install


@pytest.mark.parametrize("script", ["typecheck", "lint", "test"])
def test_the_extension_passes_its_own_checks(script: str) -> None:
    install()
    done = subprocess.run(
        ["npm", "run", "--silent", script], cwd=EXTENSION, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
