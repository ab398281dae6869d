"""Decisions as a person reads them, before being asked."""

from collections.abc import Iterator

from quorate.cli.terminal.printable import on_one_line
from quorate.cli.terminal.talk import Line, Tone
from quorate.cli.terminal.wording import counted, limits, money, shown_file, spending
from quorate.engine.plans import plan_as_text
from quorate.protocol.changes import Change
from quorate.protocol.decisions import (
    AnswerBrief,
    BudgetDetail,
    ChangesDetail,
    CommandDetail,
    CostEstimate,
    InputDetail,
    OverrideDecision,
    PlanDetail,
    RunDetail,
)
from quorate.protocol.runs import ResolvedRunSpec

_PREVIEW_LENGTH = 200


def run_lines(detail: RunDetail, spec: ResolvedRunSpec) -> Iterator[Line]:
    """`spec` may have been edited since the question was put."""
    yield Line(f"Run: {spec.task}", "strong")
    if spec.context:
        yield Line(f"  Context  {_preview(spec.context)}")
    yield Line(f"  Agents   {', '.join(spec.agents)}")
    yield Line(f"  Mode     {', '.join(_modes(spec))}")
    for scope in detail.files:
        yield Line(f"  Files    {scope.path} ({scope.permission}, {counted(scope.count, 'file')})")
    yield Line(f"  Cost     {_estimate(detail.estimate)}")
    if spec.budget is not None:
        yield Line(f"  Budget   {limits(spec.budget)}")
    if detail.reason:
        yield Line(f"  Reason   {detail.reason}")


def plan_lines(detail: PlanDetail) -> Iterator[Line]:
    for text in plan_as_text(detail.plan).splitlines():
        yield Line(text, "strong" if text.startswith("#") else "plain")
    yield Line(f"(in {detail.path})", "faint")


def changes_lines(detail: ChangesDetail) -> Iterator[Line]:
    for change in detail.changes:
        yield from _change_lines(change)


def input_lines(detail: InputDetail) -> Iterator[Line]:
    yield Line(f"{detail.agent_id or 'The assistant'} asks: {detail.question}", "strong")
    for number, choice in enumerate(detail.choices, 1):
        yield Line(f"  {number}  {choice}")


def override_lines(decision: OverrideDecision) -> Iterator[Line]:
    yield Line(decision.title, "strong")
    for number, answer in enumerate(decision.detail.answers, 1):
        yield Line(f"  {number}  {answer.agent_id}: {_preview(answer.content)}")


def answer_lines(answer: AnswerBrief) -> Iterator[Line]:
    yield Line(f"{answer.agent_id} ({answer.label}):", "strong")
    yield Line(answer.content, is_code=True)


def budget_lines(detail: BudgetDetail) -> Iterator[Line]:
    spent = ", ".join(spending(detail.spent.usage, detail.spent.usd))
    yield Line(f"The {detail.of} has reached its budget of {limits(detail.limit)}; it has used {spent}.", "strong")


def command_lines(detail: CommandDetail) -> Iterator[Line]:
    yield Line("An agent wants to run a command:", "strong")
    yield Line(f"  {' '.join(detail.argv)}")
    yield Line(f"  in {detail.cwd}", "faint")


def _modes(spec: ResolvedRunSpec) -> Iterator[str]:
    yield "one agent" if spec.agent_mode == "single" else "as a team"
    yield "with refinement" if spec.refinement else "without refinement"
    if spec.planning_mode:
        yield "a plan first"


def _estimate(estimate: CostEstimate | None) -> str:
    if estimate is None:
        return "unknown, the price of a model is not known"
    return f"{money(estimate.usd_low)} to {money(estimate.usd_high)}, estimated"


def _change_lines(change: Change) -> Iterator[Line]:
    yield Line(f"{change.kind} {shown_file(change.uri)}", "strong")
    for text in change.diff.split("\n")[2:]:
        yield Line(text, _tone_of(text), is_code=True)
    if change.truncated:
        yield Line("(the rest is too long to show)", "faint")


def _tone_of(text: str) -> Tone:
    tones: dict[str, Tone] = {"+": "added", "-": "removed", "@": "faint"}
    return tones.get(text[:1], "plain")


def _preview(text: str) -> str:
    shown = on_one_line(text)
    return shown if len(shown) <= _PREVIEW_LENGTH else shown[: _PREVIEW_LENGTH - 3] + "..."
