"""What a working copy costs: of a workspace of ten thousand files, by overlays and by copying.

Beside a command in a workspace of one file, which is the baseline: the difference is what the files cost.
"""

import asyncio
import resource
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

from teamwright.workspace.copies import sandbox
from teamwright.workspace.copies.availability import Available, Means
from teamwright.workspace.copies.sandbox import SandboxedCommand
from teamwright.workspace.copies.trees import Tree, TreeFolder
from tests.support.bubblewrap import install_bubblewrap

FILES: Final = 10_000
DIRECTORIES: Final = 500
ROUNDS: Final = 7
LIMIT_MS: Final[dict[Means, float]] = {"overlay": 50.0, "copy": 2_000.0}
LIMIT_MEGABYTES: Final = 1.0


def workspace(root: Path, files: int) -> Path:
    for number in range(files):
        directory = root / f"d{number % DIRECTORIES}"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"module_{number}.py").write_text("x = 1\n", encoding="utf-8")
    return root


def measured(folder: Path, directory: Path, means: Means) -> float:
    """Milliseconds from the wish for a command to its end, at best: it does nothing."""
    sandbox.availability = lambda: Available(means)
    command = SandboxedCommand(("true",), folder, Tree(directory, (TreeFolder(folder, folder),)))
    best = float("inf")
    for _ in range(ROUNDS):
        begun = perf_counter()
        end = asyncio.run(sandbox.run(command))
        best = min(best, perf_counter() - begun)
        if end.exit_code != 0:
            raise RuntimeError(end.output)
    return best * 1000


def main() -> bool:
    install_bubblewrap()
    held = True
    with tempfile.TemporaryDirectory(prefix="teamwright-bench-") as directory:
        small, large = workspace(Path(directory, "small"), 1), workspace(Path(directory, "large"), FILES)
        for means, limit in LIMIT_MS.items():
            own = Path(directory, "own")
            base = measured(small, own, means)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            whole = measured(large, own, means)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1000
            left = sum(1 for _ in own.rglob("*"))
            print(
                f"a working copy of {FILES:,} files by {means}: {whole - base:.0f} ms (at most {limit:.0f}) beside the "
                f"{base:.0f} ms of a command without any, {grown:.1f} MB, {left} files left on disk"
            )
            held = held and whole - base <= limit and grown <= LIMIT_MEGABYTES and left == 0
    return held


if __name__ == "__main__":
    main()
