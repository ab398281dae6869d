"""What a run is to be: what was asked for and what is configured, checked against the team and the files before it
starts."""

from collections.abc import Sequence

from anyio import to_thread

from teamwright.config.settings import BudgetSettings, Settings
from teamwright.engine.run.resolve import RunDefaults, resolve_spec
from teamwright.permissions.paths import WorkspacePath, parse_path
from teamwright.permissions.rules import AlwaysAsk, AskAbove, NeverAsk, Rules, RunApproval, roots_of
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.modes import Modes
from teamwright.protocol.runs import ContextPath, CoordinationOverrides, ResolvedRunSpec, RunSpec
from teamwright.protocol.usage import Budget
from teamwright.runtime.runs.check_choice import with_checks
from teamwright.runtime.runs.default_paths import named_paths, together, whole_workspace_paths
from teamwright.runtime.services import Services


async def resolved(
    services: Services,
    modes: Modes,
    *,
    by_user: Sequence[RunSpec] = (),
    by_assistant: RunSpec | None = None,
    reproductions: tuple[CheckDefinition, ...] = (),
    attached: tuple[ContextPath, ...] = (),
    watched: bool,
    on_card: bool,
) -> ResolvedRunSpec:
    """`on_card`: a person sees on the card of its approval which checks it has. `attached` is what they have given
    along with the task. Raises BadParams that names every fault."""
    paths = await to_thread.run_sync(_default_paths, services, by_user, by_assistant, attached)
    spec = resolve_spec(
        team=services.team.agent_ids,
        defaults=_run_defaults(services.team.settings, paths),
        modes=modes,
        by_user=by_user,
        by_assistant=by_assistant,
        watched=watched,
    )
    roots_of(spec.context_paths, protected_paths(services.team.settings), services.client_context.folders.places)
    if missing := await to_thread.run_sync(_missing, services, spec):
        raise BadParams(missing)
    requests = (*by_user, by_assistant) if by_assistant is not None else by_user
    # Whether commands run on the user's machine is for nobody else to say.
    allowed = next((each.allow_commands for each in by_user if each.allow_commands is not None), False)
    spec = spec.model_copy(update={"allow_commands": allowed, "checks": reproductions})
    return await with_checks(services, spec, requests, on_card=on_card)


def _default_paths(
    services: Services, by_user: Sequence[RunSpec], by_assistant: RunSpec | None, attached: tuple[ContextPath, ...]
) -> tuple[ContextPath, ...]:
    """For a run of which nobody says what it may read: what is configured, else the workspace; and what is meant."""
    folders = services.client_context.folders
    configured = tuple(
        ContextPath(path=entry.path, permission=entry.permission)
        for entry in services.team.settings.orchestrator.context_paths
    )
    task = next((each.task for each in by_user if each.task), None)
    if task is None and by_assistant is not None and not configured:
        # The assistant's words do not open what the configuration leaves out; a person's do.
        task = by_assistant.task
    named = named_paths(task or "", folders)
    return together(configured or whole_workspace_paths(folders), attached, named)


def _missing(services: Services, spec: ResolvedRunSpec) -> list[FieldError]:
    return [*_missing_means(services, spec), *_missing_paths(services, spec)]


def _missing_means(services: Services, spec: ResolvedRunSpec) -> list[FieldError]:
    """A key or a program that is not there now will not be there in a minute either."""
    return [
        FieldError(path="agents", message=f"{agent_id} cannot answer: {lacking}; or leave {agent_id} out")
        for agent_id in spec.agents
        for lacking in services.team.lacking(agent_id)
    ]


def _missing_paths(services: Services, spec: ResolvedRunSpec) -> list[FieldError]:
    """A path to be written to may still be created; one to be read must be there."""
    folders = services.client_context.folders
    faults: list[FieldError] = []
    for index, context in enumerate(spec.context_paths):
        path = parse_path(context.path, folders.places)
        if context.permission == "read" and isinstance(path, WorkspacePath):
            on_disk = folders.root(path).path.joinpath(*path.parts)
            if not on_disk.exists():
                message = f"{context.path!r} does not exist; correct the path or leave it out"
                faults.append(FieldError(path=f"contextPaths.{index}.path", message=message))
    return faults


def _run_defaults(settings: Settings, context_paths: tuple[ContextPath, ...]) -> RunDefaults:
    orchestrator, times = settings.orchestrator, settings.timeout_settings
    rules = CoordinationOverrides(
        voting_sensitivity=orchestrator.voting_sensitivity,
        max_new_answers_per_agent=orchestrator.max_new_answers_per_agent,
        max_new_answers_global=orchestrator.max_new_answers_global,
        answer_novelty_requirement=orchestrator.answer_novelty_requirement,
        fairness_enabled=orchestrator.fairness_enabled,
        fairness_lead_cap_answers=orchestrator.fairness_lead_cap_answers,
        defer_voting_until_all_answered=orchestrator.defer_voting_until_all_answered,
        disable_injection=orchestrator.disable_injection,
        skip_voting=orchestrator.skip_voting,
        skip_final_presentation=orchestrator.skip_final_presentation,
        final_answer_strategy=orchestrator.final_answer_strategy,
        override=orchestrator.interactive_mode.override,
        override_seconds=orchestrator.interactive_mode.override_seconds,
        first_answer_grace_seconds=times.first_answer_grace_seconds,
        orchestrator_timeout_seconds=times.orchestrator_timeout_seconds,
        initial_round_timeout_seconds=times.initial_round_timeout_seconds,
        subsequent_round_timeout_seconds=times.subsequent_round_timeout_seconds,
        round_timeout_grace_seconds=times.round_timeout_grace_seconds,
    )
    return RunDefaults(
        rules=rules,
        context_paths=context_paths,
        planning_mode=orchestrator.coordination.enable_planning_mode,
        budget=_limits(settings.orchestrator.interactive_mode.budget),
    )


def run_approval(settings: Settings) -> RunApproval:
    match settings.orchestrator.interactive_mode.require_approval:
        case True:
            return AlwaysAsk()
        case False:
            return NeverAsk()
        case threshold:
            return AskAbove(threshold.above_usd)


def protected_paths(settings: Settings) -> tuple[str, ...]:
    """Wherever they are listed."""
    orchestrator = settings.orchestrator
    listed = (path for context_path in orchestrator.context_paths for path in context_path.protected_paths)
    return tuple(dict.fromkeys((*orchestrator.protected_paths, *listed)))


def presenter_rules(services: Services, spec: ResolvedRunSpec) -> Rules:
    """What a presenter of the run may write as things stand now: a folder that is closed by now grants nothing."""
    places = services.client_context.folders.places
    open_paths = [each for each in spec.context_paths if isinstance(parse_path(each.path, places), WorkspacePath)]
    return Rules(
        role="presenter",
        places=places,
        roots=roots_of(open_paths, protected_paths(services.team.settings), places),
    )


def session_budget(settings: Settings) -> Budget | None:
    return _limits(settings.orchestrator.interactive_mode.session_budget)


def _limits(budget: BudgetSettings) -> Budget | None:
    if budget.usd is None and budget.tokens is None and budget.seconds is None:
        return None
    return Budget(usd=budget.usd, tokens=budget.tokens, seconds=budget.seconds)
