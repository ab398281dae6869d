"""What a client may send: both spellings, every fault at once, unknown keys by name."""

from typing import Any

import pytest

from teamwright.protocol.command_names import COMMAND_NAMES
from teamwright.protocol.command_table import COMMANDS, RESERVED
from teamwright.protocol.commands import (
    CancelParams,
    ChatParams,
    FindingDismissParams,
    LaunchRunParams,
    ModesParams,
    OverrideParams,
    SteerParams,
)
from teamwright.protocol.errors import BadParams, Conflict, LimitReached
from teamwright.protocol.modes import Modes
from teamwright.protocol.validation import parse_params


def faults(model: type, params: object) -> dict[str, str]:
    with pytest.raises(BadParams) as caught:
        parse_params(model, params)
    return {error.path: error.message for error in caught.value.errors}


def test_both_spellings_mean_the_same() -> None:
    camel = parse_params(ChatParams, {"text": "t", "sessionId": "ses_1", "whenBusy": "steer"})
    snake = parse_params(ChatParams, {"text": "t", "session_id": "ses_1", "when_busy": "steer"})
    assert camel == snake


def test_every_fault_is_told_at_once() -> None:
    params: dict[str, Any] = {
        "txt": "t",
        "sessionId": 3,
        "attachments": [{"uri": "file:///a", "rnge": {}}],
        "whenBusy": "now",
    }
    assert faults(ChatParams, params) == {
        "text": "is required",
        "txt": "unknown key, did you mean 'text'?",
        "sessionId": "must be text",
        "attachments.0.rnge": "unknown key, did you mean 'range'?",
        "whenBusy": "must be 'queue' or 'steer'",
    }


def test_an_unknown_key_deep_inside_is_named_by_its_path() -> None:
    params = {"task": "t", "coordinationOverrides": {"maxAnswers": 2}}
    assert faults(LaunchRunParams, params) == {
        "coordinationOverrides.maxAnswers": "unknown key, did you mean 'maxNewAnswersGlobal'?"
    }


@pytest.mark.parametrize("params", [[], "text", 3, True])
def test_params_that_are_no_object_are_refused(params: object) -> None:
    assert faults(ChatParams, params) == {"": "must be an object"}


def test_faults_are_told_in_the_words_of_json() -> None:
    assert faults(ChatParams, {"text": "t", "attachments": {}, "modes": 3}) == {
        "attachments": "must be a list",
        "modes": "must be an object",
    }
    assert faults(FindingDismissParams, {"findingIds": []}) == {"findingIds": "must not be empty"}


def test_a_null_says_as_much_as_silence_where_a_value_is_optional() -> None:
    for command in COMMANDS.values():
        optional = [name for name, field in command.params.model_fields.items() if not field.is_required()]
        nulls = dict.fromkeys(set(optional) - {"autonomy", "team"})
        required = [name for name, field in command.params.model_fields.items() if field.is_required()]
        if required:
            assert set(faults(command.params, nulls).values()) == {"is required"}, command.params
        elif command.params is not CancelParams:
            assert parse_params(command.params, nulls) == parse_params(command.params, {}), command.params


def test_missing_params_are_an_empty_object() -> None:
    assert parse_params(ModesParams, None) == ModesParams()


def test_steering_names_exactly_one_target() -> None:
    assert faults(SteerParams, {"text": "t"}) == {"": "give either runId or sessionId"}
    assert faults(SteerParams, {"text": "t", "runId": "r", "sessionId": "s"}) != {}


def test_letting_the_vote_stand_is_said_with_a_null_not_by_silence() -> None:
    assert parse_params(OverrideParams, {"runId": "run_1", "agentId": None}).agent_id is None
    assert faults(OverrideParams, {"runId": "run_1"}) == {"agentId": "is required"}


def test_a_mode_named_null_goes_back_to_the_assistant_and_an_unnamed_one_stays() -> None:
    modes = Modes(plan=True, refinement=False, team="always")
    patch = parse_params(ModesParams, {"plan": None, "autonomy": "autonomous"})
    assert modes.changed_by(patch) == Modes(plan=None, refinement=False, team="always", autonomy="autonomous")


def test_every_announced_command_has_its_types() -> None:
    assert [*COMMANDS, *RESERVED] == list(COMMAND_NAMES)


def test_every_command_has_strict_params() -> None:
    for name, command in COMMANDS.items():
        assert "noSuchKey" in faults(command.params, {"noSuchKey": 1}), name


def test_errors_carry_what_a_client_can_act_on() -> None:
    assert (LimitReached("Five sessions are active.", 5).status, LimitReached("…", 5).data) == (429, {"limit": 5})
    assert Conflict("Already decided.", {"choice": "approve"}).data == {"choice": "approve"}
    with pytest.raises(BadParams) as caught:
        parse_params(ChatParams, {})
    assert caught.value.data == {"errors": [{"path": "text", "message": "is required"}]}
    assert str(caught.value) == "text: is required"
