"""Which checks run, and how they stand on the card."""

from teamwright.permissions.checks import CheckProposal, judge_checks, tick_key
from teamwright.protocol.checks import CheckDefinition, CheckSource


def check(source: CheckSource, *argv: str, cwd: str | None = None) -> CheckDefinition:
    return CheckDefinition(name=argv[0], argv=argv, cwd=cwd, source=source)


def judged(*proposals: CheckProposal, trusted: bool = True, **ticks: bool) -> list[tuple[str, bool, bool]]:
    remembered = {tick_key(each.check): ticks[each.check.name] for each in proposals if each.check.name in ticks}
    found = judge_checks(proposals, trusted=trusted, remembered=remembered)
    return [(each.check.name, each.ticked, each.unasked) for each in found]


OWN = CheckProposal(check("user", "own"))
FOUND = CheckProposal(check("discovered", "found"))
SECOND = CheckProposal(check("discovered", "second"), is_preferred=False)
THEIRS = CheckProposal(check("workspace", "theirs"))


def test_only_the_users_own_run_unasked_to_begin_with() -> None:
    assert judged(OWN, FOUND, SECOND, THEIRS) == [
        ("own", True, True),
        ("found", True, False),
        ("second", False, False),
        ("theirs", True, False),
    ]


def test_a_remembered_tick_runs_and_a_remembered_cross_does_not() -> None:
    assert judged(FOUND, SECOND, THEIRS, found=False, second=True, theirs=True) == [
        ("found", False, False),
        ("second", True, True),
        ("theirs", True, True),
    ]


def test_nothing_of_an_untrusted_workspace_runs_or_is_proposed() -> None:
    assert judged(OWN, FOUND, THEIRS, trusted=False, found=True, theirs=True) == []


def test_a_tick_is_about_what_is_run_and_where() -> None:
    ticked = check("workspace", "make", "test")
    assert tick_key(ticked) == tick_key(check("discovered", "make", "test", cwd="."))
    others = [
        check("workspace", "make", "test", "x"),
        check("workspace", "make test"),
        check("user", "make", "test", cwd="w"),
    ]
    assert tick_key(ticked) not in {tick_key(other) for other in others}
