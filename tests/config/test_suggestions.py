"""What a user is offered and told while a configuration is being typed. `|` is the cursor."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.config.cursor import KeySpot, Spot, ValueSpot, spot_at
from teamwright.config.suggestions import Suggestion, explanation, suggestions

BACKEND = ("agents", 0, "backend")


def placed(text: str) -> tuple[list[str], int, int]:
    before, _, after = text.partition("|")
    return (before + after).split("\n"), before.count("\n"), len(before) - before.rfind("\n") - 1


def spot(text: str) -> Spot | None:
    return spot_at(*placed(text))


def offered(text: str) -> list[Suggestion]:
    lines, line, column = placed(text)
    return list(suggestions(lines, line, column, ["MY_KEY"]))


def labels(text: str) -> list[str]:
    return [suggestion.label for suggestion in offered(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|", KeySpot((), "", 0)),
        ("orch|", KeySpot((), "orch", 0)),
        ("agents:\n  - |", KeySpot(("agents", 0), "", 4)),
        ("agents:\n- id: a\n- id: b\n  ba|", KeySpot(("agents", 1), "ba", 2)),
        ("agents:\n  - id: a\n    backend:\n      type: cl|", ValueSpot(BACKEND, "type", "cl", 12)),
        ("agents:\n  - backend: {type: cl|", ValueSpot(BACKEND, "type", "cl", 20)),
        ("agents:\n  - backend: {\n      type: claude, mo|", KeySpot(BACKEND, "mo", 20)),
        (
            "orchestrator:\n  context_paths: [{path: 'a, b', permission: w|",
            ValueSpot(("orchestrator", "context_paths", 0), "permission", "w", 45),
        ),
        ("agents:\n  - backend: {type: claude}\n    system|", KeySpot(("agents", 0), "system", 4)),
        ("orchestrator:\n  coordination:\n\ntimeout|", KeySpot((), "timeout", 0)),
        ("# a comment |", None),
        ("agents: # the team|", None),
        ("agents:\n  - system_message: >\n      type: |", None),
        ("agents:\n  - system_message: >\n      be kind\n    ba|", KeySpot(("agents", 0), "ba", 4)),
    ],
)
def test_the_cursor_is_found_in_a_text_that_is_not_yaml_yet(text: str, expected: Spot | None) -> None:
    assert spot(text) == expected


def test_keys_are_offered_that_are_not_there_yet() -> None:
    text = "agents:\n  - id: a\n    |\n    system_message: Be kind.\n  - id: b\n    backend: {type: offline}\n"
    assert labels(text) == ["backend"]
    (backend,) = offered(text)
    assert (backend.text, backend.start, backend.about) == ("backend:", 4, "The model behind the agent.")
    assert offered("orchestrator:\n  skip|")[0].text == "context_paths:"
    assert "voting_sensitivity: " in [each.text for each in offered("orchestrator:\n  skip|")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("orchestrator:\n  voting_sensitivity: |", ["lenient", "balanced", "strict"]),
        ("orchestrator:\n  interactive_mode:\n    require_approval: |", ["true", "false"]),
        ("orchestrator: {final_answer_strategy: |", ["winner_reuse", "winner_present", "synthesize", "null"]),
        ("agents:\n  - backend:\n      type: claude\n      model: |", ["claude-sonnet-5-5"]),
        ("agents:\n  - backend: {type: offline}\n    system_message: |", ["null"]),
        ("no_such_key: |", []),
    ],
)
def test_values_are_offered_where_there_is_a_choice(text: str, expected: list[str]) -> None:
    assert labels(text) == expected


def test_backends_are_offered_with_where_they_are() -> None:
    about = {each.label: each.about for each in offered("agents:\n  - backend: {type: |")}
    assert about["claude_code"] == "The program `claude` on the PATH."
    assert about["claude"] == "At https://api.anthropic.com; key in ANTHROPIC_API_KEY."


def test_variables_are_offered_by_name_those_of_the_provider_first() -> None:
    found = offered("agents:\n  - backend:\n      type: openai\n      api_key: ${OP|")
    assert [each.label for each in found][:2] == ["OPENAI_API_KEY", "MY_KEY"]
    assert (found[0].text, found[0].start) == ("${OPENAI_API_KEY}", 15)
    assert "MY_KEY" in labels("mcp_servers:\n  - name: x\n    env:\n      TOKEN: $|")


def test_what_stands_there_is_explained() -> None:
    whole = "orchestrator:\n  max_new_answers_per_agent: 3"
    key, value = whole.replace("new_", "n|ew_"), whole + "|"
    words = "**max_new_answers_per_agent**\n\nHow many answers one agent may give in a run. null: 10.\n\nDefault: `3`."
    assert explanation(*placed(key)) == explanation(*placed(value)) == words
    assert explanation(*placed("no_su|ch_key: 1")) is None


@given(st.text(alphabet="ab:- {}[]#'\"\n|>$,", max_size=60), st.integers(0, 8), st.integers(0, 30))
def test_whatever_is_typed_gives_an_answer(text: str, line: int, column: int) -> None:
    lines = text.split("\n")
    found = suggestions(lines, line, column)
    assert all(each.start <= max(column, 0) for each in found)
    assert explanation(lines, line, column) is None or lines
