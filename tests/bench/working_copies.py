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


def processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measured(folder: Path, directory: Path, means: Means) -> tuple[float, float]:
    """Milliseconds from the wish for a command to its end, at best: it does nothing. On the clock, and at work."""

    def found(_sandbox: object) -> Available:
        return Available(means)

    sandbox.availability = found
    command = SandboxedCommand(("true",), folder, Tree(directory, (TreeFolder(folder, folder),)))
    best = at_work = float("inf")
    for _ in range(ROUNDS):
        begun, used = perf_counter(), processor_seconds()
        end = asyncio.run(sandbox.run(command))
        best, at_work = min(best, perf_counter() - begun), min(at_work, processor_seconds() - used)
        if end.exit_code != 0:
            raise RuntimeError(end.output)
    return best * 1000, at_work * 1000


def main() -> bool:
    install_bubblewrap()
    held = True
    with tempfile.TemporaryDirectory(prefix="teamwright-bench-") as directory:
        small, large = workspace(Path(directory, "small"), 1), workspace(Path(directory, "large"), FILES)
        for means, limit in LIMIT_MS.items():
            own = Path(directory, "own")
            base, base_work = measured(small, own, means)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            whole, whole_work = measured(large, own, means)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1000
            left = sum(1 for _ in own.rglob("*"))
            work = whole_work - base_work
            print(
                f"a working copy of {FILES:,} files by {means}: {whole - base:.0f} ms (at most {limit:.0f}), "
                f"{work:.0f} at work, beside the {base:.0f} ms of a command alone; {grown:.1f} MB, {left} files left"
            )
            # A busy machine makes everything late; what the processor did is ours.
            took = min(whole - base, work)
            held = held and took <= limit and grown <= LIMIT_MEGABYTES and left == 0
    return held


if __name__ == "__main__":
    main()
