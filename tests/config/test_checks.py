"""What a file may say about the project's checks and about what is run: the user's own, and a workspace's."""

from pathlib import Path

import pytest

from teamwright.config.check_settings import CheckSettings, CommandSettings, ProposedCheckSettings
from teamwright.config.discovery import Findings
from teamwright.config.load import Effective, load, load_text
from teamwright.config.settings import Settings
from teamwright.config.sources import ConfigSource
from teamwright.config.suggestions import explanation, suggestions

WORKSPACE = Path(__file__).parent
NO_NAME = "is not the name of a check, write 1 to 64 characters on one line, with no outer blank"
EMPTY = "must not be empty, write the program and its arguments as a list"
NO_TOOLCHAIN = "must be an absolute path or begin with ~/, such as ~/.pyenv"


def in_force(workspace: str, user: str = "orchestrator: {}") -> Effective:
    sources = [ConfigSource("workspace", "w", workspace), ConfigSource("user", "u", user)]
    return load(sources, workspace=WORKSPACE, find=Findings)


def settings_of(effective: Effective) -> Settings:
    assert effective.settings is not None, effective.faults
    return effective.settings


def test_a_check_is_a_name_and_a_program_and_the_rest_has_defaults() -> None:
    settings = load_text("checks: [{name: tests, argv: [pytest, -q]}]", "f").settings
    assert settings is not None
    assert settings.checks == (
        CheckSettings(
            name="tests", argv=("pytest", "-q"), cwd=None, timeout_seconds=600, paths=None, report=None, needs=()
        ),
    )
    assert (settings.checks_policy, settings.checks_wait_seconds) == ("prefer", 300)
    assert settings.commands == CommandSettings(enabled=False, timeout_seconds=120, toolchains=(), sandbox="auto")
    assert Settings().checks == ()
    assert load_text("checks:", "f").settings == Settings()


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (
            "checks: [{}]",
            ["1:10: checks[0].argv: is missing, add this key", "1:10: checks[0].name: is missing, add this key"],
        ),
        ("checks: [{name: t, argv: pytest -q}]", ["1:26: checks[0].argv: must be a list, not 'pytest -q'"]),
        ("checks: [{name: t, argv: []}]", [f"1:26: checks[0].argv: {EMPTY}"]),
        ("checks: [{name: t, argv: ['']}]", [f"1:26: checks[0].argv: {EMPTY}"]),
        ('checks: [{name: "a\\nb", argv: [x]}]', [f"1:17: checks[0].name: {NO_NAME}"]),
        (
            "checks:\n- {name: t, argv: [x]}\n- {name: t, argv: [y]}",
            ["3:10: checks[1].name: two checks are called 't', the first on line 2, rename one"],
        ),
        (
            "checks: [{name: t, argv: [x], arg: y}]",
            ["1:31: checks[0].arg: unknown key, did you mean 'argv'?"],
        ),
        (
            "checks: [{name: t, argv: [x], cwd: ../other}]",
            ["1:36: checks[0].cwd: `..` is not allowed in a path, write where it leads to"],
        ),
        (
            "checks: [{name: t, argv: [x], report: /tmp/r.xml}]",
            ["1:39: checks[0].report: must be relative, not an absolute path"],
        ),
        (
            "checks: [{name: t, argv: [x], paths: ['a\\b']}]",
            ["1:39: checks[0].paths[0]: parts of a path are separated by `/`, not by a backslash"],
        ),
        (
            "checks: [{name: t, argv: [x], timeout_seconds: 0}]",
            ["1:48: checks[0].timeout_seconds: must be greater than 0, not 0"],
        ),
        ("checks_policy: strict", ["1:16: checks_policy: 'strict' is not known, use one of prefer, require, inform"]),
        ("commands: {sandbox: off}", ["1:21: commands.sandbox: false is not known, use one of auto, none"]),
        ("commands: {toolchains: [pyenv]}", [f"1:25: commands.toolchains[0]: {NO_TOOLCHAIN}"]),
        (
            f"checks: [{', '.join(f'{{name: c{i}, argv: [x]}}' for i in range(51))}]",
            ["1:9: checks: 51 checks are too many, list at most 50"],
        ),
    ],
)
def test_every_fault_is_told_at_its_place(text: str, faults: list[str]) -> None:
    outcome = load_text(text, "f")
    assert outcome.settings is None
    assert [str(fault).removeprefix("f:") for fault in outcome.faults] == faults


def test_what_a_workspace_names_stands_beside_the_users_own_as_a_proposal() -> None:
    effective = in_force(
        "checks: [{name: lint, argv: [ruff]}, {name: tests, argv: [evil]}]", "checks: [{name: tests, argv: [pytest]}]"
    )
    checks = settings_of(effective).checks
    assert [(check.name, check.argv, check.source) for check in checks] == [
        ("tests", ("pytest",), "user"),
        ("lint", ("ruff",), "workspace"),
    ]
    assert isinstance(checks[1], ProposedCheckSettings)
    assert [str(warning) for warning in effective.warnings] == [
        "w:1:38: checks[1]: your own configuration has a check called 'tests', which holds; ignored"
    ]


def test_a_workspace_opens_no_closed_file_and_names_no_toolchain() -> None:
    effective = in_force(
        "checks: [{name: t, argv: [x], needs: [.env]}]\n"
        "commands: {toolchains: [~/.ssh], sandbox: none}\n"
        "checks_policy: inform"
    )
    settings = settings_of(effective)
    assert [check.needs for check in settings.checks] == [()]
    assert settings.commands == CommandSettings()
    assert settings.checks_policy == "prefer"
    loosened = "a workspace may not loosen this, your own setting or the default holds"
    assert sorted(f"{warning.path}: {warning.message}" for warning in effective.warnings) == [
        "checks[0].needs: only your own configuration can open closed files, ignored",
        f"checks_policy: {loosened}",
        f"commands.sandbox: {loosened}",
        "commands.toolchains: only your own configuration can name toolchains, ignored",
    ]


def test_the_users_own_file_may_say_all_of_it_and_a_workspace_may_be_stricter() -> None:
    own = "checks: [{name: t, argv: [x], needs: [.env]}]\ncommands: {toolchains: [~/.pyenv], sandbox: none}"
    effective = in_force("checks_policy: require\ncommands: {sandbox: auto}", own)
    settings = settings_of(effective)
    assert effective.warnings == ()
    assert [(check.needs, check.source) for check in settings.checks] == [((".env",), "user")]
    assert settings.commands == CommandSettings(toolchains=("~/.pyenv",), sandbox="auto")
    assert settings.checks_policy == "require"


def test_keys_and_values_of_checks_are_offered_and_explained() -> None:
    lines = ["checks:", "  - name: tests", "    "]
    assert [each.label for each in suggestions(lines, 2, 4)] == [
        "argv",
        "cwd",
        "timeout_seconds",
        "paths",
        "report",
        "needs",
    ]
    policies = suggestions(["checks_policy: "], 0, 15)
    assert [each.label for each in policies] == ["prefer", "require", "inform"]
    assert (explanation(["commands: {sandbox: none}"], 0, 13) or "").startswith(
        "**sandbox**\n\nauto: checks and commands"
    )
