"""Who may do what."""

from dataclasses import replace

import pytest

from teamwright.permissions.actions import (
    Action,
    ApplyChangesAction,
    AskPersonAction,
    CoordinateAction,
    DeleteFileAction,
    ExecutePlanAction,
    ListFilesAction,
    McpCallAction,
    Memory,
    ReadFileAction,
    ReadRepositoryAction,
    ReadRunAction,
    RequestRunAction,
    RunCommandAction,
    SearchFilesAction,
    StartRunAction,
    UnknownCallAction,
    UpdateProjectAction,
    WriteFileAction,
)
from teamwright.permissions.judgement import judge, may_read
from teamwright.permissions.paths import (
    AnswerPath,
    PlacedFolder,
    Places,
    ScratchPath,
    ToolPath,
    WorkspacePath,
    parse_path,
)
from teamwright.permissions.rules import AskAbove, NeverAsk, Roots, Rules, roots_of, whole_workspace
from teamwright.permissions.verdicts import Allow, Ask, Deny, Verdict, consent
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.modes import Autonomy
from teamwright.protocol.runs import Consent, ContextPath

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
    actions: list[Action] = [ReadFileAction(at(path)), ListFilesAction(at(path)), SearchFilesAction(at(path))]
    assert [kind(judge(rules, action)) for action in actions] == [expected] * 3
    assert may_read(rules, at(path)) == (expected == "Allow")


def test_the_assistant_reads_the_whole_workspace_and_writes_nothing() -> None:
    assert judge(ASSISTANT, ReadFileAction(at("tests/x.py"))) == Allow()
    assert judge(ASSISTANT, ReadFileAction(at("docs/index.md"))) == Allow()
    assert kind(judge(ASSISTANT, ReadFileAction(at(".env")))) == "Deny"
    assert kind(judge(ASSISTANT, ReadFileAction(ScratchPath(("x",))))) == "Deny"
    assert kind(judge(ASSISTANT, WriteFileAction(at("src/x.py")))) == "Deny"
    assert kind(judge(ASSISTANT, WriteFileAction(at("scratch/x.py")))) == "Deny"


@pytest.mark.parametrize(
    ("path", "agent", "presenter"),
    [
        ("scratch/x", "Allow", "Allow"),
        ("scratch", "Deny", "Deny"),
        ("src/main.py", "Allow", "Allow"),
        ("src/new/file.py", "Allow", "Allow"),
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
def test_agents_and_the_presenter_write_in_scratch_and_in_write_paths(path: str, agent: str, presenter: str) -> None:
    for action in (WriteFileAction(at(path)), DeleteFileAction(at(path))):
        assert (kind(judge(AGENT, action)), kind(judge(PRESENTER, action))) == (agent, presenter)


def test_a_denied_write_tells_the_agent_where_to_write() -> None:
    only_reads = replace(AGENT, roots=Roots(read=ROOTS.read))
    assert judge(only_reads, WriteFileAction(at("src/x"))) == Deny(
        "this run changes no file of the workspace; write under `scratch/`"
    )


def test_a_denied_read_names_what_may_be_read() -> None:
    assert judge(AGENT, ReadFileAction(at("tests"))) == Deny(
        "`tests` is not among the paths of this run; it may read `src`, `docs/guide`"
    )


def test_commands_need_the_users_consent_trust_and_a_person() -> None:
    command = RunCommandAction(("pytest", "-k", "a b"))
    enabled = replace(AGENT, commands=True, trusted=True)
    assert judge(enabled, command) == Ask("Run `pytest -k 'a b'` in a copy of the workspace?")
    refusing = [
        AGENT,
        replace(enabled, commands=False),
        replace(enabled, trusted=False),
        replace(enabled, autonomy="autonomous"),
        replace(enabled, role="assistant"),
    ]
    assert {kind(judge(rules, command)) for rules in refusing} == {"Deny"}


def test_commands_that_were_granted_to_a_run_are_not_asked_about() -> None:
    command = RunCommandAction(("pytest",))
    granted = replace(AGENT, commands_granted=True, trusted=True)
    assert [kind(judge(replace(granted, autonomy=autonomy), command)) for autonomy in ("hitl", "autonomous")] == [
        "Allow",
        "Allow",
    ]
    assert kind(judge(replace(granted, trusted=False), command)) == "Deny"


def test_starting_a_run_is_asked_about_as_configured() -> None:
    start, dear, unpriced = StartRunAction("fix", 0.2), StartRunAction("fix", 2.0), StartRunAction("fix", None)
    trusted = replace(ASSISTANT, trusted=True)
    above = replace(trusted, run_approval=AskAbove(0.5))
    assert judge(trusted, start) == Ask("Launch a run: fix")
    assert judge(replace(trusted, run_approval=NeverAsk()), dear) == Allow()
    assert kind(judge(replace(above, trusted=False), start)) == "Ask", "before trust every run is asked about"
    assert [kind(judge(above, action)) for action in (start, dear, unpriced)] == ["Allow", "Ask", "Ask"]
    assert kind(judge(AGENT, start)) == "Deny"


def test_a_persons_word_with_the_command_holds_unless_a_budget_cannot_be_kept() -> None:
    unasked = replace(ASSISTANT, trusted=True, run_approval=NeverAsk())
    given = StartRunAction("fix", None, approval="given")
    assert judge(ASSISTANT, given) == Allow()
    assert "price" in reason(judge(ASSISTANT, replace(given, has_money_budget=True)))
    assert judge(unasked, replace(given, approval="ask")) == Ask("Launch a run: fix")


def test_a_run_that_may_cost_more_than_the_session_has_left_is_asked_about() -> None:
    unasked = replace(ASSISTANT, trusted=True, run_approval=NeverAsk())
    assert "$1.50" in reason(judge(unasked, StartRunAction("fix", 2.0, left_usd=1.5)))
    assert judge(unasked, StartRunAction("fix", 1.0, left_usd=1.5)) == Allow()


def reason(verdict: Verdict) -> str:
    assert isinstance(verdict, Ask)
    return verdict.reason


def test_autonomy_asks_nobody_and_stops_at_trust() -> None:
    autonomous = replace(ASSISTANT, autonomy="autonomous")
    actions: list[Action] = [StartRunAction("x", None), AskPersonAction()]
    assert [kind(judge(autonomous, action)) for action in actions] == ["Deny", "Deny"]
    trusted = replace(autonomous, trusted=True)
    assert [kind(judge(trusted, action)) for action in actions] == ["Allow", "Deny"]
    unpriced = StartRunAction("x", None, has_money_budget=True)
    refused = judge(trusted, unpriced)
    assert isinstance(refused, Deny)
    assert refused.field == "budget.usd"


@pytest.mark.parametrize(
    ("trusted", "autonomy", "setting", "changes", "plan"),
    [
        (True, "hitl", "ask", "ask", "ask"),
        (True, "hitl", "auto", "auto", "ask"),
        (True, "autonomous", "ask", "auto", "auto"),
        (False, "hitl", "auto", "ask", "ask"),
        (False, "autonomous", "auto", "ask", "ask"),
    ],
)
def test_what_a_run_does_unasked_at_its_end_is_a_matter_of_trust_first(
    trusted: bool, autonomy: Autonomy, setting: Consent, changes: str, plan: str
) -> None:
    rules = replace(ASSISTANT, trusted=trusted, autonomy=autonomy, apply_changes=setting)
    assert consent(judge(rules, ApplyChangesAction())) == changes
    assert consent(judge(rules, ExecutePlanAction())) == plan


def test_each_role_has_its_own_tools() -> None:
    actions: dict[str, Action] = {
        "new_answer": CoordinateAction("new_answer"),
        "vote": CoordinateAction("vote"),
        "submit_plan": CoordinateAction("submit_plan"),
        "report_finding": CoordinateAction("report_finding"),
        "request_input": AskPersonAction(),
        "launch_run": RequestRunAction(),
        "get_run": ReadRunAction(),
        "update_project": UpdateProjectAction(),
        "git_log": ReadRepositoryAction(),
    }
    offered = {
        rules.role: [name for name, action in actions.items() if judge(rules, action) == Allow()]
        for rules in (ASSISTANT, AGENT, PRESENTER)
    }
    assert offered == {
        "assistant": ["request_input", "launch_run", "get_run", "update_project", "git_log"],
        "agent": ["new_answer", "vote", "submit_plan", "report_finding", "request_input"],
        "presenter": ["submit_plan", "report_finding", "request_input"],
    }


def test_only_configured_mcp_servers_are_called() -> None:
    rules = replace(AGENT, mcp_servers=frozenset({"tickets"}))
    search = McpCallAction("tickets", "search", description="", traits=(), pin="1", arguments={}, choice="always")
    assert judge(rules, search) == Allow()
    elsewhere = replace(search, server="other")
    assert judge(rules, elsewhere) == Deny("`search`: no MCP server `other` is configured")


def test_a_tool_of_a_server_goes_by_what_the_user_said_of_it() -> None:
    rules = replace(AGENT, mcp_servers=frozenset({"tickets"}))
    alone = replace(rules, autonomy="autonomous")
    call = McpCallAction("tickets", "search", description="", traits=(), pin="1", arguments={})
    never = Deny("the user never allows `search` of the MCP server `tickets`; go on without it")
    assert judge(rules, call) == Ask("Use search of the MCP server tickets?")
    assert isinstance(judge(alone, call), Deny)
    assert judge(alone, replace(call, choice="always")) == Allow()
    assert [judge(each, replace(call, choice="never")) for each in (rules, alone)] == [never, never]


def test_nothing_is_remembered_but_by_a_persons_word_in_a_trusted_workspace() -> None:
    remember = UpdateProjectAction(Memory("Prefers tabs.", "user"))
    trusted = replace(ASSISTANT, trusted=True, autonomy="hitl")
    assert judge(trusted, remember) == Ask("Remember this of you, in every workspace?")
    for rules in (replace(trusted, trusted=False), replace(trusted, autonomy="autonomous"), AGENT):
        assert isinstance(judge(rules, remember), Deny)


def test_what_is_unknown_is_denied_with_its_name() -> None:
    assert judge(AGENT, UnknownCallAction("read_fil", "there is no such tool")) == Deny(
        "`read_fil`: there is no such tool"
    )


def test_peers_answers_never_change() -> None:
    assert judge(PRESENTER, DeleteFileAction(AnswerPath(("agent1.1", "x")))) == Deny(
        "answers do not change; write under `scratch/`"
    )
