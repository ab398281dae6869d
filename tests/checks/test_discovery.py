"""What a project looks as if it had: proposed by name, with the right program, in its own folder."""

import json
from pathlib import Path

from teamwright.permissions.checks import CheckProposal, tick_key
from teamwright.protocol.checks import CheckDefinition
from teamwright.runtime.checks.discovery import MOST_CHECKS, discover
from teamwright.runtime.checks.ticks import RememberedTicks
from teamwright.workspace.files.documents import Documents
from teamwright.workspace.files.folders import Folders
from teamwright.workspace.files.live_files import LiveFiles


def at(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(*roots: Path) -> list[tuple[str, str, str | None, bool]]:
    folders = Folders.at(*roots)
    return [_told(each) for each in discover(LiveFiles(lambda: folders, Documents()))]


def _told(proposal: CheckProposal) -> tuple[str, str, str | None, bool]:
    check = proposal.check
    assert check.source == "discovered"
    return check.name, " ".join(check.argv), check.cwd, proposal.is_preferred


def test_nothing_is_made_up(tmp_path: Path) -> None:
    at(tmp_path, {"README.md": "# Hello", "src/a.py": "", "tests/notes.md": ""})
    assert found(tmp_path) == []


def test_pytest_by_its_configuration_or_by_a_folder_of_tests(tmp_path: Path) -> None:
    expected = [("tests", "python3 -m pytest -q", None, True)]
    for number, files in enumerate(
        (
            {"pytest.ini": "[pytest]"},
            {"pyproject.toml": "[tool.pytest.ini_options]\n"},
            {"setup.cfg": "[tool:pytest]"},
            {"tests/unit/test_a.py": ""},
            {"test/a_test.py": ""},
        )
    ):
        root = tmp_path / str(number)
        at(root, files)
        assert found(root) == expected, files
    at(tmp_path / "none", {"pyproject.toml": "[tool.ruff]\n"})
    assert found(tmp_path / "none") == []


def test_the_environment_in_the_folder_wins(tmp_path: Path) -> None:
    at(tmp_path, {"pytest.ini": "[pytest]", ".venv/bin/python": "", ".venv/pyvenv.cfg": ""})
    assert found(tmp_path) == [("tests", ".venv/bin/python -m pytest -q", None, True)]


def test_scripts_of_a_package_by_its_own_manager(tmp_path: Path) -> None:
    scripts = {"test": "vitest", "lint": "eslint .", "typecheck": "tsc --noEmit", "build": "vite build", "e2e": "x"}
    at(tmp_path, {"package.json": json.dumps({"scripts": scripts})})
    assert found(tmp_path) == [
        ("tests", "npm run test", None, True),
        ("lint", "npm run lint", None, True),
        ("types", "npm run typecheck", None, True),
    ]
    at(tmp_path, {"pnpm-lock.yaml": ""})
    assert [argv for _, argv, _, _ in found(tmp_path)] == ["pnpm run test", "pnpm run lint", "pnpm run typecheck"]


def test_the_placeholder_that_npm_writes_is_no_test(tmp_path: Path) -> None:
    placeholder = 'echo "Error: no test specified" && exit 1'
    at(tmp_path, {"package.json": json.dumps({"scripts": {"test": placeholder}})})
    assert found(tmp_path) == []


def test_targets_of_a_makefile_stand_behind_what_they_run(tmp_path: Path) -> None:
    at(tmp_path, {"Makefile": "all: test\ntest: build\n\tpytest\ncheck:\ntests := 1\ncheckout:\n"})
    assert found(tmp_path) == [("make test", "make test", None, True), ("make check", "make check", None, True)]
    at(tmp_path, {"pytest.ini": "[pytest]"})
    assert found(tmp_path) == [
        ("tests", "python3 -m pytest -q", None, True),
        ("make test", "make test", None, False),
        ("make check", "make check", None, False),
    ]


def test_cargo_go_tox_and_nox(tmp_path: Path) -> None:
    at(tmp_path / "rust", {"Cargo.toml": "[workspace]\nmembers = ['a']", "a/Cargo.toml": "[package]"})
    at(tmp_path / "go", {"go.mod": "module x"})
    at(tmp_path / "old", {"tox.ini": "[tox]\n[pytest]\n", "noxfile.py": ""})
    at(tmp_path / "nox", {"noxfile.py": ""})
    assert found(tmp_path) == [
        ("tests (go)", "go test -v ./...", "go", True),
        ("nox (nox)", "nox", "nox", True),
        ("tests (old)", "python3 -m pytest -q", "old", True),
        ("tox (old)", "tox", "old", False),
        ("nox (old)", "nox", "old", False),
        ("tests (rust)", "cargo test --offline --no-fail-fast --workspace", "rust", True),
    ]


def test_each_project_of_a_monorepo_runs_in_its_own_folder(tmp_path: Path) -> None:
    package = json.dumps({"scripts": {"test": "jest", "lint": "eslint"}})
    at(
        tmp_path,
        {
            "pytest.ini": "[pytest]",
            "package.json": json.dumps({"workspaces": ["web"], "scripts": {"test": "npm test -ws"}}),
            "yarn.lock": "",
            "web/package.json": package,
            "services/pay/pytest.ini": "[pytest]",
            "services/plain/tests/test_a.py": "",
            "node_modules/x/package.json": package,
            "a/b/c/d/package.json": package,
            ".hidden/package.json": package,
        },
    )
    assert found(tmp_path) == [
        ("tests", "python3 -m pytest -q", None, True),
        ("tests (yarn)", "yarn run test", None, True),
        ("tests (web)", "yarn run test", "web", False),
        ("lint (web)", "yarn run lint", "web", True),
        ("tests (services/pay)", "python3 -m pytest -q", "services/pay", True),
    ]


def test_a_second_folder_of_the_workspace_is_named(tmp_path: Path) -> None:
    at(tmp_path / "one", {"go.mod": ""})
    at(tmp_path / "two", {"go.mod": ""})
    assert [(name, cwd) for name, _, cwd, _ in found(tmp_path / "one", tmp_path / "two")] == [
        ("tests", None),
        ("tests (two)", "two"),
    ]


def test_what_cannot_be_read_is_passed_over_and_there_is_an_end(tmp_path: Path) -> None:
    at(tmp_path, {"pyproject.toml": "[[[", "package.json": "[1]", "setup.cfg": "x", "Cargo.toml": "=", "tox.ini": "["})
    (tmp_path / "Makefile").mkdir()
    assert found(tmp_path) == []
    at(tmp_path, {f"p{number}/go.mod": "" for number in range(MOST_CHECKS + 5)})
    assert len(found(tmp_path)) == MOST_CHECKS


def test_ticks_are_remembered_and_taken_back(tmp_path: Path) -> None:
    tests = CheckDefinition(name="tests", argv=("make", "test"), source="discovered")
    lint = CheckDefinition(name="lint", argv=("make", "lint"), source="workspace")
    (tmp_path / "state").mkdir()
    ticks = RememberedTicks(tmp_path / "state")
    assert ticks.load() == {}
    ticks.remember([tests, lint], ticked=True)
    ticks.remember([lint], ticked=False)
    assert RememberedTicks(tmp_path / "state").load() == {tick_key(tests): True, tick_key(lint): False}
    (tmp_path / "state" / "check-ticks" / tick_key(tests)).write_text("maybe")
    assert ticks.load() == {tick_key(lint): False}
