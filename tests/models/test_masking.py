"""Secrets taken out of texts: in every form in which they travel, whole or in part, at once or in pieces."""

import json
from base64 import b64encode
from itertools import pairwise
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.models.masking import MASK, Masking, StreamedMasking

KEY = 'sk-live/Ab+9"x\\Q2-0123456789-abcdefghij'
masking = Masking([KEY, "short", "abc"])


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        KEY.upper(),
        quote(KEY, safe=""),
        b64encode(KEY.encode()).decode(),
        b64encode(f"user:{KEY}".encode()).decode(),
        b64encode(f"me:{KEY}".encode()).decode(),
        b64encode(f"x:{KEY}:y".encode()).decode(),
        json.dumps(KEY),
        KEY.encode().hex(),
        KEY[:24],
        KEY[-20:],
        "short",
    ],
)
def test_every_form_of_a_secret_is_masked(form: str) -> None:
    masked = masking(f"You sent {form} to us.")
    assert MASK in masked
    assert not any(form[at : at + 12] in masked for at in range(len(form) - 11))
    assert masked.startswith("You sent ")
    assert masked.endswith(" to us.")


def test_what_is_no_secret_stays_as_it_is() -> None:
    for text in ("abc", "The İstanbul office", "sk-live", "", KEY[:8]):
        assert masking(text) == text


@given(
    before=st.text(max_size=30),
    after=st.text(max_size=30),
    cuts=st.lists(st.integers(min_value=0, max_value=120), max_size=12),
)
def test_a_secret_in_pieces_does_not_get_through(before: str, after: str, cuts: list[int]) -> None:
    text = before + KEY + after
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    stream = StreamedMasking(masking)
    said = "".join([*(stream.feed(text[start:end]) for start, end in pairwise(places)), stream.rest()])
    assert MASK in said
    assert not any(KEY[at : at + 12] in said for at in range(len(KEY) - 11))


@given(pieces=st.lists(st.text(alphabet="sk-live hort9", max_size=8), max_size=20))
def test_a_text_in_pieces_loses_nothing(pieces: list[str]) -> None:
    stream = StreamedMasking(Masking([KEY]))
    assert "".join([*map(stream.feed, pieces), stream.rest()]) == "".join(pieces)
