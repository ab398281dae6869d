"""One task, done by one set-up, in a repository and a history of its own. What concerns that copy alone is answered
with yes; what reaches beyond it is not."""

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import anyio
from anyio import to_thread
from anyio.streams.memory import MemoryObjectReceiveStream

from teamwright.application import decisions, runs, sessions
from teamwright.application.context import CommandContext
from teamwright.application.lifecycle import ClientContext, opened_application
from teamwright.application.trials import trial_run
from teamwright.cli.evaluation.scoring import SetUp, Trial, found_and_false
from teamwright.cli.evaluation.suite import EvalTask
from teamwright.config.sources import NamedFile
from teamwright.engine.transcript.words import tokens
from teamwright.protocol.checks import CheckView
from teamwright.protocol.commands import ApproveParams, LaunchRunParams, RunParams, SessionOpenParams
from teamwright.protocol.decisions import Decision
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import DecisionRequested, NoticeRaised, RunFinished
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.ids import AgentId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.runs import CoordinationOverrides
from teamwright.protocol.views import RunView
from teamwright.workspace.files.folders import Folders

_WISHES = (
    "Report every fault that you find at its line. Whoever writes the result also mends them, with the smallest change "
    "that does so, and changes neither the tests nor anything else."
)
_CHECK = "eval-tests"
_MOST_OPEN = 100
# A tool of another server, a command, a memory or more money are not of the copy: as with `--yes` elsewhere.
_OF_THE_COPY: Final = frozenset({"run", "plan", "changes"})


async def tried(task: EvalTask, set_up: SetUp, *, config: NamedFile | None, agent: str | None) -> Trial:
    """Raises UserError where the team cannot be set to work at all."""
    with TemporaryDirectory(prefix="teamwright-eval-", ignore_cleanup_errors=True) as directory:
        workspace = Path(directory) / task.name
        await to_thread.run_sync(_lay_out, task, workspace)
        context = ClientContext(folders=Folders.at(workspace), config=config, trusted=True, editor="teamwright eval")
        return await _run(task, set_up, context, agent)


def _lay_out(task: EvalTask, workspace: Path) -> None:
    workspace.mkdir()
    task.lay_out(workspace)
    own = workspace / ".teamwright"
    own.mkdir(exist_ok=True)
    # JSON is YAML, with nothing to be misread.
    settings = {"checks": [{"name": _CHECK, "argv": [*task.check]}]}
    (own / "config.yaml").write_text(json.dumps(settings), encoding="utf-8")


async def _run(task: EvalTask, set_up: SetUp, client_context: ClientContext, agent: str | None) -> Trial:
    asked, questions = anyio.create_memory_object_stream[Decision](_MOST_OPEN)
    over = anyio.Event()

    def hear(record: EventRecord) -> None:
        match record.event:
            case DecisionRequested(decision=decision):
                asked.send_nowait(decision)
            case RunFinished():
                over.set()
            case NoticeRaised(level="error") if record.run_id is not None:
                # It cannot be recorded any more.
                over.set()
            case _:
                pass

    ended: Trial | UserError | None = None
    async with opened_application(lambda: client_context) as application, anyio.create_task_group() as tasks:
        context = application.context_for(hear)
        tasks.start_soon(_decide, context, questions)
        try:
            params = await _params(context, set_up, agent)
            launched = await runs.launch_run(context, params)
            await over.wait()
            run = (await runs.open_run(context, RunParams(run_id=launched.run_id))).run
            opened = await sessions.open_session(context, SessionOpenParams(session_id=launched.session_id))
            ended = _trial(task, set_up, run, opened.session.findings)
        except UserError as fault:
            # Raised in here, it would come out wrapped in the groups of tasks.
            ended = fault
        tasks.cancel_scope.cancel()
    match ended:
        case Trial():
            return ended
        case UserError():
            raise ended
        case None:
            raise AssertionError("a trial that was called off has no end")


def _trial(task: EvalTask, set_up: SetUp, run: RunView, findings: Sequence[AgreedFinding]) -> Trial:
    found, false = found_and_false(task, findings)
    return Trial(
        task=task.name,
        language=task.language,
        set_up=set_up,
        outcome=run.outcome or "failed",
        faults=len(task.faults),
        found=found,
        false=false,
        fixed=_fixed(run),
        tokens=tokens(run.usage),
        cost_usd=run.cost_usd,
        seconds=0.0 if run.finished_at is None else (run.finished_at - run.started_at).total_seconds(),
    )


async def _params(context: CommandContext, set_up: SetUp, agent: str | None) -> LaunchRunParams:
    params = await trial_run(context, _WISHES, check_name=_CHECK)
    answers = {"max_new_answers_per_agent": 1} if set_up == "single" else {}
    rules = CoordinationOverrides.model_validate({"override": "off", **answers})
    agents = (AgentId(agent),) if agent is not None and set_up == "single" else None
    return params.model_copy(
        update={
            "approval": "given",
            "agent_mode": "single" if set_up == "single" else "multi",
            "agents": agents,
            # Who works alone without any refinement answers straight away, and could report no finding.
            "refinement": set_up != "team",
            "coordination_overrides": rules,
        }
    )


async def _decide(context: CommandContext, questions: MemoryObjectReceiveStream[Decision]) -> None:
    async for decision in questions:
        choice = "approve" if decision.kind in _OF_THE_COPY else "cancel"
        try:
            await decisions.approve(context, ApproveParams(decision_id=decision.decision_id, choice=choice))
        except UserError:
            # Somebody or something was faster.
            continue


def _fixed(run: RunView) -> bool | None:
    """By what was checked of exactly the bytes that were applied. A check that could not be run, or that passed before
    anything was mended, says nothing."""
    base, final = run.checks.base, run.checks.final
    if any(each.outcome == "error" for each in (*base, *final)) or not (base or final) or _is_green(base):
        return None
    return bool(run.written) and _is_green(final)


def _is_green(checks: Sequence[CheckView]) -> bool:
    return bool(checks) and all(each.outcome == "passed" for each in checks)
