"""A context that grew with its log is the one that the log alone gives, whatever happened in between."""

from typing import Literal, TypeAlias, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from teamwright.models.metering import characters
from teamwright.models.port import Message, ModelReply, ModelRequest, ToolResultMessage, UserPrompt
from teamwright.protocol.items import ToolCall
from teamwright.runtime.context.conversation import SessionConversation
from teamwright.runtime.context.entry import UserEntry
from teamwright.runtime.context.layout import HistoryBudget
from teamwright.runtime.context.request import build
from teamwright.runtime.context.summarising import summarise
from tests.context.seeing import folded, outlook
from tests.context.telling import Status, Told

Verb: TypeAlias = Literal[
    "ask", "add", "say", "discard", "call", "begin", "end", "cancel", "finish", "stop", "run", "compact"
]
Step: TypeAlias = tuple[Verb, str]
STEPS = st.tuples(st.sampled_from(get_args(Verb)), st.sampled_from(["", "short", "y" * 700, "x" * 3_000]))


class Player:
    """Tells a session step by step, lawful or not."""

    def __init__(self) -> None:
        self.told = Told()
        self._open: list[ToolCall] = []

    def play(self, verb: Verb, text: str) -> None:
        told = self.told
        match verb:
            case "ask":
                told.asks(text)
            case "add":
                told.adds(text)
            case "say" | "discard":
                told.says(text, discarded=verb == "discard")
            case "call":
                told.calls("search_files", text, text=text)
            case "begin":
                self._open.append(told.begins("read_file", path="a.py"))
            case "end" | "cancel":
                self._end(text, "cancelled" if verb == "cancel" else "succeeded")
            case "run":
                told.run_ends("run_1", text)
            case "compact":
                told.compacts("A summary.", len(told.records) // 2)
            case _:
                told.finishes("cancelled" if verb == "stop" else "completed")

    def _end(self, text: str, status: Status) -> None:
        for call in self._open[:1]:
            self.told.ends(call, text, status=status)
        del self._open[:1]


ROOMS = st.sampled_from([HistoryBudget(4_000), HistoryBudget(12_000), HistoryBudget(60_000), HistoryBudget(10**7)])


def tell(what: list[Step]) -> Told:
    player = Player()
    for verb, text in what:
        player.play(verb, text)
    return player.told


@settings(max_examples=300, deadline=None)
@given(st.lists(STEPS, max_size=40), ROOMS, st.sets(st.integers(0, 120)))
def test_grown_and_rebuilt_are_the_same(what: list[Step], room: HistoryBudget, asked_at: set[int]) -> None:
    told = tell(what)
    grown = SessionConversation()
    for seq, record in enumerate(told.records, 1):
        grown.fold(record)
        if seq in asked_at:
            assert build(grown, outlook(room)) == build(folded(told.records[:seq]), outlook(room))
    assert build(grown, outlook(room)) == build(folded(told.records), outlook(room))


@settings(max_examples=300, deadline=None)
@given(st.lists(STEPS, max_size=40), ROOMS)
def test_what_is_sent_fits_and_is_a_lawful_conversation(what: list[Step], room: HistoryBudget) -> None:
    conversation = folded(tell(what).records)
    sent = build(conversation, outlook(room)).messages
    assert characters(ModelRequest(sent)) <= room.whole
    check_lawful(sent)


@settings(max_examples=200, deadline=None)
@given(st.lists(STEPS, max_size=40))
def test_how_long_an_entry_is_can_be_told_before_it_is_made(what: list[Step]) -> None:
    for entry in folded(tell(what).records).entries:
        foreseen = entry.full_size, entry.brief_size
        made = entry.full(), entry.brief()
        assert foreseen == tuple(characters(ModelRequest(form.messages)) for form in made)
        assert made[1].size <= made[0].size


@settings(max_examples=300, deadline=None)
@given(st.lists(STEPS, max_size=40), ROOMS, st.booleans())
def test_a_compaction_makes_less_of_it_and_leaves_the_latest_turn(
    what: list[Step], room: HistoryBudget, on_request: bool
) -> None:
    told = tell(what)
    summarising = summarise(folded(told.records), outlook(room), on_request=on_request)
    if summarising is None:
        return
    check_lawful(summarising.request.messages)
    assert characters(summarising.request) <= room.whole + 1_000
    told.compacts("s" * summarising.longest, summarising.up_to_seq)
    before, after = folded(told.records[:-1]), folded(told.records)
    check_lawful(build(after, outlook(room)).messages)
    assert weight(after) < weight(before)
    assert questions(after)[-1:] == questions(before)[-1:]


def questions(conversation: SessionConversation) -> list[str]:
    return [entry.text for entry in conversation.entries if isinstance(entry, UserEntry)]


def weight(conversation: SessionConversation) -> int:
    return len(conversation.summary) + sum(entry.full().size for entry in conversation.entries)


def check_lawful(sent: tuple[Message, ...]) -> None:
    """It begins with the user, every call has one result right after its answer, and no result stands alone."""
    assert isinstance(sent[0], UserPrompt)
    due: list[str] = []
    for message in sent:
        match message:
            case ToolResultMessage(call_id):
                assert due
                assert due.pop(0) == call_id
            case ModelReply(text, calls):
                assert not due
                assert text.strip() or calls
                due = [call.call_id for call in calls]
            case UserPrompt(text):
                assert not due
                assert text.strip()
    assert not due
