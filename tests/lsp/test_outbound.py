"""A response precedes every event that bears its ids, and no other session waits for it."""

from datetime import UTC, datetime

from teamwright.lsp.outbound import Outbound
from teamwright.protocol.command_table import NamedSession, NewSession, NoSession
from teamwright.protocol.events import TurnStarted
from teamwright.protocol.ids import SessionId
from teamwright.protocol.records import EventRecord


def told(client: Outbound, session: str, text: str) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    client(EventRecord(seq=1, at=at, session_id=SessionId(session), event=TurnStarted(text=text)))


def heard(client: Outbound) -> list[str]:
    texts: list[str] = []
    client.follow(lambda record: texts.append(record.event.text) if isinstance(record.event, TurnStarted) else None)
    return texts


def test_only_the_commands_own_session_waits_for_its_response() -> None:
    client = Outbound()
    texts = heard(client)
    with client.held(NamedSession(SessionId("ses_1"))):
        told(client, "ses_1", "held")
        told(client, "ses_2", "free")
        assert texts == ["free"]
    assert texts == ["free", "held"]


def test_a_command_that_may_start_a_session_holds_those_that_are_new() -> None:
    client = Outbound()
    texts = heard(client)
    told(client, "ses_old", "before")
    with client.held(NewSession()):
        told(client, "ses_new", "held")
        told(client, "ses_old", "free")
        assert texts == ["before", "free"]
    assert texts == ["before", "free", "held"]


def test_a_command_about_no_session_holds_nothing_back() -> None:
    client = Outbound()
    texts = heard(client)
    with client.held(NoSession()):
        told(client, "ses_new", "free")
        assert texts == ["free"]


def test_what_two_commands_hold_comes_in_order_when_the_last_is_answered() -> None:
    client = Outbound()
    texts = heard(client)
    with client.held(NamedSession(SessionId("ses_1"))):
        with client.held(NamedSession(SessionId("ses_1"))):
            told(client, "ses_1", "first")
        told(client, "ses_1", "second")
        assert texts == []
    assert texts == ["first", "second"]


def test_a_follower_that_fails_keeps_nothing_from_the_others() -> None:
    client = Outbound()

    def failing(record: EventRecord) -> None:
        raise RuntimeError(record.session_id)

    client.follow(failing)
    texts = heard(client)
    told(client, "ses_1", "heard all the same")
    assert texts == ["heard all the same"]
