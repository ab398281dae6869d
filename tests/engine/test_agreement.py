"""The remarks of several agents become findings with an agreement, the same in whatever order they arrive."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.engine.agreement import agreed_findings, ids_of, reproductions
from teamwright.engine.clusters import clusters
from teamwright.engine.run.state import ReportedFinding
from teamwright.protocol.checks import CheckFile
from teamwright.protocol.events import FindingReported, VoteCast
from teamwright.protocol.findings import Finding, Reproduced, Reproduction, Severity
from teamwright.protocol.ids import AgentId, FindingId
from teamwright.protocol.items import Position, Range
from tests.engine.story import Story

FILE = "file:///w/shop.py"


def remark(
    name: str, title: str, detail: str = "", *, lines: tuple[int, int] = (10, 10), severity: Severity = "warning"
) -> Finding:
    first, last = lines
    return Finding(
        finding_id=FindingId(f"find_{name}"),
        uri=FILE,
        range=Range(start=Position(line=first, character=0), end=Position(line=last + 1, character=0)),
        severity=severity,
        title=title,
        detail=detail,
    )


def review(**remarks: Finding) -> Story:
    """Each agent's remark, by its name."""
    story = Story(review=True).starts("a", "b", "c")
    for agent, finding in remarks.items():
        story.fact(FindingReported(finding=finding), agent[0])
    return story


def agreed(story: Story) -> list[str]:
    return [
        f"{finding.finding_id} {'+'.join(finding.agents)} of {finding.of}" for finding in agreed_findings(story.state)
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            ("SQL injection via string formatting", "User input is formatted into the query; an attacker can inject."),
            ("Possible SQL injection", "The query is built from user input with an f-string."),
        ),
        (
            ("Division by zero", "If items is empty, len(items) is 0 and this divides by zero."),
            ("Missing check for an empty list", "An empty list makes len() zero and the division fails."),
        ),
        (
            ("Mutable default argument", "The list is shared between calls."),
            ("Default argument `items=[]` is mutable", "All calls share one list."),
        ),
        (
            ("File handle is never closed", "open() without with leaks the handle when read() raises."),
            ("Resource leak", "The file opened here is not closed if an exception is raised; use with open()."),
        ),
    ],
)
def test_the_same_thing_in_other_words_is_one_finding(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert agreed(review(a=remark("1", *one), b=remark("2", *other))) == ["find_1 a+b of 3"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            ("Unused import os", "os is imported but never used."),
            ("Unused variable x", "x is assigned but never used."),
        ),
        (
            ("Broad except clause", "Catching Exception hides bugs."),
            ("Missing docstring", "The public function is not documented."),
        ),
        (
            ("Password is logged", "The credentials end up in the log file."),
            ("Blocking call in async function", "requests.get blocks the event loop."),
        ),
    ],
)
def test_two_things_at_the_same_place_stay_two(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert agreed(review(a=remark("1", *one), b=remark("2", *other))) == ["find_1 a of 3", "find_2 b of 3"]


def test_remarks_on_neighbouring_lines_stay_two_and_a_wider_one_joins_only_one_of_them() -> None:
    words = ("Unused import", "It is never used.")
    story = review(
        a1=remark("1", *words, lines=(10, 10)),
        a2=remark("2", *words, lines=(11, 11)),
        b=remark("3", *words, lines=(10, 11)),
        c=remark("4", *words, lines=(12, 12)),
    )
    assert agreed(story) == ["find_1 a+b of 3", "find_2 a of 3", "find_4 c of 3"]


def test_an_agent_that_repeats_itself_has_one_voice() -> None:
    story = review(a1=remark("1", "Off by one"), a2=remark("2", "Off by one"), b=remark("3", "Off by one"))
    assert agreed(story) == ["find_1 a+b of 3"]
    assert ids_of(story.state, FindingId("find_2")) == {"find_1", "find_2", "find_3"}


def test_the_most_agreed_comes_first_in_the_words_of_its_severest_remark() -> None:
    story = review(
        a=remark("1", "Typo in a comment", severity="hint"),
        b1=remark("2", "Lock is never released", severity="warning", lines=(30, 31)),
        c1=remark("3", "The lock is never released on failure", severity="error", lines=(31, 33)),
        c2=remark("4", "Race between check and use", severity="error", lines=(50, 50)),
    )
    found = agreed_findings(story.state)
    assert [(f.finding_id, f.severity, f.agreement, f.is_consensus) for f in found] == [
        ("find_3", "error", 2, True),
        ("find_4", "error", 1, False),
        ("find_1", "hint", 1, False),
    ]


def test_who_disputes_a_finding_lowers_its_agreement() -> None:
    story = review(a=remark("1", "Off by one"), b=remark("2", "Off by one"))
    story.answers("a").answers("b").answers("c").starts("a", "b", "c")
    assert [finding.is_consensus for finding in agreed_findings(story.state)] == [True]

    story.fact(VoteCast(target=AgentId("a"), reason="r", disputed=(FindingId("find_2"),)), "c")
    (finding,) = agreed_findings(story.state)
    assert (finding.agents, finding.disputed_by, finding.agreement, finding.is_consensus) == (
        ("a", "b"),
        ("c",),
        1,
        False,
    )


def test_an_agent_may_take_its_own_remark_back() -> None:
    story = review(a=remark("1", "Off by one"), b=remark("2", "Off by one"), c=remark("3", "Dead code", lines=(40, 41)))
    story.answers("a").answers("b").answers("c").starts("a", "b", "c")
    story.fact(VoteCast(target=AgentId("a"), reason="r", disputed=(FindingId("find_1"),)), "b")
    story.fact(VoteCast(target=AgentId("a"), reason="r", disputed=(FindingId("find_3"),)), "c")
    assert agreed(story) == ["find_1 a of 3"], "what nobody stands behind any more is gone"


def test_a_dismissed_finding_says_so_by_whichever_id_it_was_dismissed() -> None:
    story = review(a=remark("1", "Off by one"), b=remark("2", "Off by one"), c=remark("3", "Dead code", lines=(40, 41)))
    found = agreed_findings(story.state, dismissed={FindingId("find_2")})
    assert [(finding.finding_id, finding.dismissed) for finding in found] == [("find_1", True), ("find_3", False)]


def proof(name: str) -> Reproduction:
    return Reproduction(argv=("python3", name), files=(CheckFile(path=name, content="assert False\n"),))


def tried(finding: Finding, reproduced: Reproduced, because: str | None = None) -> Finding:
    return finding.model_copy(update={"reproduced": reproduced, "not_run_because": because})


@pytest.mark.parametrize(
    ("one", "other", "standing"),
    [
        ("yes", "no", "2 of 3 agents, reproduced"),
        ("not_run", "yes", "2 of 3 agents, reproduced"),
        ("no", "not_run", "2 of 3 agents, not reproduced"),
        ("not_run", "not_run", "2 of 3 agents, reproduction not run"),
    ],
)
def test_one_reproduction_that_fails_is_enough(one: Reproduced, other: Reproduced, standing: str) -> None:
    story = review(
        a=tried(remark("1", "Off by one"), one, "It hangs."), b=tried(remark("2", "Off by one"), other, "Why.")
    )
    (finding,) = agreed_findings(story.state)
    assert finding.standing == standing


def test_how_a_finding_stands_is_said_in_words() -> None:
    story = review(a=remark("1", "Off by one"))
    assert [finding.standing for finding in agreed_findings(story.state)] == ["1 of 3 agents"]
    story.answers("a").answers("b").answers("c").starts("a", "b", "c")
    story.fact(VoteCast(target=AgentId("a"), reason="r", disputed=(FindingId("find_1"),)), "c")
    assert [finding.standing for finding in agreed_findings(story.state)] == ["1 of 3 agents, 1 against"]
    alone = (
        Story("a", review=True).starts("a").fact(FindingReported(finding=tried(remark("1", "Off by one"), "no")), "a")
    )
    assert [finding.standing for finding in agreed_findings(alone.state)] == ["1 of 1 agent, not reproduced"]


def test_what_has_failed_because_of_a_finding_is_known_by_any_of_its_ids_and_equal_ones_are_one() -> None:
    story = Story(review=True).starts("a", "b", "c")

    def report(agent: str, finding: Finding, name: str) -> None:
        story.fact(FindingReported(finding=finding, reproduction=proof(name)), agent)

    report("a", tried(remark("1", "Off by one"), "yes"), "same.py")
    report("b", tried(remark("2", "Off by one"), "yes"), "same.py")
    report("c", tried(remark("3", "Off by one"), "no"), "passes.py")
    report("c", tried(remark("4", "Dead code", lines=(40, 41)), "yes"), "dead.py")
    assert reproductions(story.state, [FindingId("find_3")]) == (("Off by one", proof("same.py")),)
    assert reproductions(story.state, [FindingId("find_2"), FindingId("find_4")]) == (
        ("Off by one", proof("same.py")),
        ("Dead code", proof("dead.py")),
    )
    assert reproductions(story.state, [FindingId("find_5")]) == ()


VOCABULARY = ["lock", "leak", "null", "index", "sql", "input", "race", "cache", "query", "error"]


@st.composite
def remarks_of_a_team(draw: st.DrawFn) -> list[ReportedFinding]:
    drawn: list[ReportedFinding] = []
    for number in range(draw(st.integers(0, 12))):
        first = draw(st.integers(0, 6))
        words = draw(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=5))
        severity: Severity = draw(st.sampled_from(["error", "warning"]))
        lines = (first, first + draw(st.integers(0, 3)))
        finding = remark(str(number), " ".join(words), lines=lines, severity=severity)
        drawn.append(ReportedFinding(AgentId(draw(st.sampled_from("abc"))), finding))
    return drawn


@given(remarks_of_a_team(), st.randoms())
def test_clusters_do_not_depend_on_the_order_and_lose_nothing(remarks: list[ReportedFinding], chance: Random) -> None:
    shuffled = remarks.copy()
    chance.shuffle(shuffled)
    found = clusters(remarks)
    assert found == clusters(shuffled)
    assert sorted(r.finding.finding_id for cluster in found for r in cluster) == sorted(
        r.finding.finding_id for r in remarks
    )


@given(remarks_of_a_team())
def test_lines_of_all_remarks_in_a_cluster_overlap(remarks: list[ReportedFinding]) -> None:
    for cluster in clusters(remarks):
        ranges = [each.finding.range for each in cluster]
        assert max(r.start.line for r in ranges) < min(r.end.line for r in ranges)
