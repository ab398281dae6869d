"""Which settings would have served the run better, by what it has shown. Each says why; all of them fit together."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from teamwright.engine.analysis.deliberation import alike_pairs, first_answer_won, is_unmoved, later_answers
from teamwright.engine.analysis.history import PastRun
from teamwright.engine.analysis.trouble import slow_agents
from teamwright.engine.run.evidence import agent_standing, is_checked
from teamwright.engine.run.state import RunState
from teamwright.engine.run.voting import counts
from teamwright.engine.transcript.words import duration, listed
from teamwright.protocol.base import MAX_SECONDS
from teamwright.protocol.ids import AgentId
from teamwright.protocol.runs import RunSpecEdit
from teamwright.protocol.views import Recommendation


@dataclass(slots=True)
class Advice:
    recommendations: list[Recommendation] = field(default_factory=list[Recommendation])
    _spec: dict[str, Any] = field(default_factory=dict[str, Any])
    _rules: dict[str, Any] = field(default_factory=dict[str, Any])

    def say(self, text: str, why: str) -> None:
        self.recommendations.append(Recommendation(text=text, why=why))

    def set(self, **spec: Any) -> None:
        self._spec.update(spec)

    def set_rule(self, **rules: Any) -> None:
        self._rules.update(rules)

    @property
    def settings(self) -> RunSpecEdit | None:
        if not self._spec and not self._rules:
            return None
        rules = {"coordination_overrides": self._rules} if self._rules else {}
        return RunSpecEdit.model_validate({**self._spec, **rules})


def advice(past: PastRun) -> Advice:
    given = Advice()
    if past.run.spec.agent_mode == "multi":
        _on_team(past, given)
    _on_checks(past.run, given)
    _on_time(past, given)
    return given


def _on_team(past: PastRun, given: Advice) -> None:
    run = past.run
    answered = [agent_id for agent_id, agent in run.agents.items() if agent.latest is not None]
    pairs = alike_pairs(run)
    if run.winner is not None and len(answered) > 1 and len(pairs) == len(answered) * (len(answered) - 1) / 2:
        alone = run.winner.agent_id
        given.say(f"Let {alone} do it alone", "The agents came to the same answer.")
        given.set(agent_mode="single", agents=(alone,), refinement=False)
        return
    _on_members(past, given)
    if run.spec.refinement:
        _on_rounds(run, given)


def _on_members(past: PastRun, given: Advice) -> None:
    """A team has two at least."""
    agents = list(past.run.spec.agents)
    left_out = dict[AgentId, str]()
    for agent_id, why in _dispensable(past):
        if agent_id in agents and len(agents) > 2:
            agents.remove(agent_id)
            left_out[agent_id] = why
    if left_out:
        given.say(f"Leave {listed(tuple(left_out))} out", " ".join(dict.fromkeys(left_out.values())))
        given.set(agents=tuple(agents))


def _dispensable(past: PastRun) -> Iterator[tuple[AgentId, str]]:
    """Never the winner."""
    run = past.run
    winner = None if run.winner is None else run.winner.agent_id
    for agent in run.agents.values():
        if agent.standing in ("failed", "timed_out") and agent.agent_id != winner:
            yield agent.agent_id, f"{agent.agent_id} brought nothing and was waited for."
    for agent_id, busy, _ in slow_agents(past):
        if agent_id != winner:
            yield agent_id, f"{agent_id} took {duration(busy)} and did not win."
    for one, other, _ in alike_pairs(run):
        spare = one.agent_id if other.agent_id == winner else other.agent_id
        kept = other.agent_id if spare == one.agent_id else one.agent_id
        yield spare, f"{spare} said what {kept} said."


def _on_rounds(run: RunState, given: Advice) -> None:
    later = later_answers(run)
    if later and (first_answer_won(run) or all(is_unmoved(before, after) for before, after in later)):
        given.say("Let each agent answer once", "What was answered first won; later rounds changed nothing.")
        given.set_rule(max_new_answers_per_agent=1)
        return
    rules = run.spec.coordination_overrides
    void: Collection[object] = [vote for vote in run.votes if not counts(run, vote)]
    if void and not rules.defer_voting_until_all_answered:
        given.say("Vote only when everybody has answered", "Votes were cast in vain, because newer answers came.")
        given.set_rule(defer_voting_until_all_answered=True)


def _on_checks(run: RunState, given: Advice) -> None:
    if run.serves_writes and not run.spec.checks:
        given.say("Give the team checks to run", "It changes files, and nothing said whether they still work.")
    winner = None if run.winner is None else run.agents[run.winner.agent_id]
    broke = winner is not None and is_checked(run) and agent_standing(run, winner) == "broke"
    if broke and run.spec.checks_policy != "require":
        given.say("Require the checks to pass", "The answer that won broke something.")
        given.set(checks_policy="require")


def _on_time(past: PastRun, given: Advice) -> None:
    run = past.run
    if run.finished is not None and run.finished.outcome == "timed_out":
        limit = run.spec.coordination_overrides.orchestrator_timeout_seconds
        longer = float(min(ceil(limit * 2), MAX_SECONDS))
        given.say(f"Give it {duration(longer)}", f"{duration(limit)} were not enough.")
        given.set_rule(orchestrator_timeout_seconds=longer)
