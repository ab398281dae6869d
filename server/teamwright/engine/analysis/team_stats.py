"""How the agents of a team have done in all their runs: who wins, agrees, costs, breaks what worked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from teamwright.engine.analysis.history import PastRun
from teamwright.engine.run.evidence import answer_standing
from teamwright.engine.run.voting import standing_vote
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.engine.transcript.words import duration, money, tokens
from teamwright.protocol.ids import AgentId
from teamwright.protocol.transcript import TableCell, TableColumn, TableData, TablePart, TableRow
from teamwright.protocol.views import AgentStats


@dataclass(slots=True)
class _Tally:
    runs: int = 0
    won: int = 0
    answers: int = 0
    votes: int = 0
    votes_for_winner: int = 0
    checked: int = 0
    broke: int = 0
    failed: int = 0
    seconds: float = 0.0
    spent: Spending = NOTHING_SPENT


def team_stats(runs: Iterable[PastRun]) -> tuple[AgentStats, ...]:
    """Who wins most first."""
    tallies = dict[AgentId, _Tally]()
    for past in runs:
        for agent_id in past.run.spec.agents:
            _count(tallies.setdefault(agent_id, _Tally()), past, agent_id)
    stats = (_stats(agent_id, tally) for agent_id, tally in tallies.items())
    return tuple(sorted(stats, key=lambda each: (-each.won, -each.runs, each.agent_id)))


def _count(tally: _Tally, past: PastRun, agent_id: AgentId) -> None:
    run, agent = past.run, past.run.agents[agent_id]
    winner = None if run.winner is None else run.winner.agent_id
    standings = [answer_standing(run, answer) for answer in run.answers if answer.agent_id == agent_id]
    tally.runs += 1
    # Alone nobody wins.
    tally.won += winner == agent_id and len(run.spec.agents) > 1
    tally.answers += len(standings)
    if (vote := standing_vote(run, agent)) is not None and winner is not None:
        tally.votes += 1
        tally.votes_for_winner += vote.target == winner
    tally.checked += sum(1 for standing in standings if standing is not None)
    tally.broke += standings.count("broke")
    tally.failed += agent.standing in ("failed", "timed_out")
    tally.seconds += sum(past.duration(attempt) for attempt in past.attempts_of(agent_id))
    tally.spent += agent.spending


def _stats(agent_id: AgentId, tally: _Tally) -> AgentStats:
    return AgentStats(
        agent_id=agent_id,
        runs=tally.runs,
        won=tally.won,
        answers=tally.answers,
        votes=tally.votes,
        votes_for_winner=tally.votes_for_winner,
        checked=tally.checked,
        broke=tally.broke,
        failed=tally.failed,
        seconds=tally.seconds,
        usage=tally.spent.usage,
        cost_usd=tally.spent.cost_usd,
    )


def stats_table(stats: Sequence[AgentStats]) -> TablePart:
    labels = ("Agent", "Runs", "Won", "Agreed", "Broke checks", "Failed", "Tokens", "Cost", "Time a run")
    columns = tuple(TableColumn(label=label, align="right" if label != "Agent" else None) for label in labels)
    rows = tuple(TableRow(cells=_cells(each), agent_id=each.agent_id) for each in stats)
    return TablePart(part="agents", data=TableData(columns=columns, rows=rows))


def _cells(stats: AgentStats) -> tuple[TableCell, ...]:
    agreed = f"{stats.votes_for_winner} of {stats.votes}" if stats.votes else ""
    broke = f"{stats.broke} of {stats.checked}" if stats.checked else ""
    return (
        TableCell(text=stats.agent_id),
        TableCell(text=str(stats.runs)),
        TableCell(text=str(stats.won)),
        TableCell(text=agreed, hint="Votes for whoever won in the end"),
        TableCell(text=broke, tone="bad" if stats.broke else None, hint="Answers that broke what worked before"),
        TableCell(text=str(stats.failed) if stats.failed else "", tone="bad" if stats.failed else None),
        TableCell(text=f"{tokens(stats.usage):,}"),
        TableCell(text=money(stats.cost_usd) if stats.cost_usd else ""),
        TableCell(text=duration(stats.seconds / max(stats.runs, 1))),
    )
