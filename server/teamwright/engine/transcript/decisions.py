"""What waits for a person: everything needed to decide, and the choices as commands. Once it is decided: what, by whom.

A plan and a change set are entries of their own; here is what is asked about them, too. None of it is Markdown: what
hides words when it is drawn would hide them from whoever decides.
"""

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, assert_never

from teamwright.engine.transcript.entries import Origin, StreamedText, Subject
from teamwright.engine.transcript.evidence import check_chips
from teamwright.engine.transcript.inputs import (
    POLICIES,
    check_fields,
    phases_of,
    plan_fields,
    spec_fields,
    spec_given,
    tasks_field,
    text_field,
)
from teamwright.engine.transcript.words import (
    counted,
    duration,
    limits,
    listed,
    money,
    named_scope,
    on_one_line,
    spending,
    with_files_named,
    without_gaps,
)
from teamwright.protocol.decisions import (
    AnswerBrief,
    BudgetDecision,
    BudgetDetail,
    ChangesDecision,
    Choice,
    CommandDecision,
    CostEstimate,
    Decision,
    InputDecision,
    MemoryDecision,
    MemoryDetail,
    OverrideDecision,
    PlanDecision,
    ResolvedBy,
    ResumeDecision,
    ResumeDetail,
    RunDecision,
    RunDetail,
    ToolDecision,
    ToolDetail,
    ToolTrait,
)
from teamwright.protocol.events import DecisionResolved
from teamwright.protocol.ids import EntryId
from teamwright.protocol.plans import Plan
from teamwright.protocol.runs import ContextPath, ResolvedRunSpec
from teamwright.protocol.transcript import (
    Action,
    AnyPart,
    ChipsPart,
    CodeData,
    CodePart,
    Entry,
    InputField,
    MeterData,
    MeterPart,
    PlainPart,
    TableCell,
    TableColumn,
    TableData,
    TablePart,
    TableRow,
)

_APPROVE: Final = "teamwright.approve"
_LONGEST_UNFOLDED: Final = 1_500
_LONGEST_NAMES: Final = 60
_KEYS: Final = {"approve": "a", "cancel": "c"}
_TRAITS: Final[dict[ToolTrait, str]] = {
    "read_only": "only reads, says its server",
    "destructive": "may overwrite or delete something, says its server",
}
_NO_TRAITS: Final = "its server does not say whether it only reads or may destroy something"
_BY: Final[dict[ResolvedBy, str]] = {
    "user": "You decided: {}",
    "timeout": "No answer came in time: {}",
    "policy": "Decided by your settings: {}",
    "cancelled": "No longer asked",
}


class DecisionSubject(Subject):
    def __init__(self, origin: Origin, decision: Decision) -> None:
        super().__init__(EntryId(decision.decision_id), origin.about(decision.decision_id))
        self.decision = decision
        self.resolution: DecisionResolved | None = None

    def draw(self) -> Entry:
        is_open = self.resolution is None
        # That the vote stands is no refusal.
        is_refusal = not isinstance(self.decision, OverrideDecision)
        refused = self.resolution is not None and self.resolution.choice == "cancel" and is_refusal
        return Entry(
            entry_id=self.entry_id,
            kind="decision",
            title=_title(self.decision),
            parts=tuple(self._parts()),
            actions=tuple(actions(self.decision, self.origin)) if is_open else (),
            state="waiting" if is_open else "cancelled" if refused else "done",
            expires_at=self.decision.expires_at if is_open else None,
            **self.origin.fields(),
        )

    def _parts(self) -> Iterator[AnyPart]:
        if self.resolution is None:
            yield from _details(self.decision)
            return
        yield resolved(self.decision, self.resolution)
        # The answers stand in the run's card.
        if not isinstance(self.decision, OverrideDecision):
            yield from (part.model_copy(update={"folded": True}) for part in _details(self.decision))


def resolved(decision: Decision, resolution: DecisionResolved) -> PlainPart:
    """What was decided, by whom, with which words."""
    labels = {choice.id: choice.label for choice in decision.choices}
    chosen = labels.get(resolution.choice, resolution.choice)
    if isinstance(decision, InputDecision):
        chosen = resolution.text or chosen
    said = _BY[resolution.by].format(chosen)
    if isinstance(decision, OverrideDecision) and resolution.by == "timeout":
        # Nobody was waited for in vain: to say nothing was an answer.
        said = f"Nobody chose another in time: {chosen}"
    if resolution.edits:
        said += ", with changes of yours"
    if resolution.text and not isinstance(decision, InputDecision):
        said += f" (“{on_one_line(resolution.text)}”)"
    return PlainPart(part="resolution", text=said)


def actions(decision: Decision, origin: Origin) -> Iterator[Action]:
    match decision:
        case RunDecision(detail=RunDetail(spec=spec, checks=checks, writing=writing)):
            edited = {"choice": "approve", "edits": spec_given(spec)}
            edit = _answer(decision, edited, "Edit", "e", (*spec_fields(spec), *check_fields(spec, checks)))
            granted = () if writing is None else (_with_writing(decision, writing),)
            yield from _between(_choices(decision), *granted, edit)
        case PlanDecision(detail=detail):
            words = text_field("instructions", "Instructions", required=True, long=True)
            instruct = _answer(decision, {"choice": "approve"}, "Approve with instructions", "i", (words,))
            edited = {"choice": "approve", "edits": {"plan": detail.plan.to_wire()}}
            edit = _answer(decision, edited, "Edit", "e", plan_fields(detail.plan))
            yield from _between(_choices(decision), *_parts_of_plan(decision, detail.plan), instruct, edit)
        case ChangesDecision():
            ticked = InputField(path=("edits", "files"), kind="hunks", label="What to apply")
            for action in _choices(decision):
                yield action.model_copy(update={"input": (ticked,)}) if action.primary else action
        case InputDecision():
            yield from _replies(decision)
        case OverrideDecision():
            yield from _presenters(decision, origin)
        case BudgetDecision() | CommandDecision() | ToolDecision() | MemoryDecision() | ResumeDecision():
            yield from _choices(decision)
        case _:
            assert_never(decision)


def _choices(decision: Decision) -> list[Action]:
    return [_choice(decision, choice, number) for number, choice in enumerate(decision.choices, 1)]


def _choice(decision: Decision, choice: Choice, number: int) -> Action:
    key = _KEYS.get(choice.id, str(number) if number < 10 else None)
    action = _answer(decision, {"choice": choice.id}, choice.label, key)
    return action.model_copy(update={"primary": True}) if choice.id == "approve" else action


def _between(choices: list[Action], *more: Action) -> Iterator[Action]:
    """Behind the yes, before the no."""
    yield from choices[:1]
    yield from more
    yield from choices[1:]


def _answer(
    decision: Decision,
    arguments: dict[str, Any],
    label: str,
    key: str | None,
    fields: tuple[InputField, ...] | None = None,
) -> Action:
    given = {"decisionId": decision.decision_id, **arguments}
    return Action(label=label, command=_APPROVE, arguments=given, key=key, input=fields)


def _parts_of_plan(decision: PlanDecision, plan: Plan) -> Iterator[Action]:
    """A phase of it now, or tasks of one's choice; the rest is offered later."""
    phases = phases_of(plan.tasks)
    for phase, tasks in phases.items() if len(phases) > 1 else ():
        edits = {"choice": "approve", "edits": {"tasks": tasks}}
        yield _answer(decision, edits, f"Carry out only “{on_one_line(phase, _LONGEST_NAMES)}”", None)
    if len(plan.tasks) > 1:
        yield _answer(decision, {"choice": "approve"}, "Carry out some tasks", "t", (tasks_field(plan),))


def _with_writing(decision: RunDecision, writing: Sequence[ContextPath]) -> Action:
    edits = {"contextPaths": [path.to_wire() for path in writing]}
    named = [path.path for path in writing if path.permission == "write" and path.path != "."]
    what = on_one_line(listed(named), _LONGEST_NAMES) if named else "files"
    return _answer(decision, {"choice": "approve", "edits": edits}, f"Approve with changes to {what}", "w")


def _replies(decision: InputDecision) -> Iterator[Action]:
    for number, choice in enumerate(decision.detail.choices, 1):
        arguments = {"decisionId": decision.decision_id, "text": choice}
        key = str(number) if number < 10 else None
        yield Action(label=choice, command="teamwright.respond", arguments=arguments, key=key)
    words = text_field("text", "Your answer", placeholder="Your answer", required=True, long=True)
    yield Action(
        label="Answer in your own words" if decision.detail.choices else "Answer",
        command="teamwright.respond",
        arguments={"decisionId": decision.decision_id},
        key="r",
        primary=None if decision.detail.choices else True,
        input=(words,),
    )


def _presenters(decision: OverrideDecision, origin: Origin) -> Iterator[Action]:
    for number, answer in enumerate(decision.detail.answers, 1):
        yield Action(
            label=f"Present {answer.agent_id}'s answer",
            command="teamwright.override",
            arguments={"runId": origin.run_id, "agentId": answer.agent_id},
            key=str(number) if number < 10 else None,
            part=answer.answer_id,
        )
    stand = _answer(decision, {"choice": "cancel"}, "Let the vote stand", "c")
    yield stand.model_copy(update={"primary": True})


def _title(decision: Decision) -> str:
    """A question is its own text, which stands below in full."""
    if isinstance(decision, InputDecision):
        return f"{decision.detail.agent_id or 'The assistant'} asks"
    return on_one_line(decision.title)


def _details(decision: Decision) -> Iterator[PlainPart | CodePart | TablePart | MeterPart | ChipsPart]:
    match decision:
        case RunDecision(detail=detail):
            yield from _run(detail, decision.title)
        case InputDecision(detail=detail):
            yield _said("question", detail.question)
        case OverrideDecision(detail=detail):
            yield from _answers_in_full(detail.answers)
        case BudgetDecision(detail=detail):
            yield from _budget(detail)
        case CommandDecision(detail=detail):
            yield CodePart(part="command", text=shlex.join(detail.argv), data=CodeData(language="sh"))
            place = "the workspace" if detail.cwd == "." else detail.cwd
            yield PlainPart(part="place", text=f"in a copy of {place}")
        case ToolDecision(detail=detail):
            yield from _tool(detail)
        case MemoryDecision(detail=detail):
            yield from _memory(detail)
        case ResumeDecision(detail=detail):
            yield from _interrupted(detail)
        case PlanDecision() | ChangesDecision():
            # They stand in entries of their own.
            return
        case _:
            assert_never(decision)


def _run(detail: RunDetail, title: str) -> Iterator[PlainPart | TablePart]:
    spec = detail.spec
    first, _, rest = spec.task.strip().partition("\n")
    # What the title says whole is not said again.
    if task := rest.strip("\n") if title.endswith(f": {first}") else spec.task:
        yield _said("task", task)
    yield facts("facts", _run_facts(detail))
    for agent, words in spec.agent_system_prompts.items():
        yield _said(f"instructions {agent}", words, title=f"Instructions for {agent}")
    if spec.context:
        yield _said("context", with_files_named(spec.context), title="Context")


def _answers_in_full(answers: Sequence[AnswerBrief]) -> Iterator[PlainPart | ChipsPart | CodePart]:
    due = tuple(dict.fromkeys(check.name for answer in answers for check in answer.checks))
    for answer in answers:
        part = _said(answer.answer_id, answer.content, title=f"{answer.agent_id}'s answer")
        yield part.model_copy(update={"agent_id": answer.agent_id})
        yield from _evidence(answer, due)


def _memory(detail: MemoryDetail) -> Iterator[PlainPart | CodePart | TablePart]:
    yield _said("text", detail.text)
    kept_in = "your own memory, for every workspace" if detail.of == "user" else "the memory of this workspace"
    yield facts("facts", (("Kept in", kept_in), ("Comes from", detail.origin)))


def _tool(detail: ToolDetail) -> Iterator[PlainPart | CodePart | TablePart]:
    """In the server's words, as plain text, and said to be the server's."""
    yield _said("description", detail.description.strip() or "The server does not say what it does.")
    yield facts("facts", _tool_facts(detail))
    arguments = json.dumps(detail.arguments, ensure_ascii=False, indent=2)
    yield CodePart(part="arguments", text=arguments, data=CodeData(language="json"))


def _tool_facts(detail: ToolDetail) -> Iterator[tuple[str, str]]:
    yield "Server", on_one_line(detail.server)
    yield "Tool", on_one_line(detail.tool)
    yield "What it does", " and ".join(_TRAITS[trait] for trait in detail.traits) or _NO_TRAITS
    if detail.changed:
        yield "Changed", "it is not as it was when you last decided on it"


def _evidence(answer: AnswerBrief, due: Sequence[str]) -> Iterator[ChipsPart | CodePart]:
    """What the answer changes, file by file, and what the checks say of it."""
    for part in check_chips(f"{answer.answer_id} checks", answer.checks, answer.candidate, due):
        yield part.model_copy(update={"agent_id": answer.agent_id})
    names = answer.candidate.files if answer.candidate is not None else ()
    for name, change in zip(names, answer.changes or (), strict=False):
        yield CodePart(
            part=f"{answer.answer_id} {name}",
            title=name,
            # Its name stands above it.
            text=change.diff[max(0, change.diff.find("@@ ")) :],
            data=CodeData(language="diff"),
            agent_id=answer.agent_id,
            truncated=change.truncated,
        )


def _interrupted(detail: ResumeDetail) -> Iterator[PlainPart]:
    for number, task in enumerate([item.task for item in detail.items or ()] or [detail.task], 1):
        yield _said(f"task {number}", task)
    if detail.done:
        yield PlainPart(part="done", text=detail.done)


def _said(part: str, text: str, *, title: str | None = None) -> PlainPart:
    """What is long can be opened, below its title."""
    shown = StreamedText(without_gaps(text))
    folded = title is not None and len(shown.text) > _LONGEST_UNFOLDED
    if title is not None and folded:
        title = f"{title}, {counted(len(shown.text), 'character')}"
    return PlainPart(part=part, title=title, text=shown.text, folded=folded or None, truncated=shown.is_cut or None)


def facts(part: str, rows: Iterable[tuple[str, str]]) -> TablePart:
    """Names and what they are, without a head."""
    data = TableData(
        columns=(TableColumn(label=""), TableColumn(label="")),
        rows=tuple(TableRow(cells=(TableCell(text=name), TableCell(text=value))) for name, value in rows),
    )
    return TablePart(part=part, data=data)


def _run_facts(detail: RunDetail) -> Iterator[tuple[str, str]]:
    spec = detail.spec
    if detail.reason:
        yield "Why", detail.reason
    yield "Agents", listed(spec.agents)
    yield "Mode", mode(spec)
    for scope in detail.files:
        may = "may be changed" if scope.permission == "write" else "is read"
        yield "Files", f"{named_scope(scope.path)} {may}, {counted(scope.count, 'file')}"
    when = "on every answer" if detail.writing is None else "on every answer, if files may be changed"
    for proposed in detail.checks:
        runs = when if proposed.ticked else "not run"
        tick = "✓" if proposed.ticked else "✗"
        yield "Checks", f"{tick} {proposed.name}, {runs}: {on_one_line(' '.join(proposed.argv), 90)}"
    if detail.writing is None and any(proposed.ticked for proposed in detail.checks):
        yield "The vote", POLICIES[spec.checks_policy]
    if detail.checks_off is not None:
        yield "Checks", detail.checks_off
    if detail.without_sandbox:
        yield "Sandbox", "none, by your configuration: what is run may do all that you may, in a copy at another path"
    yield "Cost", estimate(detail.estimate)
    if spec.budget is not None:
        yield "Budget", limits(spec.budget)


def mode(spec: ResolvedRunSpec) -> str:
    parts = ["one agent" if spec.agent_mode == "single" else "as a team"]
    if spec.agent_mode == "multi":
        parts.append("improving on each other's answers" if spec.refinement else "one answer each")
    if spec.planning_mode:
        parts.append("a plan, which is then carried out" if spec.execute_after_planning else "a plan only")
    return ", ".join(parts)


def estimate(cost: CostEstimate | None) -> str:
    if cost is None:
        return "unknown, because the price of a model is not known"
    if cost.usd_high == 0:
        return "nothing"
    return f"about {money(cost.usd_low)} to {money(cost.usd_high)}"


def _budget(detail: BudgetDetail) -> Iterator[PlainPart | MeterPart]:
    spent, limit = detail.spent, detail.limit
    used = ", ".join((*spending(spent.usage, spent.usd), duration(spent.seconds)))
    yield PlainPart(part="spent", text=f"The {detail.of} may use {limits(limit)}; it has used {used}.")
    yield from meters(limit.usd, limit.tokens, limit.seconds, used=(spent.usd or 0, spent.tokens, spent.seconds))


def meters(
    usd: float | None, tokens: int | None, seconds: float | None, *, used: tuple[float, int, float]
) -> Iterator[MeterPart]:
    if usd is not None:
        yield _meter("money", f"{money(used[0])} of {money(usd)}", used[0], usd)
    if tokens is not None:
        yield _meter("tokens", f"{used[1]:,} of {counted(tokens, 'token')}", used[1], tokens)
    if seconds is not None:
        yield _meter("time", f"{duration(used[2])} of {duration(seconds)}", used[2], seconds)


def _meter(part: str, text: str, used: float, of: float) -> MeterPart:
    return MeterPart(part=part, text=text, data=MeterData(used=used, of=of))
