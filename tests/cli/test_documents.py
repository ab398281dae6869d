"""What the documents tell people to type works as it is written there."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from teamwright.cli.dispatch import SUBCOMMANDS
from tests.cli.conftest import Cli
from tests.support.patience import PATIENCE_SECONDS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "server").glob("*.md"))]
# Set up this very test, or are set up by it.
_MAKE = re.compile(r"^make [a-z-]+$")


def shell_lines(document: Path) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


TEAMWRIGHT_LINES = [line for document in DOCUMENTS for line in shell_lines(document) if line.startswith("teamwright ")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    named = {line.split()[1] for document in DOCUMENTS for line in shell_lines(document) if _MAKE.match(line)}
    assert named <= targets
    assert {"run", "test"} <= named


@pytest.mark.proves("F4")
@pytest.mark.parametrize("line", TEAMWRIGHT_LINES)
def test_every_teamwright_command_in_a_shell_block_runs(cli: Cli, line: str) -> None:
    (cli.home / "src").mkdir()
    (cli.home / "src" / "app.py").write_text("import os\n", encoding="utf-8")
    words = shlex.split(line)[1:]
    assert words[0] in SUBCOMMANDS or words[0].startswith("--")
    asks = words[0] in {"run", "review", "chat"} and "--yes" not in words
    outcome = cli(*words)
    # Nobody is there to approve what asks first; that is a documented way to end.
    assert outcome.code in ({0, 3} if asks else {0}), outcome.err


def test_the_example_client_draws_a_conversation_in_sixty_lines(cli: Cli) -> None:
    assert len((ROOT / "examples/client/ask.py").read_text(encoding="utf-8").splitlines()) <= 60
    bin_directory = Path(sys.executable).parent
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples/client/ask.py"), "What can you do?"],
        env={**cli.environ, "PATH": str(bin_directory), "PYTHONUTF8": "1"},
        cwd=cli.home,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    said = done.stdout.decode("utf-8")
    assert (done.returncode, "Teamwright's offline team" in said) == (0, True), done.stderr.decode("utf-8")
