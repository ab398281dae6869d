"""Secrets taken out of other people's words: whatever a provider, a program or an MCP server says goes through here.

A secret is found as it is and in the forms in which it travels (for URLs, in base64, in hexadecimal digits, escaped in
JSON), in capital or small letters, and also where only a part of it is repeated. Pure.
"""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast
from urllib.parse import quote, quote_plus

from teamwright.config.secrets import is_secret_name

MASK: Final = "***"
# What is shorter stands in texts by chance.
SHORTEST_SECRET: Final = 5
# So much of a secret in a row gives it away.
_PART: Final = 12
# So much of a secret at the end of a piece is held back until the next one shows what it is.
_HELD: Final = 4
_CRUMB: Final = 6


class Masking:
    def __init__(self, secrets: Iterable[str]) -> None:
        forms = {form.lower() for secret in set(secrets) if len(secret) >= SHORTEST_SECRET for form in _forms(secret)}
        self._short = tuple(sorted((form for form in forms if len(form) < _PART), key=len, reverse=True))
        self._parts = frozenset(
            form[at : at + _PART] for form in forms if len(form) >= _PART for at in range(len(form) - _PART + 1)
        )
        self._crumbs = frozenset(part[at : at + _CRUMB] for part in self._parts for at in range(_PART - _CRUMB + 1))
        whole = (*self._parts, *self._short)
        self._beginnings = frozenset(each[:length] for each in whole for length in range(_HELD, len(each)))

    def __bool__(self) -> bool:
        return bool(self._short or self._parts)

    def __call__(self, text: str) -> str:
        masked: list[str] = []
        shown_to = 0
        for start, end in self.found(text):
            masked += [text[shown_to:start], MASK]
            shown_to = end
        return "".join((*masked, text[shown_to:])) if masked else text

    def holds(self, text: str) -> bool:
        """Whether anything of a secret stands in it."""
        return bool(self.found(text))

    def anywhere(self, value: Any) -> Any:
        """The same in JSON, keys and values."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, list | tuple):
            return [self.anywhere(each) for each in cast("list[Any]", value)]
        if isinstance(value, dict):
            return {self(str(key)): self.anywhere(each) for key, each in cast("dict[Any, Any]", value).items()}
        return value

    def unfinished(self, text: str) -> int:
        """How many characters at the end of the text may be the beginning of a secret."""
        end = text[-_PART:].lower()
        for length in range(min(len(end), _PART - 1), _HELD - 1, -1):
            if end[-length:] in self._beginnings:
                return length
        return 0

    def found(self, text: str) -> list[tuple[int, int]]:
        """From where to where, in order; places that touch are one."""
        small = text.lower()
        # A few letters are two when they are small.
        small = small if len(small) == len(text) else text
        if not self._may_be_in(small):
            return []
        places: list[tuple[int, int]] = []
        for at in range(len(small)):
            if length := self._match(small, at):
                start, end = places.pop() if places and places[-1][1] >= at else (at, at)
                places.append((start, max(end, at + length)))
        return places

    def _may_be_in(self, text: str) -> bool:
        """Every part has a crumb at one of these places: so most texts are looked at in a sixth of the time."""
        if any(text[at : at + _CRUMB] in self._crumbs for at in range(0, len(text), _CRUMB)):
            return True
        return any(form in text for form in self._short)

    def _match(self, text: str, at: int) -> int:
        if text[at : at + _PART] in self._parts:
            return _PART
        return next((len(form) for form in self._short if text.startswith(form, at)), 0)


class StreamedMasking:
    """The same for a text that comes in pieces, one of which may end in the middle of a secret."""

    def __init__(self, masking: Masking) -> None:
        self._masking = masking
        # The end of what was passed on, as it came, and what is held back.
        self._before = ""
        self._held = ""
        self._is_masked = False

    def feed(self, piece: str) -> str:
        text, passed = self._before + self._held + piece, len(self._before)
        found = [(start, end) for start, end in self._masking.found(text) if end > passed]
        whole = len(text) - min(self._masking.unfinished(text), len(text) - passed)
        whole = max(whole, found[-1][1]) if found else whole
        said: list[str] = []
        for start, end in found:
            said.append(text[passed : max(start, passed)])
            # One that began before and was masked then is the same.
            said.append("" if start < passed and self._is_masked else MASK)
            passed = end
        said.append(text[passed:whole])
        self._is_masked = (bool(found) and found[-1][1] == whole) or (self._is_masked and whole == len(self._before))
        self._before, self._held = text[max(0, whole - _PART + 1) : whole], text[whole:]
        return "".join(said)

    def rest(self) -> str:
        """At the end of the text."""
        held, self._held, self._before, self._is_masked = self._held, "", "", False
        return held


def environment_secrets(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables whose names say that they are secret."""
    return tuple(value for name, value in environ.items() if is_secret_name(name) and len(value) >= 2 * _HELD)


def _forms(secret: str) -> Iterator[str]:
    data = secret.encode("utf-8", "surrogatepass")
    yield secret
    yield secret.strip()
    yield quote(secret, safe="")
    yield quote_plus(secret)
    yield "".join(f"%{byte:02x}" for byte in data)
    yield data.hex()
    yield secret.encode("unicode_escape").decode()
    yield "".join(f"\\u{ord(letter):04x}" for letter in secret)
    yield secret.replace("\\", "\\\\").replace('"', '\\"').replace("/", "\\/")
    # In base64 a text looks different at each of three places; its ends depend on what stands around it.
    for before in range(3):
        for encode in (b64encode, urlsafe_b64encode):
            encoded = encode(b"\0" * before + data).decode().rstrip("=")
            inner = encoded[(0, 2, 3)[before] : len(encoded) - 1]
            if len(inner) >= _PART:
                yield inner
