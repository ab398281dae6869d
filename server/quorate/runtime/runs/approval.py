"""The question whether a run may start: what it is to do, with whom, on which files, and what it may cost."""

from anyio import to_thread

from quorate.models.port import Model, ModelRequest, UserMessage
from quorate.permissions.paths import WorkspacePath, parse_path
from quorate.permissions.rules import Rules, roots_of, whole_workspace
from quorate.prompts.assistant.excerpts import one_line
from quorate.protocol.decisions import Choice, CostEstimate, PathScope, RunDecision, RunDetail
from quorate.protocol.errors import NotFound
from quorate.protocol.ids import DecisionId
from quorate.protocol.modes import Modes
from quorate.protocol.runs import ResolvedRunSpec
from quorate.protocol.usage import Usage
from quorate.runtime.house import House
from quorate.runtime.identity import fresh_id
from quorate.runtime.runs.defaults import run_approval
from quorate.workspace.listing import count_files

# About what one answer has, in tokens; only for the estimate that a person is shown.
_ANSWER_TOKENS = 1_500
_PROMPT_TOKENS = 1_500
_MOST_COUNTED = 10_000
_COUNTING_SECONDS = 1.0
_LONGEST_TITLE = 120


def assistant_rules(house: House, modes: Modes) -> Rules:
    """What the session may do without a person: the assistant goes by them, and so do runs that a user launches."""
    places = house.premises.folders.places
    return Rules(
        role="assistant",
        places=places,
        roots=whole_workspace(places),
        autonomy=modes.autonomy,
        trusted=house.premises.trusted,
        repository=True,
        run_approval=run_approval(house.team.settings),
    )


async def run_question(house: House, spec: ResolvedRunSpec, *, reason: str = "") -> RunDecision:
    files = await to_thread.run_sync(_scopes, house, spec)
    return RunDecision(
        decision_id=DecisionId(fresh_id("dec")),
        title=f"Run: {_first_line(spec.task)}",
        choices=(Choice(id="approve", label="Approve"), Choice(id="cancel", label="Cancel")),
        detail=RunDetail(spec=spec, files=files, estimate=await estimate(house, spec), reason=reason or _why(house)),
    )


def _first_line(task: str) -> str:
    return one_line(task.strip().split("\n", 1)[0], _LONGEST_TITLE)


def _why(house: House) -> str:
    return "" if house.premises.trusted else "this workspace is not trusted, so every run in it is asked about first"


async def estimate(house: House, spec: ResolvedRunSpec) -> CostEstimate | None:
    """From one round to as many as the limits allow. None where the price of any model is unknown."""
    low = high = 0.0
    rounds = 1 if not spec.refinement else spec.coordination_overrides.max_new_answers_per_agent
    for agent_id in spec.agents:
        model = house.team.model_of(agent_id)
        prompt = _prompt_tokens(model, spec)
        least = await model.cost_usd(_usage(prompt, calls=2))
        most = await model.cost_usd(_usage(prompt + rounds * len(spec.agents) * _ANSWER_TOKENS, calls=2 * rounds + 1))
        if least is None or most is None:
            return None
        low, high = low + least, high + most
    return CostEstimate(usd_low=low, usd_high=high)


def _prompt_tokens(model: Model, spec: ResolvedRunSpec) -> int:
    message = UserMessage(f"{spec.task}\n{spec.context or ''}")
    return _PROMPT_TOKENS + model.estimated_tokens(ModelRequest(messages=(message,)))


def _usage(prompt: int, *, calls: int) -> Usage:
    return Usage(input_tokens=prompt * calls, output_tokens=_ANSWER_TOKENS * calls, calls=calls)


def _scopes(house: House, spec: ResolvedRunSpec) -> tuple[PathScope, ...]:
    places = house.premises.folders.places
    rules = Rules(role="agent", places=places, roots=roots_of(spec.context_paths, (), places))
    return tuple(
        PathScope(path=context.path, permission=context.permission, count=_count(house, rules, context.path))
        for context in spec.context_paths
    )


def _count(house: House, rules: Rules, text: str) -> int:
    path = parse_path(text, rules.places)
    if not isinstance(path, WorkspacePath):
        return 0
    try:
        return count_files(house.live, path, rules, limit=_MOST_COUNTED, seconds=_COUNTING_SECONDS)
    except NotFound:
        # A path to be written to need not be there yet.
        return 0
