"""The extension's own units; its types and its style are held by `make check`."""

import subprocess

from tests.vscode.installation import EXTENSION, install


def test_the_extension_passes_its_unit_tests() -> None:
    install()
    done = subprocess.run(
        ["npm", "run", "--silent", "test"], cwd=EXTENSION, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
