"""What a run is asked to do: the specification as a person or the assistant writes it, and as it runs."""

from typing import Annotated, Literal

from pydantic import Field

from teamwright.protocol.base import MAX_COUNT, MAX_NAMES, MAX_SECONDS, MAX_TEXT, Maybe, Wire
from teamwright.protocol.checks import CheckDefinition, ChecksPolicy
from teamwright.protocol.ids import AgentId, ItemId, RunId
from teamwright.protocol.plans import MAX_ID
from teamwright.protocol.usage import Budget

AgentMode = Literal["single", "multi"]
Permission = Literal["read", "write"]
FinalAnswerStrategy = Literal["winner_reuse", "winner_present", "synthesize"]
Strictness = Literal["lenient", "balanced", "strict"]
OverridePolicy = Literal["ask", "offer", "off"]
# Whether a person is asked, or it goes ahead.
Consent = Literal["ask", "auto"]

Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]


class ContextPath(Wire):
    path: str = Field(min_length=1, max_length=MAX_TEXT)
    permission: Permission = "read"


class CoordinationOverrides(Wire):
    """The rules of coordination that one run may set for itself; what is left out comes from the configuration."""

    voting_sensitivity: Maybe[Strictness] = None
    # Unset is the configured limit; an explicit null, told apart by `model_fields_set`, is the highest one.
    max_new_answers_per_agent: Maybe[Count] = None
    max_new_answers_global: Maybe[Count] = None
    answer_novelty_requirement: Maybe[Strictness] = None
    fairness_enabled: Maybe[bool] = None
    fairness_lead_cap_answers: Maybe[Count] = None
    defer_voting_until_all_answered: Maybe[bool] = None
    disable_injection: Maybe[bool] = None
    skip_voting: Maybe[bool] = None
    skip_final_presentation: Maybe[bool] = None
    final_answer_strategy: Maybe[FinalAnswerStrategy] = None
    override: Maybe[OverridePolicy] = None
    override_seconds: Maybe[Seconds] = None
    first_answer_grace_seconds: Maybe[Seconds] = None
    orchestrator_timeout_seconds: Maybe[Seconds] = None
    initial_round_timeout_seconds: Maybe[Seconds] = None
    subsequent_round_timeout_seconds: Maybe[Seconds] = None
    round_timeout_grace_seconds: Maybe[Seconds] = None


class Coordination(Wire):
    """The rules of coordination with every default filled in."""

    voting_sensitivity: Strictness = "lenient"
    max_new_answers_per_agent: Count = 3
    max_new_answers_global: Count | None = None
    answer_novelty_requirement: Strictness = "lenient"
    fairness_enabled: bool = True
    fairness_lead_cap_answers: Count = 2
    defer_voting_until_all_answered: bool = False
    disable_injection: bool = False
    skip_voting: bool = False
    skip_final_presentation: bool = False
    final_answer_strategy: FinalAnswerStrategy = "winner_present"
    override: OverridePolicy = "offer"
    override_seconds: Seconds = 5
    first_answer_grace_seconds: Seconds = 120
    orchestrator_timeout_seconds: Seconds = 1800
    initial_round_timeout_seconds: Seconds | None = None
    subsequent_round_timeout_seconds: Seconds | None = None
    round_timeout_grace_seconds: Seconds = 120


class RunSpec(Wire):
    """As asked for: everything but the task may be left to the modes and the configuration."""

    task: str = Field(min_length=1, max_length=MAX_TEXT)
    context: Maybe[str] = Field(default=None, max_length=MAX_TEXT)
    agent_mode: Maybe[AgentMode] = None
    agents: Maybe[tuple[AgentId, ...]] = Field(default=None, max_length=MAX_NAMES)
    refinement: Maybe[bool] = None
    planning_mode: Maybe[bool] = None
    execute_after_planning: Maybe[bool] = None
    # Whether its agents report findings at their places, beside their answers.
    review: Maybe[bool] = None
    context_paths: Maybe[tuple[ContextPath, ...]] = Field(default=None, max_length=MAX_NAMES)
    agent_system_prompts: Maybe[dict[AgentId, str]] = None
    coordination_overrides: Maybe[CoordinationOverrides] = None
    budget: Maybe[Budget] = None
    # Names: of all that could be run only these.
    checks: Maybe[tuple[str, ...]] = None
    checks_policy: Maybe[ChecksPolicy] = None
    # Whether its agents may run commands in their copies.
    allow_commands: Maybe[bool] = None
    # The entry of the session's task list that it is for.
    task_id: Maybe[str] = Field(default=None, max_length=MAX_ID)


class RunSpecEdit(RunSpec):
    """What a person changes in a specification before approving it."""

    task: Maybe[str] = Field(default=None, min_length=1, max_length=MAX_TEXT)  # pyright: ignore[reportIncompatibleVariableOverride]


class ResolvedRunSpec(Wire):
    """As it runs: nothing is left open, so that the log alone says what was done."""

    task: str
    context: Maybe[str] = None
    agent_mode: AgentMode
    agents: tuple[AgentId, ...] = Field(min_length=1)
    refinement: bool
    planning_mode: bool = False
    execute_after_planning: bool = False
    review: bool = False
    context_paths: tuple[ContextPath, ...] = ()
    agent_system_prompts: dict[AgentId, str] = {}
    coordination_overrides: Coordination = Coordination()
    budget: Maybe[Budget] = None
    # Those that a person has ticked or configured, and no others.
    checks: tuple[CheckDefinition, ...] = ()
    checks_policy: ChecksPolicy = "prefer"
    checks_wait_seconds: Seconds = 300
    allow_commands: bool = False
    task_id: Maybe[str] = None
    # The assistant's call that it is the answer to: one answer may have several.
    call: Maybe[ItemId] = None
    # The run that it goes on with: its agents begin with their answers and conversations there.
    continues: Maybe[RunId] = None
    truncated: Maybe[bool] = None
