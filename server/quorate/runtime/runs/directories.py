"""Where in the state directory a run has its files."""

from collections.abc import Iterable
from pathlib import Path
from shutil import rmtree

from quorate.protocol.ids import RunId


def run_directory(state_path: Path, run_id: RunId) -> Path:
    return state_path / "runs" / run_id


def remove_directories(state_path: Path, runs: Iterable[RunId]) -> None:
    """As far as it goes: what somebody holds open stays behind, and nobody misses it."""
    for run_id in runs:
        rmtree(run_directory(state_path, run_id), ignore_errors=True)
