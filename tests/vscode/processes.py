"""The processes behind a window."""

from pathlib import Path

from teamwright.store.directories import workspace_directory


def server_of(workspace: Path) -> int:
    """The language server that works on the folder, found by the history that it has open."""
    history = workspace_directory(Path(), (workspace,)).name
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            command, files = _seen(entry)
            if b"teamwright\0serve" in command and any(history in file.parts for file in files):
                return int(entry.name)
    raise AssertionError(f"No server works on {workspace}")


def _seen(process: Path) -> tuple[bytes, list[Path]]:
    try:
        return (process / "cmdline").read_bytes(), [each.readlink() for each in (process / "fd").iterdir()]
    except OSError:
        return b"", []
