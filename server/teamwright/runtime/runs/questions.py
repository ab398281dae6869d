"""What a run asks a person: whether it may start, and later what it cannot decide itself."""

from datetime import timedelta
from typing import assert_never

from anyio import to_thread

from teamwright.config.backend_settings import McpServer
from teamwright.config.settings import Settings
from teamwright.engine.run.commands import RequestDecision
from teamwright.models.port import Model, ModelRequest, UserPrompt
from teamwright.permissions.paths import WorkspacePath, parse_path
from teamwright.permissions.rules import Rules, roots_of, whole_workspace
from teamwright.prompts.assistant.quoting import one_line
from teamwright.protocol.decisions import (
    BudgetDecision,
    BudgetDetail,
    ChangesDecision,
    ChangesDetail,
    Choice,
    CostEstimate,
    Decision,
    OverrideDecision,
    OverrideDetail,
    PathScope,
    PlanDecision,
    PlanDetail,
    RunDecision,
    RunDetail,
)
from teamwright.protocol.errors import NotFound
from teamwright.protocol.events import DecisionRequested, DecisionResolved
from teamwright.protocol.ids import DecisionId
from teamwright.protocol.modes import Modes
from teamwright.protocol.runs import ContextPath, ResolvedRunSpec
from teamwright.protocol.usage import Usage
from teamwright.runtime.identity import fresh_id, now
from teamwright.runtime.runs.check_choice import CheckOffer, offered_checks
from teamwright.runtime.runs.default_paths import whole_workspace_paths
from teamwright.runtime.runs.specification import run_approval
from teamwright.runtime.services import Services
from teamwright.workspace.files.listing import count_files

# About what one answer has, in tokens; only for the estimate that a person is shown.
_ANSWER_TOKENS = 1_500
_PROMPT_TOKENS = 1_500
_MOST_COUNTED = 10_000
_COUNTING_SECONDS = 1.0
_LONGEST_TITLE = 120


def assistant_rules(services: Services, modes: Modes) -> Rules:
    """What the session may do without a person: the assistant goes by them, and so do runs that a user launches."""
    places = services.client_context.folders.places
    return Rules(
        role="assistant",
        places=places,
        roots=whole_workspace(places),
        autonomy=modes.autonomy,
        trusted=services.client_context.trusted,
        repository=True,
        mcp_servers=frozenset(server.name for server in assistant_servers(services.team.settings)),
        run_approval=run_approval(services.team.settings),
        apply_changes=services.team.settings.orchestrator.interactive_mode.apply_changes,
    )


def assistant_servers(settings: Settings) -> tuple[McpServer, ...]:
    """Those of the whole team, and of the assistant's own model."""
    backend = settings.orchestrator.interactive_mode.backend
    return (*settings.mcp_servers, *(backend.mcp_servers if backend is not None else ()))


async def run_question(
    services: Services, spec: ResolvedRunSpec, cost: CostEstimate | None, *, reason: str
) -> RunDecision:
    files = await to_thread.run_sync(_scopes, services, spec)
    writing = _writing(services, spec)
    writes = spec if writing is None else spec.model_copy(update={"context_paths": writing})
    offer = await offered_checks(services, writes)
    checks = offer.proposed(spec) if writing is None else tuple(each.proposed for each in offer.judged)
    return RunDecision(
        decision_id=DecisionId(fresh_id("dec")),
        title=f"Run: {_first_line(spec.task)}",
        choices=(Choice(id="approve", label="Approve"), Choice(id="cancel", label="Cancel")),
        detail=RunDetail(
            spec=spec,
            files=files,
            estimate=cost,
            reason=reason,
            checks=checks,
            checks_off=offer.off if writing is None else None,
            writing=writing,
            without_sandbox=_is_unconfined(services, spec, offer) or None,
        ),
    )


def _writing(services: Services, spec: ResolvedRunSpec) -> tuple[ContextPath, ...] | None:
    """Its paths with permission to change the files that are meant, where that is for a person to grant: those that
    are named, else all that it reads. None where the run changes files anyway, or is about to change none."""
    writes = any(path.permission == "write" for path in spec.context_paths)
    if writes or spec.planning_mode or spec.review or not spec.context_paths:
        return None
    roots = {path.path for path in whole_workspace_paths(services.client_context.folders)}
    named = [path.path for path in spec.context_paths if path.path not in roots]
    return tuple(
        path.model_copy(update={"permission": "write"}) if not named or path.path in named else path
        for path in spec.context_paths
    )


def _is_unconfined(services: Services, spec: ResolvedRunSpec, offer: CheckOffer) -> bool:
    """Whether something may be run, and nobody shuts it in."""
    commands = services.team.settings.commands
    runs_something = bool(offer.judged) or commands.enabled or bool(spec.allow_commands)
    return commands.sandbox == "none" and runs_something


def _first_line(task: str) -> str:
    return one_line(task.strip().split("\n", 1)[0], _LONGEST_TITLE)


async def estimate(services: Services, spec: ResolvedRunSpec) -> CostEstimate | None:
    """From one round to as many as the limits allow. None where the price of any model is unknown."""
    low = high = 0.0
    rounds = 1 if not spec.refinement else spec.coordination_overrides.max_new_answers_per_agent
    for agent_id in spec.agents:
        model = services.team.model_of(agent_id)
        prompt = _prompt_tokens(model, spec)
        least = await model.cost_usd(_usage(prompt, calls=2))
        most = await model.cost_usd(_usage(prompt + rounds * len(spec.agents) * _ANSWER_TOKENS, calls=2 * rounds + 1))
        if least is None or most is None:
            return None
        low, high = low + least, high + most
    return CostEstimate(usd_low=low, usd_high=high)


def _prompt_tokens(model: Model, spec: ResolvedRunSpec) -> int:
    message = UserPrompt(f"{spec.task}\n{spec.context or ''}")
    return _PROMPT_TOKENS + model.estimated_tokens(ModelRequest(messages=(message,)))


def _usage(prompt: int, *, calls: int) -> Usage:
    return Usage(input_tokens=prompt * calls, output_tokens=_ANSWER_TOKENS * calls, calls=calls)


def _scopes(services: Services, spec: ResolvedRunSpec) -> tuple[PathScope, ...]:
    places = services.client_context.folders.places
    rules = Rules(role="agent", places=places, roots=roots_of(spec.context_paths, (), places))
    return tuple(
        PathScope(path=context.path, permission=context.permission, count=_count(services, rules, context.path))
        for context in spec.context_paths
    )


def _count(services: Services, rules: Rules, text: str) -> int:
    path = parse_path(text, rules.places)
    if not isinstance(path, WorkspacePath):
        return 0
    try:
        return count_files(services.live, path, rules, limit=_MOST_COUNTED, seconds=_COUNTING_SECONDS)
    except NotFound:
        # A path to be written to need not be there yet.
        return 0


def asked(decision: Decision, policy: str | None) -> tuple[DecisionRequested | DecisionResolved, ...]:
    """The facts of a question. One that a rule decides goes into the log with its answer."""
    requested = DecisionRequested(decision=decision)
    if policy is None:
        return (requested,)
    return requested, DecisionResolved(decision_id=decision.decision_id, choice=policy, by="policy")


def worded(command: RequestDecision) -> Decision:
    """With an id of its own, and from now on its time."""
    decision_id = DecisionId(fresh_id("dec"))
    title, choices = command.title, command.choices
    expires_at = None if command.expires_after is None else now() + timedelta(seconds=command.expires_after)
    match command.detail:
        case OverrideDetail() as detail:
            return OverrideDecision(
                decision_id=decision_id, title=title, choices=choices, expires_at=expires_at, detail=detail
            )
        case PlanDetail() as detail:
            return PlanDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
        case ChangesDetail() as detail:
            return ChangesDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
        case BudgetDetail() as detail:
            return BudgetDecision(decision_id=decision_id, title=title, choices=choices, detail=detail)
        case _:
            assert_never(command.detail)
