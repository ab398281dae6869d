"""Who kept the others waiting, who failed, what the checks said, and how it ended."""

from collections.abc import Iterator
from statistics import median
from typing import Final

from teamwright.engine.analysis.history import PastRun
from teamwright.engine.run.evidence import answer_standing, base_keys, broken_by, is_checked, keys_of_answer, progress
from teamwright.engine.run.state import Agent, GivenAnswer, RunState
from teamwright.engine.transcript.words import counted, duration, listed, on_one_line
from teamwright.protocol.ids import AgentId
from teamwright.protocol.views import AnalysisFinding

_QUOTED: Final = 200
# Slow is who took that much longer than the others, and long enough for anybody to notice.
_TIMES_SLOWER: Final = 2.0
_SECONDS_SLOWER: Final = 10.0
_MANY_MISSTEPS: Final = 3
_NAMED_TESTS: Final = 5


def trouble_findings(past: PastRun) -> Iterator[AnalysisFinding]:
    for agent_id in past.run.spec.agents:
        yield from _failing(past, past.run.agents[agent_id])
    for agent_id, busy, usual in slow_agents(past):
        yield AnalysisFinding(
            topic="slow_agent",
            tone="warn",
            title=f"{agent_id} took much longer than the others",
            evidence=(f"It was at work for {duration(busy)}; the others usually for {duration(usual)}.",),
            agents=(agent_id,),
        )
    yield from _checks(past.run)
    yield from _outcome(past)


# Agents


def slow_agents(past: PastRun) -> Iterator[tuple[AgentId, float, float]]:
    """With how long each was at work, and how long the others usually were. Presenting is one agent's alone."""
    busy = {
        agent_id: sum(past.duration(each) for each in past.attempts_of(agent_id) if each.stage != "presenting")
        for agent_id in past.run.spec.agents
    }
    for agent_id, seconds in busy.items():
        others = [each for other, each in busy.items() if other != agent_id and each > 0]
        usual = median(others) if others else seconds
        if seconds >= _TIMES_SLOWER * usual and seconds - usual >= _SECONDS_SLOWER:
            yield agent_id, seconds, usual


_FAILURES: Final = {
    "failed": "{} failed",
    "timed_out": "{} ran out of time",
    "abstained": "{} brought nothing",
}


def _failing(past: PastRun, agent: Agent) -> Iterator[AnalysisFinding]:
    agent_id = agent.agent_id
    evidence = list(_failures(past, agent))
    if agent.standing in _FAILURES:
        title = _FAILURES[agent.standing].format(agent_id)
    elif past.history.missteps[agent_id] >= _MANY_MISSTEPS:
        title = f"{agent_id} had to be corrected often"
    else:
        return
    tone = "bad" if agent.standing == "failed" else "warn"
    yield AnalysisFinding(topic="failing_agent", tone=tone, title=title, evidence=tuple(evidence), agents=(agent_id,))


def _failures(past: PastRun, agent: Agent) -> Iterator[str]:
    errors = [attempt.error for attempt in past.attempts_of(agent.agent_id) if attempt.error]
    yield from (f"It was told: {on_one_line(error, _QUOTED)}" for error in dict.fromkeys(errors))
    if missteps := past.history.missteps[agent.agent_id]:
        yield f"It was corrected {counted(missteps, 'time')}."
    if failed := past.history.failed_calls[agent.agent_id]:
        yield f"{counted(failed, 'tool call')} of it failed."
    if agent.latest is None:
        yield "It gave no answer."


# Checks


def _checks(run: RunState) -> Iterator[AnalysisFinding]:
    if not is_checked(run):
        return
    failing = [key.name for key in base_keys(run) if (at := progress(run, key)).result is not None and not at.passed]
    if failing:
        fail = "fails" if len(failing) == 1 else "fail"
        evidence = (f"{listed(failing)} {fail} without any change.",)
        yield AnalysisFinding(
            topic="checks", tone="idle", title="The workspace was not green before", evidence=evidence
        )
    broke = [answer for answer in run.answers if answer_standing(run, answer) == "broke"]
    if broke:
        agents = tuple(dict.fromkeys(answer.agent_id for answer in broke))
        title = f"{counted(len(broke), 'answer')} broke what worked before"
        evidence = tuple(_broken_words(run, answer) for answer in broke)
        yield AnalysisFinding(topic="checks", tone="bad", title=title, evidence=evidence, agents=agents)
    yield from _flaky(run)
    if run.winner is not None and run.winner.by == "checks":
        title = "The checks decided, not the votes"
        evidence = (f"{run.winner.agent_id}'s answer stands better with them than what most had voted for.",)
        yield AnalysisFinding(topic="checks", tone="ok", title=title, evidence=evidence, agents=(run.winner.agent_id,))


def _broken_words(run: RunState, answer: GivenAnswer) -> str:
    names = [
        name
        for key in keys_of_answer(run, answer)
        if (compared := progress(run, key).compared) is not None
        for name in compared.broke
    ]
    count = broken_by(run, answer)
    shown = ", ".join(names[:_NAMED_TESTS]) + (f" and {count - _NAMED_TESTS} more" if count > _NAMED_TESTS else "")
    return f"An answer of {answer.agent_id} broke {count}: {shown}" if shown else f"An answer of {answer.agent_id}."


def _flaky(run: RunState) -> Iterator[AnalysisFinding]:
    names = dict.fromkeys(name for at in run.checks.values() if at.compared is not None for name in at.compared.flaky)
    if names:
        shown = ", ".join(list(names)[:_NAMED_TESTS])
        title = f"{counted(len(names), 'test')} passed and failed by chance"
        evidence = (f"They judged nobody: {shown}",)
        yield AnalysisFinding(topic="checks", tone="warn", title=title, evidence=evidence)


# The end


def _outcome(past: PastRun) -> Iterator[AnalysisFinding]:
    finished = past.run.finished
    if finished is None or finished.outcome in ("completed", "cancelled"):
        return
    if finished.outcome == "timed_out":
        limit = past.run.spec.coordination_overrides.orchestrator_timeout_seconds
        evidence = (f"It had {duration(limit)}.",)
        yield AnalysisFinding(topic="outcome", tone="bad", title="The run ran out of time", evidence=evidence)
        return
    evidence = (on_one_line(past.history.error, _QUOTED),) if past.history.error else ()
    yield AnalysisFinding(topic="outcome", tone="bad", title="The run failed", evidence=evidence)
