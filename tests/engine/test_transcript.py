"""Whatever happens in a session, and whenever a client looks: its list is the server's."""

from collections.abc import Iterator

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teamwright.engine.transcript.entries import MAX_TEXT_BYTES, StreamedText
from teamwright.protocol.events import ItemDelta, ItemFinished
from teamwright.protocol.items import TextItem
from teamwright.protocol.records import EventRecord
from tests.engine.chance import Chance, Seeded
from tests.engine.drawing import FoldedSession
from tests.engine.test_session_simulation import MOST_STEPS, any_world
from tests.support.drawn import DrawnTranscript, Json

PROFILE = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = st.integers(0, 2**64 - 1)


def any_log(chance: Chance) -> list[EventRecord]:
    """Of a session in which anything may happen, with what streams between its facts."""
    world = any_world(chance)
    world.play(MOST_STEPS, lambda: None)
    return list(_streamed(world.log, chance))


def _streamed(log: list[EventRecord], chance: Chance) -> Iterator[EventRecord]:
    for record in log:
        event = record.event
        if isinstance(event, ItemFinished) and isinstance(event.item, TextItem) and not event.item.discarded:
            offset = 0
            while offset < len(event.item.text) and chance.below(8):
                piece = event.item.text[offset : offset + 1 + chance.below(6)]
                delta = ItemDelta(item_id=event.item.item_id, offset=offset, text=piece)
                yield record.model_copy(update={"seq": None, "event": delta})
                offset += len(piece)
        yield record


@PROFILE
@given(SEEDS)
def test_patches_make_of_any_earlier_list_the_list_of_now(seed: int) -> None:
    chance = Seeded(seed)
    session, client = FoldedSession(), DrawnTranscript()
    follower = session.follower()
    for record in any_log(chance):
        session.fold(record)
        match chance.below(6):
            case 0:
                client.apply(op.to_wire() for op in follower.patch())
                assert client.entries == session.entries()
            case 1:
                client.apply(op.to_wire() for op in follower.appended())
            case 2 if chance.below(4) == 0:
                # It lost track, and opens the session again.
                client = DrawnTranscript(follower.opened().to_wire())
                assert client.entries == session.entries()[-200:]
            case _:
                pass
    client.apply(op.to_wire() for op in follower.patch())
    assert client.entries == session.entries()
    assert follower.patch() == ()


@PROFILE
@given(SEEDS)
def test_a_session_that_is_loaded_again_has_the_same_entries(seed: int) -> None:
    chance = Seeded(seed)
    log = any_log(chance)
    kept = [record for record in log if record.seq is not None]
    assert FoldedSession(kept).entries() == _settled(FoldedSession(log).entries())
    cut = chance.below(len(kept) + 1)
    session = FoldedSession(kept[:cut])
    before = [entry["entryId"] for entry in session.entries()]
    for record in kept[cut:]:
        session.fold(record)
    assert session.entries() == FoldedSession(kept).entries()
    still_there = [entry["entryId"] for entry in session.entries() if entry["entryId"] in before]
    assert still_there == [entry_id for entry_id in before if entry_id in still_there], "an entry has moved"


def _settled(entries: list[Json]) -> list[Json]:
    """Without what had streamed of texts that never came to an end: that was only of the moment."""
    return [
        {**entry, "parts": [{**part, "text": ""} for part in entry["parts"]]}
        if entry["state"] == "streaming"
        else entry
        for entry in entries
    ]


@PROFILE
@given(SEEDS)
def test_nothing_that_is_drawn_names_an_id_of_ours(seed: int) -> None:
    for entry in FoldedSession(any_log(Seeded(seed))).entries():
        assert entry["title"]
        said = [entry["title"], *(part.get("text", "") + part.get("title", "") for part in entry["parts"])]
        said += [action["label"] for action in entry["actions"]]
        for words in said:
            assert not any(prefix in words for prefix in ("turn_", "item_", "dec_", "ans_", "ses_")), words


@PROFILE
@given(SEEDS)
def test_actions_of_an_entry_have_keys_of_their_own_and_what_waits_has_actions(seed: int) -> None:
    session = FoldedSession()
    for record in any_log(Seeded(seed)):
        session.fold(record)
    for entry in session.entries():
        keys = [action["key"] for action in entry["actions"] if "key" in action]
        assert len(keys) == len(set(keys)), entry
        if entry["state"] == "waiting":
            assert entry["actions"]
        for part in entry["parts"]:
            assert sum(each["part"] == part["part"] for each in entry["parts"]) == 1


def test_a_text_is_cut_once_and_grows_no_further() -> None:
    text = StreamedText()
    text.grow(0, "x" * (MAX_TEXT_BYTES - 1))
    text.grow(MAX_TEXT_BYTES - 1, "éé")
    text.grow(MAX_TEXT_BYTES + 1, "more")
    assert (text.text, text.is_cut) == ("x" * (MAX_TEXT_BYTES - 1), True)
    assert text.since(MAX_TEXT_BYTES - 3) == "xx"


def test_a_piece_out_of_order_is_left_to_the_end() -> None:
    text = StreamedText()
    text.grow(0, "One ")
    text.grow(9, "lost")
    text.grow(4, "two")
    text.grow(4, "two")
    assert text.text == "One two"
    assert text.since(2) == "e two"
