"""A session as text: Markdown for people, and its log as JSON lines, which can be read back. Pure.

In the log a record stands on a line of its own, as it was written; one that is damaged stands as a string of what is
left of it.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, cast

from pydantic_core import from_json, to_json

from teamwright.engine.agreement import agreed_findings
from teamwright.engine.run.planning import plan_as_text
from teamwright.engine.run.state import Run, RunState
from teamwright.engine.run.view import view
from teamwright.protocol.changes import Change, SettledFile
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.events import ItemFinished, RunFinished, SessionCompacted, TurnFinished
from teamwright.protocol.items import AssistantMessage, Attachment, Item, Presentation, Reasoning, ToolCall, UserMessage
from teamwright.protocol.records import EventRecord
from teamwright.protocol.views import RunOutcome, SessionSummary, VoteView
from teamwright.runtime.sessions.state_cell import SessionStateCell

# How people name the file of a URI.
PathOf = Callable[[str], str]
_OUTCOMES: Final[dict[RunOutcome, str]] = {
    "completed": "Completed",
    "cancelled": "Cancelled",
    "failed": "Failed",
    "timed_out": "Timed out",
}
_LONGEST_ARGUMENT: Final = 80
_FORMAT: Final = "teamwright.session"
_VERSION: Final = 1


class MarkdownExport:
    def __init__(self, cell: SessionStateCell, path_of: PathOf) -> None:
        self._cell = cell
        self._path_of = path_of
        self._blocks: list[str] = []
        self._speaker: str | None = None

    def fold(self, record: EventRecord) -> None:
        self._cell.fold(record)
        match record.event:
            # What agents say on their way is in the run's own log; here stands what they came to.
            case ItemFinished(item=item) if record.run_id is None and not item.discarded:
                self._take(item)
            case RunFinished() as finished if record.run_id is not None:
                self._speaker = None
                self._blocks += _run(self._cell.runs.get(record.run_id), finished, self._path_of)
            case TurnFinished(outcome="failed" | "cancelled" as outcome, error=error):
                self._blocks.append(f"*This turn was {outcome}{f': {error}' if error else '.'}*")
            case SessionCompacted():
                self._blocks.append("*From here on the assistant saw a summary of what stands above.*")
            case _:
                pass

    def text(self) -> str:
        under_way = [block for known in self._cell.runs.open.values() for block in _run(known.run, None, self._path_of)]
        return "\n\n".join((*_head(self._cell.summary()), *self._blocks, *under_way)) + "\n"

    def _take(self, item: Item) -> None:
        match item:
            case UserMessage(text=text, attachments=attachments):
                self._say("You", text, *_attached(attachments, self._path_of))
            case AssistantMessage(text=text):
                self._say("Assistant", text)
            case Presentation():
                # Outside of a run it repeats a result that stands above.
                pass
            case Reasoning(text=text):
                self._say("Assistant", _quoted(f"*Thinking.* {text.strip()}") if text.strip() else "")
            case ToolCall(name="launch_run", status="succeeded"):
                # The run has a section of its own.
                pass
            case ToolCall():
                self._say("Assistant", _call(item))

    def _say(self, speaker: str, *paragraphs: str) -> None:
        said = [paragraph.strip() for paragraph in paragraphs if paragraph.strip()]
        if said and (speaker != self._speaker or speaker == "You"):
            self._blocks.append(f"## {speaker}")
            self._speaker = speaker
        self._blocks += said


def _head(session: SessionSummary) -> Iterator[str]:
    yield f"# {session.title}"
    facts = [
        f"Session {session.session_id}",
        f"{_time(session.created_at)} to {_time(session.updated_at)}",
        _counted(session.turns, "turn"),
        _counted(session.runs, "run"),
    ]
    if session.project is not None:
        facts.append(f"project {session.project}")
    if session.cost_usd:
        facts.append(f"${session.cost_usd:.4f}")
    yield f"*{' · '.join(facts)}*"


def _run(run: Run | None, finished: RunFinished | None, path_of: PathOf) -> Iterator[str]:
    if run is None:
        return
    yield f"## Run: {_on_one_line(run.spec.task)}"
    yield f"*{' · '.join(_run_facts(run, finished))}*"
    if isinstance(run, RunState):
        yield from _deliberation(run)
    if finished is not None and finished.result is not None:
        yield f"### Result, by {finished.result.agent_id}"
        yield finished.result.text.strip()
    if finished is not None and finished.error is not None:
        yield f"**{finished.error}**"
    if isinstance(run, RunState):
        yield from _findings(run, path_of)
        yield from _changes(run.changes.proposed or (), run.changes.settled or (), path_of)


def _run_facts(run: Run, finished: RunFinished | None) -> Iterator[str]:
    yield f"{run.run_id}"
    yield "Under way" if finished is None else _OUTCOMES[finished.outcome]
    yield ", ".join(run.spec.agents)
    if finished is not None:
        yield _counted(finished.usage.calls, "model call")
        if finished.cost_usd:
            yield f"${finished.cost_usd:.4f}"


def _deliberation(run: RunState) -> Iterator[str]:
    for answer in run.answers:
        yield f"### Answer of {answer.agent_id} ({answer.label})"
        yield _quoted(answer.content.strip())
        if answer.files:
            yield f"Files: {', '.join(f'`{name}`' for name in answer.files)}"
    if run.planning.plan is not None:
        yield "### Plan"
        yield _quoted(plan_as_text(run.planning.plan))
    votes = view(run).votes
    if votes:
        yield "### Votes"
        yield "\n".join(_vote(vote) for vote in votes)


def _findings(run: RunState, path_of: PathOf) -> Iterator[str]:
    if not run.findings:
        return
    yield "### Findings"
    for finding in agreed_findings(run):
        place = f"`{path_of(finding.uri)}`, line {finding.range.start.line + 1}"
        yield f"**{_on_one_line(finding.title)}** ({finding.severity}, {place}; {finding.standing})"
        suggestion = f"Suggestion: {finding.suggestion}" if finding.suggestion else ""
        said = [each.strip() for each in (finding.detail, suggestion, finding.unproven) if each.strip()]
        if said:
            yield _quoted("\n\n".join(said))


def _vote(vote: VoteView) -> str:
    void = "" if vote.counts else " *(void: newer answers came)*"
    return f"- {vote.agent_id} for {vote.target}: {_on_one_line(vote.reason)}{void}"


def _changes(proposed: tuple[Change, ...], settled: tuple[SettledFile, ...], path_of: PathOf) -> Iterator[str]:
    if not proposed:
        return
    became = {file.uri: file for file in settled}
    yield "### Changes"
    for change in proposed:
        file = became.get(change.uri)
        reason = f" ({file.reason})" if file is not None and file.reason else ""
        outcome = "not decided" if file is None else f"{file.outcome}{reason}"
        yield f"`{path_of(change.uri)}`, {change.kind}: {outcome}"
        yield _fenced(change.diff, "diff")


def _attached(attachments: tuple[Attachment, ...], path_of: PathOf) -> Iterator[str]:
    if attachments:
        yield "\n".join(f"- attached: `{path_of(each.uri)}`{_lines(each)}" for each in attachments)


def _lines(attachment: Attachment) -> str:
    where = attachment.range
    return "" if where is None else f", lines {where.start.line + 1} to {where.end.line + 1}"


def _call(call: ToolCall) -> str:
    arguments = ", ".join(f"{name}: {_short(value)}" for name, value in call.arguments.items())
    error = f": {_on_one_line(call.error)}" if call.error else ""
    became = "" if call.status == "succeeded" else f" *({call.status}{error})*"
    answer = f" Answer: {_on_one_line(call.result)}" if call.name == "request_input" and call.result else ""
    return f"- `{call.name}` {arguments}{became}{answer}"


def _short(value: object) -> str:
    text = _on_one_line(str(value))
    return text if len(text) <= _LONGEST_ARGUMENT else f"{text[:_LONGEST_ARGUMENT]}…"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _fenced(text: str, language: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def exported(log: Sequence[str]) -> str:
    records = ",\n".join(body if _is_object(body) else to_json(body).decode() for body in log)
    return f'{{"format": "{_FORMAT}", "version": {_VERSION}, "records": [\n{records}\n]}}\n'


def log_in(text: str) -> list[str]:
    """Raises BadParams for what was not exported by us."""
    try:
        data = from_json(text, allow_inf_nan=False)
    except ValueError as fault:
        raise _not_exported(f"it is not JSON ({fault})") from None
    if not isinstance(data, dict):
        raise _not_exported("it is not an object")
    envelope = cast("dict[str, Any]", data)
    records = envelope.get("records")
    if envelope.get("format") != _FORMAT or not isinstance(records, list):
        raise _not_exported(f'"format" must be "{_FORMAT}", and "records" a list')
    if envelope.get("version") != _VERSION:
        raise _not_exported(f"it is of version {envelope.get('version')!r}; update Teamwright to read it")
    listed = cast("list[object]", records)
    return [record if isinstance(record, str) else to_json(record).decode() for record in listed]


def _is_object(body: str) -> bool:
    try:
        return isinstance(from_json(body), dict)
    except ValueError:
        return False


def _not_exported(reason: str) -> BadParams:
    return BadParams([FieldError(path="text", message=f"this is not an exported session: {reason}")])
