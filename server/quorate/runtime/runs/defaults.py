"""What the configuration says of runs, in the words of the engine."""

from quorate.config.settings import BudgetSettings, Settings
from quorate.engine.resolve import RunDefaults
from quorate.permissions.rules import AlwaysAsk, AskAbove, NeverAsk, RunApproval
from quorate.protocol.runs import ContextPath, CoordinationOverrides
from quorate.protocol.usage import Budget


def run_defaults(settings: Settings) -> RunDefaults:
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
        first_answer_grace_seconds=times.first_answer_grace_seconds,
        orchestrator_timeout_seconds=times.orchestrator_timeout_seconds,
        initial_round_timeout_seconds=times.initial_round_timeout_seconds,
        subsequent_round_timeout_seconds=times.subsequent_round_timeout_seconds,
        round_timeout_grace_seconds=times.round_timeout_grace_seconds,
    )
    return RunDefaults(
        rules=rules,
        context_paths=tuple(
            ContextPath(path=entry.path, permission=entry.permission) for entry in orchestrator.context_paths
        ),
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
    return tuple(path for entry in settings.orchestrator.context_paths for path in entry.protected_paths)


def session_budget(settings: Settings) -> Budget | None:
    return _limits(settings.orchestrator.interactive_mode.session_budget)


def _limits(budget: BudgetSettings) -> Budget | None:
    if budget.usd is None and budget.tokens is None and budget.seconds is None:
        return None
    return Budget(usd=budget.usd, tokens=budget.tokens, seconds=budget.seconds)
