"""Forks and imports: a log under a new name, with nothing in it that waits or runs."""

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.protocol.decisions import BudgetDecision, BudgetDetail, BudgetSpent
from teamwright.protocol.errors import BadParams, Conflict, NotFound
from teamwright.protocol.events import (
    DecisionRequested,
    DecisionResolved,
    ItemFinished,
    RunFinished,
    SessionCompacted,
    SessionUpdated,
    TurnFinished,
)
from teamwright.protocol.ids import DecisionId, ItemId, SessionId, TurnId
from teamwright.protocol.items import ToolCall
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import EventRecord
from teamwright.protocol.usage import Budget, Usage
from teamwright.store.copying import closing_records, last_quiet_seq
from teamwright.store.port import LogPage
from teamwright.store.sqlite import SqliteStore
from tests.store.conftest import OpenStore
from tests.store.facts import (
    AT,
    RUN,
    SES,
    agent_stopped,
    asked,
    begun,
    created,
    decided,
    fact,
    numbered,
    run_finished,
    run_started,
    said,
    summary,
    turn_finished,
    turn_queued,
    turn_started,
    updated,
    vote,
    whole_turn,
)

COPY = SessionId("ses_copy")
NOW = AT + timedelta(hours=2)


def at_now(record: EventRecord) -> EventRecord:
    return record.model_copy(update={"at": NOW})


def born(**fields: Any) -> EventRecord:
    """How a fork introduces itself."""
    times = {"created_at": NOW, "updated_at": NOW}
    return at_now(fact(COPY, SessionUpdated(session=summary(COPY, **(times | fields)))))


async def copied(store: SqliteStore, *log: EventRecord, at_seq: int | None = None) -> tuple[EventRecord, ...]:
    await store.append(SES, log)
    last_seq = await store.fork(SES, COPY, NOW, at_seq=at_seq)
    page = await store.read_after(COPY)
    assert (page.damaged, len(page.records)) == ((), last_seq)
    return page.records


TWO_TURNS = (
    [created(), *whole_turn("turn_1", "Why?", "Because."), updated(turns=1)],
    [*whole_turn("turn_2", "And?", "That is all."), updated(turns=2)],
)
ONE_TURN_COPIED = [created(COPY), *whole_turn("turn_1", "Why?", "Because.", COPY), updated(COPY, turns=1)]


@pytest.mark.asyncio
async def test_a_fork_is_the_whole_log_under_a_new_name(store: SqliteStore) -> None:
    log = [created(), *whole_turn("turn_1", "Why?", "Because."), updated(turns=1, last_message="Because.")]

    fork = await copied(store, *log)

    assert fork == numbered(
        created(COPY),
        *whole_turn("turn_1", "Why?", "Because.", COPY),
        updated(COPY, turns=1, last_message="Because."),
        born(turns=1, last_message="Because."),
    )
    assert await store.read_after(SES) == LogPage(numbered(*log), (), more=False)


@pytest.mark.asyncio
@pytest.mark.parametrize("at_seq", [8, 9, 10, 13], ids=["after", "turn started", "in its middle", "at its answer"])
async def test_a_fork_inside_a_turn_goes_back_to_before_it(store: SqliteStore, at_seq: int) -> None:
    assert await copied(store, *TWO_TURNS[0], *TWO_TURNS[1], at_seq=at_seq) == numbered(*ONE_TURN_COPIED, born(turns=1))


@pytest.mark.asyncio
async def test_a_fork_at_the_end_of_a_turn_has_that_turn(store: SqliteStore) -> None:
    fork = await copied(store, *TWO_TURNS[0], *TWO_TURNS[1], at_seq=14)

    assert fork == numbered(*ONE_TURN_COPIED, *whole_turn("turn_2", "And?", "That is all.", COPY), born(turns=1))


@pytest.mark.asyncio
async def test_a_fork_of_the_very_beginning_is_an_empty_session(store: SqliteStore) -> None:
    assert await copied(store, *TWO_TURNS[0], at_seq=1) == numbered(created(COPY), born())


@pytest.mark.asyncio
async def test_what_waits_or_runs_is_cancelled_in_the_fork_alone(store: SqliteStore) -> None:
    call = ToolCall(item_id=ItemId("item_call"), name="read_file")
    log = [
        created(),
        run_started(),
        agent_stopped(Usage(input_tokens=5, calls=2)),
        agent_stopped(Usage(output_tokens=3, calls=1)),
        begun(call),
        asked("dec_done"),
        decided("dec_done"),
        asked("dec_open"),
        turn_queued("turn_1"),
        updated(pending_decisions=1, busy=True),
    ]

    fork = await copied(store, *log)

    usage = Usage(input_tokens=5, output_tokens=3, calls=3)
    assert fork[len(log) :] == numbered(
        at_now(fact(COPY, TurnFinished(outcome="cancelled", usage=Usage()), turn_id=TurnId("turn_1"))),
        at_now(fact(COPY, DecisionResolved(decision_id=DecisionId("dec_open"), choice="cancel", by="cancelled"))),
        at_now(fact(COPY, ItemFinished(item=call.model_copy(update={"status": "cancelled"})))),
        at_now(fact(COPY, RunFinished(outcome="cancelled", usage=usage), run_id=RUN)),
        born(),
        after=len(log),
    )
    assert await store.last_seq(SES) == len(log)


@pytest.mark.asyncio
async def test_a_fork_is_listed_searched_written_and_held_like_any_session(
    store: SqliteStore, open_store: OpenStore
) -> None:
    last = (await copied(store, created(), *whole_turn("turn_1", "Why?", "Because of the needle.")))[-1].seq or 0

    assert [found.session_id for found in await store.sessions()] == [COPY, SES]
    assert {hit.session_id for hit in await store.search("needle")} == {SES, COPY}
    assert await store.append(COPY, [vote(COPY)]) == numbered(vote(COPY), after=last)
    with pytest.raises(Conflict):
        await (await open_store()).append(COPY, [vote(COPY)])


@pytest.mark.asyncio
async def test_forking_what_is_not_there_says_so(store: SqliteStore) -> None:
    with pytest.raises(NotFound, match="There is no session ses_1"):
        await store.fork(SES, COPY, NOW)


@pytest.mark.asyncio
async def test_an_exported_log_comes_back_the_same_but_for_its_id(store: SqliteStore) -> None:
    await store.append(SES, [created(title="Größe"), *whole_turn("turn_1", "Why?", "Because ✓"), run_started()])
    await store.append(SES, [vote(), run_finished(), updated(title="Größe", turns=1, cost_usd=0.1)])
    exported = await store.export_log(SES)

    assert await store.import_log(COPY, exported, NOW) == len(exported)

    again = await store.export_log(COPY)
    assert [json.loads(each.replace(COPY, SES)) for each in again] == [json.loads(each) for each in exported]
    assert await store.summary(COPY) == summary(COPY, title="Größe", turns=1, cost_usd=0.1)
    assert [hit.session_id for hit in await store.search("✓ because")] == [COPY, SES]


@pytest.mark.asyncio
async def test_what_nobody_can_judge_is_left_out_of_an_import(store: SqliteStore) -> None:
    newer = json.loads(numbered(created(), run_started(), vote())[2].to_json())
    newer["event"]["weight"] = 0.5
    unknown = {"v": 1, "seq": 4, "at": "2026-11-16T08:30:00Z", "sessionId": SES, "event": {"type": "vote.weighed"}}
    known = [record.to_json() for record in numbered(created(), run_started())]

    await store.import_log(
        COPY, [*known, json.dumps(newer), json.dumps(unknown), "{broken", run_finished().to_json()], NOW
    )

    copied = numbered(created(COPY), run_started(session_id=COPY), vote(COPY), run_finished(session_id=COPY))
    assert await store.read_after(COPY) == LogPage(copied, (), more=False)


@pytest.mark.asyncio
async def test_an_import_cancels_what_was_under_way_and_takes_no_decision(store: SqliteStore) -> None:
    await store.append(SES, [created(), turn_started("turn_1"), asked("dec_1"), updated(pending_decisions=1)])

    await store.import_log(COPY, await store.export_log(SES), NOW)

    assert (await store.read_after(COPY, 2)).records == numbered(
        updated(COPY, pending_decisions=1),
        at_now(fact(COPY, TurnFinished(outcome="cancelled", usage=Usage()), turn_id=TurnId("turn_1"))),
        born(created_at=AT),
        after=2,
    )


@pytest.mark.asyncio
async def test_a_fork_is_granted_nothing_that_a_person_let_its_original_spend(store: SqliteStore) -> None:
    """And nobody works on it unasked."""
    grant = BudgetDecision(
        decision_id=DecisionId("dec_1"),
        title="More?",
        choices=(),
        detail=BudgetDetail(
            of="session", spent=BudgetSpent(usd=1, tokens=5, seconds=1, usage=Usage()), limit=Budget(usd=1)
        ),
    )
    modes = Modes(plan=True, autonomy="autonomous")
    asked_for_more = fact(SES, DecisionRequested(decision=grant))
    compacted = fact(SES, SessionCompacted(summary="So far.", up_to_seq=4))
    log = [created(modes=modes), asked_for_more, decided("dec_1"), said("Hm."), compacted]

    fork = await copied(store, *log)

    assert fork == numbered(
        created(COPY, modes=modes),
        said("Hm.", COPY),
        fact(COPY, SessionCompacted(summary="So far.", up_to_seq=2)),
        born(modes=Modes(plan=True)),
    )


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ([], "its first record must be a session.created"),
        (["hello"], "its first record must be a session.created"),
        (["[1, 2]", created().to_json()], "its first record must be a session.created"),
        ([vote().to_json(), created().to_json()], "its first record must be a session.created"),
        (
            [
                created().to_json(),
                '{"v":1,"at":"2026-11-16T08:30:00Z","event":{"type":"notice.raised","level":"info","text":"hm"}}',
            ],
            "record 2 is of a kind that is never stored",
        ),
    ],
    ids=["nothing", "no JSON", "no record", "no beginning", "transient"],
)
async def test_what_is_no_exported_log_is_refused_and_leaves_nothing(
    store: SqliteStore, log: list[str], reason: str
) -> None:
    with pytest.raises(BadParams) as refused:
        await store.import_log(COPY, log, NOW)

    assert str(refused.value) == f"text: this is not an exported session: {reason}"
    assert await store.sessions() == ()


STEPS = st.sampled_from(
    [
        updated(),
        said("Hm."),
        *(make(turn) for make in (turn_queued, turn_started, turn_finished) for turn in ("turn_1", "turn_2")),
        run_started(),
        run_finished(),
        asked("dec_1"),
        decided("dec_1"),
        begun(ToolCall(item_id=ItemId("item_1"), name="read_file")),
    ]
)


@given(st.lists(STEPS, max_size=12))
def test_a_log_with_its_closing_records_has_no_open_ends(steps: list[EventRecord]) -> None:
    log = numbered(created(), *steps)
    closing = numbered(*closing_records(log, NOW), after=len(log))

    assert closing_records((*log, *closing), NOW) == []
    assert last_quiet_seq((*log, *closing)) == len(log) + len(closing)
