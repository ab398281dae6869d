"""Text of any length, of which a model is shown a part. Never slower than the part is long."""

_WHITESPACE_SLACK = 4


def excerpt(text: str, limit: int, how_to_get_the_rest: str = "") -> str:
    """The whole text, or its beginning and end with a word on what is missing: never more than `limit` characters."""
    if len(text) <= limit:
        return text
    hint = f"; {how_to_get_the_rest}" if how_to_get_the_rest else ""
    room = limit - len(_left_out(len(text), hint))
    if room <= 0:
        return text[: limit - 1] + "…" if limit > 0 else ""
    tail = room // 3
    return f"{text[: room - tail]}{_left_out(len(text) - room, hint)}{text[len(text) - tail :]}"


def _left_out(characters: int, hint: str) -> str:
    return f"\n[… {characters} characters left out{hint} …]\n"


def one_line(text: str, limit: int) -> str:
    """The beginning of a text, for where it is only named."""
    beginning = text[: limit * _WHITESPACE_SLACK]
    # A word and the space after it are two characters at least; with more words there would be no more of them shown.
    line = " ".join(beginning.split(None, limit // 2 + 1))
    if len(line) <= limit and len(beginning) == len(text):
        return line
    return line[: max(0, limit - 1)].rstrip() + "…"
