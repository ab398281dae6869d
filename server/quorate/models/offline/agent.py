"""A member of the offline team in a run: it reads, analyses, reports, answers, votes and presents like any other."""

from collections.abc import Sequence
from dataclasses import replace

from anyio import to_thread

from quorate.models.offline.analysts import PORTRAITS, Report, Speciality, examine
from quorate.models.offline.assignment import Assignment, assignment_of
from quorate.models.offline.fixing import Edit, safe_fixes
from quorate.models.offline.judging import agreement, latest_answers, verdict
from quorate.models.offline.outline import outline
from quorate.models.offline.reading import exchanges, files_read, next_reads
from quorate.models.offline.remarks import Place, Remark, Source, claim_of, remark_line
from quorate.models.offline.reply import Call, Reply
from quorate.models.offline.wording import (
    NO_FILES,
    NO_TESTS,
    explanation_text,
    presented_review,
    review_text,
)
from quorate.models.port import AssistantMessage, ModelRequest, ToolSpec
from quorate.prompts.agent_messages import ShownAnswer
from quorate.prompts.recognising import shown_answers


class Analyst:
    def __init__(self, speciality: Speciality) -> None:
        self._speciality: Speciality = speciality
        # The same files are looked at again when it votes and when it presents.
        self._known: dict[tuple[Source, ...], Report] = {}

    async def reply(self, request: ModelRequest) -> Reply:
        """Raises ModelError."""
        offered = {tool.name: tool for tool in request.tools}
        assignment = assignment_of(request)
        if "read_file" in offered and (calls := next_reads(request.messages, assignment.readable, assignment.said)):
            return Reply(calls=calls)
        sources = tuple(read.source for read in files_read(request.messages))
        report = await self._report(sources, assignment)
        if "vote" in offered and (answers := _answers(request)):
            return self._vote(offered["vote"], answers, report)
        done = {call.name for call, _ in exchanges(request.messages)}
        if "report_finding" in offered and "report_finding" not in done and report.remarks:
            return Reply(calls=tuple(_finding(remark) for remark in report.remarks))
        text = await self._text(assignment, sources, report)
        if "submit_plan" in offered:
            return Reply(calls=(_plan(report.remarks, text),))
        if "new_answer" in offered:
            return Reply(calls=(Call("new_answer", {"content": text}),))
        return await self._presentation(request, assignment, text)

    async def _report(self, sources: tuple[Source, ...], assignment: Assignment) -> Report:
        if sources not in self._known:
            self._known[sources] = await examine(self._speciality, sources)
        report = self._known[sources]
        return replace(report, remarks=tuple(each for each in report.remarks if assignment.covers(each.place)))

    async def _text(self, assignment: Assignment, sources: Sequence[Source], report: Report) -> str:
        if not sources:
            return NO_FILES
        if assignment.errand == "explain":
            outlines = await to_thread.run_sync(lambda: "\n\n".join(outline(source) for source in sources))
            return explanation_text(self._speciality, sources, report, outlines)
        lead = NO_TESTS + "\n\n" if assignment.errand == "tests" else ""
        return lead + review_text(self._speciality, sources, report)

    def _vote(self, tool: ToolSpec, answers: Sequence[ShownAnswer], report: Report) -> Reply:
        candidates: list[str] = tool.schema["properties"]["agent_id"]["enum"]
        own = [claim_of(remark) for remark in report.remarks]
        chosen = verdict(latest_answers(answers), candidates, own, PORTRAITS[self._speciality].tool)
        return Reply(calls=(Call("vote", {"agent_id": chosen.agent, "reason": chosen.reason}),))

    async def _presentation(self, request: ModelRequest, assignment: Assignment, own_text: str) -> Reply:
        edited = [call.arguments["path"] for call, _ in exchanges(request.messages) if call.name == "edit_file"]
        offered = {tool.name for tool in request.tools}
        if assignment.errand == "review" and "edit_file" in offered and not edited:
            edits = await safe_fixes(_changeable(request, assignment))
            if calls := tuple(_edit(edit) for edit in edits if _is_within(edit, request, assignment)):
                return Reply(calls=calls)
        answers = latest_answers(_answers(request))
        if not answers or assignment.errand == "explain":
            return Reply(text="\n\n".join(answers.values()) or own_text)
        return Reply(text=presented_review(assignment, agreement(answers), len(answers), list(dict.fromkeys(edited))))


def _answers(request: ModelRequest) -> tuple[ShownAnswer, ...]:
    """News comes with a tool's result where one is due, so that it may stand in any message that is not its own."""
    told = (message.text for message in request.messages if not isinstance(message, AssistantMessage))
    return tuple(answer for text in told for answer in shown_answers(text))


def _finding(remark: Remark) -> Call:
    arguments: dict[str, str | int] = {
        "path": remark.place.path,
        "line": remark.place.line,
        "severity": remark.severity,
        "title": remark.title,
        "detail": f"{remark.detail} [{remark.rule}]",
    }
    if remark.place.end_line > remark.place.line:
        arguments["end_line"] = remark.place.end_line
    if remark.suggestion is not None:
        arguments["suggestion"] = remark.suggestion
    return Call("report_finding", arguments)


def _plan(remarks: Sequence[Remark], text: str) -> Call:
    by_file: dict[str, list[Remark]] = {}
    for remark in remarks:
        by_file.setdefault(remark.place.path, []).append(remark)
    tasks = [
        {"title": f"Mend {path}", "detail": "\n".join(map(remark_line, found)), "files": [path]}
        for path, found in by_file.items()
    ]
    return Call("submit_plan", {"title": "Mend what the analysers found", "tasks": tasks or [_nothing_to_do(text)]})


def _nothing_to_do(text: str) -> dict[str, str]:
    return {"title": "Nothing to mend", "detail": text}


def _changeable(request: ModelRequest, assignment: Assignment) -> list[Source]:
    return [
        read.source
        for read in files_read(request.messages)
        if read.is_whole and assignment.may_change(read.source.path)
    ]


def _edit(edit: Edit) -> Call:
    return Call("edit_file", {"path": edit.path, "old": edit.old, "new": edit.new})


def _is_within(edit: Edit, request: ModelRequest, assignment: Assignment) -> bool:
    text = next(read.source.text for read in files_read(request.messages) if read.source.path == edit.path)
    line = text[: text.find(edit.old)].count("\n") + 1
    return assignment.covers(Place(edit.path, line, line + edit.old.count("\n")))
