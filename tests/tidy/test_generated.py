"""What is generated or declared elsewhere agrees with the code."""

import subprocess
import sys

from tests.tidy.source import ROOT


def test_generated_files_are_current() -> None:
    check = subprocess.run(
        [sys.executable, "-m", "scripts.generate", "--check"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (check.returncode, check.stdout) == (0, ""), "run `make generate`"


def test_imports_go_downward_only() -> None:
    check = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-logo",
        ],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert check.returncode == 0, check.stdout


def test_the_pure_rooms_load_no_provider_and_no_server() -> None:
    heavy = ("anthropic", "anyio", "asyncio", "genai_prices", "httpx2", "mcp", "openai", "pygls", "yaml")
    rooms = "teamwright.protocol.commands, teamwright.engine"
    probe = f"import {rooms}, sys; print([m for m in {heavy!r} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True)
    assert loaded.stdout.strip() == "[]"
