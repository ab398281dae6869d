"""Runs every benchmark here, or those whose names begin with a word. One whose `main` returns False has failed."""

import sys
from importlib import import_module
from pathlib import Path


def main(prefix: str = "") -> int:
    held = True
    for path in sorted(Path(__file__).parent.glob(f"{prefix}*.py")):
        if not path.stem.startswith("_"):
            benchmark = getattr(import_module(f"tests.bench.{path.stem}"), "main", None)
            held = (benchmark is None or benchmark() is not False) and held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
