"""What waits for a person, in all sessions of the workspace."""

import pytest

from teamwright.protocol.ids import SessionId
from teamwright.store.sqlite import SqliteStore
from tests.store.facts import AT, SES, asked, created, decided, turn_started

pytestmark = pytest.mark.asyncio

OTHER = SessionId("ses_2")
COPY = SessionId("ses_3")


async def waiting(store: SqliteStore) -> list[str]:
    return [decision.decision_id for decision in await store.open_decisions()]


async def test_what_was_asked_and_not_decided_is_open_in_whatever_session(store: SqliteStore) -> None:
    await store.append(SES, [created(), turn_started("turn_1"), asked("dec_1"), decided("dec_1"), asked("dec_2")])
    await store.append(OTHER, [created(OTHER), asked("dec_3", OTHER)])

    assert await waiting(store) == ["dec_2", "dec_3"]


async def test_a_copy_settles_for_itself_what_the_original_still_asks(store: SqliteStore) -> None:
    await store.append(SES, [created(), asked("dec_1")])
    await store.fork(SES, COPY, AT)

    assert await waiting(store) == ["dec_1"]
    await store.append(SES, [decided("dec_1")])
    assert await waiting(store) == []


async def test_nobody_is_asked_by_a_deleted_session(store: SqliteStore) -> None:
    await store.append(SES, [created(), asked("dec_1")])

    await store.delete(SES, AT)
    assert await waiting(store) == []
    await store.restore(SES)
    assert await waiting(store) == ["dec_1"]
