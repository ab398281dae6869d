"""`teamwright demo`: the offline team reviews a sample file, so that a stranger sees within seconds what a run is."""

import os
import sys
from argparse import Namespace
from contextlib import chdir
from importlib.resources import files
from pathlib import Path
from shutil import rmtree, which
from tempfile import mkdtemp
from typing import Final

from teamwright.cli import output
from teamwright.cli.dispatch import Subparsers
from teamwright.cli.shared_options import register_colour

_NAME: Final = "invoices.py"
_DESCRIPTION: Final = (
    "Let the offline team (rule-based analysers, no language model, no key) review a sample file with seeded faults. "
    "Its fixes are shown as a diff, and applied to a temporary copy if you say yes. "
    "Exits with 0 whatever you decide, with 1 if the review failed, and with 130 if you interrupt it."
)


def register(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser("demo", description=_DESCRIPTION)
    parser.add_argument("--yes", action="store_true", help="apply the fixes to the copy without asking")
    register_colour(parser)


def run(args: Namespace) -> int:
    try:
        directory = Path(mkdtemp(prefix="teamwright-demo-")).resolve()
    except OSError as error:
        output.complain(
            f"teamwright demo: there is no place for a temporary copy ({error.strerror}); set TMPDIR to one."
        )
        return 1
    sample = files("teamwright.cli").joinpath("sample", f"{_NAME}.txt").read_text(encoding="utf-8")
    copy = directory / "shop" / _NAME
    is_changed = False
    try:
        copy.parent.mkdir()
        copy.write_text(sample, encoding="utf-8", newline="\n")
        code = _review(directory, copy, yes=args.yes)
        is_changed = copy.read_text(encoding="utf-8") != sample
    except OSError as error:
        output.complain(f"teamwright demo: {directory} cannot be used ({error.strerror}); set TMPDIR to another place.")
        return 1
    finally:
        if not is_changed:
            rmtree(directory, ignore_errors=True)
    if code == 0:
        output.say(_farewell(copy if is_changed else None))
    return code


def _review(directory: Path, copy: Path, *, yes: bool) -> int:
    output.say(_greeting())
    # Heavy: whoever waits for it should have something to read.
    import anyio  # noqa: PLC0415

    from teamwright.cli.terminal.review_options import sample_review  # noqa: PLC0415
    from teamwright.cli.terminal.run_command import run_command  # noqa: PLC0415
    from teamwright.cli.terminal.run_ending import COMPLETED, REFUSED  # noqa: PLC0415

    # Neither the user's configuration nor their history is touched.
    team = directory / "team.yaml"
    team.write_bytes(files("teamwright.cli").joinpath("sample", "team.yaml").read_bytes())
    os.environ |= {"TEAMWRIGHT_CONFIG": str(team), "TEAMWRIGHT_STATE_DIR": str(directory / "state")}
    with chdir(copy.parent):
        code = anyio.run(run_command, sample_review(copy, yes=yes))
    # Fixes that are not wanted, or that nobody was there to want, are as good an end as any.
    return COMPLETED if code == REFUSED else code


def _greeting() -> str:
    from teamwright.config.presets import PRESETS  # noqa: PLC0415

    known = dict.fromkeys(variable for preset in PRESETS.values() for variable in preset.key_variables)
    keys = [variable for variable in known if os.environ.get(variable)]
    spared = f" {', '.join(keys)} is left alone: no key is spent on a sample." if keys else ""
    return (
        f"Three rule-based agents (ruff, bandit, lizard; no language model) review {_NAME}, a sample with seeded "
        f"faults.{spared}\n"
    )


def _farewell(changed: Path | None) -> str:
    program = "teamwright" if which("teamwright") else _as_typed(Path(sys.argv[0]))
    fixed = f"The fixed copy is {changed}\n" if changed else ""
    return f"""
{fixed}Where to go next:
  your own code  {program} review PATH, or {program} chat
  VS Code        make vsix, install it from there, then the Teamwright icon in the side bar
  Neovim         add editors/neovim to the runtime path, then :Teamwright chat
  real models    set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama;
                 {program} check shows the team that was found"""


def _as_typed(program: Path) -> str:
    return str(program.relative_to(Path.cwd())) if program.is_relative_to(Path.cwd()) else str(program)
