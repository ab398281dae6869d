"""`python -m scripts.generate [--check]`: writes every generated file, or names those that are not current."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.generate.configuration import configuration_reference
from scripts.generate.luacats import luacats
from scripts.generate.tables import command_names, fill_in
from scripts.generate.typescript import typescript
from teamwright.protocol.command_table import COMMANDS, RESERVED
from teamwright.protocol.schema import wire_schema

ROOT = Path(__file__).resolve().parents[2]


def generated_files() -> Iterator[tuple[Path, str]]:
    wire = wire_schema()
    yield ROOT / "server/teamwright/protocol/command_names.py", command_names([*COMMANDS, *RESERVED])
    yield ROOT / "server/wire.gen.json", json.dumps(wire, indent=1, ensure_ascii=False) + "\n"
    yield ROOT / "editors/vscode/src/protocol.gen.ts", typescript(wire)
    yield ROOT / "editors/neovim/lua/teamwright/protocol.gen.lua", luacats(wire)
    yield ROOT / "docs/CONFIGURATION.md", configuration_reference()
    document = ROOT / "server/PROTOCOL.md"
    yield document, fill_in(document.read_text(encoding="utf-8"), wire)


def main() -> int:
    parser = argparse.ArgumentParser(prog="generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when something is not current")
    check = parser.parse_args().check
    stale = [(path, text) for path, text in generated_files() if not _is_current(path, text)]
    for path, text in stale:
        print(("not current: " if check else "written: ") + path.relative_to(ROOT).as_posix())
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return 1 if check and stale else 0


def _is_current(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
