"""From what was asked for to what runs."""

from typing import Any

import pytest

from teamwright.engine.run.resolve import RunDefaults, resolve_spec
from teamwright.protocol.errors import BadParams
from teamwright.protocol.ids import AgentId
from teamwright.protocol.modes import Modes
from teamwright.protocol.runs import ContextPath, CoordinationOverrides, ResolvedRunSpec, RunSpec, RunSpecEdit
from teamwright.protocol.usage import Budget

TEAM = (AgentId("claude"), AgentId("gpt"), AgentId("gemini"))
WRITE = ({"path": "src", "permission": "write"},)


def resolve(
    asked: dict[str, Any] | None = None,
    *,
    edit: dict[str, Any] | None = None,
    assistant: dict[str, Any] | None = None,
    modes: dict[str, Any] | None = None,
    config: dict[str, Any] | None = None,
    watched: bool = True,
    **defaults: Any,
) -> ResolvedRunSpec:
    by_user: list[RunSpec] = [RunSpecEdit.model_validate(edit)] if edit is not None else []
    if assistant is None or asked is not None:
        by_user.append(RunSpec.model_validate({"task": "t", **(asked or {})}))
    return resolve_spec(
        team=TEAM,
        defaults=RunDefaults(CoordinationOverrides.model_validate(config or {}), **defaults),
        modes=Modes.model_validate(modes or {}),
        by_user=by_user,
        by_assistant=None if assistant is None else RunSpec.model_validate({"task": "t", **assistant}),
        watched=watched,
    )


def shape(spec: ResolvedRunSpec) -> tuple[str, tuple[str, ...], bool]:
    return spec.agent_mode, spec.agents, spec.refinement


def rules(spec: ResolvedRunSpec, *names: str) -> list[Any]:
    return [getattr(spec.coordination_overrides, name) for name in names]


def refused(**asked: Any) -> str:
    with pytest.raises(BadParams) as fault:
        resolve(**asked)
    return fault.value.message


def test_by_default_the_whole_team_refines_and_the_winner_presents() -> None:
    spec = resolve()
    assert shape(spec) == ("multi", TEAM, True)
    assert rules(spec, "final_answer_strategy", "max_new_answers_per_agent", "override") == [
        "winner_present",
        3,
        "offer",
    ]


def test_the_team_without_refinement_answers_once_votes_late_and_combines() -> None:
    spec = resolve({"refinement": False})
    names = ("max_new_answers_per_agent", "defer_voting_until_all_answered", "final_answer_strategy", "skip_voting")
    assert rules(spec, *names) == [1, True, "synthesize", False]


def test_without_refinement_another_strategy_can_still_be_asked_for_or_configured() -> None:
    asked = resolve({"refinement": False, "coordination_overrides": {"final_answer_strategy": "winner_reuse"}})
    configured = resolve({"refinement": False}, config={"final_answer_strategy": "winner_present"})
    assert rules(asked, "final_answer_strategy") + rules(configured, "final_answer_strategy") == [
        "winner_reuse",
        "winner_present",
    ]


def test_a_single_agent_answers_directly_unless_refinement_is_asked_for() -> None:
    spec = resolve({"agent_mode": "single"})
    assert shape(spec) == ("single", ("claude",), False)
    assert rules(spec, "skip_voting", "final_answer_strategy", "override", "max_new_answers_per_agent") == [
        True,
        "winner_reuse",
        "off",
        1,
    ]
    refining = resolve({"agent_mode": "single", "refinement": True})
    assert shape(refining) == ("single", ("claude",), True)
    assert rules(refining, "skip_voting", "final_answer_strategy") == [False, "winner_present"]


def test_a_team_of_one_is_a_single_agent_with_the_same_refinement() -> None:
    assert shape(resolve({"agents": ["gpt"]})) == ("single", ("gpt",), True)
    assert shape(resolve({"agents": ["gpt"], "refinement": False})) == ("single", ("gpt",), False)


def test_a_single_agent_is_the_named_one_else_the_modes_else_the_first() -> None:
    assert resolve({"agent_mode": "single", "agents": ["gpt"]}, modes={"agent_id": "gemini"}).agents == ("gpt",)
    assert resolve({"agent_mode": "single"}, modes={"agent_id": "gemini"}).agents == ("gemini",)
    assert resolve({"agent_mode": "single"}).agents == ("claude",)


def test_a_single_agent_cannot_be_several() -> None:
    assert refused(asked={"agent_mode": "single", "agents": ["gpt", "claude"]}) == (
        'agents: a single agent was asked for, but several are named; name one, or set agentMode to "multi"'
    )


def test_the_persons_words_hold_before_the_modes_those_before_the_assistants_those_before_the_configuration() -> None:
    def refinement(**layers: Any) -> bool:
        return resolve(**layers).refinement

    assistant, modes = {"refinement": False}, {"refinement": True}
    assert refinement(assistant=assistant) is False
    assert refinement(assistant=assistant, modes=modes) is True
    assert refinement(assistant=assistant, modes=modes, edit={"refinement": False}) is False
    assert refinement(asked={"refinement": False}, edit={"refinement": True}) is True


def test_the_modes_overrule_the_assistants_choice_of_a_team() -> None:
    spec = resolve(assistant={"agents": ["gpt", "gemini"]}, modes={"agent_mode": "single"})
    assert shape(spec) == ("single", ("gpt",), False)
    spec = resolve(assistant={"agents": ["gpt", "gemini"]}, modes={"agent_mode": "single", "agent_id": "claude"})
    assert shape(spec) == ("single", ("claude",), False)


def test_an_edit_changes_what_the_assistant_asked_for() -> None:
    spec = resolve(assistant={"task": "old", "context": "kept", "agents": ["gpt"]}, edit={"task": "new"})
    assert (spec.task, spec.context, spec.agents) == ("new", "kept", ("gpt",))


def test_an_unknown_agent_is_refused_with_the_nearest_one() -> None:
    assert refused(asked={"agents": ["cloude"]}) == "agents: there is no agent 'cloude'; did you mean 'claude'?"
    assert refused(asked={"agents": ["x"]}) == "agents: there is no agent 'x'; the team is claude, gpt, gemini"
    assert refused(asked={"agent_mode": "single"}, modes={"agent_id": "gtp"}) == (
        "modes.agentId: there is no agent 'gtp'; did you mean 'gpt'?"
    )


def test_no_agents_or_the_same_twice_are_refused() -> None:
    assert refused(asked={"agents": []}) == "agents: at least one agent is needed"
    assert refused(asked={"agents": ["gpt", "gpt"]}) == "agents: an agent is named twice"


def test_all_faults_are_named_at_once() -> None:
    message = refused(asked={"agents": ["x"], "execute_after_planning": True})
    assert message.split("; ")[0].startswith("agents:")
    assert "executeAfterPlanning: there is no plan to carry out" in message


def test_an_unset_number_of_answers_is_the_configured_one_and_an_explicit_null_is_ten() -> None:
    def answers(overrides: dict[str, Any], config: dict[str, Any] | None = None) -> Any:
        spec = resolve({"coordination_overrides": overrides}, config=config)
        return spec.coordination_overrides.max_new_answers_per_agent

    assert answers({}) == 3
    assert answers({}, {"max_new_answers_per_agent": 5}) == 5
    assert answers({"max_new_answers_per_agent": None}, {"max_new_answers_per_agent": 5}) == 10
    assert answers({"max_new_answers_per_agent": 2}) == 2


def test_a_configured_limit_can_be_lifted_for_one_run() -> None:
    config = {"max_new_answers_global": 4, "initial_round_timeout_seconds": 60, "voting_sensitivity": "strict"}
    overrides = {"max_new_answers_global": None, "initial_round_timeout_seconds": None, "voting_sensitivity": None}
    spec = resolve({"coordination_overrides": overrides}, config=config)
    assert rules(spec, *config) == [None, None, "strict"]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"refinement": False, "coordination_overrides": {"max_new_answers_per_agent": 2}}, "maxNewAnswersPerAgent"),
        (
            {"refinement": False, "coordination_overrides": {"defer_voting_until_all_answered": False}},
            "deferVotingUntilAllAnswered",
        ),
        ({"agent_mode": "single", "coordination_overrides": {"skip_voting": False}}, "skipVoting"),
        (
            {"agent_mode": "single", "coordination_overrides": {"final_answer_strategy": "synthesize"}},
            "finalAnswerStrategy",
        ),
        ({"agent_mode": "single", "refinement": True, "coordination_overrides": {"skip_voting": True}}, "skipVoting"),
        (
            {"coordination_overrides": {"skip_final_presentation": True, "final_answer_strategy": "synthesize"}},
            "skipFinalPresentation",
        ),
        (
            {"context_paths": WRITE, "coordination_overrides": {"skip_final_presentation": True}},
            "skipFinalPresentation",
        ),
        (
            {"coordination_overrides": {"fairness_enabled": False, "fairness_lead_cap_answers": 1}},
            "fairnessLeadCapAnswers",
        ),
    ],
)
def test_rules_that_contradict_each_other_are_refused(asked: dict[str, Any], field: str) -> None:
    assert refused(asked=asked).startswith(f"coordinationOverrides.{field}: ")


@pytest.mark.parametrize(
    ("asked", "overrides"),
    [
        ({}, {"defer_voting_until_all_answered": False}),
        ({"agent_mode": "single"}, {"defer_voting_until_all_answered": False}),
        ({}, {"skip_voting": True}),
        ({}, {"skip_voting": False}),
        ({"agent_mode": "single"}, {"skip_voting": True}),
        ({}, {"final_answer_strategy": "synthesize"}),
        ({"agent_mode": "single"}, {"final_answer_strategy": "winner_reuse"}),
        ({}, {"skip_final_presentation": True}),
        ({}, {"skip_final_presentation": True, "final_answer_strategy": "winner_reuse"}),
        ({"context_paths": WRITE}, {"skip_final_presentation": False}),
        ({"agent_mode": "single", "context_paths": WRITE}, {"skip_final_presentation": True}),
        ({}, {"fairness_enabled": False}),
        ({}, {"fairness_enabled": True, "fairness_lead_cap_answers": 1}),
        ({}, {"fairness_lead_cap_answers": 1}),
        ({}, {"override": "ask"}),
    ],
)
def test_rules_that_go_together_are_taken(asked: dict[str, Any], overrides: dict[str, Any]) -> None:
    resolved = resolve({**asked, "coordination_overrides": overrides})
    taken = {name: getattr(resolved.coordination_overrides, name) for name in overrides}
    assert taken == overrides


def test_saying_what_the_mode_says_anyway_is_no_contradiction() -> None:
    overrides = {"max_new_answers_per_agent": 1, "defer_voting_until_all_answered": True, "skip_voting": False}
    assert rules(resolve({"refinement": False, "coordination_overrides": overrides}), *overrides) == [1, True, False]


def test_what_a_mode_overrules_in_the_assistants_arguments_just_gives_way() -> None:
    spec = resolve(
        assistant={"refinement": True, "coordination_overrides": {"max_new_answers_per_agent": 4}},
        modes={"refinement": False},
    )
    assert rules(spec, "max_new_answers_per_agent", "final_answer_strategy") == [1, "synthesize"]


def test_a_mode_that_makes_the_assistants_rules_pointless_is_no_fault_of_the_assistant() -> None:
    spec = resolve(
        assistant={"coordination_overrides": {"skip_voting": False, "final_answer_strategy": "synthesize"}},
        modes={"agent_mode": "single"},
    )
    assert rules(spec, "skip_voting", "final_answer_strategy") == [True, "winner_reuse"]


def test_a_configured_wish_for_no_presentation_gives_way_to_paths_that_are_to_be_written() -> None:
    config = {"skip_final_presentation": True}
    names = ("skip_final_presentation", "final_answer_strategy")
    assert rules(resolve(config=config), *names) == [True, "winner_reuse"]
    assert rules(resolve({"context_paths": WRITE}, config=config), *names) == [False, "winner_reuse"]
    asked = {"coordination_overrides": {"final_answer_strategy": "synthesize"}}
    assert rules(resolve(asked, config=config), *names) == [False, "synthesize"]


def test_a_plan_writes_nothing_so_its_presentation_can_be_skipped() -> None:
    asked = {"planning_mode": True, "context_paths": WRITE, "coordination_overrides": {"skip_final_presentation": True}}
    assert rules(resolve(asked), "skip_final_presentation", "final_answer_strategy") == [True, "winner_reuse"]


def test_a_run_needs_a_task() -> None:
    with pytest.raises(BadParams, match="task: is required"):
        resolve_spec(team=TEAM, defaults=RunDefaults(CoordinationOverrides()), modes=Modes(), watched=True)


def test_nobody_is_offered_an_override_who_could_not_see_it() -> None:
    assert rules(resolve(watched=False), "override") == ["off"]
    assert rules(resolve(config={"override": "ask"}, watched=False), "override") == ["ask"]
    assert rules(resolve(config={"override": "ask"}, modes={"autonomy": "autonomous"}), "override") == ["off"]
    assert refused(asked={"coordination_overrides": {"override": "ask"}}, modes={"autonomy": "autonomous"}).startswith(
        "coordinationOverrides.override: "
    )


def test_planning_is_asked_for_by_the_person_the_modes_the_assistant_or_the_configuration() -> None:
    assert resolve({"planning_mode": True}).planning_mode
    assert resolve(assistant={}, modes={"plan": True}).planning_mode
    assert not resolve(assistant={"planning_mode": True}, modes={"plan": False}).planning_mode
    assert resolve(planning_mode=True).planning_mode


def test_carrying_out_a_plan_needs_one() -> None:
    assert resolve({"planning_mode": True, "execute_after_planning": True}).execute_after_planning
    assert refused(asked={"execute_after_planning": True}) == (
        "executeAfterPlanning: there is no plan to carry out; set planningMode too, or leave this out"
    )
    assert not resolve({"planning_mode": True}).execute_after_planning
    assert not resolve({"planning_mode": True, "execute_after_planning": False}).execute_after_planning
    assert not resolve({"execute_after_planning": False}).execute_after_planning
    overruled = resolve(assistant={"planning_mode": True, "execute_after_planning": True}, modes={"plan": False})
    assert (overruled.planning_mode, overruled.execute_after_planning) == (False, False)


def test_paths_and_budget_come_from_the_run_else_from_the_configuration() -> None:
    configured = (ContextPath(path="docs"),)
    spec = resolve(context_paths=configured, budget=Budget(usd=2))
    assert (spec.context_paths, spec.budget) == (configured, Budget(usd=2))
    spec = resolve({"context_paths": WRITE, "budget": {"tokens": 9}}, context_paths=configured, budget=Budget(usd=2))
    assert (spec.context_paths, spec.budget) == ((ContextPath(path="src", permission="write"),), Budget(tokens=9))


def test_a_path_cannot_be_given_both_ways() -> None:
    both = [{"path": "src"}, {"path": "src", "permission": "write"}]
    assert refused(asked={"context_paths": both}) == (
        "contextPaths: 'src' is given both to read and to write; keep one of them"
    )


def test_additions_to_prompts_are_for_agents_of_the_run() -> None:
    spec = resolve({"agent_system_prompts": {"gpt": "be strict"}})
    assert spec.agent_system_prompts == {"gpt": "be strict"}
    assert refused(asked={"agent_system_prompts": {"gtp": "?"}}) == (
        "agentSystemPrompts.gtp: there is no agent 'gtp'; did you mean 'gpt'?"
    )
    assert refused(asked={"agents": ["claude", "gemini"], "agent_system_prompts": {"gpt": "?"}}) == (
        "agentSystemPrompts.gpt: this agent is not in the run; add it to agents"
    )
    overruled = resolve(
        assistant={"agent_system_prompts": {"gpt": "?"}}, modes={"agent_mode": "single", "agent_id": "claude"}
    )
    assert overruled.agent_system_prompts == {}
