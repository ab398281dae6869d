"""Which paths stay closed inside a root, however they are spelled."""

import pytest

from teamwright.permissions.protection import protection_of


def protection(path: str) -> str | None:
    return protection_of(tuple(path.split("/")))


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        ".env.production",
        "deploy/prod.env",
        ".envrc",
        "keys/server.pem",
        "a/b/private.key",
        ".ssh/config",
        "home/.aws/credentials",
        "id_ed25519",
        ".npmrc",
        ".netrc",
        ".git/config",
        "vendor/lib/.git/hooks/pre-commit",
        ".git",
        "teamwright.yaml",
        ".teamwright/config.yaml",
    ],
)
def test_secrets_are_closed_to_reading(path: str) -> None:
    assert protection(path) == "secret"


@pytest.mark.parametrize(
    "path",
    [
        ".teamwright/projects/x/CONTEXT.md",
        ".vscode/settings.json",
        ".idea/workspace.xml",
        "my.code-workspace",
        ".nvim.lua",
        ".exrc",
        ".github/workflows/ci.yml",
        ".gitlab-ci.yml",
        "Jenkinsfile",
        "AGENTS.md",
        "packages/web/CLAUDE.md",
        ".cursorrules",
        ".gitattributes",
    ],
)
def test_files_that_steer_other_programs_are_closed_to_writing(path: str) -> None:
    assert protection(path) == "control"


@pytest.mark.parametrize(
    "path",
    [
        "src/main.py",
        "environment.py",
        ".env.example",
        "id_rsa.pub",
        "keyboard.py",
        ".github/ISSUE_TEMPLATE.md",
        "workflows/ci.yml",
        "docs/git.md",
        ".gitignore",
        "monkey",
    ],
)
def test_ordinary_files_are_open(path: str) -> None:
    assert protection(path) is None


@pytest.mark.parametrize(
    "path",
    [
        ".GIT/config",
        ".Git ",
        ".git...",
        ".git::$INDEX_ALLOCATION/config",
        ".g\u200cit/config",
        ".\uff47\uff49\uff54/config",
        ".\uff27it/config",
        ".ENV",
        ".env:stream",
        "ID_RSA",
        "server.PEM. .",
        "\ufeff.env",
    ],
)
def test_no_spelling_that_some_file_system_takes_for_a_secret_opens_it(path: str) -> None:
    assert protection(path) == "secret"


def test_an_example_inside_a_secret_folder_stays_closed() -> None:
    assert protection(".ssh/.env.example") == "secret"
