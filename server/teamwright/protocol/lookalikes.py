# ruff: noqa: RUF001, RUF003 (letters that look alike are what this is about)
"""Names that a person takes for one another: by their letters' case, their form, or letters of other scripts."""

import re
import unicodedata
from typing import Final

# Letters by the Latin ones that they are drawn like. Those that only stand for them (ﬁ, ａ, ⅼ) are known to Unicode.
_LIKE: Final = str.maketrans(
    dict(
        zip(
            "АВЕЅІЈКМНОРСТУХԌԚԜаеѕіјоԛрсухԁһԝгвкмнт"
            "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαειικνορτυωγχ"
            "օսհոզցԱՕՍ"
            "ᎠᎡᎢᎪᎫᎬᎳᎷᎻᏀᏃᏚᏙᏞᏟᏢᏦᏴ"
            "ıɑɡɩɪʏʙɢʜʟɴʀ"
            "‐‑‒–—―−﹣⁄∕․‚",
            "ABESIJKMHOPCTYXGQWaesijoqpcyxdhwrbkmht"
            "ABEZHIKMNOPTYXaeiikvoptuwyx"
            "ouhnqgUOU"
            "DRTAJEWMHGZSVLCPKB"
            "iagiiybghlnr"
            "--------//.,",
            strict=True,
        )
    )
)
_WORDS: Final = re.compile(r"[^\W\d_]+")
_SCRIPTS: Final = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")


def skeleton(name: str) -> str:
    """Equal for names that look alike."""
    if name.isascii():
        return name.lower()
    compatible = unicodedata.normalize("NFKC", name.translate(_LIKE))
    return unicodedata.normalize("NFKC", compatible.casefold().translate(_LIKE)).lower()


def mixes_scripts(name: str) -> bool:
    """Whether one word of it has letters of scripts that are drawn alike."""
    if name.isascii():
        return False
    return any(len({script for letter in word for script in _script(letter)}) > 1 for word in _WORDS.findall(name))


def _script(letter: str) -> tuple[str, ...]:
    called = unicodedata.name(letter, "")
    return tuple(script for script in _SCRIPTS if called.startswith(script))
