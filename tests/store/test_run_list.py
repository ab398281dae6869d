"""The runs of a workspace, found without reading its logs."""

import pytest

from teamwright.protocol.ids import RunId, SessionId
from teamwright.store.sqlite import SqliteStore
from tests.store.facts import AT, SES, created, run_finished, run_started

pytestmark = pytest.mark.asyncio

OTHER = SessionId("ses_2")
COPY = SessionId("ses_3")
ONE, TWO, THREE = RunId("run_1"), RunId("run_2"), RunId("run_3")


async def filled(store: SqliteStore) -> None:
    await store.append(SES, [created(), run_started(ONE), run_finished(ONE), run_started(THREE), run_finished(THREE)])
    await store.append(OTHER, [created(OTHER, project="migration"), run_started(TWO, OTHER)])


async def test_runs_are_listed_newest_first_by_session_by_project_or_all(store: SqliteStore) -> None:
    await filled(store)

    assert await store.runs() == ((SES, THREE), (OTHER, TWO), (SES, ONE))
    assert await store.runs(limit=2) == ((SES, THREE), (OTHER, TWO))
    assert await store.runs(session_id=SES) == ((SES, THREE), (SES, ONE))
    assert await store.runs(project="migration") == ((OTHER, TWO),)
    assert await store.runs(project="none") == ()


async def test_a_run_is_listed_once_where_it_first_appeared_as_long_as_that_is_in_sight(store: SqliteStore) -> None:
    await filled(store)
    await store.fork(OTHER, COPY, AT)

    assert await store.runs(project="migration") == ((OTHER, TWO),)
    assert await store.runs(session_id=COPY) == ((COPY, TWO),)
    await store.delete(OTHER, AT)
    assert await store.runs(project="migration") == ((COPY, TWO),)
    assert await store.find_session(TWO) == COPY
    await store.restore(OTHER)
    assert await store.find_session(TWO) == OTHER
