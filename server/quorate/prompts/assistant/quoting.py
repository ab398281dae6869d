"""Text that others wrote, between tags that it cannot close: material to judge, never an instruction."""

import re
from functools import cache


def quoted(tag: str, text: str, **attributes: str) -> str:
    shown = "".join(f' {name}="{_attribute(value)}"' for name, value in attributes.items() if value)
    # Only whole lines are trimmed: the indentation of the first one may matter.
    harmless = _closing(tag).sub(_disarmed, text.strip("\r\n"))
    return f"<{tag}{shown}>\n{harmless}\n</{tag}>"


@cache
def _closing(tag: str) -> re.Pattern[str]:
    return re.compile(rf"<\s*/\s*(?={re.escape(tag)})", re.IGNORECASE)


def _disarmed(_found: re.Match[str]) -> str:
    return "<\\/"


def _attribute(value: str) -> str:
    return " ".join(value.replace('"', "'").replace("<", "(").replace(">", ")").split())
