"""What the assistant gets back from a run."""

from datetime import UTC, datetime
from typing import Any

from teamwright.prompts.assistant.run_report import LONGEST_ANSWERS, LONGEST_RESULT, ReportedRun, run_report
from teamwright.protocol.changes import Change, SettledFile
from teamwright.protocol.events import RunFinished
from teamwright.protocol.findings import AgreedFinding
from teamwright.protocol.ids import AgentId, AnswerId, FindingId, RunId
from teamwright.protocol.items import Position, Range
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import AgentView, Answer, RunOutcome, RunResult, RunView, VoteView
from tests.support.marks import unmarked

AT = datetime(2026, 11, 16, 8, 30, tzinfo=UTC)
USAGE = Usage(input_tokens=900, output_tokens=100, calls=7)
A, B = AgentId("a"), AgentId("b")


def view(**fields: Any) -> RunView:
    told: dict[str, Any] = {
        "run_id": RunId("run_1"),
        "task": "Fix the limiter",
        "phase": "finished",
        "agents": (),
        "started_at": AT,
    }
    return RunView(**(told | fields))


def agent(agent_id: AgentId, note: str | None = None) -> AgentView:
    return AgentView(
        agent_id=agent_id, status="failed" if note else "voted", attempt=1, answers=1, usage=USAGE, note=note
    )


def finished(text: str | None, outcome: RunOutcome = "completed", **fields: Any) -> RunFinished:
    result = RunResult(text=text, agent_id=A, strategy="winner_present") if text is not None else None
    return RunFinished(outcome=outcome, result=result, usage=USAGE, cost_usd=0.1234, **fields)


def answer(agent_id: AgentId, label: str, content: str) -> Answer:
    return Answer(answer_id=AnswerId("ans_1"), label=label, agent_id=agent_id, content=content, submitted_at=AT)


def change(path: str) -> Change:
    return Change(uri=path, kind="edit", diff="", hunks=(), agent_id=A)


def finding(number: int, *, dismissed: bool = False) -> AgreedFinding:
    place = Range(start=Position(line=number, character=0), end=Position(line=number, character=4))
    return AgreedFinding(
        finding_id=FindingId(f"find_{number}"),
        uri="src/limiter.py",
        range=place,
        severity="warning",
        title="Race",
        detail="Two threads\nmay enter.",
        agents=(A, B),
        of=3,
        dismissed=dismissed,
    )


def test_everything_that_there_is_to_judge_is_told() -> None:
    run = ReportedRun(
        view=view(
            agents=(agent(A), agent(B), agent(AgentId("c"), "The provider is overloaded.")),
            votes=(
                VoteView(agent_id=A, target=B, reason="Old.", counts=False),
                VoteView(agent_id=B, target=A, reason="It is tested.", counts=True),
            ),
            winner=A,
        ),
        finished=finished("Fixed.", footer="Files written: src/limiter.py", written=("src/limiter.py",)),
        answers=(answer(A, "agent1.1", "First."), answer(B, "agent2.1", "Lock it."), answer(A, "agent1.2", "Fixed.")),
        findings=(finding(4), finding(9, dismissed=True)),
        proposed=(change("src/limiter.py"), change("src/lock.py"), change("docs/a.md")),
        settled=(
            SettledFile(uri="src/limiter.py", outcome="applied"),
            SettledFile(uri="src/lock.py", outcome="conflicted", reason="it changed meanwhile"),
        ),
        plan_path="plan.md",
    )
    assert unmarked(run_report(run)) == (
        "Run run_1: completed.\n"
        "Task: Fix the limiter\n"
        "Chosen: a.\n"
        "The plan is kept in plan.md.\n"
        "Cost: $0.1234; 1000 tokens in 7 calls.\n\n"
        "# Result\n"
        '<result by="a" how="winner_present">\nFixed.\n</result>\n'
        "Files written: src/limiter.py\n\n"
        "# Answers (3 in all, the latest of each agent)\n"
        '<answer label="agent1.2" by="a">\nThe same as the result.\n</answer>\n'
        '<answer label="agent2.1" by="b">\nLock it.\n</answer>\n\n'
        "# Votes\n"
        "- a for b (no longer counts): Old.\n"
        "- b for a: It is tested.\n\n"
        "# Findings\n"
        "- [find_4] warning src/limiter.py:5 (2 of 3 agents) Race: Two threads may enter.\n\n"
        "# Changes\n"
        "- src/limiter.py: applied\n"
        "- src/lock.py: conflicted (it changed meanwhile)\n"
        "- docs/a.md: pending, edit\n\n"
        "# Trouble\n"
        "- c: The provider is overloaded."
    )


def test_a_straight_answer_is_told_once() -> None:
    run = ReportedRun(view(), finished("Yes."), answers=(answer(A, "agent1.1", "Yes."),))
    assert unmarked(run_report(run)) == (
        "Run run_1: completed.\nTask: Fix the limiter\nCost: $0.1234; 1000 tokens in 7 calls.\n\n"
        '# Result\n<result by="a" how="winner_present">\nYes.\n</result>'
    )


def test_what_was_cut_short_says_what_its_text_is() -> None:
    heads = {
        outcome: run_report(ReportedRun(view(), finished(None, outcome, error="No agent\nanswered."))).split("\n\n")
        for outcome in ("timed_out", "cancelled", "failed")
    }
    assert heads["timed_out"][0].startswith("Run run_1: timed out; what follows is the best so far.\n")
    assert heads["cancelled"][0].startswith("Run run_1: cancelled; what follows is what there was.\n")
    assert heads["failed"] == [
        "Run run_1: failed.\nTask: Fix the limiter\nError: No agent answered.\nCost: $0.1234; 1000 tokens in 7 calls.",
        "# Result\nThere is none.",
    ]


def test_a_run_under_way_tells_how_it_stands_with_the_answers_so_far() -> None:
    run = ReportedRun(view(phase="voting", usage=USAGE), answers=(answer(A, "agent1.1", "Draft."),))
    assert unmarked(run_report(run)) == (
        "Run run_1: under way (voting).\nTask: Fix the limiter\nCost: not known; 1000 tokens in 7 calls.\n\n"
        "# Answers (1 in all, the latest of each agent)\n"
        '<answer label="agent1.1" by="a">\nDraft.\n</answer>'
    )


def test_it_is_bounded_whatever_the_agents_wrote() -> None:
    agents = [AgentId(f"a{number}") for number in range(200)]
    run = ReportedRun(
        view(
            task="t" * 100_000,
            agents=tuple(agent(each, "n" * 10_000) for each in agents),
            votes=tuple(VoteView(agent_id=each, target=A, reason="r" * 10_000, counts=True) for each in agents),
        ),
        finished("x" * 1_000_000, error="e" * 100_000),
        answers=tuple(answer(each, "agent1.1", "y" * 1_000_000) for each in agents),
        findings=tuple(finding(number) for number in range(1_000)),
        proposed=tuple(change(f"{number}.py") for number in range(1_000)),
    )
    report = run_report(run)
    assert len(report) < LONGEST_RESULT + 2 * LONGEST_ANSWERS + 90_000
    assert "- and 150 more" in report
