"""Who may do what."""

from dataclasses import replace

import pytest

from quorate.permissions.actions import (
    Action,
    ApplyChanges,
    AskPerson,
    Coordinate,
    DeleteFile,
    LaunchRun,
    ListFiles,
    McpCall,
    ReadFile,
    ReadRepository,
    ReadRun,
    RunCommand,
    SearchFiles,
    UnknownCall,
    UpdateProject,
    WriteFile,
)
from quorate.permissions.judgement import judge, may_read
from quorate.permissions.paths import AnswerPath, PlacedFolder, Places, ScratchPath, ToolPath, WorkspacePath, parse_path
from quorate.permissions.rules import AskAbove, NeverAsk, Roots, Rules, roots_of, whole_workspace
from quorate.permissions.verdicts import Allow, Ask, Deny, Verdict
from quorate.protocol.errors import BadParams, FieldError
from quorate.protocol.runs import ContextPath

PLACES = Places((PlacedFolder("app", ("/app",)), PlacedFolder("docs", ("/docs",))))
ROOTS = roots_of(
    [ContextPath(path="src", permission="write"), ContextPath(path="docs/guide", permission="read")],
    ["src/keys"],
    PLACES,
)
AGENT = Rules("agent", PLACES, ROOTS)
PRESENTER = Rules("presenter", PLACES, ROOTS)
ASSISTANT = Rules("assistant", PLACES, whole_workspace(PLACES), repository=True)


def at(text: str) -> ToolPath:
    return parse_path(text, PLACES)


def kind(verdict: Verdict) -> str:
    return type(verdict).__name__


def test_roots_come_from_the_context_paths_of_the_run() -> None:
    expected = Roots(
        read=(WorkspacePath("app", ("src",)), WorkspacePath("docs", ("guide",))),
        write=(WorkspacePath("app", ("src",)),),
        protected=(WorkspacePath("app", ("src", "keys")),),
    )
    assert expected == ROOTS


def test_every_context_path_that_cannot_be_a_root_is_named() -> None:
    with pytest.raises(BadParams) as refused:
        roots_of([ContextPath(path="/etc"), ContextPath(path="src"), ContextPath(path="scratch/x")], ["../y"], PLACES)
    assert refused.value.errors == (
        FieldError(path="contextPaths.0.path", message="`/etc` is outside the workspace"),
        FieldError(path="contextPaths.2.path", message="`scratch/x` is not in the workspace"),
        FieldError(path="protectedPaths.0", message="`..` is not allowed in a path"),
    )


@pytest.mark.parametrize("rules", [AGENT, PRESENTER])
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/main.py", "Allow"),
        ("src", "Allow"),
        ("docs/guide/index.md", "Allow"),
        ("src/keys/readme.md", "Allow"),
        ("src/AGENTS.md", "Allow"),
        ("scratch/x", "Allow"),
        ("answers/agent1.1/x", "Allow"),
        (".", "Deny"),
        ("tests/test_main.py", "Deny"),
        ("docs/other.md", "Deny"),
        ("SRC/main.py", "Deny"),
        ("src/.env", "Deny"),
        ("src/.git/config", "Deny"),
        ("/etc/passwd", "Deny"),
    ],
)
def test_agents_read_the_context_paths_but_no_secrets(rules: Rules, path: str, expected: str) -> None:
    actions: list[Action] = [ReadFile(at(path)), ListFiles(at(path)), SearchFiles(at(path))]
    assert [kind(judge(rules, action)) for action in actions] == [expected] * 3
    assert may_read(rules, at(path)) == (expected == "Allow")


def test_the_assistant_reads_the_whole_workspace_and_writes_nothing() -> None:
    assert judge(ASSISTANT, ReadFile(at("tests/x.py"))) == Allow()
    assert judge(ASSISTANT, ReadFile(at("docs/index.md"))) == Allow()
    assert kind(judge(ASSISTANT, ReadFile(at(".env")))) == "Deny"
    assert kind(judge(ASSISTANT, ReadFile(ScratchPath(("x",))))) == "Deny"
    assert kind(judge(ASSISTANT, WriteFile(at("src/x.py")))) == "Deny"
    assert kind(judge(ASSISTANT, WriteFile(at("scratch/x.py")))) == "Deny"


@pytest.mark.parametrize(
    ("path", "agent", "presenter"),
    [
        ("scratch/x", "Allow", "Allow"),
        ("scratch", "Deny", "Deny"),
        ("src/main.py", "Deny", "Allow"),
        ("src/new/file.py", "Deny", "Allow"),
        ("docs/guide/index.md", "Deny", "Deny"),
        ("README.md", "Deny", "Deny"),
        ("src/keys/new.md", "Deny", "Deny"),
        ("src/Keys/new.md", "Deny", "Deny"),
        ("src/.env", "Deny", "Deny"),
        ("src/.vscode/tasks.json", "Deny", "Deny"),
        ("src/CLAUDE.md", "Deny", "Deny"),
        ("src/.github/workflows/x.yml", "Deny", "Deny"),
        ("answers/agent1.1/x", "Deny", "Deny"),
        ("../x", "Deny", "Deny"),
    ],
)
def test_agents_write_in_scratch_and_the_presenter_also_in_write_paths(path: str, agent: str, presenter: str) -> None:
    for action in (WriteFile(at(path)), DeleteFile(at(path))):
        assert (kind(judge(AGENT, action)), kind(judge(PRESENTER, action))) == (agent, presenter)


def test_a_denied_write_tells_the_agent_where_to_write() -> None:
    assert judge(AGENT, WriteFile(at("src/x"))) == Deny(
        "agents write under `scratch/` only; the presenter carries the result into the workspace"
    )


def test_a_denied_read_names_what_may_be_read() -> None:
    assert judge(AGENT, ReadFile(at("tests"))) == Deny(
        "`tests` is not among the paths of this run; it may read `src`, `docs/guide`"
    )


def test_commands_need_the_users_consent_trust_and_a_person() -> None:
    command = RunCommand(("pytest", "-k", "a b"))
    enabled = replace(AGENT, commands=True, trusted=True)
    assert judge(enabled, command) == Ask("Run `pytest -k 'a b'` in the scratch folder?")
    refusing = [
        AGENT,
        replace(enabled, commands=False),
        replace(enabled, trusted=False),
        replace(enabled, autonomy="autonomous"),
        replace(enabled, role="assistant"),
    ]
    assert {kind(judge(rules, command)) for rules in refusing} == {"Deny"}


def test_launching_a_run_is_asked_about_as_configured() -> None:
    launch, dear, unpriced = LaunchRun("refactor", 0.2), LaunchRun("refactor", 2.0), LaunchRun("refactor", None)
    trusted = replace(ASSISTANT, trusted=True)
    above = replace(trusted, run_approval=AskAbove(0.5))
    assert judge(trusted, launch) == Ask("Launch a run: refactor")
    assert judge(replace(trusted, run_approval=NeverAsk()), dear) == Allow()
    assert kind(judge(replace(above, trusted=False), launch)) == "Ask", "before trust every run is asked about"
    assert [kind(judge(above, action)) for action in (launch, dear, unpriced)] == ["Allow", "Ask", "Ask"]
    assert kind(judge(AGENT, launch)) == "Deny"


def test_autonomy_asks_nobody_and_stops_at_trust() -> None:
    autonomous = replace(ASSISTANT, autonomy="autonomous")
    actions: list[Action] = [LaunchRun("x", None), ApplyChanges(2), AskPerson()]
    assert [kind(judge(autonomous, action)) for action in actions] == ["Deny", "Deny", "Deny"]
    trusted = replace(autonomous, trusted=True)
    assert [kind(judge(trusted, action)) for action in actions] == ["Allow", "Allow", "Deny"]


def test_changes_are_applied_unasked_only_by_policy_in_a_trusted_workspace() -> None:
    auto = replace(PRESENTER, apply_changes="auto")
    assert judge(PRESENTER, ApplyChanges(1)) == Ask("Apply the changes to 1 file?")
    assert judge(auto, ApplyChanges(2)) == Ask("Apply the changes to 2 files?")
    assert judge(replace(auto, trusted=True), ApplyChanges(2)) == Allow()


def test_each_role_has_its_own_tools() -> None:
    actions: dict[str, Action] = {
        "new_answer": Coordinate("new_answer"),
        "vote": Coordinate("vote"),
        "submit_plan": Coordinate("submit_plan"),
        "report_finding": Coordinate("report_finding"),
        "request_input": AskPerson(),
        "get_run": ReadRun(),
        "update_project": UpdateProject(),
        "git_log": ReadRepository(),
    }
    offered = {
        rules.role: [name for name, action in actions.items() if judge(rules, action) == Allow()]
        for rules in (ASSISTANT, AGENT, PRESENTER)
    }
    assert offered == {
        "assistant": ["request_input", "get_run", "update_project", "git_log"],
        "agent": ["new_answer", "vote", "submit_plan", "report_finding", "request_input"],
        "presenter": ["submit_plan", "report_finding", "request_input"],
    }


def test_only_configured_mcp_servers_are_called() -> None:
    rules = replace(AGENT, mcp_servers=frozenset({"tickets"}))
    assert judge(rules, McpCall("tickets", "search")) == Allow()
    assert judge(rules, McpCall("other", "search")) == Deny("`search`: no MCP server `other` is configured")


def test_what_is_unknown_is_denied_with_its_name() -> None:
    assert judge(AGENT, UnknownCall("read_fil", "there is no such tool")) == Deny("`read_fil`: there is no such tool")


def test_peers_answers_never_change() -> None:
    assert judge(PRESENTER, DeleteFile(AnswerPath(("agent1.1", "x")))) == Deny(
        "answers do not change; write under `scratch/`"
    )
