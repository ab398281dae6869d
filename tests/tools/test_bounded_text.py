"""Long text is shown from both ends, and nothing of it is lost unsaid."""

import re

from hypothesis import given
from hypothesis import strategies as st

from teamwright.tools.port import HeadAndTail


@given(st.lists(st.text(alphabet="ab\n", max_size=30), max_size=20), st.integers(min_value=2, max_value=40))
def test_what_is_shown_are_the_two_ends_and_the_number_between_them(pieces: list[str], limit: int) -> None:
    shown = HeadAndTail(limit)
    for piece in pieces:
        shown.add(piece)
    whole, text = "".join(pieces), shown.text("look elsewhere")
    if len(whole) <= limit:
        assert text == whole
        return
    cut = re.fullmatch(r"(.*)\n\[… (\d+) characters left out; look elsewhere …\]\n(.*)", text, re.DOTALL)
    assert cut is not None
    head, left_out, tail = cut.groups()
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert len(head) + int(left_out) + len(tail) == len(whole)
    assert len(head) + len(tail) == limit
