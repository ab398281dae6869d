"""Going on with a run that has ended: another run, which begins with the answers of its agents. Pure."""

from typing import Final

from teamwright.engine.run.answers import answer_label
from teamwright.engine.run.following import FollowingFact
from teamwright.engine.run.state import RunState
from teamwright.protocol.events import AnswerSubmitted, MessageShared
from teamwright.protocol.ids import AnswerId
from teamwright.protocol.runs import ResolvedRunSpec, RunSpec

_GO_ON: Final = "Go on from where the work stopped."
_LEAD: Final = "This goes on with earlier work of yours, which was asked for with these words:"


def continuation(run: RunState, instructions: str | None) -> RunSpec:
    """What to ask for: the same team, paths and rules, with the new instruction as the task."""
    spec = run.spec
    rules = spec.coordination_overrides
    asked = "\n\n".join(filter(None, [spec.task, spec.context]))
    context = spec.context if instructions is None else f"{_LEAD}\n\n{asked}"
    cap = rules.max_new_answers_global
    # What it has answered before counts for one; it is to have as many tries as it had.
    more = {
        "max_new_answers_per_agent": rules.max_new_answers_per_agent + 1,
        "max_new_answers_global": None if cap is None else cap + len(spec.agents),
    }
    return RunSpec.model_validate(
        {
            "task": instructions or spec.task,
            "context": context,
            "agent_mode": spec.agent_mode,
            "agents": spec.agents,
            "refinement": spec.refinement,
            "review": spec.review,
            "planning_mode": spec.planning_mode,
            "context_paths": spec.context_paths,
            "agent_system_prompts": spec.agent_system_prompts,
            "coordination_overrides": {**dict(rules), **more},
            "budget": spec.budget,
            "checks": tuple(check.name for check in spec.checks),
            "checks_policy": spec.checks_policy,
            "allow_commands": spec.allow_commands,
            "task_id": spec.task_id,
        }
    )


def inherited(run: RunState, spec: ResolvedRunSpec, answer_ids: tuple[AnswerId, ...]) -> tuple[FollowingFact, ...]:
    """The facts that a continuing run begins with, behind its start: each agent's latest answer, as its first here."""
    latest = [agent.latest for agent in run.agents.values() if agent.latest is not None]
    return tuple(
        FollowingFact(
            AnswerSubmitted(
                answer_id=answer_id,
                label=answer_label(spec, answer.agent_id, 1),
                content=answer.content,
                plan=answer.plan,
                candidate=answer.candidate,
            ),
            answer.agent_id,
        )
        for answer, answer_id in zip(latest, answer_ids, strict=True)
        if answer.agent_id in spec.agents
    )


def word_to_all(run: RunState, spec: ResolvedRunSpec) -> MessageShared:
    """Without it, those who have answered would only vote on what they had."""
    text = spec.task if spec.task != run.spec.task else _GO_ON
    return MessageShared(sender="user", to=spec.agents, text=text)
