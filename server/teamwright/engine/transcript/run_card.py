"""A run as a card: its task, where it is, who is at work and at what cost, answers, votes, and what came of it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from teamwright.engine.run.planning import title_of_run
from teamwright.engine.run.state import Run, RunState
from teamwright.engine.run.view import view
from teamwright.engine.transcript.analysis import report_action
from teamwright.engine.transcript.decisions import meters
from teamwright.engine.transcript.entries import Origin, Subject
from teamwright.engine.transcript.evidence import ShownProblems, check_chips, problem_actions
from teamwright.engine.transcript.inputs import text_field
from teamwright.engine.transcript.words import (
    PHASES,
    counted,
    duration,
    listed,
    money,
    on_one_line,
    ordinal,
    spending,
    tokens,
)
from teamwright.protocol.checks import OfAnswer
from teamwright.protocol.events import RunFinished
from teamwright.protocol.ids import AgentId, EntryId, RunId
from teamwright.protocol.transcript import (
    Action,
    AnyPart,
    Chip,
    ChipsData,
    ChipsPart,
    Entry,
    EntryState,
    MarkdownPart,
    PlainPart,
    TableCell,
    TableColumn,
    TableData,
    TablePart,
    TableRow,
    Tone,
)
from teamwright.protocol.views import AgentStatus, AgentView, RunOutcome, RunPhase, RunView

RunOf = Callable[[RunId], Run | None]

_OUTCOMES: Final[Mapping[RunOutcome, tuple[str, Tone, EntryState]]] = {
    "completed": ("Completed", "ok", "done"),
    "cancelled": ("Cancelled", "idle", "cancelled"),
    "failed": ("Failed", "bad", "failed"),
    "timed_out": ("Ran out of time", "warn", "failed"),
}
STATUSES: Final[Mapping[AgentStatus, tuple[str, Tone]]] = {
    "waiting": ("waiting", "idle"),
    "working": ("working", "busy"),
    "answered": ("answered", "accent"),
    "voted": ("voted", "ok"),
    "abstained": ("abstains", "idle"),
    "presenting": ("presenting", "busy"),
    "failed": ("failed", "bad"),
    "stopped": ("stopped", "idle"),
}


class RunSubject(Subject):
    def __init__(self, origin: Origin, run_id: RunId, run_of: RunOf, problems: ShownProblems) -> None:
        super().__init__(EntryId(run_id), origin)
        self._run_id = run_id
        self._run_of = run_of
        self._problems = problems
        # What attempts have used that have not stopped yet is no fact; it comes with the live view.
        self.live: RunView | None = None
        self.finished: RunFinished | None = None

    @property
    def run(self) -> Run | None:
        return self._run_of(self._run_id)

    def draw(self) -> Entry:
        run = self.run
        if run is None:
            return Entry(entry_id=self.entry_id, kind="run", title="A run", **self.origin.fields())
        seen = self._with_live_figures(view(run))
        return Entry(
            entry_id=self.entry_id,
            kind="run",
            title=on_one_line(title_of_run(run)),
            parts=tuple(self._parts(run, seen)),
            actions=tuple(self._actions(run, seen)),
            state=_state(seen),
            **self.origin.fields(),
        )

    def _with_live_figures(self, seen: RunView) -> RunView:
        live = self.live
        if live is None or seen.outcome is not None:
            return seen
        figures = {agent.agent_id: agent for agent in live.agents}
        agents = tuple(_with_figures(agent, figures.get(agent.agent_id)) for agent in seen.agents)
        if tokens(live.usage) <= tokens(seen.usage):
            return seen.model_copy(update={"agents": agents})
        return seen.model_copy(update={"agents": agents, "usage": live.usage, "cost_usd": live.cost_usd})

    def _parts(self, run: Run, seen: RunView) -> Iterator[AnyPart]:
        if " ".join(run.spec.task.split()) != on_one_line(title_of_run(run)) or "\n" in run.spec.task.strip():
            yield PlainPart(part="task", text=run.spec.task, folded=True)
        yield ChipsPart(part="phase", data=ChipsData(chips=tuple(_phases(run, seen))))
        yield _agents(seen)
        yield from _answers(run, seen)
        yield from _votes(seen)
        if isinstance(run, RunState):
            yield from _steering(run)
            if run.winner is not None:
                chosen = _chosen(run.winner.agent_id, run.winner.by, run.winner.tally)
                yield PlainPart(part="winner", text=chosen, agent_id=run.winner.agent_id)
                if run.winner.note is not None:
                    yield PlainPart(part="winner note", text=run.winner.note)
        if run.spec.budget is not None and isinstance(run, RunState):
            budget = run.spec.budget
            used = (seen.cost_usd or 0.0, tokens(seen.usage), _seconds(seen))
            # How long it has taken is known only when it is over: drawing knows no clock.
            seconds = budget.seconds if seen.finished_at is not None else None
            yield from meters(budget.usd, budget.tokens, seconds, used=used)
        if spent := ", ".join(_spent(seen)):
            yield PlainPart(part="spent", text=spent)
        if self.finished is not None and self.finished.error is not None:
            yield PlainPart(part="error", text=self.finished.error)
        if self.finished is not None and self.finished.footer and not run.spec.review:
            yield PlainPart(part="footer", text=self.finished.footer)

    def _actions(self, run: Run, seen: RunView) -> Iterator[Action]:
        run_id = {"runId": self._run_id}
        yield Action(label="Open the run", command="teamwright.run.open", arguments=run_id, key="o", primary=True)
        if seen.outcome is None:
            words = text_field("text", "What to tell the agents", required=True, long=True)
            yield Action(label="Tell the agents", command="teamwright.steer", arguments=run_id, key="s", input=(words,))
            yield Action(label="Cancel the run", command="teamwright.cancel", arguments=run_id, key="x")
        elif isinstance(self.run, RunState):
            words = text_field("instructions", "What to do now", required=True, long=True)
            yield Action(label="Continue", command="teamwright.run.continue", arguments=run_id, key="c", input=(words,))
            yield Action(label="Analyse the run", command="teamwright.run.analyze", arguments=run_id, key="y")
            yield report_action(self._run_id)
        if isinstance(run, RunState):
            yield from _on_answers(run, seen, self._problems)


def _on_answers(run: RunState, seen: RunView, problems: ShownProblems) -> Iterator[Action]:
    """Below each answer: another's changes to be taken instead, once the run is over; and where its checks fail."""
    yield from problem_actions(run, "base", problems, part="base checks")
    is_applied = any(file.outcome == "applied" for file in run.changes.settled or ())
    instead = "" if run.changes.proposed is None else " instead"
    for answer in seen.answers:
        part = f"{answer.answer_id} checks" if answer.checks else answer.answer_id
        yield from problem_actions(run, OfAnswer(answer_id=answer.answer_id), problems, part=part)
        candidate = answer.candidate
        if seen.outcome is None or is_applied or candidate is None:
            continue
        if candidate.change_set_id != run.changes.change_set_id:
            yield Action(
                label=f"Propose {answer.agent_id}'s changes{instead}",
                command="teamwright.changes.propose",
                arguments={"runId": run.run_id, "answerId": answer.answer_id},
                part=part,
            )


def _state(seen: RunView) -> EntryState:
    if seen.outcome is not None:
        return _OUTCOMES[seen.outcome][2]
    # What waits for a person is the decision, not the run.
    return "queued" if seen.phase == "queued" else "running"


def _with_figures(agent: AgentView, live: AgentView | None) -> AgentView:
    if live is None or tokens(live.usage) <= tokens(agent.usage):
        return agent
    return agent.model_copy(update={"usage": live.usage, "cost_usd": live.cost_usd})


def _phases(run: Run, seen: RunView) -> Iterator[Chip]:
    """Where it is on its way; once it is over, how it ended."""
    if seen.outcome is not None:
        label, tone, _ = _OUTCOMES[seen.outcome]
        yield Chip(label=label, tone=tone)
        return
    steps = list(_steps(run))
    if seen.phase not in steps:
        steps.append(seen.phase)
    now = steps.index(seen.phase)
    for place, phase in enumerate(steps):
        yield Chip(label=PHASES[phase], tone="ok" if place < now else "busy" if place == now else "idle")


def _steps(run: Run) -> Iterator[RunPhase]:
    spec = run.spec
    yield "planning" if spec.planning_mode else "answering"
    if isinstance(run, RunState) and run.is_direct:
        if run.serves_writes:
            yield "applying"
        return
    if spec.checks and len(spec.agents) > 1:
        yield "checking"
    if not spec.coordination_overrides.skip_voting and len(spec.agents) > 1:
        yield "voting"
    if spec.coordination_overrides.override != "off" and len(spec.agents) > 1:
        yield "override"
    if spec.planning_mode:
        if spec.execute_after_planning:
            yield "executing"
        return
    yield "presenting"
    if any(path.permission == "write" for path in spec.context_paths):
        yield "applying"


def _agents(seen: RunView) -> TablePart:
    labels = ("Agent", "State", "Answers", "Votes", "Tokens", "Cost")
    columns = tuple(TableColumn(label=label, align="right" if label in labels[2:] else None) for label in labels)
    rows = tuple(_agent(seen, agent) for agent in seen.agents)
    return TablePart(part="agents", title="Agents", data=TableData(columns=columns, rows=rows))


def _agent(seen: RunView, agent: AgentView) -> TableRow:
    won = seen.winner == agent.agent_id
    votes = seen.tally.get(agent.agent_id, 0)
    used = tokens(agent.usage)
    cells = (
        TableCell(text=agent.agent_id, tone="accent" if won else None, hint="Chosen to present" if won else None),
        _status(agent),
        TableCell(text=str(agent.answers) if agent.answers else ""),
        TableCell(text=str(votes) if votes else ""),
        TableCell(text=f"{used:,}" if used else ""),
        TableCell(text=money(agent.cost_usd) if agent.cost_usd else ""),
    )
    return TableRow(cells=cells, agent_id=agent.agent_id)


def _status(agent: AgentView) -> TableCell:
    words, tone = STATUSES[agent.status]
    if agent.voted_for is not None:
        words = f"voted for {agent.voted_for}"
    if agent.note:
        words = on_one_line(agent.note if agent.status == "stopped" else f"{words}: {agent.note}", 80)
    return TableCell(text=words, tone=tone, hint=agent.note)


def _answers(run: Run, seen: RunView) -> Iterator[AnyPart]:
    counts = dict[AgentId, int]()
    is_over = isinstance(run, RunState) and not run.is_direct and seen.outcome is not None
    due = [check.name for check in run.spec.checks] if is_over else ()
    for answer in seen.answers:
        number = counts[answer.agent_id] = counts.get(answer.agent_id, 0) + 1
        title = f"{answer.agent_id}'s {ordinal(number)} answer"
        cut = answer.preview.endswith("…") or None
        yield MarkdownPart(
            part=answer.answer_id,
            title=title,
            text=answer.preview,
            folded=True,
            agent_id=answer.agent_id,
            truncated=cut,
        )
        for part in check_chips(f"{answer.answer_id} checks", answer.checks, answer.candidate, due):
            yield part.model_copy(update={"agent_id": answer.agent_id})
    for part in check_chips("base checks", seen.checks.base, None):
        yield part.model_copy(update={"title": "Without any change"})


def _votes(seen: RunView) -> Iterator[AnyPart]:
    if not seen.votes:
        return
    columns = tuple(TableColumn(label=label) for label in ("Agent", "For", "Why"))
    rows = tuple(
        TableRow(
            cells=(
                TableCell(text=vote.agent_id),
                TableCell(text=vote.target),
                TableCell(
                    text=on_one_line(vote.reason, 300),
                    hint=None if vote.counts else "No longer counts: a newer answer came after it",
                ),
            ),
            agent_id=vote.agent_id,
            void=None if vote.counts else True,
        )
        for vote in seen.votes
    )
    yield TablePart(part="votes", title="Votes", data=TableData(columns=columns, rows=rows))


def _steering(run: RunState) -> Iterator[AnyPart]:
    for number, message in enumerate(run.messages, 1):
        everyone = set(message.to) >= set(run.spec.agents)
        to = "everyone" if everyone and len(message.to) > 1 else listed(message.to) or "nobody"
        yield PlainPart(part=f"message {number}", title=f"You told {to}", text=message.text)


def _chosen(agent: AgentId, by: str, tally: Mapping[AgentId, int]) -> str:
    match by:
        case "votes":
            count = sum(tally.values())
            return f"The team chose {agent}, with {tally.get(agent, 0)} of {counted(count, 'vote')}"
        case "checks":
            count = sum(tally.values())
            return f"The checks speak for {agent}, with {tally.get(agent, 0)} of {counted(count, 'vote')}"
        case "override":
            return f"You chose {agent}"
        case "timeout":
            return f"The best answer so far was {agent}'s"
        case _:
            return f"{agent} is the one who answered"


def _spent(seen: RunView) -> Iterator[str]:
    yield from spending(seen.usage, seen.cost_usd)
    if seen.finished_at is not None:
        yield duration(_seconds(seen))


def _seconds(seen: RunView) -> float:
    return 0 if seen.finished_at is None else (seen.finished_at - seen.started_at).total_seconds()
