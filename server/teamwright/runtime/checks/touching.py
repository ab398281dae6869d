"""What a change has to do with checks: which of them it concerns, and whether it touches what it is judged by."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from teamwright.protocol.checks import CheckDefinition
from teamwright.workspace.files.walking import is_usable, spec_of

_FOLDERS: Final = frozenset(
    {"test", "tests", "__tests__", "spec", "specs", "testing", "testdata", "__snapshots__", "e2e"}
)
_TEST_FILE: Final = re.compile(
    r"test_.+\.py|.+_tests?\.(?:py|go|rs|rb|c|cc|cpp)|tests?\.(?:py|rs)|conftest\.py|.+\.(?:test|spec)\.[cm]?[jt]sx?|"
    r".+_spec\.rb|.+Tests?\.(?:java|kt|cs|swift)"
)
# What test runners, type checkers and linters read, and what names their commands.
_CONFIGURATION: Final = re.compile(
    r"pyproject\.toml|pytest\.ini|\.pytest\.ini|tox\.ini|tox\.toml|setup\.cfg|noxfile\.py|\.coveragerc|\.?ruff\.toml|"
    r"\.?mypy\.ini|pyrightconfig\.json|\.flake8|\.pylintrc|package\.json|(?:jest|vitest|vite|babel|eslint|playwright|karma)"
    r"\.config\.[cm]?[jt]s(?:on)?|\.eslintrc(?:\..+)?|\.eslintignore|\.mocharc(?:\..+)?|biome\.jsonc?|"
    r"[tj]sconfig(?:\..+)?\.json|(?:GNUm|M|m)akefile|.+\.mk|Cargo\.toml|clippy\.toml|go\.mod|\.golangci\.ya?ml|justfile|"
    r"\.pre-commit-config\.yaml|teamwright\.ya?ml"
)


def changes_own_checks(paths: Iterable[str], checks: Sequence[CheckDefinition]) -> bool:
    """`paths` as tools name them."""
    named = {word.replace("\\", "/").removeprefix("./") for check in checks for word in check.argv}
    folders = {(check.cwd or ".").strip("/") for check in checks}
    return any(_is_of_checks(path, named, folders) for path in paths)


def is_concerned(check: CheckDefinition, paths: Iterable[str]) -> bool:
    """Whether a change of these paths can make a difference to the check. Globs are read as git reads them."""
    if check.paths is None:
        return True
    spec = spec_of(glob for glob in check.paths if is_usable(glob))
    return any(spec.match_file(path) for path in paths)


def _is_of_checks(path: str, named: set[str], folders: set[str]) -> bool:
    *above, name = path.split("/")
    if any(part.lower() in _FOLDERS for part in above) or _TEST_FILE.fullmatch(name) or _CONFIGURATION.fullmatch(name):
        return True
    # A script that a check runs.
    return any(path in {word, f"{folder}/{word}"} for word in named for folder in folders)
