"""Sessions in a world where everything that can happen does. A failure prints how to play it again."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teamwright.engine.session.budget import total_spending
from teamwright.engine.session.reduce import fold
from teamwright.engine.session.standing import interrupted, standing_of
from teamwright.engine.session.state import SessionState
from teamwright.engine.session.view import summary
from teamwright.engine.session.wants import AskResume, ConductRun, HoldTurn, RunTurn, Wants, WithdrawQuestion
from teamwright.protocol.decisions import ResumeDecision
from teamwright.protocol.events import ItemFinished, ItemStarted, TurnFinished, TurnQueued, TurnStarted
from teamwright.protocol.items import ToolCall
from teamwright.protocol.records import EventRecord, read_record
from tests.engine.chance import Chance, Drawn, Seeded, one_of
from tests.engine.session_log import READING, SESSION
from tests.engine.session_simulation import Luck, World

MOST_STEPS = 4_000
SEEDS = st.integers(0, 2**64 - 1)


def profile(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def any_world(chance: Chance) -> World:
    luck = Luck(
        messages=1 + chance.below(3),
        launches=chance.below(3),
        cancels=chance.below(3),
        crashes=chance.below(4),
        crowds=chance.below(3),
    )
    return World(chance, luck, one_of(chance, ("ask", "ask", "auto")))


def play_any(chance: Chance) -> World:
    world = any_world(chance)
    inspector = Inspector(world)
    world.play(MOST_STEPS, inspector.look)
    judge_the_end(world)
    return world


class Inspector:
    """What holds at every moment."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._spent = 0

    def look(self) -> None:
        world = self._world
        wanting = [process for process in world.processes if world.wanted_by(process)]
        assert len(wanting) <= 1, "two processes want to act on one session"
        owner = world.owner
        if owner is None or owner.state is None:
            return
        state = owner.state
        assert set(owner.turns) <= set(state.turns.open)
        assert len(owner.turns) <= 1
        wants = world.wants()
        self._look_at_questions(state, wants)
        self._look_at_work(state, wants)
        self._look_at_money(state)

    def _look_at_questions(self, state: SessionState, wants: Wants) -> None:
        """Each has exactly one owner; what was interrupted is asked about once."""
        withdrawn = {want.decision_id for want in wants if isinstance(want, WithdrawQuestion)}
        asked: Counter[str] = Counter()
        for decision_id, each in state.decisions.open.items():
            items = each.decision.detail.items if isinstance(each.decision, ResumeDecision) else None
            owners = [item.id for item in items or ()] or [each.scope.run_id or each.scope.turn_id or ""]
            is_owned = any(name in state.runs.open or name in state.turns.open for name in owners)
            assert is_owned or decision_id in withdrawn, f"{decision_id} belongs to nobody"
            if isinstance(each.decision, ResumeDecision):
                asked.update(owners)
        assert all(count == 1 for count in asked.values()), "what was interrupted is asked about twice"
        assert sum(isinstance(want, AskResume) for want in wants) <= 1
        held = [want.turn_id for want in wants if isinstance(want, HoldTurn | RunTurn)]
        assert len(held) == len(set(held)), "a turn is wanted twice, or wanted and held"

    def _look_at_work(self, state: SessionState, wants: Wants) -> None:
        """Nothing of what a process left that is gone goes on before somebody says so."""
        left = {each.item.id for each in interrupted(state)}
        wanted = {want.turn_id for want in wants if isinstance(want, RunTurn)}
        conducted = {want.run_id for want in wants if isinstance(want, ConductRun)}
        assert not left & (wanted | conducted)
        for run in state.runs.open.values():
            assert run.scope.turn_id is None or run.scope.turn_id in state.turns.open, "a run without a turn or command"
        for turn in state.turns.waiting:
            assert standing_of(state, turn) == "queued"

    def _look_at_money(self, state: SessionState) -> None:
        spent = total_spending(state).usage.calls
        assert spent >= self._spent, "money was given back"
        self._spent = spent


def judge_the_end(world: World) -> None:
    state = world.known()
    assert state is not None
    assert not state.is_busy
    assert not state.decisions.open
    events = [(record.event, record.turn_id) for record in world.log]
    started = Counter(turn_id for event, turn_id in events if isinstance(event, TurnStarted))
    ended = Counter(turn_id for event, turn_id in events if isinstance(event, TurnFinished))
    queued = {turn_id for event, turn_id in events if isinstance(event, TurnQueued)}
    assert all(count == 1 for count in started.values()), "a turn started twice"
    assert ended == Counter(started.keys() | queued), "a message ended in no turn and no cancel, or in two"
    assert state.turns.begun == len(started)
    judge_the_items(world)
    judge_the_order(world)


def judge_the_items(world: World) -> None:
    """Whatever was begun is finished, once; what may have had an effect had it once."""
    begun = Counter(record.event.item.item_id for record in world.log if isinstance(record.event, ItemStarted))
    over = Counter(record.event.item.item_id for record in world.log if isinstance(record.event, ItemFinished))
    assert begun == over
    assert set(begun.values()) <= {1}
    assert len(world.effects) == len(set(world.effects))
    told = sum(event.usage.calls for event in _item_facts(world) if event.usage is not None)
    settled = sum(each.event.usage.calls for each in world.log if isinstance(each.event, TurnFinished))
    assert settled >= told, "what was spent before a crash is forgotten"
    for record in world.log:
        match record.event:
            case ItemFinished(item=ToolCall(name=name, status="failed")):
                assert name not in READING
            case _:
                pass


def _item_facts(world: World) -> list[ItemStarted | ItemFinished]:
    return [record.event for record in world.log if isinstance(record.event, ItemStarted | ItemFinished)]


def judge_the_order(world: World) -> None:
    """One turn at a time, in the order in which they were asked for."""
    asked: list[str] = []
    started: list[str] = []
    under_way: str | None = None
    for record in world.log:
        match record.event:
            case TurnQueued():
                asked.append(record.turn_id or "")
            case TurnStarted():
                assert under_way is None
                under_way = record.turn_id
                if record.turn_id not in asked:
                    asked.append(record.turn_id or "")
                started.append(record.turn_id or "")
            case TurnFinished():
                under_way = None if record.turn_id == under_way else under_way
            case _:
                pass
    places = [asked.index(turn_id) for turn_id in started]
    assert all(earlier < later for earlier, later in pairwise(places))


@profile(2_000)
@given(SEEDS)
def test_every_session_comes_to_rest_and_keeps_its_promises(seed: int) -> None:
    play_any(Seeded(seed))


@profile(40)
@given(st.data())
def test_every_session_comes_to_rest_however_its_course_is_drawn(data: st.DataObject) -> None:
    play_any(Drawn(data))


@profile(60)
@given(SEEDS, st.integers(0, 10_000))
def test_a_log_folded_in_two_parts_and_read_from_disk_is_the_same_session(seed: int, cut: int) -> None:
    log = play_any(Seeded(seed)).log
    whole = fold(log, SessionState(SESSION))
    middle = cut % (len(log) + 1)
    assert fold(log[middle:], fold(log[:middle], SessionState(SESSION))) == whole
    read = [read_record(record.to_json()) for record in log]
    assert fold([each for each in read if isinstance(each, EventRecord)], SessionState(SESSION)) == whole


@profile(60)
@given(SEEDS, st.integers(0, 10_000))
def test_a_state_that_is_kept_and_one_from_the_log_agree_at_any_moment(seed: int, stop: int) -> None:
    """But for what a process knows besides: who wrote the log before it."""
    world = any_world(Seeded(seed))
    moments = 0

    def compare() -> None:
        nonlocal moments
        moments += 1
        kept = world.owner.state if world.owner is not None else None
        if kept is not None and kept.last_seq and moments % 7 == stop % 7:
            anew = fold(world.log, SessionState(SESSION))
            assert kept._replace(gone_up_to=0) == anew
            assert summary(kept) == summary(anew)

    world.play(MOST_STEPS, compare)


@pytest.mark.slow
@profile(100_000)
@given(SEEDS)
def test_every_session_comes_to_rest_and_keeps_its_promises_for_a_long_time(seed: int) -> None:
    play_any(Seeded(seed))
