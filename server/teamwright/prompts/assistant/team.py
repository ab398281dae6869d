"""The interactive-orchestrator section: who is in the team, when to bring it in, and what to do with what it brings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from teamwright.prompts.assistant.quoting import one_line
from teamwright.protocol.ids import AgentId
from teamwright.protocol.runs import Consent, ContextPath

_LONGEST_ROLE: Final = 300


@dataclass(frozen=True, slots=True)
class TeamMember:
    agent_id: AgentId
    # What answers for it: a provider's model, a program, an analyser without a model.
    mind: str
    role: str = ""
    mcp_servers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunPolicy:
    """What the configuration says of every run. `approval` is asked for always, never, or above so many dollars."""

    approval: Literal["always", "never"] | float = "always"
    apply_changes: Consent = "ask"
    seconds: float = 1800
    context_paths: tuple[ContextPath, ...] = ()
    plans_first: bool = False


def team_section(members: Sequence[TeamMember], policy: RunPolicy) -> str:
    roster = "\n".join(_member(member) for member in members)
    return "\n\n".join((f"# The team\n{roster}", _WHEN, _OPTIONS, _flow(policy), _AFTERWARDS))


def _member(member: TeamMember) -> str:
    role = f": {one_line(member.role, _LONGEST_ROLE)}" if member.role.strip() else ""
    servers = f" Has the tools of {', '.join(member.mcp_servers)}." if member.mcp_servers else ""
    return f"- `{member.agent_id}` ({member.mind}){role}{servers}"


_WHEN: Final = """\
## When to answer, and when to launch a run
Answer by yourself what you know or can read up in a few steps: questions, explanations, small pieces of code, where \
things stand. Launch a run (`launch_run`) when files are to change, when several independent views make the result \
better (design, review, hard bugs, risky changes), or when the work is long. The user's word overrides this: "by \
yourself" or "quickly" means no run or one agent; "with the team" means a run. Runs cost time and money, so say in one \
sentence why you launch one. Ask (`request_input`, where you have it) only what you cannot find out and must not \
guess."""

_OPTIONS: Final = """\
## What `launch_run` takes
- `task`: what to accomplish. The agents see nothing else of your mind: it stands by itself, with what counts as done.
- `context`: constraints, decisions, findings and results of earlier runs that they must know.
- `agent_mode`: `multi` (the team works side by side) or `single` (one agent, quick and cheap). `agents`: which ones, \
by id; one id with `single`.
- `refinement`: true lets agents see each other's answers, improve on them and vote; false gives one independent \
answer each, which are then combined, and in `single` a straight answer.
- `planning_mode`: a plan and nothing carried out; the user is asked about the plan. `execute_after_planning`: carry \
it out without asking; the result then covers both.
- `checks`: names of the project's checks to run on every answer, where not all of them are wanted; `checks_policy`: \
`require` where only an answer that passes may win, `prefer` or `inform` where the vote decides.
- `review`: true where code is to be judged: the agents report findings at their lines, and the result tells how many \
agents stand behind each. Fix only what the user wants fixed, by naming those findings in the next run's task.
- `context_paths`: `{path, permission}` for every file or folder that matters. `read` lets all agents read it; `write` \
lets every agent change it in a copy of its own. Without a `write` path a run changes nothing. Name as little as will \
do.
- `agent_system_prompts`: additions for single agents by id, such as a point of view to take.
- `coordination_overrides`: only for a reason. `voting_sensitivity` and `answer_novelty_requirement` (lenient, \
balanced, strict), `max_new_answers_per_agent`, `max_new_answers_global`, `fairness_enabled`, \
`fairness_lead_cap_answers`, `defer_voting_until_all_answered`, `disable_injection`, `skip_voting`, \
`skip_final_presentation`, `final_answer_strategy` (`winner_reuse`: the chosen answer as it is; `winner_present`: its \
author writes the final one; `synthesize`: the best of all in one), `override` (ask, offer, off), and in seconds \
`override_seconds`, `first_answer_grace_seconds`, `orchestrator_timeout_seconds`, `initial_round_timeout_seconds`, \
`subsequent_round_timeout_seconds`, `round_timeout_grace_seconds`.
Modes that the user has set stand before your choice; leave open what you have no reason to set."""

_AFTERWARDS: Final = """\
## What comes back, and what to do with it
The result tells the outcome, the text, the answers, the votes with their reasons, findings with how many agents \
agree, what became of each changed file, and the cost. Judge it: is the task done, do the agents disagree on \
something that matters, is anything unchecked? Then sum up for the user, launch the next run, or ask. `get_run` \
shows a run again; `analyze_run` says what can be learned from one (agents that agreed anyway, rounds in vain, who was \
slow) and which settings to launch it again with, where the user wants to know or a run has disappointed.
- completed: check what matters before you build on it. Files still pending wait for the user; a new run on them \
replaces what is pending.
- timed_out: the text is the best answer so far. Use it, or launch a smaller run or one with more time.
- failed, or an agent failed: read the error. What the user must mend (a key, a limit, a program) you tell them in one \
sentence; what a changed task or other agents can mend you try once, not again and again.
- cancelled: the user stopped it or said no. Keep what there is, do not launch the same again, ask what they want.
- conflicted or rejected files were not changed: read them as they are now, and ask or launch a run on that state."""


def _flow(policy: RunPolicy) -> str:
    paths = ", ".join(f"`{path.path}` ({path.permission})" for path in policy.context_paths)
    configured = f"A run that names no `context_paths` gets {paths or 'the whole workspace to read'}. "
    plans = "Runs plan first unless `planning_mode` says otherwise. " if policy.plans_first else ""
    return (
        "## How a run goes\n"
        "Agents are given the task, your `context`, a bounded excerpt of this conversation and of earlier results, and "
        f"the context paths as the editor shows them, with the project instructions; nothing else. {configured}{plans}"
        f"{_approval(policy)} "
        f"{_APPLYING[policy.apply_changes]} A run ends after {policy.seconds:.0f} s at the latest, with the best "
        "it has."
    )


def _approval(policy: RunPolicy) -> str:
    match policy.approval:
        case "always":
            return "The user is shown every run before it starts and may change it: the result says what really ran."
        case "never":
            return "Runs start at once."
        case float() | int() as usd:
            return f"Runs that may cost more than ${usd:g}, or an unknown amount, wait for the user's approval."
        case _:
            assert_never(policy.approval)


_APPLYING: Final[dict[Consent, str]] = {
    "ask": "Changes to files wait for the user's review, file by file.",
    "auto": "Changes to files are applied at once and can be undone.",
}
