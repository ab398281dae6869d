"""The parts of a Markdown file that are ours, between two comments; the rest is people's and never touched. Pure."""

import re

from quorate.workspace.text import in_style_of

_MARK = re.compile(r"<!--\s*/?\s*quorate:.*?-->", re.DOTALL)


def section_of(text: str, name: str) -> str | None:
    """What stands in our section, or None where there is none."""
    found = _find(text, name)
    return None if found is None else text[found[0] : found[1]].strip("\r\n")


def with_section(text: str, name: str, body: str, *, title: str) -> str:
    """With our section saying `body`; a section that people took away is put at the end again, under `title`."""
    body = _without_marks(body).strip("\n")
    lines = f"{body}\n" if body else ""
    found = _find(text, name)
    if found is not None:
        changed = text[: found[0]] + lines + text[found[1] :]
    else:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        changed = f"{text}{gap}## {title}\n\n{_start(name)}\n{lines}{_end(name)}\n"
    return in_style_of(text, changed)


def with_line(text: str, name: str, line: str, *, title: str) -> str:
    """With one more line at the end of our section."""
    before = section_of(text, name) or ""
    return with_section(text, name, f"{before}\n{line}", title=title)


def _find(text: str, name: str) -> tuple[int, int] | None:
    """From after the line of the opening mark to the closing one."""
    opened = re.search(re.escape(_start(name)) + r"[ \t]*(?:\r\n|\n|\r)", text)
    closed = text.find(_end(name), opened.end()) if opened else -1
    return (opened.end(), closed) if opened and closed >= 0 else None


def _start(name: str) -> str:
    return f"<!-- quorate:{name} -->"


def _end(name: str) -> str:
    return f"<!-- /quorate:{name} -->"


def _without_marks(body: str) -> str:
    """What models and tasks say must not open or close a section."""
    return _MARK.sub("", body)
