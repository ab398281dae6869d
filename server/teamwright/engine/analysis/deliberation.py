"""How the team came to its choice: answers that say the same, votes that changed sides, rounds that changed nothing."""

from collections.abc import Iterator
from itertools import combinations, groupby, pairwise
from typing import Final

from teamwright.engine.analysis.history import PastRun
from teamwright.engine.run.answers import is_duplicate, is_same_change, likeness
from teamwright.engine.run.state import GivenAnswer, RunState
from teamwright.engine.run.voting import counts
from teamwright.engine.spending import NOTHING_SPENT
from teamwright.engine.transcript.words import counted, listed, on_one_line, ordinal, tokens
from teamwright.protocol.ids import AgentId
from teamwright.protocol.views import AnalysisFinding

# The share of words in common from which on two answers say the same to a reader.
_ALIKE: Final = 0.8
# An agent that answers anew keeps most of its words: here only what has hardly moved counts.
_UNMOVED: Final = 0.9
_QUOTED: Final = 160


def deliberation_findings(past: PastRun) -> Iterator[AnalysisFinding]:
    yield from _alike(past)
    yield from _flipped(past)
    yield from _void(past)
    yield from _idle(past)


# Answers


def alike_pairs(run: RunState) -> list[tuple[GivenAnswer, GivenAnswer, str]]:
    """The latest answers of two agents that are one answer in effect, and what says so."""
    latest = [agent.latest for agent in run.agents.values() if agent.latest is not None]
    pairs = ((one, other, _in_common(one, other)) for one, other in combinations(latest, 2))
    return [(one, other, why) for one, other, why in pairs if why is not None]


def _in_common(one: GivenAnswer, other: GivenAnswer) -> str | None:
    names = f"{one.agent_id} and {other.agent_id}"
    same_change = one.candidate is not None and is_same_change(one.candidate.change_set_id, other)
    if same_change:
        return f"{names} change the same files to the same text."
    if one.candidate is not None or other.candidate is not None:
        # Where files are changed, these are what an answer is about.
        return None
    if is_duplicate(one.content, other.content):
        return f"{names} gave the same answer, word for word."
    share = likeness(one.content, other.content)
    return f"{names} have {share:.0%} of their words in common." if share >= _ALIKE else None


def _alike(past: PastRun) -> Iterator[AnalysisFinding]:
    pairs = alike_pairs(past.run)
    if pairs:
        agents = tuple(dict.fromkeys(answer.agent_id for one, other, _ in pairs for answer in (one, other)))
        all_of_them = len(agents) == len(past.run.spec.agents) and len(agents) > 2
        who = "All agents" if all_of_them else listed(agents)
        yield AnalysisFinding(
            topic="alike_answers",
            tone="warn",
            title=f"{who} came to nearly the same answer",
            evidence=tuple(why for _, _, why in pairs),
            agents=agents,
        )


# Votes


def _flipped(past: PastRun) -> Iterator[AnalysisFinding]:
    evidence = list[str]()
    agents = list[AgentId]()
    for agent_id in past.run.spec.agents:
        ballots = [vote for vote in past.run.votes if vote.voter == agent_id]
        sides = [target for target, _ in groupby(vote.target for vote in ballots)]
        if len(sides) > 1:
            agents.append(agent_id)
            last = on_one_line(ballots[-1].reason, _QUOTED)
            evidence.append(f"{agent_id} voted for {', then for '.join(sides)}; at last because: {last}")
    if agents:
        times = counted(len(agents), "agent")
        title = f"{times} changed sides in the vote"
        yield AnalysisFinding(
            topic="flipped_votes", tone="warn", title=title, evidence=tuple(evidence), agents=tuple(agents)
        )


def _void(past: PastRun) -> Iterator[AnalysisFinding]:
    void = [vote for vote in past.run.votes if not counts(past.run, vote)]
    if void:
        voters = tuple(dict.fromkeys(vote.voter for vote in void))
        were = "was" if len(void) == 1 else "were"
        yield AnalysisFinding(
            topic="void_votes",
            tone="idle",
            title=f"{counted(len(void), 'vote')} of {len(past.run.votes)} {were} in vain",
            evidence=(f"A newer answer or vote came after what {listed(voters)} had voted on.",),
            agents=voters,
        )


# Rounds


def later_answers(run: RunState) -> list[tuple[GivenAnswer, GivenAnswer]]:
    """Each answer but an agent's first, after the one before it."""
    of_agent = ([each for each in run.answers if each.agent_id == agent_id] for agent_id in run.spec.agents)
    return [pair for answers in of_agent for pair in pairwise(answers)]


def is_unmoved(before: GivenAnswer, after: GivenAnswer) -> bool:
    same_change = is_same_change(before.candidate.change_set_id if before.candidate is not None else None, after)
    has_change = before.candidate is not None
    return same_change and (has_change or likeness(before.content, after.content) >= _UNMOVED)


def first_answer_won(run: RunState) -> bool:
    """Although there were more rounds."""
    winner = None if run.winner is None else run.agents[run.winner.agent_id]
    return winner is not None and winner.answers == 1 and bool(later_answers(run))


def _idle(past: PastRun) -> Iterator[AnalysisFinding]:
    later = later_answers(past.run)
    idle = [(before, after) for before, after in later if is_unmoved(before, after)]
    if idle:
        title = (
            "The rounds after the first changed nothing"
            if len(idle) == len(later)
            else f"{counted(len(idle), 'new answer')} said what was said before"
        )
        agents = tuple(dict.fromkeys(after.agent_id for _, after in idle))
        evidence = [*(_unmoved_words(past, before, after) for before, after in idle), *_spent_refining(past)]
        yield AnalysisFinding(topic="idle_rounds", tone="warn", title=title, evidence=tuple(evidence), agents=agents)
    elif first_answer_won(past.run) and past.run.winner is not None:
        winner = past.run.winner.agent_id
        more = counted(len(later), "later answer")
        evidence = [f"{winner} won with its first answer; {more} of the others did not change that."]
        title = "The first round had the winner already"
        yield AnalysisFinding(
            topic="idle_rounds",
            tone="idle",
            title=title,
            evidence=(*evidence, *_spent_refining(past)),
            agents=(winner,),
        )


def _unmoved_words(past: PastRun, before: GivenAnswer, after: GivenAnswer) -> str:
    number = 1 + [each.answer_id for each in past.run.answers if each.agent_id == after.agent_id].index(after.answer_id)
    what = f"{after.agent_id}'s {ordinal(number)} answer"
    if before.candidate is not None:
        return f"{what} changes the files as the one before it did."
    return f"{what} has {likeness(before.content, after.content):.0%} of its words in common with the one before it."


def _spent_refining(past: PastRun) -> Iterator[str]:
    spent = sum((each.spending for each in past.history.attempts if each.stage == "refining"), NOTHING_SPENT)
    if used := tokens(spent.usage):
        yield f"Refining took {counted(used, 'token')}."
