"""The search through what users, assistants and presenters said."""

import pytest

from teamwright.protocol.commands import SearchHit
from teamwright.protocol.events import ItemFinished, ItemStarted
from teamwright.protocol.ids import ItemId, SessionId
from teamwright.protocol.items import AssistantMessage, Item, Presentation, Reasoning, ToolCall, UserMessage
from teamwright.store.sqlite import SqliteStore
from tests.store.facts import SES, created, fact, said

pytestmark = pytest.mark.asyncio

ITEM = ItemId("item_1")


async def log_with(store: SqliteStore, *texts: str, session_id: SessionId = SES) -> None:
    await store.append(session_id, [created(session_id), *(said(text, session_id) for text in texts)])


async def test_what_was_said_is_found_with_its_place_and_surroundings(store: SqliteStore) -> None:
    long = "word " * 40 + "The token bucket refills too fast. " + "word " * 40
    await log_with(store, "Nothing here.", long)

    (hit,) = await store.search("bucket refills")

    assert (hit.session_id, hit.seq) == (SES, 3)
    assert "The token bucket refills too fast." in hit.snippet
    assert hit.snippet.startswith("…")
    assert len(hit.snippet) < 150


@pytest.mark.parametrize(
    ("item", "is_found"),
    [
        (UserMessage(item_id=ITEM, text="needle"), True),
        (AssistantMessage(item_id=ITEM, text="needle"), True),
        (Presentation(item_id=ITEM, text="needle"), True),
        (Reasoning(item_id=ITEM, text="needle"), False),
        (ToolCall(item_id=ITEM, name="needle", arguments={"needle": "needle"}), False),
        (AssistantMessage(item_id=ITEM, text="needle", discarded=True), False),
    ],
    ids=lambda each: each.kind if hasattr(each, "kind") else None,
)
async def test_only_what_was_said_and_stands_is_found(store: SqliteStore, item: Item, is_found: bool) -> None:
    await store.append(
        SES, [created(title="needle"), fact(SES, ItemStarted(item=item)), fact(SES, ItemFinished(item=item))]
    )

    assert await store.search("needle") == ((SearchHit(session_id=SES, seq=3, snippet="needle"),) if is_found else ())


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("retry after", True),
        ("after retry", True),
        ("RETRY", True),
        ("cafe", True),
        ("hea", True),
        ("he", False),
        ("hea retry", False),
        ("retry missing", False),
        ("x-header", True),
        ('"AND" NOT (retry*', False),
        ("retry OR missing", False),
        ('quo"ted', True),
        ("retry --", True),
        ("text:retry", False),
        ("\0", False),
        ("   ", False),
        ('"', False),
    ],
)
async def test_words_are_words_and_never_operators(store: SqliteStore, text: str, is_found: bool) -> None:
    await log_with(store, 'Honour Retry-After and the X-Header in the café, quo"ted.')

    assert bool(await store.search(text)) is is_found


async def test_the_newest_comes_first_and_the_limit_holds(store: SqliteStore) -> None:
    newer = SessionId("ses_2")
    await log_with(store, "bucket one", "bucket two")
    await log_with(store, "bucket three", session_id=newer)

    hits = await store.search("bucket", limit=2)

    assert [(hit.session_id, hit.seq) for hit in hits] == [(newer, 2), (SES, 3)]


async def test_a_script_without_spaces_is_found_from_the_beginning_of_a_phrase(store: SqliteStore) -> None:
    await log_with(store, "限流器太快了")

    assert [hit.seq for hit in await store.search("限流")] == [2]
