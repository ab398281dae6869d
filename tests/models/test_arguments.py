"""Arguments of tool calls, judged without a provider."""

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from teamwright.models.arguments import checked_call
from teamwright.models.assembly import ToolCallAssembly
from teamwright.models.faults import Target
from teamwright.models.port import ModelToolCall, ToolCallCompleted, ToolCallInvalid, ToolSpec
from tests.models.asking import VOTE, asking

TARGET = Target("Acme", "roadrunner")
ANYTHING = ToolSpec("anything", "Takes anything.", {"type": "object"})
leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
values = st.dictionaries(st.text(max_size=5), st.recursive(leaves, st.lists, max_leaves=3), max_size=3)


@given(value=values, cuts=st.lists(st.integers(min_value=0, max_value=40)))
def test_arguments_are_the_same_however_they_were_cut_into_fragments(value: dict[str, object], cuts: list[int]) -> None:
    text = json.dumps(value, ensure_ascii=False)
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    assembly = ToolCallAssembly(asking("", ANYTHING), TARGET)

    list(assembly.fragment(index=0, call_id="c1", name="anything", arguments=""))
    for start, end in pairwise(places):
        list(assembly.fragment(index=0, call_id=None, name=None, arguments=text[start:end]))

    assert list(assembly.finish("stop")) == [ToolCallCompleted(ModelToolCall("c1", "anything", value))]


@given(text=st.text())
def test_no_text_whatever_breaks_the_check(text: str) -> None:
    assert isinstance(checked_call("c1", "vote", text, [VOTE]), ToolCallCompleted | ToolCallInvalid)


def test_a_tool_that_needs_no_arguments_may_be_called_without_them() -> None:
    assert checked_call("c1", "anything", "", [ANYTHING]) == ToolCallCompleted(ModelToolCall("c1", "anything", {}))


def test_a_tool_with_a_faulty_schema_cannot_be_called() -> None:
    faulty = ToolSpec("odd", "", {"type": "object", "properties": {"a": {"type": "strin"}}})
    remote = ToolSpec("far", "", {"$ref": "https://example.com/schema.json"})

    outcomes = [checked_call("c1", tool.name, '{"a": "b"}', [tool]) for tool in (faulty, remote)]

    assert [isinstance(outcome, ToolCallInvalid) for outcome in outcomes] == [True, True]


def test_an_id_that_is_missing_is_made_up_and_unique() -> None:
    assembly = ToolCallAssembly(asking("", ANYTHING), TARGET)
    for _ in range(2):
        list(assembly.fragment(index=None, call_id=None, name="anything", arguments="{}"))

    assert list(assembly.finish("tool_calls")) == [
        ToolCallCompleted(ModelToolCall("call_1_0", "anything", {})),
        ToolCallCompleted(ModelToolCall("call_1_1", "anything", {})),
    ]
