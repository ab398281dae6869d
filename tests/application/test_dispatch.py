"""From a command's name and JSON to its one function, by the one table."""

from typing import Any

import pytest

from teamwright.application import dispatch
from teamwright.application.dispatch import read_call
from teamwright.application.registry import FUNCTIONS
from teamwright.protocol.command_table import (
    COMMANDS,
    RESERVED,
    Concern,
    NamedSession,
    NewSession,
    NoSession,
    SessionWith,
)
from teamwright.protocol.errors import BadParams, NotFound, Reserved
from teamwright.protocol.ids import DecisionId, FindingId, RunId, SessionId, TurnId


def test_every_command_has_one_function_and_no_function_is_without_a_command() -> None:
    assert set(FUNCTIONS) == set(COMMANDS)
    subjects = {function.__module__ for function in FUNCTIONS.values()}
    assert subjects == {subject.__name__ for subject in dispatch.SUBJECTS}


@pytest.mark.parametrize("name", RESERVED)
def test_what_is_kept_for_later_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(Reserved, match=r"in this version.*\.$"):
        read_call(name, None)


@pytest.mark.parametrize("name", ["teamwright.chatt", "chat", "", None, 3])
def test_a_command_that_does_not_exist_is_not_found(name: object) -> None:
    with pytest.raises(NotFound):
        read_call(name, None)


@pytest.mark.parametrize("arguments", [{}, "text", [{}, {}]])
def test_arguments_are_a_list_of_one_object(arguments: object) -> None:
    with pytest.raises(BadParams):
        read_call("teamwright.status", arguments)


IN_SESSION = NamedSession(SessionId("ses_1"))
CONCERNS: list[tuple[str, dict[str, Any], Concern]] = [
    ("chat", {"text": "Hello"}, NewSession()),
    ("chat", {"text": "Hello", "session_id": "ses_1"}, IN_SESSION),
    ("launch_run", {"task": "Look."}, NewSession()),
    ("steer", {"text": "Hurry", "sessionId": "ses_1"}, IN_SESSION),
    ("steer", {"text": "Hurry", "runId": "run_1"}, SessionWith(RunId("run_1"))),
    ("cancel", {"turn_id": "turn_1"}, SessionWith(TurnId("turn_1"))),
    ("approve", {"decisionId": "dec_1", "choice": "cancel"}, SessionWith(DecisionId("dec_1"))),
    ("session.open", {"sessionId": "ses_1"}, IN_SESSION),
    # It names the session that it copies, and all that it causes is in the copy.
    ("session.fork", {"sessionId": "ses_1"}, NewSession()),
    ("session.list", {}, NoSession()),
    ("modes", {}, NoSession()),
    ("project.select", {"name": "p", "sessionId": "ses_1"}, IN_SESSION),
    ("changes.apply", {"runId": "run_1"}, SessionWith(RunId("run_1"))),
    ("review", {"uri": "file:///a.py"}, NewSession()),
    ("fix", {"findingIds": ["find_1", "find_2"]}, SessionWith(FindingId("find_1"))),
    ("finding.dismiss", {"findingIds": ["find_1"]}, SessionWith(FindingId("find_1"))),
]


@pytest.mark.parametrize(("name", "params", "concern"), CONCERNS)
def test_the_table_says_which_session_a_command_concerns(name: str, params: dict[str, Any], concern: Concern) -> None:
    call = read_call(f"teamwright.{name}", [params])
    assert call.command.concern(call.params) == concern
