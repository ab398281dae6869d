"""A run once more: what it was, as if a person asked for it anew, but for what is to be different."""

from typing import Final

from teamwright.protocol.runs import CoordinationOverrides, ResolvedRunSpec, RunSpec, RunSpecEdit

# Rules that follow from who takes part and whether they refine: with another team they follow anew.
_OF_THE_TEAM: Final = frozenset(
    {
        "max_new_answers_per_agent",
        "max_new_answers_global",
        "answer_novelty_requirement",
        "fairness_enabled",
        "fairness_lead_cap_answers",
        "defer_voting_until_all_answered",
        "disable_injection",
        "skip_voting",
        "skip_final_presentation",
        "final_answer_strategy",
    }
)


def repeated(spec: ResolvedRunSpec, changes: RunSpecEdit) -> RunSpec:
    """Its budget and its leave to run commands are not repeated: a person gives these anew, for each run."""
    agents = changes.agents or spec.agents
    changes_mode = changes.agent_mode not in (None, spec.agent_mode)
    is_another_team = changes_mode or changes.refinement not in (None, spec.refinement)
    said = changes.coordination_overrides.model_fields_set if changes.coordination_overrides is not None else set[str]()
    # Whether a person may still choose another winner follows from who is watching.
    left_out = {"override", *said, *(_OF_THE_TEAM if is_another_team else ())}
    if not spec.coordination_overrides.fairness_enabled:
        left_out.add("fairness_lead_cap_answers")
    rules = {name: value for name, value in dict(spec.coordination_overrides).items() if name not in left_out}
    as_it_was = {
        "task": spec.task,
        "context": spec.context,
        "agent_mode": spec.agent_mode,
        "agents": spec.agents,
        "refinement": spec.refinement,
        "planning_mode": spec.planning_mode,
        "execute_after_planning": spec.execute_after_planning or None,
        "review": spec.review or None,
        "context_paths": spec.context_paths,
        "agent_system_prompts": {agent: text for agent, text in spec.agent_system_prompts.items() if agent in agents},
        "checks": tuple(check.name for check in spec.checks) or None,
        "checks_policy": spec.checks_policy,
    }
    changed = {name: value for name, value in dict(changes).items() if value is not None}
    if changes.coordination_overrides is not None:
        rules |= {name: getattr(changes.coordination_overrides, name) for name in said}
    return RunSpec.model_validate(
        {**as_it_was, **changed, "coordination_overrides": CoordinationOverrides.model_validate(rules)}
    )
