"""The settings as the rest of the program uses them: typed, complete, immutable."""

import re
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from teamwright.config.backend_settings import BackendSettings, McpServer
from teamwright.config.check_settings import CheckSettings, CommandSettings
from teamwright.config.section import Count, EmptyListIfNull, EmptyMapIfNull, Seconds, Section, Text, Tokens, Url, Usd
from teamwright.protocol.base import MAX_COUNT, MAX_SECONDS, MAX_USD
from teamwright.protocol.checks import ChecksPolicy
from teamwright.protocol.ids import AgentId
from teamwright.protocol.lookalikes import mixes_scripts, skeleton
from teamwright.protocol.modes import Autonomy
from teamwright.protocol.runs import FinalAnswerStrategy, OverridePolicy, Permission, Strictness
from teamwright.protocol.visible_text import visible

MOST_ANSWERS_PER_AGENT: Final = 10
_LONGEST_AGENT_NAME: Final = 64
# Who else speaks in a conversation, is spoken of in it, or is a word of a decision.
_RESERVED_NAMES: Final = frozenset(
    [
        "user",
        "theuser",
        "human",
        "person",
        "you",
        "me",
        "system",
        "developer",
        "assistant",
        "theassistant",
        "tool",
        "tools",
        "function",
        "model",
        "ai",
        "everyone",
        "everybody",
        "all",
        "nobody",
        "none",
        "team",
        "theteam",
        "teamwright",
        "orchestrator",
        "admin",
        "administrator",
        "root",
        "approve",
        "cancel",
        "yes",
        "no",
    ]
)


def _agent_name(value: str) -> str:
    if not (0 < len(value) <= _LONGEST_AGENT_NAME) or value != value.strip() or re.search(r"[\x00-\x1f/\\]", value):
        right = "write 1 to 64 characters with no slash, line break or outer blank"
        raise PydanticCustomError("agent_name", "is not the name of an agent, {right}", {"right": right})
    if visible(value) != value or mixes_scripts(value):
        right = "write it with letters of one script, all of which are seen"
        raise PydanticCustomError("agent_name", "is not the name of an agent, {right}", {"right": right})
    if re.sub(r"[\W_]+", "", skeleton(value)) in _RESERVED_NAMES:
        right = "an agent would be taken for somebody else; choose another name"
        raise PydanticCustomError("agent_name", "cannot be the name of an agent, {right}", {"right": right})
    return value


class AgentSettings(Section):
    id: Annotated[AgentId, AfterValidator(_agent_name)] = Field(
        description="The agent's name, unique in the team. Unset: agent1, agent2 and so on."
    )
    backend: BackendSettings = Field(description="The model behind the agent.")
    system_message: str | None = Field(
        default=None, description="What this agent is told about its part, besides the rules of the run."
    )


class ContextPathSettings(Section):
    path: Text = Field(description="A file or directory, relative to the first workspace folder or absolute.")
    permission: Permission = Field(
        default="read", description="read, or write: then the presenter may propose changes to it."
    )
    protected_paths: tuple[Text, ...] = Field(
        default=(), description="Paths inside it that are never written, relative to the first workspace folder."
    )


class CoordinationSettings(Section):
    enable_planning_mode: bool = Field(
        default=False, description="Agents agree on a plan before anything is carried out."
    )
    max_orchestration_restarts: Annotated[int, Field(ge=0, le=MAX_COUNT)] = Field(
        default=0, description="How often a run may start over when its result is found wanting."
    )


class BudgetSettings(Section):
    unknown_keys: ClassVar = "fault"

    usd: Usd | None = Field(default=None, description="The most money, in US dollars.")
    tokens: Tokens | None = Field(default=None, description="The most tokens, read and written.")
    seconds: Seconds | None = Field(default=None, description="The longest time at work, waiting for you aside.")


class ApprovalThreshold(Section):
    unknown_keys: ClassVar = "fault"

    above_usd: Annotated[float, Field(ge=0, le=MAX_USD)] = Field(
        description="Runs whose estimate is above this many US dollars, or unknown, wait for your approval."
    )


def _approval_form(value: object) -> Literal["switch", "threshold"] | None:
    if isinstance(value, bool):
        return "switch"
    return "threshold" if isinstance(value, dict | ApprovalThreshold) else None


Approval = Annotated[
    Annotated[bool, Tag("switch")] | Annotated[ApprovalThreshold, Tag("threshold")],
    Discriminator(
        _approval_form,
        custom_error_type="approval",
        custom_error_message="must be true, false or a threshold such as {above_usd: 0.5}",
    ),
]


def _override(value: Any) -> Any:
    # YAML 1.1 reads a bare off and on as switches.
    return {False: "off", True: "offer"}[value] if isinstance(value, bool) else value


class InteractiveSettings(Section):
    unknown_keys: ClassVar = "fault"

    enabled: bool = Field(default=True, description="Whether there is an assistant to chat with.")
    require_approval: Approval = Field(
        default=True, description="Whether a run waits for your approval: true, false or {above_usd: 0.5}."
    )
    apply_changes: Literal["ask", "auto"] = Field(
        default="ask",
        description="Whether proposed changes wait for you (ask) or are applied at once (auto). "
        "In a workspace that is not trusted they always wait.",
    )
    backend: BackendSettings | None = Field(
        default=None, description="The assistant's own model. Unset: the first agent's."
    )
    append_system_prompt: str | None = Field(default=None, description="Added to what the assistant is told.")
    override: Annotated[OverridePolicy, BeforeValidator(_override)] = Field(
        default="offer",
        description="Choosing another presenter after the vote: ask waits for you, offer waits a while, off never.",
    )
    override_seconds: Seconds = Field(default=5, description="How long that offer waits.")
    autonomy: Autonomy = Field(
        default="hitl", description="hitl: the assistant may stop and ask you. autonomous: it never does."
    )
    resume: Literal["ask", "auto"] = Field(
        default="ask", description="Whether what was at work before a crash goes on by itself (auto) or asks you first."
    )
    max_steps: Count = Field(default=10, description="The most steps of a turn in autonomous mode.")
    max_active_sessions: Count = Field(default=5, description="How many sessions may be at work at once.")
    idle_minutes: Annotated[float, Field(gt=0, le=MAX_SECONDS / 60)] = Field(
        default=30, description="After how long without use a session is put away. Nothing of it is lost."
    )
    budget: Annotated[BudgetSettings, EmptyMapIfNull] = Field(
        default=BudgetSettings(), description="What a run may cost before it asks you or stops."
    )
    session_budget: Annotated[BudgetSettings, EmptyMapIfNull] = Field(
        default=BudgetSettings(),
        description="The same for a session: what the assistant's calls and all runs may cost together.",
    )


def _answers_per_agent(value: Any) -> Any:
    return MOST_ANSWERS_PER_AGENT if value is None else value


class OrchestratorSettings(Section):
    context_paths: Annotated[tuple[ContextPathSettings, ...], EmptyListIfNull] = Field(
        default=(), description="Files and directories that every run may read or write."
    )
    protected_paths: Annotated[tuple[Text, ...], EmptyListIfNull] = Field(
        default=(),
        description="Paths that no run writes, relative to the first workspace folder; a workspace only adds to yours.",
    )
    voting_sensitivity: Strictness = Field(
        default="lenient", description="How critical agents are when they vote: lenient, balanced or strict."
    )
    max_new_answers_per_agent: Annotated[Count, BeforeValidator(_answers_per_agent)] = Field(
        default=3, description="How many answers one agent may give in a run. null: 10."
    )
    max_new_answers_global: Count | None = Field(
        default=None, description="How many answers all agents together may give in a run. null: no such limit."
    )
    answer_novelty_requirement: Strictness = Field(
        default="lenient", description="How much a further answer must differ: lenient, balanced or strict."
    )
    fairness_enabled: bool = Field(default=True, description="Keep fast agents from running ahead of slow ones.")
    fairness_lead_cap_answers: Count = Field(
        default=2, description="By how many answers an agent may be ahead of the slowest one."
    )
    defer_voting_until_all_answered: bool = Field(
        default=False, description="No one votes before every agent at work has given an answer."
    )
    disable_injection: bool = Field(
        default=False, description="Do not show new answers to agents in the middle of their work."
    )
    skip_voting: bool = Field(default=False, description="No vote: agents answer, and the presenter goes on.")
    skip_final_presentation: bool = Field(
        default=False, description="The winner's answer is the result as it stands, where nothing is to be written."
    )
    final_answer_strategy: FinalAnswerStrategy | None = Field(
        default=None,
        description="winner_reuse: the winner's answer verbatim. winner_present: the winner writes the final one. "
        "synthesize: the presenter combines all answers. null: by the run's mode.",
    )
    coordination: Annotated[CoordinationSettings, EmptyMapIfNull] = Field(
        default=CoordinationSettings(), description="Planning and restarts."
    )
    interactive_mode: Annotated[InteractiveSettings, EmptyMapIfNull] = Field(
        default=InteractiveSettings(), description="The assistant, and what it may do without asking."
    )


class TimeoutSettings(Section):
    unknown_keys: ClassVar = "fault"

    orchestrator_timeout_seconds: Seconds = Field(
        default=1800, description="How long a run may take. Then its best answer so far is the result."
    )
    initial_round_timeout_seconds: Seconds | None = Field(
        default=None, description="After how long an agent is told to wrap up its first answer. null: never."
    )
    subsequent_round_timeout_seconds: Seconds | None = Field(
        default=None, description="After how long an agent is told to wrap up an evaluation. null: never."
    )
    round_timeout_grace_seconds: Seconds = Field(
        default=120, description="How long an agent that was told to wrap up still has."
    )
    first_answer_grace_seconds: Seconds = Field(
        default=120, description="How long agents with an answer wait for those still at work on their first."
    )


class Settings(Section):
    agents: tuple[AgentSettings, ...] = Field(
        default=(), description="The team. Unset: whatever keys, programs and model servers are found."
    )
    orchestrator: Annotated[OrchestratorSettings, EmptyMapIfNull] = Field(
        default=OrchestratorSettings(), description="How a run goes."
    )
    timeout_settings: Annotated[TimeoutSettings, EmptyMapIfNull] = Field(
        default=TimeoutSettings(), description="How long a run and its rounds may take."
    )
    mcp_servers: Annotated[tuple[McpServer, ...], EmptyListIfNull] = Field(
        default=(), description="MCP servers whose tools the team and the assistant may use."
    )
    checks: Annotated[tuple[CheckSettings, ...], EmptyListIfNull] = Field(
        default=(),
        description="Commands of the project that say whether it works: tests, types, lint, build. Those of your own "
        "configuration run unasked; those of a workspace's are proposed to you. Unset: discovered, and proposed.",
    )
    checks_policy: ChecksPolicy = Field(
        default="prefer",
        description="What checks mean for the vote. prefer: votes decide, checks break ties. require: only the answers "
        "that stand best may win. inform: checks are shown and decide nothing.",
    )
    checks_wait_seconds: Seconds = Field(
        default=300, description="How long agents wait for the checks of an answer before they judge it without."
    )
    commands: Annotated[CommandSettings, EmptyMapIfNull] = Field(
        default=CommandSettings(), description="Whether agents may run commands, and how checks and commands are run."
    )
    trusted_base_urls: tuple[Url, ...] = Field(
        default=(),
        description="Addresses that a workspace's configuration may send your keys to. "
        "Read from your own configuration only.",
    )
