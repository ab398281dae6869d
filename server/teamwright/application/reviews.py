"""Reviewing, explaining, fixing and testing with the team, and what becomes of findings."""

from collections.abc import Sequence
from dataclasses import dataclass

from teamwright.application.check_fixes import fix_run
from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.engine.session.view import findings_called, reproductions_of
from teamwright.permissions.paths import WorkspacePath, render_path
from teamwright.prompts.code_actions import CodeActionKind, code_action_task, reproductions_to_fix
from teamwright.protocol import command_table as table
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.commands import (
    CodeActionParams,
    DiffBase,
    FindingDismissParams,
    FindingDismissResult,
    LaunchRunParams,
    RunLaunched,
)
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.ids import FindingId, SessionId
from teamwright.protocol.items import Range
from teamwright.protocol.runs import RunSpec
from teamwright.runtime.checks.reproducing import fixing_checks
from teamwright.runtime.reviews.material import Material, context_paths, gather
from teamwright.runtime.runs.registry import Request
from teamwright.runtime.services import Services
from teamwright.runtime.sessions.supervisor import Supervisor


@carries_out(table.REVIEW)
async def review(context: CommandContext, params: CodeActionParams) -> RunLaunched:
    return await _launch(context, "review", params)


@carries_out(table.EXPLAIN)
async def explain(context: CommandContext, params: CodeActionParams) -> RunLaunched:
    return await _launch(context, "explain", params)


@carries_out(table.FIX)
async def fix(context: CommandContext, params: CodeActionParams) -> RunLaunched:
    nothing_named = params.uri is None and params.range is None and params.diff is None and not params.finding_ids
    if params.checks is None and not nothing_named:
        return await _launch(context, "fix", params)
    run = await fix_run(context, params.checks or (), params.instructions, session_id=params.session_id)
    return await context.supervisor.launch_run(run, listener=context.client)


@carries_out(table.TEST)
async def test(context: CommandContext, params: CodeActionParams) -> RunLaunched:
    return await _launch(context, "test", params)


@carries_out(table.FINDING_DISMISS)
async def dismiss_findings(context: CommandContext, params: FindingDismissParams) -> FindingDismissResult:
    """Raises NotFound before anything is written."""
    sessions = [await context.supervisor.session_with(finding_id) for finding_id in params.finding_ids]
    for session in {session.session_id: session for session in sessions}.values():
        await context.attend(session)
        of_it = [finding_id for finding_id, at in zip(params.finding_ids, sessions, strict=True) if at is session]
        await session.dismiss(of_it)
    return FindingDismissResult(dismissed=params.finding_ids)


@dataclass(frozen=True, slots=True)
class ReviewPlace:
    """A file, some lines of it, or a directory."""

    path: WorkspacePath
    is_directory: bool
    lines: Range | None = None


async def review_run(
    context: CommandContext, places: Sequence[ReviewPlace], base: str | None, wishes: str, *, may_fix: bool
) -> LaunchRunParams:
    """The run that reviews several places at once, or with `base` what has changed since that revision.

    Raises BadParams, NotFound and NotPermitted where there is nothing that could be looked at.
    """
    services = await context.services()
    if base is not None:
        found = await gather(services, "review", CodeActionParams(diff=DiffBase(base=base)), ())
    else:
        found = _together([await _material(services, place) for place in places])
    material = Material(found.what, found.context, write=found.read) if may_fix else found
    return LaunchRunParams(
        task=code_action_task("review", material.what, wishes),
        context=material.context or None,
        context_paths=context_paths(services, material),
        review=True,
    )


async def _material(services: Services, place: ReviewPlace) -> Material:
    folders = services.client_context.folders
    if place.is_directory:
        return Material(f"`{render_path(place.path, folders.places)}`", "", read=(place.path,))
    params = CodeActionParams(uri=folders.uri(place.path), range=place.lines)
    return await gather(services, "review", params, ())


def _together(materials: Sequence[Material]) -> Material:
    return Material(
        ", ".join(material.what for material in materials),
        "\n\n".join(material.context for material in materials if material.context),
        read=tuple(dict.fromkeys(path for material in materials for path in material.read)),
    )


async def _launch(context: CommandContext, action: CodeActionKind, params: CodeActionParams) -> RunLaunched:
    supervisor, services = context.supervisor, await context.services()
    findings, home = await _findings(supervisor, params.finding_ids or ())
    material = await gather(services, action, params, findings)
    proofs = await _reproductions(context, params.finding_ids or (), home) if action == "fix" else ()
    told = reproductions_to_fix([(check.name, check.argv, check.files or ()) for check in proofs])
    spec = RunSpec(
        task=code_action_task(action, material.what, params.instructions),
        context="\n\n".join(filter(None, (material.context, told))),
        context_paths=context_paths(services, material),
        review=action == "review",
        # What is to be mended is known to fail: who does not mend it has not done the task.
        checks_policy="require" if proofs else None,
    )
    request = Request(by_user=(spec,), reproductions=proofs)
    return await supervisor.launch(
        request, params.session_id or home, context.client, about=spec.task.partition("\n")[0]
    )


async def _reproductions(
    context: CommandContext, finding_ids: Sequence[FindingId], home: SessionId | None
) -> tuple[CheckDefinition, ...]:
    """What was seen to fail because of the findings, as checks of the run that is to mend them."""
    if home is None:
        return ()
    session = await context.supervisor.existing(home)
    return fixing_checks(await context.services(), reproductions_of(session.state, finding_ids))


async def _findings(
    supervisor: Supervisor, finding_ids: Sequence[FindingId]
) -> tuple[list[AgreedFinding], SessionId | None]:
    """And the session in which they were found. Raises NotFound, and BadParams where they are of several sessions."""
    sessions = {
        session.session_id: session
        for session in [await supervisor.session_with(finding_id) for finding_id in finding_ids]
    }
    if len(sessions) > 1:
        raise BadParams([FieldError(path="findingIds", message="are of several sessions; take those of one")])
    for session_id, session in sessions.items():
        return findings_called(session.state, finding_ids), session_id
    return [], None
