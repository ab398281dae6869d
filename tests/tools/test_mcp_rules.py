"""The small rules around MCP servers: names that every provider accepts, and rests between attempts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.tools.mcp.port import offered_name
from teamwright.tools.mcp.supervision import Backoff


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("github", "search_issues", "github__search_issues"),
        ("a-b", "c-d", "a-b__c-d"),
        ("my server", "list.all", "my_server__list_all_ad795e"),
        ("größe", "x", "gr__e__x_c02902"),
    ],
)
def test_a_tool_is_offered_under_its_servers_name(server: str, tool: str, name: str) -> None:
    assert offered_name(server, tool) == name


@given(st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1)), unique=True))
def test_every_name_is_usable_and_no_two_tools_share_one(tools: list[tuple[str, str]]) -> None:
    names = [offered_name(server, tool) for server, tool in tools]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names)
    assert len(set(names)) == len(tools)


def test_the_first_failure_costs_no_rest_and_further_ones_more_and_more_up_to_a_minute() -> None:
    backoff, rests = Backoff(), list[float]()
    for _ in range(7):
        backoff = backoff.after_failure(now=100.0)
        rests.append(backoff.seconds_left(now=100.0))
    assert rests == [0.0, 5.0, 10.0, 20.0, 40.0, 60.0, 60.0]
    assert backoff.seconds_left(now=159.5) == 0.5
    assert backoff.seconds_left(now=200.0) == 0.0
