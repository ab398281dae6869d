"""What a candidate makes worse: by name where all are named, else by number; and what judges nobody."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.protocol.checks import CheckDefinition
from teamwright.runtime.checks.comparing import CheckResult, Comparison, compare, is_suspect
from teamwright.runtime.checks.reports.report import CaseOutcome, ToolReport
from teamwright.runtime.checks.touching import changes_own_checks

Cases = dict[str, CaseOutcome]


def named(**cases: CaseOutcome) -> CheckResult:
    """A runner that names every test."""
    return of_cases(cases)


def of_cases(cases: Cases) -> CheckResult:
    counts = {outcome: sum(each == outcome for each in cases.values()) for outcome in ("passed", "failed", "skipped")}
    report = ToolReport(counts["passed"], counts["failed"], counts["skipped"], cases, is_all_named=True)
    return CheckResult("failed" if counts["failed"] else "passed", report)


def numbered(passed: int, *failing: str, skipped: int = 0) -> CheckResult:
    """A runner that names only what fails."""
    report = ToolReport(passed, len(failing), skipped, dict.fromkeys(failing, "failed"))
    return CheckResult("failed" if failing else "passed", report)


def linted(**problems: int) -> CheckResult:
    return CheckResult("failed" if problems else "passed", ToolReport(problems=problems))


PASSED = CheckResult("passed")
FAILED = CheckResult("failed")
TIMED_OUT = CheckResult("timed_out")
ERROR = CheckResult("error")


@pytest.mark.parametrize(
    ("base", "result", "expected"),
    [
        pytest.param(named(a="passed", b="failed"), named(a="passed", b="passed"), Comparison(), id="mended"),
        pytest.param(named(a="passed"), named(a="failed"), Comparison(("a",), 1), id="broken"),
        pytest.param(named(a="passed", b="passed"), named(b="passed"), Comparison(("a",), 1), id="taken away"),
        pytest.param(named(a="passed"), named(a="skipped"), Comparison(("a",), 1), id="skipped instead"),
        pytest.param(
            named(a="passed", b="failed"), named(a="passed"), Comparison(not_fixed=1), id="the failing one taken away"
        ),
        pytest.param(
            named(a="passed", b="failed"),
            named(a="passed", b="skipped"),
            Comparison(not_fixed=1),
            id="the failing one skipped",
        ),
        pytest.param(named(a="failed"), named(a="failed", b="failed"), Comparison(), id="a new test that fails"),
        pytest.param(
            named(a="passed"), named(a="passed", b="failed"), Comparison(("tests",), 1), id="green to red by a new test"
        ),
        pytest.param(named(a="skipped"), named(a="passed"), Comparison(), id="no longer skipped"),
        pytest.param(numbered(5), numbered(4, "x"), Comparison(("x",), 1), id="broken, by the name of what fails"),
        pytest.param(numbered(5), numbered(4), Comparison((), 1), id="taken away, by number"),
        pytest.param(numbered(5), numbered(4, skipped=1), Comparison((), 1), id="skipped, by number"),
        pytest.param(numbered(4, "x"), numbered(5), Comparison(), id="mended, by number"),
        pytest.param(numbered(4, "x"), numbered(4), Comparison(not_fixed=1), id="the failing one away, by number"),
        pytest.param(numbered(5), numbered(5, skipped=2), Comparison(), id="new ones that are skipped"),
        pytest.param(PASSED, FAILED, Comparison(("tests",), 1), id="nothing but exit codes"),
        pytest.param(FAILED, FAILED, Comparison(), id="red and red"),
        pytest.param(FAILED, PASSED, Comparison(), id="red to green"),
        pytest.param(linted(a=1), linted(a=2), Comparison(("a",), 1), id="one more of a problem"),
        pytest.param(linted(a=2, b=1), linted(a=1), Comparison(), id="fewer problems"),
        pytest.param(linted(), linted(a=1), Comparison(("a",), 1), id="a first problem"),
        pytest.param(numbered(7), TIMED_OUT, Comparison(("tests",), 7), id="hangs"),
        pytest.param(named(a="passed", b="passed"), ERROR, Comparison(("tests",), 2), id="an error"),
        pytest.param(
            numbered(7),
            CheckResult("failed", ToolReport(broken_off=True)),
            Comparison(("tests",), 7),
            id="not compiled",
        ),
        pytest.param(FAILED, TIMED_OUT, Comparison(), id="red and hangs"),
        pytest.param(ERROR, numbered(0, "x"), Comparison(), id="a base that is an error judges nobody"),
        pytest.param(TIMED_OUT, FAILED, Comparison(), id="a base that hangs judges nobody"),
    ],
)
def test_what_is_worse(base: CheckResult, result: CheckResult, expected: Comparison) -> None:
    assert compare("tests", base, result) == expected
    assert is_suspect("tests", base, result) == (expected.broke_count > 0)


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        ((named(a="passed"), named(a="failed")), Comparison(("a",), 1)),
        ((named(a="passed"), named(a="passed")), Comparison(flaky=("a",))),
        ((named(a="failed"), named(a="failed")), Comparison(flaky=("a",))),
        ((ERROR, named(a="failed")), Comparison(flaky=("tests",))),
    ],
)
def test_what_varies_when_it_is_run_once_more_judges_nobody(
    again: tuple[CheckResult, CheckResult], expected: Comparison
) -> None:
    assert compare("tests", named(a="passed"), named(a="failed"), again) == expected


def test_one_that_varies_does_not_excuse_one_that_does_not() -> None:
    base, result = named(a="passed", b="passed"), named(a="failed", b="failed")
    assert compare("tests", base, result, (base, named(a="passed", b="failed"))) == Comparison(("b",), 1, 0, ("a",))


OUTCOMES: st.SearchStrategy[CaseOutcome] = st.sampled_from(get_args(CaseOutcome))
CASES = st.dictionaries(st.sampled_from("abcdefgh"), OUTCOMES)
RESULTS = (
    CASES.map(of_cases)
    | st.builds(numbered, st.integers(0, 5), st.sampled_from("abc"), skipped=st.integers(0, 3))
    | st.dictionaries(st.sampled_from("ab"), st.integers(1, 3)).map(lambda problems: linted(**problems))
    | st.sampled_from([PASSED, FAILED, TIMED_OUT, ERROR])
)


@given(RESULTS)
def test_what_is_as_it_was_is_no_worse(result: CheckResult) -> None:
    assert compare("tests", result, result) == Comparison()


@given(CASES, CASES)
def test_by_name_exactly_what_passed_and_no_longer_does_is_broken(before: Cases, after: Cases) -> None:
    found = compare("tests", of_cases(before), of_cases(after))
    broken = sorted(name for name, how in before.items() if how == "passed" and after.get(name) != "passed")
    left = [name for name, how in before.items() if how == "failed" and after.get(name) not in {"passed", "failed"}]
    is_newly_red = "failed" not in before.values() and "failed" in after.values()
    assert list(found.broke) == broken or (not broken and is_newly_red and found.broke == ("tests",))
    assert (found.not_fixed, found.flaky) == (len(left), ())


@given(RESULTS, RESULTS, RESULTS, RESULTS)
def test_nothing_is_both_broken_and_flaky(
    base: CheckResult, result: CheckResult, base_again: CheckResult, result_again: CheckResult
) -> None:
    found = compare("tests", base, result, (base_again, result_again))
    assert not set(found.broke) & set(found.flaky)
    assert found.broke_count >= len(found.broke)
    assert found.broke_count <= compare("tests", base, result).broke_count
    assert compare("tests", base, result, (base, result)) == compare("tests", base, result)


@given(CASES, CASES)
def test_numbers_never_blame_a_candidate_that_mends(before: Cases, after: Cases) -> None:
    """All that the base has is still there and passes: no number may tell otherwise."""
    mended = {**after, **dict.fromkeys(before, "passed")}
    failing = sorted(name for name, how in before.items() if how == "failed")
    counted = numbered(
        sum(how == "passed" for how in before.values()),
        *failing,
        skipped=sum(how == "skipped" for how in before.values()),
    )
    green = {name: how for name, how in mended.items() if how != "failed"}
    now = numbered(
        sum(how == "passed" for how in green.values()), skipped=sum(how == "skipped" for how in green.values())
    )
    assert compare("tests", counted, now) == Comparison()


TESTS = CheckDefinition(name="tests", argv=("python3", "scripts/check.py"), source="user")
WEB = CheckDefinition(name="web", argv=("./run.sh",), cwd="web", source="user")


@pytest.mark.parametrize(
    "path",
    [
        "tests/helper.py",
        "pkg/test_shop.py",
        "pkg/shop_test.go",
        "web/src/a.test.tsx",
        "web/__tests__/a.js",
        "conftest.py",
        "pyproject.toml",
        "web/package.json",
        "web/tsconfig.build.json",
        "Makefile",
        "Cargo.toml",
        "scripts/check.py",
        "web/run.sh",
    ],
)
def test_tests_and_what_the_checks_go_by_are_known(path: str) -> None:
    assert changes_own_checks(["src/shop.py", path], [TESTS, WEB])


def test_other_files_are_no_checks() -> None:
    assert not changes_own_checks(
        ["src/shop.py", "src/contest.py", "docs/testing.md", "run.sh2", "latest/a.py"], [TESTS, WEB]
    )
