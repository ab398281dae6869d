"""What real tools printed and wrote, read: numbers, names, and places. The recordings were made by the tools."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.runtime.checks.reports.reading import placed, read_output, read_result
from teamwright.runtime.checks.reports.report import Failing, ToolReport
from teamwright.runtime.checks.reports.report_files import UnreadableReport, read_report

RECORDED = Path(__file__).parent / "recorded"
SHOP = "tests/test_shop.py"


def recorded(name: str) -> str:
    return (RECORDED / f"{name}.txt").read_text(encoding="utf-8")


def read(name: str) -> ToolReport:
    report = read_output(recorded(name))
    assert report is not None
    return report


def numbers(report: ToolReport) -> tuple[int, int, int]:
    return report.passed, report.failed, report.skipped


def places(report: ToolReport) -> list[tuple[str, str | None, int | None]]:
    return [(failing.name, failing.path, failing.line) for failing in report.failures]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pytest-plain", (3, 5, 3)),
        ("pytest-named", (3, 5, 3)),
        ("pytest-collect", (0, 1, 0)),
        ("pytest-green", (2, 0, 0)),
        ("unittest", (1, 3, 2)),
        ("unittest-v", (1, 3, 2)),
        ("unittest-green", (1, 0, 0)),
        ("jest", (2, 2, 2)),
        ("jest-verbose", (2, 2, 2)),
        ("jest-green", (1, 0, 0)),
        ("vitest", (2, 2, 1)),
        ("vitest-verbose", (2, 2, 1)),
        ("vitest-green", (1, 0, 0)),
        ("go", (1, 3, 0)),
        ("go-v", (3, 1, 1)),
        ("go-build", (0, 1, 0)),
        ("go-panic", (0, 1, 0)),
        ("cargo", (1, 2, 1)),
        ("cargo-compile", (0, 0, 0)),
    ],
)
def test_tests_are_counted(name: str, expected: tuple[int, int, int]) -> None:
    assert numbers(read(name)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "pytest-plain",
            [
                (f"{SHOP}::test_total", SHOP, 9),
                (f"{SHOP}::TestMany::test_raises", SHOP, 29),
                (f"{SHOP}::Plain::test_sum", SHOP, 45),
                (f"{SHOP}::test_needs", SHOP, 34),
            ],
        ),
        ("pytest-collect", [("test_bad.py", "test_bad.py", 1)]),
        (
            "unittest",
            [
                ("test_boom (test_shop.Shop.test_boom)", "/srv/ann/shop/test_shop.py", 26),
                ("test_sub (test_shop.Shop.test_sub)", "/srv/ann/shop/test_shop.py", 11),
                ("test_sum (test_shop.Shop.test_sum)", "/srv/ann/shop/test_shop.py", 6),
            ],
        ),
        (
            "jest",
            [
                ("a/__tests__/sum.test.js \u203a sum \u203a adds", "a/__tests__/sum.test.js", 3),
                ("a/__tests__/broken.test.js \u203a Test suite failed to run", "a/__tests__/broken.test.js", 1),
            ],
        ),
        ("vitest", [("broken.test.ts", "broken.test.ts", 1), ("sum.test.ts > sum > adds", "sum.test.ts", 4)]),
        (
            "go",
            [
                ("example.com/shop.TestTotal", "shop_test.go", 9),
                ("example.com/shop.TestMany", None, None),
                ("example.com/shop.TestMany/one", "shop_test.go", 20),
            ],
        ),
        ("go-v", [("example.com/shop.TestTotal", "shop_test.go", 9)]),
        ("go-build", [("example.com/shop", "./shop.go", 4)]),
        ("cargo", [("tests::adds", "src/lib.rs", 10), ("src/lib.rs - total (line 1)", "src/lib.rs", 1)]),
        ("cargo-compile", [("mismatched types", "src/lib.rs", 1)]),
        ("ruff", [("I001", "bad.py", 1), ("F401", "bad.py", 1), ("F401", "bad.py", 1), ("F841", "bad.py", 4)]),
        ("ruff-concise", [("I001", "bad.py", 1), ("F401", "bad.py", 1), ("F401", "bad.py", 1), ("F841", "bad.py", 4)]),
        ("ruff-format", [("unformatted", "bad.py", 3)]),
        ("mypy", [("return-value", "shop.py", 6)]),
        ("mypy-pretty", [("error", "shop.py", 6)]),
        ("tsc", [("TS2322", "t/a.ts", 1), ("TS2339", "t/a.ts", 2)]),
        ("tsc-pretty", [("TS2322", "t/a.ts", 1), ("TS2339", "t/a.ts", 2)]),
    ],
)
def test_what_fails_has_its_name_and_its_place(name: str, expected: list[tuple[str, str | None, int | None]]) -> None:
    assert places(read(name)) == expected


@pytest.mark.parametrize(
    ("name", "is_all_named"),
    [
        ("pytest-plain", False),
        ("pytest-named", True),
        ("unittest", False),
        ("unittest-v", True),
        ("jest", False),
        ("jest-verbose", True),
        ("vitest", False),
        ("vitest-verbose", True),
        ("go", False),
        ("go-v", True),
        ("cargo", True),
    ],
)
def test_it_is_known_whether_all_that_passed_is_named(name: str, is_all_named: bool) -> None:
    assert read(name).is_all_named == is_all_named


def test_names_have_their_outcomes() -> None:
    assert dict(read("pytest-named").cases) == {
        f"{SHOP}::test_total": "failed",
        f"{SHOP}::TestMany::test_raises": "failed",
        f"{SHOP}::Plain::test_sum": "failed",
        f"{SHOP}::test_needs": "failed",
        f"{SHOP}::test_greet[a]": "passed",
        f"{SHOP}::test_greet[b c]": "passed",
        f"{SHOP}::test_known": "skipped",
    }
    assert read("unittest-v").cases["test_ok (test_shop.Shop.test_ok)"] == "passed"
    assert read("cargo").cases["tests::later"] == "skipped"


def test_messages_are_the_tools_own_first_line() -> None:
    assert [failing.message for failing in read("pytest-plain").failures] == [
        "assert 4 == 3",
        "ValueError: no",
        "AssertionError: 2 != 1",
        "RuntimeError: no base",
    ]
    assert read("pytest-collect").failures[0].message == "ModuleNotFoundError: No module named 'nothing_here'"
    assert read("go-v").failures[0].message == "total([1 2]) = 4, want 3"
    assert read("cargo").failures[0].message == "assertion `left == right` failed"


def test_problems_are_named_without_lines_and_counted() -> None:
    assert read("mypy").problems == {'shop.py: Incompatible return value type (got "str", expected "int")': 1}
    assert read("ruff").problems == read("ruff-concise").problems
    for green in ("ruff-green", "mypy-green"):
        assert read(green) == ToolReport()


@pytest.mark.parametrize(
    ("file", "expected", "first"),
    [
        ("pytest-junit.xml", (2, 4, 3), Failing("tests.test_shop::test_total", "assert 4 == 3", SHOP, 9)),
        (
            "vitest-junit.xml",
            (2, 2, 1),
            Failing(
                "broken.test.ts::broken.test.ts",
                "Cannot find module './nothing' imported from /srv/ann/web/broken.test.ts",
                "broken.test.ts",
                1,
            ),
        ),
        (
            "ruff.sarif.json",
            (0, 0, 0),
            Failing("I001", "I001 Import block is un-sorted or un-formatted", "/srv/ann/shop/bad.py", 1),
        ),
    ],
)
def test_report_files_are_read(file: str, expected: tuple[int, int, int], first: Failing) -> None:
    report = read_report((RECORDED / file).read_bytes(), file)
    assert numbers(report) == expected
    assert report.failures[0] == first


BOMB = b"""<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<testsuite><testcase name="&b;"/></testsuite>"""
OUTSIDE = b"""<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>"""


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (BOMB, "The report `r` cannot be used: it declares a document type, and such files are not read."),
        (OUTSIDE, "The report `r` cannot be used: it declares a document type, and such files are not read."),
        (b"<a>" * 50, "The report `r` cannot be used: it is nested too deep."),
        (b"<testsuite>", "The report `r` is not whole XML: no element found: line 1, column 11."),
        (b"<html></html>", "The report `r` is XML, but no JUnit report."),
        (b"{" * 100_000, "The report `r` is not whole JSON."),
        (b'{"runs": 3}', "The report `r` is JSON, but no SARIF report."),
        (b"3 passed", "The report `r` is neither JUnit XML nor SARIF."),
        (b"<" + b" " * 20_000_000, "The report `r` is larger than 20 MB."),
        (
            b"<testsuite>" + b"<testcase name='a'/>" * 100_001 + b"</testsuite>",
            "The report `r` cannot be used: it has more than 100000 tests.",
        ),
    ],
)
def test_a_report_that_is_no_good_is_refused_with_a_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(UnreadableReport) as refusal:
        read_report(content, "r")
    assert str(refusal.value) == sentence


GREEN_XML = b'<testsuite><testcase name="a"/></testsuite>'
RED_XML = b'<testsuite><testcase name="a"><failure message="no"/></testcase></testsuite>'


@pytest.mark.parametrize(
    ("exit_code", "report", "outcome", "note"),
    [
        (0, GREEN_XML, "passed", ""),
        (1, RED_XML, "failed", ""),
        (0, RED_XML, "error", "It ended with exit code 0, though it reports failures."),
        (1, GREEN_XML, "error", "It ended with exit code 1, though it reports no failure."),
        (0, None, "error", "It was to write `r.xml`, and did not."),
        (1, None, "failed", "It was to write `r.xml`, and did not."),
        (0, b"?", "error", "The report `r.xml` is neither JUnit XML nor SARIF."),
    ],
)
def test_a_report_and_the_exit_code_must_agree(exit_code: int, report: bytes | None, outcome: str, note: str) -> None:
    reading = read_result(["x"], exit_code, "", report=report, report_name="r.xml")
    assert (reading.outcome, reading.note) == (outcome, note)


@pytest.mark.parametrize(
    ("argv", "exit_code", "output", "outcome"),
    [
        (["sh", "x"], 0, "", "passed"),
        (["sh", "x"], 3, "", "failed"),
        (["pytest"], 0, recorded("pytest-plain"), "error"),
        (["pytest"], 1, recorded("pytest-plain"), "failed"),
        (["python3", "-m", "pytest"], 1, recorded("pytest-green"), "error"),
        # Something else of what it runs has failed.
        (["make", "check"], 2, recorded("pytest-green"), "failed"),
        (["python3", "-m", "pytest"], 1, "/usr/bin/python3: No module named pytest\n", "error"),
    ],
)
def test_what_is_printed_and_the_exit_code_must_agree(
    argv: list[str], exit_code: int, output: str, outcome: str
) -> None:
    assert read_result(argv, exit_code, output).outcome == outcome


def test_one_command_may_run_several_tools() -> None:
    report = read_output(recorded("ruff") + recorded("mypy") + recorded("pytest-named"))
    assert report is not None
    assert numbers(report) == (3, 5, 3)
    assert len(report.problems) == 5
    assert report.is_all_named


def test_places_are_told_from_the_folder() -> None:
    printed = ("/srv/ann/shop/src/a.py", "b.py", "../c.py", "/usr/lib/d.py", "../../../x.py")
    report = placed(
        ToolReport(failures=tuple(Failing("t", "", path, 3) for path in printed)), "/srv/ann/shop", ("web",)
    )
    assert [(failing.path, failing.line) for failing in report.failures] == [
        ("src/a.py", 3),
        ("web/b.py", 3),
        ("c.py", 3),
        (None, None),
        (None, None),
    ]


def test_colours_and_lines_that_were_overwritten_do_no_harm() -> None:
    report = read_output("10%\r50%\r\x1b[32m\x1b[1m2 passed\x1b[0m\x1b[32m in 0.10s\x1b[0m\r\n")
    assert report is not None
    assert numbers(report) == (2, 0, 0)


@given(
    st.text()
    | st.lists(st.sampled_from(sorted(path.stem for path in RECORDED.glob("*.txt")))).map(
        lambda names: "".join(recorded(name)[: 40 * len(names) + 900] for name in names)
    )
)
def test_whatever_is_printed_is_read_without_a_fault(output: str) -> None:
    report = read_output(output)
    assert report is None or report.tests >= 0


@given(st.binary(max_size=300))
def test_whatever_is_written_is_read_or_refused(content: bytes) -> None:
    for start in (b"", b"<testsuite>", b'{"runs": ['):
        with suppress(UnreadableReport):
            assert read_report(start + content, "r").failed == 0
