"""What a process has at work in a session: its turns and runs, step by step."""

from collections.abc import Generator
from typing import Literal

from teamwright.engine.run.commands import (
    ArmTimer,
    CancelExecution,
    Command,
    Deliberate,
    ExecutePlan,
    FinishRun,
    Present,
    ProposePlan,
    RequestDecision,
    SelectWinner,
    StartRun,
    StopAgent,
    WithdrawDecision,
)
from teamwright.engine.run.decide import decide as decide_run
from teamwright.engine.run.judging import AcceptedAnswer, judge_answer
from teamwright.engine.run.state import Run, RunState
from teamwright.engine.session.wants import (
    CloseItem,
    RunTurn,
)
from teamwright.protocol.decisions import (
    BudgetDecision,
    BudgetDetail,
    BudgetSpent,
    InputDecision,
    InputDetail,
    RunDecision,
    RunDetail,
)
from teamwright.protocol.events import (
    AgentStarted,
    AgentStopped,
    AnswerSubmitted,
    CancelRequested,
    DecisionRequested,
    DurableEvent,
    ItemFinished,
    ItemStarted,
    PlanProposed,
    RunFinished,
    RunStarted,
    SessionUpdated,
    TurnFinished,
    TurnStarted,
    VoteCast,
    WinnerSelected,
)
from teamwright.protocol.ids import AgentId, AnswerId, DecisionId, ItemId, RunId, TurnId
from teamwright.protocol.items import AssistantMessage, Item, Presentation, ToolCall, UserMessage
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import Scope
from teamwright.protocol.usage import Budget, Usage
from tests.engine.chance import Chance, one_of
from tests.engine.session_log import CALL, PLAN, READING, Ready, SharedLog, Steps
from tests.engine.story import decision_of, spec


class Work(SharedLog):
    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.effects: list[ItemId] = []
        self.model_calls: list[TurnId] = []

    # A turn

    def begun(self, turn_id: TurnId, text: str, modes: Modes | None) -> list[tuple[DurableEvent, Scope]]:
        scope, message = Scope(turn_id), UserMessage(item_id=ItemId(self.new_id("item")), text=text)
        said: list[tuple[DurableEvent, Scope]] = [
            (TurnStarted(text=text), scope),
            (ItemStarted(item=message), scope),
            (ItemFinished(item=message), scope),
        ]
        if modes is None:
            return said
        changed = SessionUpdated(session=self.summary().model_copy(update={"modes": modes}))
        return [(changed, Scope()), *said]

    def answered(self, want: RunTurn) -> Steps:
        turn_id, scope = want.turn_id, Scope(want.turn_id)
        for each in want.close:
            yield from self._concluded(each)
        for step in range(want.steps_done + 1, 6):
            if not self.chance.below(8) and not (yield from self._within_budget(scope)):
                self._finish(turn_id, "cancelled")
                return
            self._call_model(turn_id)
            if not self.chance.below(3):
                yield from self._said(scope, step)
                self._finish(turn_id, "completed")
                return
            call = self._call(scope, step)
            yield
            yield from self._called(call, scope)
        self._finish(turn_id, "failed")

    def _call_model(self, turn_id: TurnId) -> None:
        turn = self.state.turns.open[turn_id]
        assert not turn.is_answered, "a complete answer is never asked for again"
        assert self.owner is not None
        self.model_calls.append(turn_id)
        self.owner.spent[turn_id] = self.owner.spent.get(turn_id, Usage()) + CALL

    def _said(self, scope: Scope, step: int) -> Steps:
        words = AssistantMessage(item_id=ItemId(self.new_id("item")))
        self.write(ItemStarted(item=words, step=step), scope)
        yield
        ended = words.model_copy(update={"text": "Done."})
        self.write(ItemFinished(item=ended, ends_turn=True, usage=self._untold(scope.turn_id)), scope)
        yield

    def _finish(self, turn_id: TurnId, outcome: Literal["completed", "cancelled", "failed"]) -> None:
        self.write(TurnFinished(outcome=outcome, usage=self.spent_on(turn_id)), Scope(turn_id))

    def _within_budget(self, scope: Scope) -> Generator[Ready, None, bool]:
        spent = BudgetSpent(usd=1.0, tokens=1, seconds=1, usage=Usage())
        detail = BudgetDetail(of="session", spent=spent, limit=Budget(usd=1))
        decision_id = DecisionId(self.new_id("dec"))
        question = BudgetDecision(decision_id=decision_id, title="?", choices=(), detail=detail)
        self.write(DecisionRequested(decision=question), scope)
        resolution = yield from self._resolved(decision_id)
        return resolution == "approve"

    def _resolved(self, decision_id: DecisionId) -> Generator[Ready, None, str]:
        while (decided := self.state.decisions.resolution(decision_id)) is None:
            yield lambda: decision_id in self.state.decisions.decided
        return decided.choice

    def _call(self, scope: Scope, step: int) -> ToolCall:
        name = one_of(self.chance, ("read_file", "write_memory", "launch_run", "launch_run", "request_input"))
        call = ToolCall(item_id=ItemId(self.new_id("item")), name=name)
        self.write(ItemStarted(item=call, step=step, usage=self._untold(scope.turn_id)), scope)
        return call

    def _untold(self, turn_id: TurnId | None) -> Usage | None:
        """What this process has spent on the turn, and no item has told."""
        return None if self.owner is None or turn_id is None else self.owner.spent.pop(turn_id, None)

    def spent_on(self, turn_id: TurnId) -> Usage:
        """In all, also by processes that are gone."""
        return self.state.turns.open[turn_id].spent.usage + (self._untold(turn_id) or Usage())

    def _called(self, call: ToolCall, scope: Scope) -> Steps:
        if call.name == "launch_run":
            run_id = RunId(self.new_id("run"))
            self.write_all(self.launched(Scope(scope.turn_id, run_id)))
            yield
            while run_id not in self.state.runs.ended:
                yield lambda: run_id in self.state.runs.ended
        elif call.name == "request_input":
            decision_id = DecisionId(self.new_id("dec"))
            detail = InputDetail(question="Which?")
            question = InputDecision(decision_id=decision_id, title="?", choices=(), detail=detail)
            self.write(DecisionRequested(decision=question), scope)
            yield from self._resolved(decision_id)
        elif call.name not in READING:
            self.effects.append(call.item_id)
            yield
        self.write(ItemFinished(item=call.model_copy(update={"status": "succeeded"})), scope)
        yield

    def _concluded(self, close: CloseItem) -> Steps:
        turn_id = close.scope.turn_id
        assert turn_id is not None
        turn = self.state.turns.open[turn_id]
        match close.how:
            case "run":
                assert turn.run_id in self.state.runs.ended
            case "answer":
                assert turn.question_id in self.state.decisions.decided
            case "again":
                assert isinstance(close.item, ToolCall)
                assert close.item.name in READING
            case "given_up" | "interrupted":
                pass
        self.write(ItemFinished(item=closed(close)), close.scope)
        yield

    # A run

    def launched(self, scope: Scope) -> list[tuple[DurableEvent, Scope]]:
        agents = one_of(self.chance, ("a", "a b"))
        planning = not self.chance.below(4)
        resolved = spec(
            agents,
            refinement=agents == "a b",
            planning_mode=planning,
            execute_after_planning=bool(self.chance.below(2)),
        )
        if self.chance.below(2):
            return [(RunStarted(spec=resolved), scope)]
        detail = RunDetail(spec=resolved, files=(), estimate=None, reason="")
        question = RunDecision(decision_id=DecisionId(self.new_id("dec")), title="?", choices=(), detail=detail)
        return [(DecisionRequested(decision=question), scope)]

    def conducted(self, run_id: RunId) -> Steps:
        while (known := self.state.runs.open.get(run_id)) is not None:
            command = self._next_step(known.run)
            if command is not None:
                self._perform(known.run, command, known.scope)
            if run_id in self.state.runs.open:
                yield lambda: (run := self.state.runs.get(run_id)) is not None and self._next_step(run) is not None

    def _next_step(self, run: Run) -> Command | None:
        for command in decide_run(run):
            is_held = isinstance(command, Deliberate | Present) and command.on_hold
            is_told = isinstance(command, CancelExecution) and self._is_cancelled(command.run_id)
            if not (is_held or is_told or isinstance(command, ArmTimer)):
                return command
        return None

    def _perform(self, run: Run, command: Command, scope: Scope) -> None:
        match command:
            case StartRun():
                self.write(RunStarted(spec=run.spec), scope)
            case WithdrawDecision(decision_id=decision_id):
                self.withdraw(decision_id)
            case RequestDecision():
                decision = decision_of(DecisionId(self.new_id("dec")), command)
                self.write(DecisionRequested(decision=decision), scope)
            case FinishRun(outcome=outcome, result=result, spending=spending):
                self.write(RunFinished(outcome=outcome, result=result, usage=spending.usage), scope)
            case StopAgent(agent_id=agent_id, attempt=attempt, reason=reason):
                self.write(AgentStopped(attempt=attempt, reason=reason, usage=CALL), scope.of_agent(agent_id))
            case SelectWinner(agent_id=agent_id, tally=tally, by=by):
                self.write(WinnerSelected(agent_id=agent_id, tally=dict(tally), by=by), scope.of_agent(agent_id))
            case Deliberate() | Present():
                assert isinstance(run, RunState)
                self._work(run, command, scope)
            case _:
                self._plan(run, command, scope)

    def _plan(self, run: Run, command: Command, scope: Scope) -> None:
        match command:
            case ProposePlan(plan=plan):
                self.write(PlanProposed(plan=plan, path="plan.md"), scope)
            case ExecutePlan(spec=resolved):
                child = Scope(scope.turn_id, RunId(self.new_id("run")))
                self.write(RunStarted(spec=resolved, parent_run_id=run.run_id), child)
            case CancelExecution(run_id=child_id):
                self.write(CancelRequested(), self.run_scope(child_id))
            case _:
                raise AssertionError(f"nobody carries out {command}")

    def _is_cancelled(self, run_id: RunId) -> bool:
        known = self.state.runs.open.get(run_id)
        return known is None or known.run.cancel_requested

    def _work(self, run: RunState, work: Deliberate | Present, scope: Scope) -> None:
        """One step of one agent: it begins, answers, votes or presents."""
        own, agent = scope.of_agent(work.agent_id), run.agents[work.agent_id]
        if agent.attempt is None or agent.attempt.number != work.attempt:
            purpose = "present" if isinstance(work, Present) else work.purpose
            return self.write(AgentStarted(attempt=work.attempt, purpose=purpose, seen=work.show), own)
        if agent.attempt.brought is not None:
            return self.write(AgentStopped(attempt=work.attempt, reason=agent.attempt.brought, usage=CALL), own)
        if isinstance(work, Present):
            if run.spec.planning_mode:
                return self.write(PlanProposed(plan=PLAN, path="plan.md"), scope)
            shown = Presentation(item_id=ItemId(self.new_id("item")), text="The result")
            stopped = AgentStopped(attempt=work.attempt, reason="finished", usage=CALL)
            return self.write_all(
                [(each, own) for each in (ItemStarted(item=shown), ItemFinished(item=shown), stopped)]
            )
        if "vote" in work.tools and work.stage == "evaluation":
            return self.write(VoteCast(target=run.answers[0].agent_id, reason="better"), own)
        return self._submit(run, work.agent_id, own)

    def _submit(self, run: RunState, agent_id: AgentId, own: Scope) -> None:
        judged = judge_answer(run, agent_id, "An answer.")
        label = judged.label if isinstance(judged, AcceptedAnswer) else "agent1.9"
        plan = PLAN if run.spec.planning_mode else None
        answer_id = AnswerId(self.new_id("ans"))
        self.write(AnswerSubmitted(answer_id=answer_id, label=label, content="An answer.", plan=plan), own)


def closed(close: CloseItem) -> Item:
    item = close.item
    if not isinstance(item, ToolCall):
        return item.model_copy(update={"discarded": True})
    status = {"given_up": "cancelled", "interrupted": "failed"}.get(close.how, "succeeded")
    return item.model_copy(update={"status": status})
