"""What agents are shown in the course of a run. Each message is only ever appended: what was sent stays as it was."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from teamwright.prompts.assistant.quoting import one_line, quoted
from teamwright.protocol.findings import AgreedFinding

EARLIER: Final = "Earlier in this session"
_LONGEST_FINDING: Final = 300


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    label: str
    content: str
    files: tuple[str, ...] = ()
    # What it changes, bounded, and what the project's checks say of it.
    diff: str = ""
    checks: str = ""


def task_message(task: str, context: str = "", history: str = "", plan: str = "") -> str:
    """The first message: the task, what the user said around it, and what came of earlier work."""
    sections = (
        (EARLIER, history),
        ("Context", context),
        ("The plan to carry out", plan),
        ("Task", task),
    )
    return "\n\n".join(f"# {title}\n{text.strip()}" for title, text in sections if text.strip())


def evaluation_message(
    answers: Sequence[ShownAnswer], own_label: str | None, *, may_answer: bool, findings: str = "", base: str = ""
) -> str:
    """All answers, the reader's own last, and what to do with them."""
    ordered = sorted(answers, key=lambda answer: answer.label == own_label)
    shown = "\n\n".join(_answer(answer, own=answer.label == own_label) for answer in ordered)
    what = "`vote` for the best one, or submit a better one." if may_answer else "`vote` for the best one."
    without = f"\n\nThe checks without any of these changes: {base}" if base else ""
    return f"These are the answers so far.\n\n{shown}{without}{_to_check(findings)}\n\nNow {what}"


def new_answers_message(answers: Sequence[ShownAnswer]) -> str:
    """What is new since the reader last looked; only that, so that everything before stays as it was."""
    shown = "\n\n".join(_answer(answer, own=False) for answer in answers)
    return f"While you worked, this was submitted:\n\n{shown}\n\nTake it into account."


def evaluate_again_message(answers: Sequence[ShownAnswer], *, may_answer: bool, own_checks: Sequence[str] = ()) -> str:
    """For an agent that has evaluated before: only what is new, so that everything before stays as it was."""
    what = "`vote`, or submit a better one" if may_answer else "`vote`"
    own = "".join(f"The checks of your {line}\n\n" for line in own_checks)
    if not answers:
        return f"{own}Look at the answers once more, then {what}."
    shown = own + "\n\n".join(_answer(answer, own=False) for answer in answers)
    return f"Since you last looked, this was submitted:\n\n{shown}\n\nWith it in mind, {what}."


def steering_message(text: str) -> str:
    return f"The user says, while you work:\n\n{text.strip()}"


def answered_questions_message(answers: Sequence[tuple[str, str]]) -> str:
    """For an agent that had asked before the work was interrupted."""
    told = "\n".join(f"- You asked: {question}\n  The user answered: {answer}" for question, answer in answers)
    return f"Earlier in this work:\n{told}"


def asked_aside_message(asker: str, question: str) -> str:
    return (
        f"{asker}, who works on the same task, asks you aside, while your own work waits for nobody:\n"
        f"{quoted('question', question)}\nAnswer in a few sentences of plain text, by what you know now. Call no tool."
    )


def wrap_up_message(*, seconds_left: float) -> str:
    return f"Your time for this round is nearly over. Finish what you have and submit it within {seconds_left:.0f} s."


def last_call_message() -> str:
    return "Your time for this round is over. Only submitting and voting are open to you now: do it with what you have."


def reminder_message(*, may_answer: bool) -> str:
    what = "call `vote`, or submit a better answer with its tool" if may_answer else "call `vote`"
    return f"Text alone does not count here. To take part, {what}."


def presentation_message(
    task: str, answers: Sequence[ShownAnswer], own_label: str, *, synthesize: bool, findings: str = ""
) -> str:
    shown = "\n\n".join(_answer(answer, own=answer.label == own_label) for answer in answers)
    how = (
        "Combine the strongest parts of all answers into one result. Resolve where they contradict each other."
        if synthesize
        else f"Your answer ({own_label}) was chosen. Write the final version, with what is right in the others."
    )
    digest = quoted("findings", findings) if findings else ""
    listed = f"\n\n# Findings, with how many of the team stand behind each\n{digest}" if digest else ""
    return (
        f"# Task\n{task.strip()}\n\n# Answers\n{shown}{listed}\n\n# Now\n{how} Carry out what the task asks of the "
        "files you can change, then write the result for the user: it stands by itself and mentions no agents or votes."
    )


def repair_message(checks: str) -> str:
    """For a presenter whose last changes make worse what the chosen answer left whole. It is said once."""
    return (
        "The project's checks were run on what you have written, and it stands lower than the answer that was chosen: "
        f"{checks}\nMend it in the files, then write the result for the user once more, whole."
    )


def findings_digest(findings: Sequence[AgreedFinding]) -> str:
    """The findings of the team, in their order, as they are named in votes."""
    return "\n".join(
        f"- [{finding.finding_id}] {finding.uri}:{finding.range.start.line + 1} {finding.severity}: "
        f"{one_line(finding.title, _LONGEST_FINDING)} "
        f"({finding.standing})"
        for finding in findings
    )


def _to_check(findings: str) -> str:
    if not findings:
        return ""
    return (
        f"\n\nThese are the findings so far, with how many of you reported each.\n{quoted('findings', findings)}\n"
        "Check those that are not yours. Name in `disputed` of your vote the ids of those that are wrong."
    )


def _answer(answer: ShownAnswer, *, own: bool) -> str:
    diff = f"\nChanges:\n```diff\n{answer.diff.rstrip()}\n```" if answer.diff else ""
    shown = quoted("answer", f"{answer.content.strip()}{diff}", label=answer.label, yours="true" if own else "")
    # What Teamwright itself says of it stands outside, where no author can write it.
    checks = f"\nChecks: {answer.checks}" if answer.checks else ""
    files = ", ".join(f"answers/{answer.label}/{name}" for name in answer.files)
    return f"{shown}{checks}" + (f"\nFiles: {files}" if files else "")
