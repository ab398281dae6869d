"""What a finished run leaves in its folder, for people to read and programs to parse. Pure."""

import json
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, datetime

from teamwright.engine.transcript.carried_out import came_to, carried_out
from teamwright.protocol.ids import AgentId, RunId, SessionId
from teamwright.protocol.runs import ResolvedRunSpec
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import Answer, PlanExecution, RunOutcome, RunResult, VoteView

_LONGEST_TASK = 160
_LONGEST_SLUG = 48


@dataclass(frozen=True, slots=True)
class LogLine:
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class RunRecord:
    """All that is written about a run. While it is under way, there is no end to it yet."""

    run_id: RunId
    session_id: SessionId
    spec: ResolvedRunSpec
    started_at: datetime
    finished_at: datetime | None = None
    outcome: RunOutcome | None = None
    winner: AgentId | None = None
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    written: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    votes: tuple[VoteView, ...] = ()
    result: RunResult | None = None
    log: tuple[LogLine, ...] = ()
    error: str | None = None
    execution: PlanExecution | None = None

    @property
    def text(self) -> str | None:
        """The result, of a plan with what came of it."""
        if self.result is None or self.execution is None:
            return None if self.result is None else self.result.text
        came_of_it = carried_out(self.execution, self.usage, self.cost_usd)
        return f"{self.result.text.rstrip()}\n\n# What came of it\n\n{came_of_it}"


def run_files(record: RunRecord) -> dict[tuple[str, ...], str]:
    """The files of the run's folder by their path in it; what does not exist yet is not among them."""
    files: dict[tuple[str, ...], str] = {("run_description.json",): describe_run(record)}
    files |= {("answers", f"{answer.label}.md"): _ended(answer.content) for answer in record.answers}
    if record.votes:
        files["votes.json",] = _as_json([vote.to_wire() for vote in record.votes])
    if record.text is not None:
        files["result.md",] = _ended(record.text)
    if record.log:
        files["log.md",] = _log(record)
    if record.written:
        files["context_path_writes.txt",] = "".join(f"{path}\n" for path in record.written)
    return files


def describe_run(record: RunRecord) -> str:
    return _as_json(
        {
            "runId": record.run_id,
            "sessionId": record.session_id,
            "task": record.spec.task,
            "startedAt": _time(record.started_at),
            "finishedAt": None if record.finished_at is None else _time(record.finished_at),
            "outcome": record.outcome,
            "agents": list(record.spec.agents),
            "winner": record.winner,
            "spec": record.spec.to_wire(),
            "usage": record.usage.to_wire(),
            "costUsd": record.cost_usd,
            "written": list(record.written),
        }
    )


def context_line(record: RunRecord) -> str:
    """The run's line in the project's context."""
    ended = record.finished_at or record.started_at
    facts = [f"{ended.astimezone(UTC):%Y-%m-%d}", f"`{record.run_id}`", record.outcome or "under way"]
    if record.execution is not None:
        facts.append(came_to(record.execution).removesuffix("."))
    written = record.written if record.execution is None else record.execution.written
    if written:
        facts.append("1 file written" if len(written) == 1 else f"{len(written)} files written")
    return f"- {' · '.join(facts)}: {_one_line(record.spec.task)}"


def deliverable_name(record: RunRecord) -> str:
    """No two runs have the same, and the newest sort last."""
    ended = record.finished_at or record.started_at
    return f"{ended.astimezone(UTC):%Y-%m-%d}-{slug_of(record.spec.task) or 'result'}-{record.run_id}.md"


def slug_of(text: str) -> str:
    """A short name for files, from the first words of a text; empty when there is nothing to take."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    words = re.findall(r"[a-z0-9]+", plain)
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:_LONGEST_SLUG]
        if len(longer) > _LONGEST_SLUG:
            break
        slug = longer
    return slug


def _log(record: RunRecord) -> str:
    lines = "".join(f"- {_time(line.at)} {_one_line(line.text)}\n" for line in record.log)
    return f"# {record.run_id}\n\n{_one_line(record.spec.task)}\n\n{lines}" + (
        f"\nError: {record.error}\n" if record.error else ""
    )


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_TASK else line[: _LONGEST_TASK - 1].rstrip() + "…"


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
