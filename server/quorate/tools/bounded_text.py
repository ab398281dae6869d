"""Text of any length, of which a model is shown the beginning and the end."""


class HeadAndTail:
    """Takes what comes and keeps what fits, so that endless output costs no more memory than its bound."""

    def __init__(self, limit: int) -> None:
        self._room = limit - limit // 2
        self._tail_limit = limit // 2
        self._head = ""
        self._tail = ""
        self._left_out = 0

    def add(self, text: str) -> None:
        fitting, rest = text[: self._room], text[self._room :]
        self._head += fitting
        self._room -= len(fitting)
        tail = self._tail + rest
        self._tail = tail[-self._tail_limit :]
        self._left_out += len(tail) - len(self._tail)

    @property
    def is_cut(self) -> bool:
        return self._left_out > 0

    def text(self, how_to_get_the_rest: str) -> str:
        if not self.is_cut:
            return self._head + self._tail
        return f"{self._head}\n[… {self._left_out} characters left out; {how_to_get_the_rest} …]\n{self._tail}"


def head_and_tail(text: str, limit: int, how_to_get_the_rest: str) -> str:
    shown = HeadAndTail(limit)
    shown.add(text)
    return shown.text(how_to_get_the_rest)
