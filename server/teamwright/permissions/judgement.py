"""The one place where an action is allowed, denied or left to a person. Pure: the same question, the same verdict."""

import shlex

from teamwright.permissions.actions import (
    Access,
    Action,
    ApplyChangesAction,
    AskPersonAction,
    Conduct,
    CoordinateAction,
    DeleteFileAction,
    ExecutePlanAction,
    Execution,
    KeepTasksAction,
    ListFilesAction,
    McpCallAction,
    Memory,
    ReadFileAction,
    ReadRepositoryAction,
    ReadRunAction,
    RequestChecksAction,
    RequestRunAction,
    RunCheckAction,
    RunCommandAction,
    SearchFilesAction,
    StartRunAction,
    UnknownCallAction,
    UpdateProjectAction,
    WriteFileAction,
)
from teamwright.permissions.paths import AnswerPath, RefusedPath, ScratchPath, ToolPath, WorkspacePath, render_path
from teamwright.permissions.protection import is_secret, protection_of
from teamwright.permissions.rules import AlwaysAsk, AskAbove, NeverAsk, Rules, RunApproval
from teamwright.permissions.verdicts import Allow, Ask, Deny, Verdict

_UNTRUSTED = "this workspace is not trusted; trust it in the editor first"
_UNPRICED = (
    "the price of a model is not known, so a budget of money cannot be kept; set its price, or a budget of tokens"
)


def judge(rules: Rules, action: Action) -> Verdict:
    if isinstance(action, Access):
        return _judge_access(rules, action)
    return _judge_execution(rules, action) if isinstance(action, Execution) else _judge_conduct(rules, action)


def may_read(rules: Rules, path: ToolPath) -> bool:
    """For listings and searches, which leave out what a read would refuse."""
    return isinstance(_judge_read(rules, path), Allow)


def _judge_access(rules: Rules, action: Access) -> Verdict:
    match action:
        case ReadFileAction(path) | ListFilesAction(path) | SearchFilesAction(path):
            return _judge_read(rules, path)
        case WriteFileAction(path) | DeleteFileAction(path):
            return _judge_write(rules, path)
        case ReadRepositoryAction():
            return Allow() if rules.repository else Deny("the repository's history is not part of this run")


def _judge_execution(rules: Rules, action: Execution) -> Verdict:
    match action:
        case RunCommandAction(argv):
            return _judge_command(rules, argv)
        case RequestChecksAction():
            return Allow() if rules.role == "assistant" else Deny("the run checks every answer by itself")
        case RunCheckAction():
            return _judge_check(rules, action)


def _judge_conduct(rules: Rules, action: Conduct) -> Verdict:
    match action:
        case CoordinateAction(tool):
            return _judge_coordination(rules, tool)
        case AskPersonAction():
            return Allow() if rules.autonomy == "hitl" else Deny("nobody is asked in autonomous mode")
        case StartRunAction():
            return _judge_start(rules, action)
        case RequestRunAction() | ReadRunAction() | KeepTasksAction():
            return _judge_assistants_own(rules, None)
        case UpdateProjectAction(memory):
            return _judge_assistants_own(rules, memory)
        case ApplyChangesAction() | ExecutePlanAction():
            return _judge_unasked(rules, action)
        case McpCallAction():
            return _judge_mcp(rules, action)
        case UnknownCallAction(tool, problem):
            return Deny(f"`{tool}`: {problem}")


def _judge_read(rules: Rules, path: ToolPath) -> Verdict:
    match path:
        case RefusedPath(reason):
            return Deny(reason)
        case ScratchPath() | AnswerPath():
            return Deny("only agents of a run have a scratch folder") if rules.role == "assistant" else Allow()
        case WorkspacePath(_, parts):
            if not rules.roots.readable(path):
                shown = render_path(path, rules.places)
                return Deny(f"`{shown}` is not among the paths of this run; it may read {_readable(rules)}")
            if rules.places.is_private(path):
                shown = render_path(path, rules.places)
                return Deny(f"`{shown}` is kept by a program in the home folder; open the project's own folder")
            if is_secret(parts):
                return Deny(f"`{render_path(path, rules.places)}` may hold secrets and is never read")
            return Allow()


def _judge_write(rules: Rules, path: ToolPath) -> Verdict:
    match path:
        case RefusedPath(reason):
            return Deny(reason)
        case AnswerPath():
            return Deny("answers do not change; write under `scratch/`")
        case ScratchPath(parts):
            if rules.role == "assistant":
                return Deny("the assistant does not write files; launch a run that does")
            return Allow() if parts else Deny("`scratch` is a folder; name a file in it")
        case WorkspacePath():
            return _judge_workspace_write(rules, path)


def _judge_workspace_write(rules: Rules, path: WorkspacePath) -> Verdict:
    if rules.role == "assistant":
        return Deny("the assistant does not write files; launch a run that does")
    if not rules.roots.write:
        return Deny("this run changes no file of the workspace; write under `scratch/`")
    shown = render_path(path, rules.places)
    if not rules.roots.writable(path):
        return Deny(f"`{shown}` is not among the write paths of this run")
    if rules.places.is_private(path):
        return Deny(f"`{shown}` is kept by a program in the home folder; open the project's own folder")
    if rules.roots.guarded(path):
        return Deny(f"`{shown}` is protected by the configuration")
    if protection_of(path.parts) is not None:
        return Deny(f"`{shown}` holds secrets or steers other programs and is never written; tell the user")
    return Allow() if path.parts else Deny("this is a folder; name a file in it")


def _judge_command(rules: Rules, argv: tuple[str, ...]) -> Verdict:
    if rules.role == "assistant":
        return Deny("the assistant runs no commands")
    if not (rules.commands or rules.commands_granted):
        return Deny("commands are not enabled in the user's configuration")
    if not rules.trusted:
        return Deny(_UNTRUSTED)
    if rules.commands_granted:
        return Allow()
    if rules.autonomy == "autonomous":
        return Deny("commands are not run in autonomous mode, because nobody is asked")
    return Ask(f"Run `{shlex.join(argv)}` in a copy of the workspace?")


def _judge_check(rules: Rules, action: RunCheckAction) -> Verdict:
    if not rules.trusted:
        return Deny(_UNTRUSTED)
    if action.is_allowed:
        return Allow()
    if rules.autonomy == "autonomous":
        return Deny("nobody is asked in autonomous mode, and only checks of the user's own configuration run unasked")
    where = "" if action.cwd == "." else f" in {action.cwd}"
    return Ask(f"Run `{shlex.join(action.argv)}`{where} on a copy of the files, now and whenever it is asked for?")


def _judge_coordination(rules: Rules, tool: str) -> Verdict:
    """An agent alone presents from the start, so a presenter, too, may plan and report; what it says is the answer."""
    if rules.role == "agent" or (rules.role == "presenter" and tool in {"submit_plan", "report_finding"}):
        return Allow()
    return Deny(f"`{tool}` is for agents that answer and vote")


def _judge_start(rules: Rules, action: StartRunAction) -> Verdict:
    """Whether a run that could go may start. A person's word counts for all but a budget that cannot be kept."""
    if rules.role != "assistant":
        return Deny("only the assistant launches runs")
    is_unpriced = action.has_money_budget and action.usd is None
    if action.approval == "given" and not is_unpriced:
        return Allow()
    question = f"Launch a run: {action.task}"
    if rules.autonomy == "autonomous":
        if is_unpriced:
            return Deny(_UNPRICED, field="budget.usd")
        if not rules.trusted:
            return Deny(_UNTRUSTED)
        return Ask(question) if action.approval == "ask" else Allow()
    if is_unpriced:
        return Ask(question, _UNPRICED)
    if action.usd is not None and action.left_usd is not None and action.usd > action.left_usd:
        return Ask(question, f"it may cost more than the ${action.left_usd:.2f} that are left of the session's budget")
    if not rules.trusted:
        return Ask(question, "this workspace is not trusted, so every run in it is asked about first")
    is_asked = action.approval == "ask" or _asks_first(rules.run_approval, action.usd)
    return Ask(question) if is_asked else Allow()


def _asks_first(approval: RunApproval, usd: float | None) -> bool:
    match approval:
        case AlwaysAsk():
            return True
        case NeverAsk():
            return False
        case AskAbove(limit):
            return usd is None or usd > limit


def _judge_unasked(rules: Rules, action: ApplyChangesAction | ExecutePlanAction) -> Verdict:
    """What a run does at its end without a person's word. An untrusted workspace always asks."""
    is_applying = isinstance(action, ApplyChangesAction)
    question = "Apply the changes?" if is_applying else "Carry out the plan?"
    if not rules.trusted:
        return Ask(question, "this workspace is not trusted")
    by_setting = is_applying and rules.apply_changes == "auto"
    return Allow() if by_setting or rules.autonomy == "autonomous" else Ask(question)


def _judge_assistants_own(rules: Rules, memory: Memory | None) -> Verdict:
    """What is remembered stands in later prompts, of other workspaces too: a person reads it first."""
    if rules.role != "assistant":
        return Deny("only the assistant does this")
    if memory is None:
        return Allow()
    if not rules.trusted:
        return Deny("nothing is remembered from a workspace that is not trusted")
    if rules.autonomy == "autonomous":
        return Deny("nothing is remembered in autonomous mode, because nobody is asked")
    of = "you, in every workspace" if memory.of == "user" else "this workspace"
    return Ask(f"Remember this of {of}?")


def _judge_mcp(rules: Rules, call: McpCallAction) -> Verdict:
    if call.server not in rules.mcp_servers:
        return Deny(f"`{call.tool}`: no MCP server `{call.server}` is configured")
    if call.choice == "never":
        return Deny(f"the user never allows `{call.tool}` of the MCP server `{call.server}`; go on without it")
    if call.choice == "always":
        return Allow()
    if rules.autonomy == "autonomous":
        return Deny(
            f"`{call.tool}` of the MCP server `{call.server}` is not among the tools that the user always allows, "
            "and in autonomous mode nobody is asked"
        )
    return Ask(f"Use {call.tool} of the MCP server {call.server}?")


def _readable(rules: Rules) -> str:
    roots = dict.fromkeys((*rules.roots.read, *rules.roots.write))
    return ", ".join(f"`{render_path(root, rules.places)}`" for root in roots) or "no path of the workspace"
