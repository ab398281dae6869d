"""One JSON is the store's row, the notification and the test's snapshot."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from teamwright.protocol.events import EVENT_CLASSES
from teamwright.protocol.records import EventRecord, Unreadable, read_record

AT = datetime(2026, 11, 16, 8, 30, tzinfo=UTC)

USAGE = {"inputTokens": 10, "outputTokens": 5, "calls": 1}
SUMMARY = {
    "sessionId": "ses_1",
    "title": "Rate limiter",
    "createdAt": "2026-11-16T08:30:00Z",
    "updatedAt": "2026-11-16T08:30:00Z",
    "lastMessage": "",
    "turns": 0,
    "runs": 0,
    "pendingDecisions": 0,
    "modes": {
        "plan": None,
        "agentMode": None,
        "agentId": None,
        "refinement": None,
        "autonomy": "hitl",
        "team": "auto",
    },
    "busy": False,
}
RUN_VIEW = {
    "runId": "run_1",
    "task": "t",
    "phase": "answering",
    "agents": [{"agentId": "a", "status": "working", "attempt": 1, "answers": 0, "usage": USAGE}],
    "answers": [],
    "checks": {"base": [], "final": [{"name": "tests", "outcome": "running"}]},
    "votes": [],
    "tally": {},
    "decisions": [],
    "usage": USAGE,
    "startedAt": "2026-11-16T08:30:00Z",
    "written": [],
}
FINDING = {
    "findingId": "find_1",
    "uri": "file:///a.py",
    "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 4}},
    "severity": "warning",
    "title": "unused",
    "detail": "d",
}
DECISION: dict[str, Any] = {
    "decisionId": "dec_1",
    "title": "A question",
    "choices": [{"id": "yes", "label": "Yes"}],
    "kind": "input",
    "detail": {"question": "Which port?", "choices": []},
}
PLAN = {"title": "p", "tasks": [{"id": "1", "title": "t", "detail": ""}]}
CHANGE = {
    "uri": "file:///a.py",
    "kind": "edit",
    "diff": "@@",
    "hunks": [{"index": 0, "oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2}],
    "agentId": "a",
}

ENTRY = {
    "entryId": "dec_1",
    "kind": "decision",
    "title": "a asks",
    "parts": [
        {"part": "question", "kind": "markdown", "text": "Which *port*?"},
        {"part": "spent", "kind": "meter", "text": "$0.50 of $1.00", "data": {"used": 0.5, "of": 1.0}},
        {"part": "agents", "kind": "chips", "data": {"chips": [{"label": "a", "tone": "busy"}, {"label": "b"}]}},
        {"part": "place", "kind": "link", "text": "a.py, line 2", "data": {"uri": "file:///a.py"}},
        {"part": "code", "kind": "code", "folded": True, "text": "x = 1", "data": {"language": "python"}},
    ],
    "actions": [
        {"label": "8080", "command": "teamwright.respond", "arguments": {"decisionId": "dec_1", "text": "8080"}},
        {
            "label": "Answer",
            "command": "teamwright.respond",
            "arguments": {"decisionId": "dec_1"},
            "input": [{"path": ["text"], "kind": "text", "label": "Your answer", "required": True}],
        },
    ],
    "state": "waiting",
    "decisionId": "dec_1",
}

# Every event as it stands on the wire. A class without a line here fails the test below.
ANALYSIS: dict[str, Any] = {
    "findings": [{"topic": "checks", "tone": "bad", "title": "t", "evidence": ["e"], "agents": ["a"]}],
    "stages": [{"stage": "voting", "label": "voting", "usage": USAGE, "costUsd": 0.1, "seconds": 1.5}],
    "timeline": {
        "seconds": 2.0,
        "lanes": [
            {
                "label": "a",
                "note": "n",
                "agentId": "a",
                "spans": [{"start": 0.0, "end": 1.0, "label": "l", "tone": "busy"}],
                "marks": [{"at": 1.0, "sign": "A", "label": "l"}],
            }
        ],
        "legend": [{"label": "answering", "tone": "busy"}],
    },
    "recommendations": [{"text": "t", "why": "w"}],
    "settings": {"agents": ["a"], "coordinationOverrides": {"maxNewAnswersPerAgent": 1}},
}
EVENTS: dict[str, dict[str, Any]] = {
    "session.created": {"session": SUMMARY},
    "session.updated": {"session": {**SUMMARY, "project": "p", "costUsd": 0.5}},
    "session.compacted": {"summary": "s", "upToSeq": 9},
    "hidden_text.found": {"text": "t", "digest": "d"},
    "session.resync": {"lastSeq": 12},
    "turn.queued": {"text": "hello", "attachments": []},
    "turn.started": {"text": "hello"},
    "turn.finished": {"outcome": "failed", "error": "e", "usage": USAGE},
    "item.started": {"item": {"itemId": "item_1", "kind": "user_message", "text": "t", "attachments": []}},
    "item.delta": {"itemId": "item_1", "offset": 0, "text": "a"},
    "item.finished": {
        "item": {
            "itemId": "item_1",
            "kind": "tool_call",
            "name": "read_file",
            "arguments": {"path": "a"},
            "status": "succeeded",
            "result": "r",
        }
    },
    "decision.requested": {"decision": DECISION},
    "decision.resolved": {"decisionId": "dec_1", "choice": "approve", "by": "user", "edits": {"agents": ["a"]}},
    "cancel.requested": {},
    "timer.elapsed": {"timer": "round_wrap_up", "attempt": 2},
    "budget.reached": {"spent": {"usd": 0.5, "tokens": 10, "seconds": 1.5, "usage": USAGE}},
    "agent.started": {"attempt": 1, "purpose": "answer", "seen": {"answers": 3, "messages": 1}},
    "agent.informed": {"attempt": 1, "seen": {"answers": 4, "messages": 1}},
    "agent.corrected": {"attempt": 1, "misstep": "plain_text", "text": "t"},
    "agent.stopped": {"attempt": 1, "reason": "answered", "usage": USAGE},
    "answer.submitted": {
        "answerId": "ans_1",
        "label": "agent1.1",
        "content": "c",
        "candidate": {"changeSetId": "abc", "files": ["a.py"], "added": 1, "removed": 0},
    },
    "check.started": {"of": "base", "name": "tests"},
    "check.finished": {
        "of": {"answerId": "ans_1"},
        "name": "tests",
        "changeSetId": "abc",
        "outcome": "failed",
        "exitCode": 1,
        "seconds": 0.5,
        "tests": {"passed": 1, "failed": 1, "skipped": 0},
        "failures": [{"name": "test_a", "path": "a.py", "line": 3, "message": "m"}],
        "output": "o",
        "tree": "def",
    },
    "check.compared": {
        "of": "final",
        "name": "tests",
        "changeSetId": "abc",
        "broke": ["test_a"],
        "brokeCount": 1,
        "notFixed": 0,
        "flaky": [],
    },
    "check.output": {"of": "final", "name": "tests", "text": "t"},
    "check.problems": {
        "of": {"answerId": "ans_1"},
        "problems": [{"check": "tests", "source": "s", "failure": {"name": "n", "message": "m"}}],
    },
    "vote.cast": {"target": "a", "reason": "r", "disputed": ["find_1"]},
    "message.shared": {"from": "user", "to": ["a"], "text": "t"},
    "finding.reported": {"finding": FINDING},
    "tasks.updated": {"tasks": [{"id": "1", "title": "Begin", "state": "running", "runId": "run_1"}]},
    "finding.dismissed": {"findingIds": ["find_1"]},
    "findings.updated": {"findings": [{**FINDING, "agents": ["a", "b"], "of": 3, "dismissed": False}]},
    "winner.selected": {"agentId": "a", "tally": {"a": 2}, "by": "votes"},
    "plan.proposed": {"plan": PLAN, "path": "plan.md"},
    "changes.proposed": {"changes": [CHANGE]},
    "changes.settled": {"settled": [{"uri": "file:///a.py", "outcome": "conflicted", "reason": "moved on"}]},
    "run.finished": {
        "outcome": "completed",
        "result": {"text": "t", "agentId": "a", "strategy": "winner_reuse"},
        "written": ["a.py"],
        "usage": USAGE,
        "costUsd": 0.1,
    },
    "run.analyzed": {"analysis": ANALYSIS, "opinion": "o", "usage": USAGE, "costUsd": 0.1},
    "run.updated": {"run": RUN_VIEW},
    "usage.reported": {"usage": USAGE, "costUsd": 0.1, "sessionCostUsd": 0.2},
    "transcript.patched": {
        "rev": 3,
        "patch": [
            {"op": "upsert", "entry": ENTRY, "after": "item_1"},
            {"op": "remove", "entryId": "item_2"},
            {"op": "append", "entryId": "item_1", "part": "text", "offset": 4, "text": "more"},
        ],
    },
    "notice.raised": {"level": "warning", "text": "t", "hint": "h"},
}


def wire(event_type: str, **envelope: object) -> dict[str, Any]:
    event = {"type": event_type, **EVENTS[event_type]}
    return {"v": 1, "seq": 1, "at": "2026-11-16T08:30:00Z", "sessionId": "ses_1", **envelope, "event": event}


@pytest.mark.parametrize("event_type", EVENTS)
def test_an_event_reads_and_writes_as_the_same_json(event_type: str) -> None:
    row = wire(event_type, turnId="turn_1", runId="run_1", agentId="a")
    record = read_record(json.dumps(row))
    assert isinstance(record, EventRecord), record
    assert json.loads(record.to_json()) == row


def test_every_event_of_the_protocol_is_shown_here_or_has_its_own_test() -> None:
    assert set(EVENT_CLASSES) - set(EVENTS) <= {"run.started"}


def test_a_started_run_says_every_default() -> None:
    spec = {"task": "t", "agentMode": "multi", "agents": ["a", "b"], "refinement": True}
    row = {**wire("turn.queued"), "event": {"type": "run.started", "spec": spec}}
    record = read_record(json.dumps(row))
    assert isinstance(record, EventRecord)
    told = json.loads(record.to_json())["event"]["spec"]
    assert told["coordinationOverrides"]["maxNewAnswersPerAgent"] == 3
    assert told["coordinationOverrides"]["orchestratorTimeoutSeconds"] == 1800
    assert told["contextPaths"] == []


def test_seq_and_session_are_null_when_there_is_none_and_the_other_ids_are_left_out() -> None:
    record = EventRecord.model_validate(wire("notice.raised", seq=None, sessionId=None))
    assert json.loads(record.to_json()) == wire("notice.raised", seq=None, sessionId=None)


def test_transient_events_are_those_that_the_protocol_names() -> None:
    transient = {name for name, cls in EVENT_CLASSES.items() if not cls.durable}
    assert transient == {
        "session.resync",
        "item.delta",
        "check.output",
        "check.problems",
        "findings.updated",
        "run.updated",
        "usage.reported",
        "transcript.patched",
        "notice.raised",
    }


def test_an_unknown_event_is_passed_over_with_its_name() -> None:
    row = {**wire("turn.queued"), "event": {"type": "dream.dreamt", "depth": 3}}
    assert read_record(json.dumps(row)) == Unreadable(
        "A record of the unknown type 'dream.dreamt' is passed over; a newer version may have written it."
    )


def test_a_key_that_a_newer_version_added_does_not_hide_the_event() -> None:
    row = wire("turn.queued")
    row["event"]["mood"] = "good"
    assert read_record(json.dumps(row)) == EventRecord.model_validate(wire("turn.queued"))


@pytest.mark.parametrize("row", ["", "{", "[]", "null", '{"v": 1}', '{"event": 3}', b"\xff\xfe"])
def test_a_damaged_row_costs_only_itself(row: str | bytes) -> None:
    assert isinstance(read_record(row), Unreadable)


def test_a_damaged_field_is_named() -> None:
    row = wire("turn.finished")
    row["event"]["outcome"] = "exploded"
    assert read_record(json.dumps(row)) == Unreadable(
        "A record of type 'turn.finished' is damaged at event.turn.finished.outcome; it is passed over."
    )
