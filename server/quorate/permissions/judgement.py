"""The one place where an action is allowed, denied or left to a person. Pure: the same question, the same verdict."""

import shlex

from quorate.permissions.actions import (
    Access,
    Action,
    ApplyChanges,
    AskPerson,
    Conduct,
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
from quorate.permissions.paths import AnswerPath, Refused, ScratchPath, ToolPath, WorkspacePath, render_path
from quorate.permissions.protection import is_secret, protection_of
from quorate.permissions.rules import AlwaysAsk, AskAbove, NeverAsk, Rules
from quorate.permissions.verdicts import Allow, Ask, Deny, Verdict

_UNTRUSTED = "this workspace is not trusted; trust it in the editor first"


def judge(rules: Rules, action: Action) -> Verdict:
    return _judge_access(rules, action) if isinstance(action, Access) else _judge_conduct(rules, action)


def may_read(rules: Rules, path: ToolPath) -> bool:
    """For listings and searches, which leave out what a read would refuse."""
    return isinstance(_judge_read(rules, path), Allow)


def _judge_access(rules: Rules, action: Access) -> Verdict:
    match action:
        case ReadFile(path) | ListFiles(path) | SearchFiles(path):
            return _judge_read(rules, path)
        case WriteFile(path) | DeleteFile(path):
            return _judge_write(rules, path)
        case ReadRepository():
            return Allow() if rules.repository else Deny("the repository's history is not part of this run")


def _judge_conduct(rules: Rules, action: Conduct) -> Verdict:
    match action:
        case RunCommand(argv):
            return _judge_command(rules, argv)
        case Coordinate(tool):
            return _judge_coordination(rules, tool)
        case AskPerson():
            return Allow() if rules.autonomy == "hitl" else Deny("nobody is asked in autonomous mode")
        case LaunchRun(task, usd):
            return _judge_launch(rules, task, usd)
        case ReadRun() | UpdateProject():
            return Allow() if rules.role == "assistant" else Deny("only the assistant does this")
        case ApplyChanges(files):
            return _judge_apply(rules, files)
        case McpCall(server, tool):
            return _judge_mcp(rules, server, tool)
        case UnknownCall(tool, problem):
            return Deny(f"`{tool}`: {problem}")


def _judge_read(rules: Rules, path: ToolPath) -> Verdict:
    match path:
        case Refused(reason):
            return Deny(reason)
        case ScratchPath() | AnswerPath():
            return Deny("only agents of a run have a scratch folder") if rules.role == "assistant" else Allow()
        case WorkspacePath(_, parts):
            if not rules.roots.readable(path):
                shown = render_path(path, rules.places)
                return Deny(f"`{shown}` is not among the paths of this run; it may read {_readable(rules)}")
            if is_secret(parts):
                return Deny(f"`{render_path(path, rules.places)}` may hold secrets and is never read")
            return Allow()


def _judge_write(rules: Rules, path: ToolPath) -> Verdict:
    match path:
        case Refused(reason):
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
    if rules.role == "agent":
        return Deny("agents write under `scratch/` only; the presenter carries the result into the workspace")
    shown = render_path(path, rules.places)
    if not rules.roots.writable(path):
        return Deny(f"`{shown}` is not among the write paths of this run")
    if rules.roots.guarded(path):
        return Deny(f"`{shown}` is protected by the configuration")
    if protection_of(path.parts) is not None:
        return Deny(f"`{shown}` holds secrets or steers other programs and is never written; tell the user")
    return Allow() if path.parts else Deny("this is a folder; name a file in it")


def _judge_command(rules: Rules, argv: tuple[str, ...]) -> Verdict:
    if rules.role == "assistant":
        return Deny("the assistant runs no commands")
    if not rules.commands:
        return Deny("commands are not enabled in the user's configuration")
    if not rules.trusted:
        return Deny(_UNTRUSTED)
    if rules.autonomy == "autonomous":
        return Deny("commands are not run in autonomous mode, because nobody is asked")
    return Ask(f"Run `{shlex.join(argv)}` in the scratch folder?")


def _judge_coordination(rules: Rules, tool: str) -> Verdict:
    """An agent alone presents from the start, so a presenter, too, may plan and report; what it says is the answer."""
    if rules.role == "agent" or (rules.role == "presenter" and tool in {"submit_plan", "report_finding"}):
        return Allow()
    return Deny(f"`{tool}` is for agents that answer and vote")


def _judge_launch(rules: Rules, task: str, usd: float | None) -> Verdict:
    if rules.role != "assistant":
        return Deny("only the assistant launches runs")
    if rules.autonomy == "autonomous":
        return Allow() if rules.trusted else Deny(_UNTRUSTED)
    question = Ask(f"Launch a run: {task}")
    if not rules.trusted:
        return question
    match rules.run_approval:
        case AlwaysAsk():
            return question
        case NeverAsk():
            return Allow()
        case AskAbove(limit):
            return Allow() if usd is not None and usd <= limit else question


def _judge_apply(rules: Rules, files: int) -> Verdict:
    if rules.autonomy == "autonomous":
        return Allow() if rules.trusted else Deny(_UNTRUSTED)
    if rules.apply_changes == "auto" and rules.trusted:
        return Allow()
    return Ask(f"Apply the changes to {files} {'file' if files == 1 else 'files'}?")


def _judge_mcp(rules: Rules, server: str, tool: str) -> Verdict:
    if server not in rules.mcp_servers:
        return Deny(f"`{tool}`: no MCP server `{server}` is configured")
    return Allow()


def _readable(rules: Rules) -> str:
    roots = dict.fromkeys((*rules.roots.read, *rules.roots.write))
    return ", ".join(f"`{render_path(root, rules.places)}`" for root in roots) or "no path of the workspace"
