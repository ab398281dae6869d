"""What a run leaves for people to read: the footer of its result."""

from collections.abc import Sequence

_NAMED_FILES = 5


def footer_of(written: Sequence[str], list_path: str) -> str | None:
    """Up to five files by name; more are counted, with the file that lists them."""
    if not written:
        return None
    if len(written) <= _NAMED_FILES:
        return f"Files written: {', '.join(written)}"
    return f"{len(written)} files written; {list_path} names them."
