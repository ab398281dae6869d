"""The list of sessions: newest first, from what each log last said of itself."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from teamwright.protocol.errors import NotFound
from teamwright.protocol.ids import SessionId
from teamwright.store.sqlite import DATABASE, SqliteStore
from tests.store.facts import AT, SES, created, summary, updated, vote

pytestmark = pytest.mark.asyncio


async def filled(store: SqliteStore, **sessions: Mapping[str, Any]) -> None:
    for name, fields in sessions.items():
        session_id = SessionId(name)
        await store.append(session_id, [created(session_id, **fields)])


async def titles(store: SqliteStore, **selection: Any) -> list[str]:
    return [found.title for found in await store.sessions(**selection)]


async def test_a_session_is_listed_as_its_log_last_described_it(store: SqliteStore) -> None:
    await store.append(SES, [created()])
    described: dict[str, Any] = {"title": "Limiter", "turns": 2, "runs": 1, "last_message": "Done.", "cost_usd": 0.25}
    await store.append(SES, [updated(title="passing"), updated(**described, busy=True), vote()])

    assert await store.sessions() == (summary(SES, **described),)
    assert await store.summary(SES) == summary(SES, **described)


async def test_the_newest_come_first_and_pages_follow_each_other(store: SqliteStore) -> None:
    await filled(store, **{f"ses_{n}": {"title": str(n), "updated_at": AT + timedelta(minutes=n)} for n in range(5)})
    await store.append(SessionId("ses_1"), [updated(SessionId("ses_1"), title="1", updated_at=AT + timedelta(hours=1))])

    assert await titles(store, limit=2) == ["1", "4"]
    assert await titles(store, limit=2, before=SessionId("ses_4")) == ["3", "2"]
    assert await titles(store, before=AT + timedelta(minutes=3)) == ["2", "0"]
    with pytest.raises(NotFound, match="no session ses_9 to list from"):
        await store.sessions(before=SessionId("ses_9"))


async def test_sessions_of_the_same_moment_are_paged_without_loss(store: SqliteStore) -> None:
    await filled(store, **{f"ses_{n}": {"title": str(n)} for n in range(5)})

    first = await store.sessions(limit=3)
    second = await store.sessions(limit=3, before=first[-1].session_id)

    assert [found.title for found in (*first, *second)] == ["4", "3", "2", "1", "0"]


async def test_a_query_looks_at_titles_last_messages_and_projects_in_any_case(store: SqliteStore) -> None:
    await filled(
        store,
        ses_1={"title": "Größe des Puffers"},
        ses_2={"title": "Plain", "last_message": "The BUFFER is 100% full_"},
        ses_3={"title": "Other", "project": "buffers"},
        ses_4={"title": "None of it"},
    )

    assert await titles(store, query="buffer") == ["Other", "Plain"]
    assert await titles(store, query="GRÖSSE") == ["Größe des Puffers"]
    assert await titles(store, query="100% full_") == ["Plain"]
    assert await titles(store, query="%") == ["Plain"]
    assert len(await titles(store, query="")) == 4


async def test_a_project_selects_its_sessions(store: SqliteStore) -> None:
    await filled(
        store, ses_1={"title": "A", "project": "limiter"}, ses_2={"title": "B"}, ses_3={"title": "C", "project": "lim"}
    )

    assert await titles(store, project="limiter") == ["A"]
    assert await titles(store, project="limiter", query="b") == []


async def test_a_session_with_a_damaged_preview_stays_in_sight(store: SqliteStore, directory: Path) -> None:
    await store.append(SES, [created()])
    with closing(sqlite3.connect(directory / DATABASE)) as vandal, vandal:
        vandal.execute("UPDATE sessions SET summary = CAST(x'ff7b' AS TEXT)")

    assert await store.sessions() == (summary(SES),), "as the log tells it"
    with closing(sqlite3.connect(directory / DATABASE)) as vandal, vandal:
        vandal.execute("UPDATE events SET body = '{'")
    assert await store.sessions() == (summary(SES, title="Damaged preview"),)
