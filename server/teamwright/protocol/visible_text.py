"""Foreign words made fit to be decided on: nothing in them is unseen, turns the writing round, or is a live link.

What a model, a repository, an import or another server wrote may hold characters that a person does not see and a
program obeys. Each becomes its name, such as `⟨U+202E⟩`, wherever a person decides or is told something.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, cast

# Ranges, and not the interpreter's own tables, so that every machine shows the same.
_UNSEEN: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls; newline and tab are seen
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, fillers and joiners of single scripts
    "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"  # they change how what follows is drawn
    "\u1680\u2000-\u200a\u205f"  # spaces of odd widths
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero-width, line separators, directions of writing
    "\u2800\u3164\uffa0"  # letters that are drawn as nothing
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffc\U000e0100-\U000e01ef"  # variations, byte order mark, annotations
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"  # layout of rare scripts and music
    "\ud800-\udfff"  # halves of a character
    "\ue000-\uf8ff\U000f0000-\U0010ffff"  # private use: whatever a font makes of it
    "\ufdd0-\ufdef\ufffe\uffff"  # no characters at all
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # tags, and what is kept free beside them
)
_PICTURES: Final = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2934\u2935\u2b00-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff"
)
_PICTURE: Final = f"[{_PICTURES}][\U0001f3fb-\U0001f3ff]?[\ufe0e\ufe0f]?"
# Scripts that spell words with joiners: Arabic and its kin, those of India and its neighbours.
_JOINING: Final = (
    "\u0620-\u06dc\u06de-\u070e\u0710-\u07ff\u0840-\u086f\u08a0-\u08e1\u08e3-\u0dff\u0f00-\u109f\u1780-\u17b3"
)
_FLAGS_OF_REGIONS: Final = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
_KEPT: Final = "|".join(
    (
        *_FLAGS_OF_REGIONS,
        f"{_PICTURE}(?:\u200d{_PICTURE})*",
        "[0-9#*]\ufe0f\u20e3",
        f"(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])",
    )
)
_LINK: Final = re.compile(r"\](?=\()")


def visible(text: str) -> str:
    """The text with every unseen character named. Newlines, tabs, pictures and the joiners of words stay."""
    if (text.isascii() and text.isprintable()) or _any_unseen().search(text) is None:
        return text
    return _looked_at().sub(_named, text.replace("\r\n", "\n"))


def visible_within(value: Any) -> Any:
    """Likewise every text in a JSON value."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list | tuple):
        return [visible_within(each) for each in cast("Sequence[Any]", value)]
    if isinstance(value, dict):
        return {key: visible_within(each) for key, each in cast("dict[str, Any]", value).items()}
    return value


def spoken(text: str) -> str:
    """For messages, progress and tooltips, where editors look for `[links](command:…)`: visible, and none is live."""
    return _LINK.sub("] ", visible(text))


# Made at first use: they take longer to make than anything else of ours before the first answer to an editor.
@cache
def _any_unseen() -> re.Pattern[str]:
    return re.compile(f"[{_UNSEEN}]")


@cache
def _looked_at() -> re.Pattern[str]:
    return re.compile(f"(?:{_KEPT})|(?P<unseen>[{_UNSEEN}])(?P<again>(?P=unseen)*)")


def _named(found: re.Match[str]) -> str:
    character = found["unseen"]
    if character is None:
        return found[0]
    times = f" x{len(found['again']) + 1}" if found["again"] else ""
    return f"⟨U+{ord(character):04X}{times}⟩"
