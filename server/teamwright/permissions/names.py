"""Names of files as the most forgiving file system would read them, and names that no tool may use."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal

from teamwright.protocol.lookalikes import mixes_scripts, skeleton
from teamwright.protocol.visible_text import visible

PathStyle = Literal["posix", "windows"]

_LONGEST_NAME_BYTES = 255
_DEVICE_NAME = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\..*)?", re.IGNORECASE)
_SHORT_NAME = re.compile(r"[^.~]{1,8}~[0-9]{1,4}(?:\.[^.]{0,3})?")
_NOT_ON_WINDOWS = frozenset('<>:"|?*')


def folded(name: str) -> str:
    """Equal for two names that any supported file system could take for the same file.

    Case, Unicode form, invisible characters, trailing dots and spaces, and NTFS stream suffixes all make no difference
    somewhere, so none of them may make one to a protected path.
    """
    without_stream = name.split(":", 1)[0]
    if without_stream.isascii():
        return without_stream.lower().rstrip(". ")
    compatible = unicodedata.normalize("NFKC", without_stream).casefold()
    visible = "".join(character for character in compatible if unicodedata.category(character) != "Cf")
    return unicodedata.normalize("NFKC", visible).rstrip(". ")


def fault_in_name(name: str, style: PathStyle) -> str | None:
    """Why one part of a path is refused, or None."""
    if name == "..":
        return "`..` is not allowed in a path"
    if not name.isprintable() and any(unicodedata.category(character) in {"Cc", "Cs"} for character in name):
        return "a path may not hold control characters or broken Unicode"
    if "\\" in name:
        return "parts of a path are separated by `/`, not by a backslash"
    if len(name.encode("utf-8")) > _LONGEST_NAME_BYTES:
        return "a name in the path is too long"
    if _SHORT_NAME.fullmatch(name):
        # On every system: Linux reads disks of Windows, too, and there it stands for another name.
        return f"`{name}` looks like a Windows short name; use the long one"
    return _fault_on_windows(name) if style == "windows" else None


def fault_in_new_name(name: str, siblings: Iterable[str]) -> str | None:
    """Why nothing new may be called so, on any machine: it would be taken for something else. `siblings` are there."""
    shown = visible(name)
    if shown != name:
        return f"`{shown}` holds characters that nobody sees"
    if unicodedata.normalize("NFC", name) != name:
        return f"`{name}` is not written in Unicode's usual form (NFC)"
    if name != name.strip() or name != name.rstrip(". "):
        return f"`{name}` begins or ends in a blank or a dot that some systems drop"
    if _DEVICE_NAME.fullmatch(name):
        return f"`{name}` is the name of a device on Windows"
    if mixes_scripts(name):
        return f"`{name}` mixes letters of several scripts that look alike"
    looks = skeleton(name)
    alike = next((each for each in siblings if each != name and skeleton(each) == looks), None)
    return None if alike is None else f"`{name}` looks like `{alike}`, which is there already; use that name or another"


def _fault_on_windows(name: str) -> str | None:
    if _NOT_ON_WINDOWS.intersection(name):
        return f"`{name}` holds a character that Windows does not allow in a name"
    if name != name.rstrip(". "):
        return f"`{name}` ends in a dot or a space, which Windows drops"
    if _DEVICE_NAME.fullmatch(name):
        return f"`{name}` is the name of a device on Windows"
    return None
