"""The processes behind a window."""

from pathlib import Path


def server_of(workspace: Path) -> int:
    """The language server that works on the folder, found by where it was started."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            command, place = _seen(entry)
            if b"quorate\0serve" in command and place == workspace.resolve():
                return int(entry.name)
    raise AssertionError(f"No server works on {workspace}")


def _seen(process: Path) -> tuple[bytes, Path | None]:
    try:
        return (process / "cmdline").read_bytes(), (process / "cwd").readlink()
    except OSError:
        return b"", None
