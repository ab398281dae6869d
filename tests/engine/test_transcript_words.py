"""Every kind of entry as a person reads it: drawn by a client that knows the kinds of parts and nothing else."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from teamwright.protocol.records import EventRecord, read_record
from tests.engine.drawing import FoldedSession
from tests.engine.telling import START
from tests.support.drawn import Json

USAGE = {"inputTokens": 900, "outputTokens": 100, "calls": 1}
SPEC = {"task": "Make it faster", "agentMode": "multi", "agents": ["ada", "bob"], "refinement": True}
PLAN = {"title": "Cache it", "tasks": [{"id": "1", "title": "Find the slow part", "detail": "Profile *first*."}]}
DIFF = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n@@ -9 +9 @@\n-nine\n+neun\n"
CHANGE = {
    "uri": "file:///src/app.py",
    "kind": "edit",
    "diff": DIFF,
    "hunks": [
        {"index": 0, "oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2},
        {"index": 1, "oldStart": 9, "oldLines": 1, "newStart": 9, "newLines": 1},
    ],
    "agentId": "ada",
}
DASH = "\N{EN DASH}"
CHOICES = [{"id": "approve", "label": "Approve"}, {"id": "cancel", "label": "Cancel"}]


class Told:
    """A session, told event by event as it stands on the wire."""

    def __init__(self) -> None:
        self.session = FoldedSession()
        self._seq = 0

    def tell(self, event_type: str, *, turn: str = "", run: str = "", agent: str = "", **fields: Any) -> "Told":
        is_durable = event_type not in {"item.delta", "notice.raised", "run.updated"}
        self._seq += is_durable
        named = {"turnId": turn, "runId": run, "agentId": agent}
        row = {
            "v": 1,
            "seq": self._seq if is_durable else None,
            "at": (START + timedelta(seconds=self._seq)).isoformat(),
            "sessionId": "ses_1",
            **{key: value for key, value in named.items() if value},
            "event": {"type": event_type, **fields},
        }
        record = read_record(EventRecord.model_validate(row).to_json())
        assert isinstance(record, EventRecord), record
        self.session.fold(record)
        return self

    def says(self, item_id: str, kind: str, said: str, **scope: str) -> "Told":
        item = {"itemId": item_id, "kind": kind, "text": said}
        return self.tell("item.started", item={**item, "text": ""}, **scope).tell("item.finished", item=item, **scope)

    def asks(
        self, decision_id: str, kind: str, title: str, detail: Json, choices: list[Json] = CHOICES, **scope: str
    ) -> "Told":
        decision = {"decisionId": decision_id, "kind": kind, "title": title, "detail": detail, "choices": choices}
        return self.tell("decision.requested", decision=decision, **scope)

    def answers(self, decision_id: str, choice: str, by: str = "user", run: str = "", **more: Any) -> "Told":
        return self.tell("decision.resolved", run=run, decisionId=decision_id, choice=choice, by=by, **more)

    def page(self) -> list[str]:
        return [line for entry in self.session.entries() for line in drawn(entry)]


def drawn(entry: Json) -> Iterator[str]:
    yield f"{entry['kind']}, {entry['state']}: {entry['title']}"
    for part in entry["parts"]:
        title = f"{part['title']}: " if "title" in part else ""
        folded = " (folded)" if part.get("folded") else ""
        yield from (f"  {title}{line}{folded}" for line in part_lines(part))
    for action in entry["actions"]:
        asks = "".join(f" ?{'.'.join(field['path'])}" for field in action.get("input", ())[:2])
        yield f"  [{action.get('key', ' ')}] {action['label']}{asks}"


def part_lines(part: Json) -> Iterator[str]:
    data = part.get("data", {})
    match part["kind"]:
        case "chips":
            yield " · ".join(f"{chip['label']}{'*' * ('tone' in chip)}" for chip in data["chips"])
        case "table":
            rows = [[cell["text"] for cell in row["cells"]] + ["void"] * ("void" in row) for row in data["rows"]]
            yield from (" | ".join(row).strip() for row in rows)
        case "diff":
            outcome = f", {data['outcome']}" if "outcome" in data else ""
            yield f"{data['change']} {part['text']} +{data['added']} -{data['removed']}{outcome}"
            yield from (f"{hunk['index']}: {' '.join(hunk['lines'])}" for hunk in data["hunks"])
        case "meter":
            yield f"{part['text']} ({data['used'] / data['of']:.0%})"
        case _:
            yield from part["text"].splitlines()


def test_a_conversation() -> None:
    told = Told()
    told.tell("turn.started", turn="turn_1", text="Look at this.")
    where = {"start": {"line": 2, "character": 0}, "end": {"line": 5, "character": 0}}
    message = {"itemId": "item_1", "kind": "user_message", "text": "Look at this."}
    attached = {**message, "attachments": [{"uri": "file:///src/app.py", "range": where}]}
    told.tell("item.started", turn="turn_1", item=attached).tell("item.finished", turn="turn_1", item=attached)
    told.says("item_2", "reasoning", "Hm.", turn="turn_1")
    arguments = {"path": "src/app.py", "line": 1, "end_line": 40}
    call: Json = {"itemId": "item_3", "kind": "tool_call", "name": "read_file", "arguments": arguments}
    told.tell("item.started", turn="turn_1", item=call)
    told.tell("item.finished", turn="turn_1", item={**call, "status": "succeeded", "result": "one\ntwo"})
    told.tell("item.started", turn="turn_1", item={"itemId": "item_4", "kind": "assistant_message"})
    told.tell("item.delta", turn="turn_1", itemId="item_4", offset=0, text="It is *s")
    told.tell("turn.queued", turn="turn_2", text="And then?")
    said = {"itemId": "item_5", "kind": "user_message", "text": "Be brief."}
    told.tell("item.started", turn="turn_1", item=said).tell("item.finished", turn="turn_1", item=said)
    told.tell("item.delta", turn="turn_1", itemId="item_4", offset=8, text="hort*.")
    assert told.page() == [
        "message, sent: You",
        "  Look at this.",
        f"  src/app.py, lines 3{DASH}5",
        "  [x] Stop",
        "reasoning, done: Thought about it",
        "  Hm. (folded)",
        f"activity, done: Read src/app.py, lines 1{DASH}40",
        "  Output: one (folded)",
        "  Output: two (folded)",
        "answer, streaming: Assistant",
        "  It is *short*.",
        "message, steered: You",
        "  Be brief.",
        "message, queued: You",
        "  And then?",
        "  [x] Take back",
    ]
    told.tell("turn.finished", turn="turn_2", outcome="cancelled", usage={})
    told.tell("turn.finished", turn="turn_1", outcome="failed", error="The key was refused.", usage=USAGE)
    assert told.page()[-4:] == [
        "message, cancelled: You",
        "  And then?",
        "error, error: The key was refused.",
        "  [r] Try again",
    ]


def at_work() -> Told:
    """A run of two that has been approved: one has answered, the other failed."""
    told = Told()
    told.tell("run.started", run="run_1", spec={**SPEC, "budget": {"usd": 2}})
    for agent in ("ada", "bob"):
        told.tell("agent.started", run="run_1", agent=agent, attempt=1, purpose="answer")
    told.tell("answer.submitted", run="run_1", agent="ada", answerId="ans_1", label="agent1.1", content="Cache it.")
    told.tell("agent.stopped", run="run_1", agent="ada", attempt=1, reason="answered", usage=USAGE, costUsd=0.5)
    told.tell("agent.stopped", run="run_1", agent="bob", attempt=1, reason="failed", error="No key.", usage={})
    return told


def test_a_run_asks_first() -> None:
    told = Told()
    files = [{"path": "src", "permission": "write", "count": 12}]
    estimate = {"usdLow": 0.002, "usdHigh": 1.5}
    detail = {"spec": SPEC, "files": files, "estimate": estimate, "reason": "A team sees more."}
    told.asks("dec_1", "run", "Run: Make it faster", detail, run="run_1")
    facts = [
        "Why | A team sees more.",
        "Agents | ada and bob",
        "Mode | as a team, improving on each other's answers",
        "Files | src may be changed, 12 files",
        "Cost | about $0.0020 to $1.50",
    ]
    assert told.page() == [
        "decision, waiting: Run: Make it faster",
        *(f"  {fact}" for fact in facts),
        "  [a] Approve",
        "  [e] Edit ?edits.task ?edits.context",
        "  [c] Cancel",
    ]
    told.answers("dec_1", "approve", run="run_1", edits={"agents": ["ada"]})
    assert told.page() == [
        "decision, done: Run: Make it faster",
        "  You decided: Approve, with changes of yours",
        *(f"  {fact} (folded)" for fact in facts),
    ]


def test_of_a_long_task_a_run_bears_the_first_line_and_its_question_says_the_rest() -> None:
    told = Told()
    spec = {**SPEC, "task": "Review `app.py`.\n\nLook for bugs."}
    told.asks(
        "dec_1",
        "run",
        "Run: Review `app.py`.",
        {"spec": spec, "files": [], "estimate": None, "reason": ""},
        run="run_1",
    )
    assert told.page()[:2] == ["decision, waiting: Run: Review `app.py`.", "  Look for bugs."]
    told.tell("run.started", run="run_1", spec=spec)
    assert "run, running: Review `app.py`." in told.page()


def test_a_run_at_work_and_its_end() -> None:
    told = at_work()
    told.tell("message.shared", run="run_1", **{"from": "user"}, to=["ada"], text="Mind the memory.")
    told.tell("vote.cast", run="run_1", agent="ada", target="ada", reason="It is\nsimple.")
    assert told.page() == [
        "run, running: Make it faster",
        "  Answering* · Voting* · Your word* · Presenting*",
        "  Agents: ada | answered | 1 |  | 1,000 | $0.50",
        "  Agents: bob | failed: No key. |  |  |  |",
        "  ada's first answer: Cache it. (folded)",
        "  Votes: ada | ada | It is simple. | void",
        "  You told ada: Mind the memory.",
        "  $0.50 of $2.00 (25%)",
        "  $0.50, 1,000 tokens",
        "  [o] Open the run",
        "  [s] Tell the agents ?text",
        "  [x] Cancel the run",
    ]
    told.tell("winner.selected", run="run_1", agentId="ada", tally={"ada": 2}, by="votes")
    told.tell("agent.started", run="run_1", agent="ada", attempt=2, purpose="present")
    told.tell("item.started", run="run_1", agent="ada", item={"itemId": "item_9", "kind": "presentation"})
    told.tell("item.delta", run="run_1", agent="ada", itemId="item_9", offset=0, text="Cach")
    assert told.page()[-2:] == ["answer, streaming: Result, presented by ada", "  Cach"]
    result = {"text": "Cached.", "agentId": "ada", "strategy": "winner_present"}
    told.tell("run.finished", run="run_1", outcome="completed", result=result, usage=USAGE, costUsd=0.75)
    assert told.page()[:2] == ["run, done: Make it faster", "  Completed*"]
    assert told.page()[-9:] == [
        "  The team chose ada, with 2 of 2 votes",
        "  $0.75 of $2.00 (38%)",
        "  $0.75, 1,000 tokens, 11 s",
        "  [o] Open the run",
        "  [c] Continue ?instructions",
        "  [y] Analyse the run",
        "  [w] Save a report",
        "answer, done: Result, presented by ada",
        "  Cached.",
    ]


def test_a_choice_among_answers() -> None:
    told = at_work()
    answer = {"answerId": "ans_1", "label": "agent1.1", "agentId": "ada", "content": "Cache it."}
    choices = [{"id": "cancel", "label": "Let ada present"}]
    title = "ada was chosen to present. Choose another?"
    told.asks("dec_2", "override", title, {"answers": [answer]}, choices, run="run_1")
    assert told.page()[-4:] == [
        "decision, waiting: ada was chosen to present. Choose another?",
        "  ada's answer: Cache it.",
        "  [1] Present ada's answer",
        "  [c] Let the vote stand",
    ]
    told.answers("dec_2", "cancel", "timeout", run="run_1")
    assert told.page()[-2:] == [f"decision, done: {title}", "  Nobody chose another in time: Let ada present"]


def test_a_plan() -> None:
    told = at_work()
    told.tell("plan.proposed", run="run_1", plan=PLAN, path="plans/cache.md")
    told.asks("dec_3", "plan", "Carry out the plan “Cache it”?", {"plan": PLAN, "path": "plans/cache.md"}, run="run_1")
    shown = ["  1. Find the slow part", "     Profile *first*.", "  Kept in plans/cache.md"]
    assert told.page()[-8:] == [
        "plan, waiting: Plan: Cache it",
        *shown,
        "  [a] Approve",
        "  [i] Approve with instructions ?instructions",
        "  [e] Edit ?edits.plan.title ?edits.plan.tasks",
        "  [c] Cancel",
    ]
    told.answers("dec_3", "approve", run="run_1", text="But carefully.")
    assert told.page()[-5:] == [
        "plan, done: Plan: Cache it",
        *shown,
        "  You decided: Approve (“But carefully.”)",
    ]


def test_changes_hunk_by_hunk() -> None:
    told = at_work()
    told.tell("changes.proposed", run="run_1", changes=[CHANGE])
    told.asks("dec_4", "changes", "Apply the changes to one file?", {"changes": [CHANGE]}, run="run_1")
    assert told.page()[-7:] == [
        "changes, waiting: Changes to 1 file",
        "  by ada: edit src/app.py +2 -2",
        "  by ada: 0:  one -two +zwei",
        "  by ada: 1: -nine +neun",
        "  [a] Approve ?edits.files",
        "  [c] Cancel",
        "  [ ] Open the diff",
    ]
    told.answers("dec_4", "approve", run="run_1")
    settled = {"uri": CHANGE["uri"], "outcome": "conflicted", "reason": "it moved on"}
    told.tell("changes.settled", run="run_1", settled=[settled])
    assert told.page()[-8:] == [
        "changes, failed: 1 file could not be changed",
        "  You decided: Approve",
        "  by ada: edit src/app.py +2 -2, conflicted (folded)",
        "  by ada: 0:  one -two +zwei (folded)",
        "  by ada: 1: -nine +neun (folded)",
        "  src/app.py: it moved on",
        "  [a] Apply what is left",
        "  [ ] Open the diff",
    ]
    told.tell("changes.settled", run="run_1", settled=[{"uri": CHANGE["uri"], "outcome": "applied"}])
    assert (told.page()[-7], told.page()[-2]) == ("changes, done: Changed 1 file", "  [u] Undo")


def test_findings() -> None:
    told = at_work()
    where = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 4}}
    finding = {"findingId": "find_1", "uri": "file:///src/app.py", "range": where, "severity": "warning"}
    said = {"title": "A file is never closed", "detail": "It leaks.", "suggestion": "Use `with`."}
    for agent in ("ada", "bob"):
        told.tell(
            "finding.reported", run="run_1", agent=agent, finding={**finding, **said, "findingId": f"find_{agent}"}
        )
    assert told.page()[-7:] == [
        "findings, running: 1 finding",
        "  A file is never closed: src/app.py, line 3",
        "  Warning* · 2 of 2 agents",
        "  It leaks. (folded)",
        "  Suggestion: Use `with`. (folded)",
        "  [ ] Fix",
        "  [ ] Dismiss",
    ]
    told.tell("finding.dismissed", findingIds=["find_ada", "find_bob"])
    assert told.page()[-1:] == ["findings, running: No findings left"]


def test_questions() -> None:
    told = Told()
    question = {"question": "Which *port*?", "choices": ["80", "8080"], "agentId": "ada"}
    told.asks("dec_1", "input", "Which *port*?", question, run="run_1", agent="ada")
    usage = {"usd": 1.0, "tokens": 1000, "seconds": 75.0, "usage": USAGE}
    told.asks("dec_2", "budget", "Go on?", {"of": "session", "spent": usage, "limit": {"usd": 1, "tokens": 4000}})
    told.asks("dec_3", "command", "May ada run this?", {"argv": ["make", "test"], "cwd": "server"}, run="run_1")
    items = [{"what": "turn", "id": "turn_1", "task": "Say more."}, {"what": "run", "id": "run_1", "task": "Try it."}]
    interrupted = {"what": "session", "task": "Say more.", "done": "Two steps were done.", "items": items}
    told.asks("dec_4", "resume", "This was interrupted. Go on with it?", interrupted)
    yes_or_no = ["  [a] Approve", "  [c] Cancel"]
    assert told.page() == [
        "decision, waiting: ada asks",
        "  Which *port*?",
        "  [1] 80",
        "  [2] 8080",
        "  [r] Answer in your own words ?text",
        "decision, waiting: Go on?",
        "  The session may use $1.00, 4,000 tokens; it has used $1.00, 1,000 tokens, 1 min 15 s.",
        "  $1.00 of $1.00 (100%)",
        "  1,000 of 4,000 tokens (25%)",
        *yes_or_no,
        "decision, waiting: May ada run this?",
        "  make test",
        "  in a copy of server",
        *yes_or_no,
        "decision, waiting: This was interrupted. Go on with it?",
        "  Say more.",
        "  Try it.",
        "  Two steps were done.",
        *yes_or_no,
    ]
    told.answers("dec_1", "80", run="run_1", text="443")
    told.answers("dec_2", "approve", "policy")
    told.answers("dec_3", "cancel", "cancelled", run="run_1")
    said = [line for line in told.page() if line.startswith(("  You", "  Decided", "  No longer", "decision"))]
    assert said == [
        "decision, done: ada asks",
        "  You decided: 443",
        "decision, done: Go on?",
        "  Decided by your settings: Approve",
        "decision, cancelled: May ada run this?",
        "  No longer asked",
        "decision, waiting: This was interrupted. Go on with it?",
    ]


def test_remarks() -> None:
    told = Told()
    told.tell("session.compacted", summary="They spoke of much.", upToSeq=3)
    told.tell("notice.raised", level="warning", text="The key is wrong.", hint="Set another one.")
    told.tell("turn.started", turn="turn_1", text="Hm").tell(
        "turn.finished", turn="turn_1", outcome="cancelled", usage={}
    )
    assert told.page() == [
        "compaction, done: Earlier messages were summed up to make room",
        "  They spoke of much. (folded)",
        "notice, warning: The key is wrong.",
        "  Set another one.",
        "notice, info: Cancelled",
    ]


def test_what_a_model_does_in_words() -> None:
    calls: dict[str, tuple[Json, str]] = {
        "read_file": ({"path": "a.py"}, "Read a.py"),
        "list_files": ({"path": ".", "glob": "*.py"}, "Listed *.py in the workspace"),
        "search_files": ({"pattern": "TODO", "path": "src"}, "Searched src for “TODO”"),
        "write_file": ({"path": "a.py", "content": "one\ntwo"}, "Wrote a.py, 2 lines"),
        "edit_file": ({"path": "a.py", "old": "x", "new": "y"}, "Edited a.py"),
        "delete_file": ({"path": "a.py"}, "Deleted a.py"),
        "git_diff": ({}, "Compared the workspace with the last commit"),
        "git_log": ({"path": "a.py"}, "Read the history of a.py"),
        "run_command": ({"argv": ["make", "test"]}, "Ran make test"),
        "get_run": ({"run_id": "run_1"}, "Looked up an earlier run"),
        "analyze_run": ({"run_id": "run_1"}, "Analysed an earlier run"),
        "github__create_issue": ({"title": "x"}, "Used create issue of github"),
    }
    told = Told()
    for name, (arguments, _) in calls.items():
        call = {"itemId": f"item_{name}", "kind": "tool_call", "name": name, "arguments": arguments}
        told.tell("item.started", turn="turn_1", item=call)
        told.tell("item.finished", turn="turn_1", item={**call, "status": "succeeded"})
    assert told.page() == [f"activity, done: {words}" for _, words in calls.values()]


def test_a_call_that_is_under_way_fails_or_shows_in_its_effect() -> None:
    told = Told()
    call = {"itemId": "item_1", "kind": "tool_call", "name": "run_command", "arguments": {"argv": ["make"]}}
    told.tell("item.started", turn="turn_1", item=call)
    assert told.page() == ["activity, running: Running make"]
    told.tell("item.finished", turn="turn_1", item={**call, "status": "failed", "error": "No such file."})
    assert told.page() == ["activity, failed: Running make: it failed", "  No such file."]
    launch = {"itemId": "item_2", "kind": "tool_call", "name": "launch_run", "arguments": {"task": "Do it."}}
    told.tell("item.started", turn="turn_1", item=launch)
    assert len(told.page()) == 2
    told.tell("item.finished", turn="turn_1", item={**launch, "status": "failed", "error": "No such agent."})
    assert told.page()[-2:] == ["activity, failed: Starting a run: it failed", "  No such agent."]


def test_a_stream_that_was_cut_off_leaves_nothing_behind() -> None:
    told = Told()
    item = {"itemId": "item_1", "kind": "assistant_message", "text": ""}
    told.tell("item.started", turn="turn_1", item=item)
    told.tell("item.delta", turn="turn_1", itemId="item_1", offset=0, text="Half of")
    told.tell("item.finished", turn="turn_1", item={**item, "text": "Half of", "discarded": True})
    assert told.page() == []
