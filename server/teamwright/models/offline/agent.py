"""A member of the offline team in a run: it reads, analyses, reports, answers, votes and presents like any other."""

from collections.abc import Sequence
from dataclasses import replace

from anyio import to_thread

from teamwright.models.offline.analysts import PROFILES, AnalysisReport, Speciality, examine
from teamwright.models.offline.assignment import Assignment, assignment_of
from teamwright.models.offline.judging import agreement, latest_answers, verdict
from teamwright.models.offline.python_analysers import Edit, safe_fixes
from teamwright.models.offline.reading import OfflineCall, OfflineReply, exchanges, files_read, next_reads
from teamwright.models.offline.remarks import CodeRemark, CodeSpan, SourceFile, claim_of, remark_line
from teamwright.models.offline.wording import (
    NO_FILES,
    NO_TESTS,
    explanation_text,
    outline,
    presented_review,
    review_text,
)
from teamwright.models.port import ModelReply, ModelRequest, ToolSpec
from teamwright.prompts.agent_messages import ShownAnswer
from teamwright.prompts.recognising import shown_answers


class Analyst:
    def __init__(self, speciality: Speciality) -> None:
        self._speciality: Speciality = speciality
        # The same files are looked at again when it votes and when it presents.
        self._known: dict[tuple[SourceFile, ...], AnalysisReport] = {}

    async def reply(self, request: ModelRequest) -> OfflineReply:
        """Raises ModelError."""
        offered = {tool.name: tool for tool in request.tools}
        assignment = assignment_of(request)
        if "read_file" in offered and (calls := next_reads(request.messages, assignment.readable, assignment.said)):
            return OfflineReply(calls=calls)
        sources = tuple(read.source for read in files_read(request.messages))
        report = await self._report(sources, assignment)
        if "vote" in offered and (answers := _answers(request)):
            return self._vote(offered["vote"], answers, report)
        done = {call.name for call, _ in exchanges(request.messages)}
        if "report_finding" in offered and "report_finding" not in done and report.remarks:
            return OfflineReply(calls=tuple(_finding(remark) for remark in report.remarks))
        text = await self._text(assignment, sources, report)
        if "submit_plan" in offered:
            return OfflineReply(calls=(_plan(report.remarks, text),))
        if "new_answer" in offered:
            # What it can mend goes with its answer, so that the others see it and the project's checks judge it.
            mended = await self._mending(request, assignment)
            return OfflineReply(calls=(*mended, OfflineCall("new_answer", {"content": text})))
        return await self._presentation(request, assignment, text)

    async def _report(self, sources: tuple[SourceFile, ...], assignment: Assignment) -> AnalysisReport:
        if sources not in self._known:
            self._known[sources] = await examine(self._speciality, sources)
        report = self._known[sources]
        return replace(report, remarks=tuple(each for each in report.remarks if assignment.covers(each.place)))

    async def _text(self, assignment: Assignment, sources: Sequence[SourceFile], report: AnalysisReport) -> str:
        if not sources:
            return NO_FILES
        if assignment.purpose == "explain":
            outlines = await to_thread.run_sync(lambda: "\n\n".join(outline(source) for source in sources))
            return explanation_text(self._speciality, sources, report, outlines)
        lead = NO_TESTS + "\n\n" if assignment.purpose == "tests" else ""
        return lead + review_text(self._speciality, sources, report)

    def _vote(self, tool: ToolSpec, answers: Sequence[ShownAnswer], report: AnalysisReport) -> OfflineReply:
        candidates: list[str] = tool.schema["properties"]["agent_id"]["enum"]
        own = [claim_of(remark) for remark in report.remarks]
        chosen = verdict(latest_answers(answers), candidates, own, PROFILES[self._speciality].tool)
        return OfflineReply(calls=(OfflineCall("vote", {"agent_id": chosen.agent, "reason": chosen.reason}),))

    async def _presentation(self, request: ModelRequest, assignment: Assignment, own_text: str) -> OfflineReply:
        if mending := await self._mending(request, assignment):
            return OfflineReply(calls=mending)
        edited = _edited(request)
        answers = latest_answers(_answers(request))
        if not answers or assignment.purpose == "explain":
            return OfflineReply(text="\n\n".join(answers.values()) or own_text)
        return OfflineReply(
            text=presented_review(assignment, agreement(answers), len(answers), list(dict.fromkeys(edited)))
        )

    async def _mending(self, request: ModelRequest, assignment: Assignment) -> tuple[OfflineCall, ...]:
        """Once: its copy keeps what it has written. Raises ModelError."""
        may_edit = assignment.purpose == "review" and any(tool.name == "edit_file" for tool in request.tools)
        if not may_edit or _edited(request):
            return ()
        edits = await safe_fixes(_changeable(request, assignment))
        return tuple(_edit(edit) for edit in edits if _is_within(edit, request, assignment))


def _edited(request: ModelRequest) -> list[str]:
    return [str(call.arguments["path"]) for call, _ in exchanges(request.messages) if call.name == "edit_file"]


def _answers(request: ModelRequest) -> tuple[ShownAnswer, ...]:
    """News comes with a tool's result where one is due, so that it may stand in any message that is not its own."""
    told = (message.text for message in request.messages if not isinstance(message, ModelReply))
    return tuple(answer for text in told for answer in shown_answers(text))


def _finding(remark: CodeRemark) -> OfflineCall:
    arguments: dict[str, str | int] = {
        "path": remark.place.path,
        "line": remark.place.line,
        "severity": remark.severity,
        "title": remark.title,
        "detail": f"{remark.beyond_title} [{remark.rule}]".lstrip(),
    }
    if remark.place.end_line > remark.place.line:
        arguments["end_line"] = remark.place.end_line
    if remark.suggestion is not None:
        arguments["suggestion"] = remark.suggestion
    return OfflineCall("report_finding", arguments)


def _plan(remarks: Sequence[CodeRemark], text: str) -> OfflineCall:
    by_file: dict[str, list[CodeRemark]] = {}
    for remark in remarks:
        by_file.setdefault(remark.place.path, []).append(remark)
    tasks = [
        {"title": f"Mend {path}", "detail": "\n".join(map(remark_line, found)), "files": [path]}
        for path, found in by_file.items()
    ]
    return OfflineCall(
        "submit_plan", {"title": "Mend what the analysers found", "tasks": tasks or [_nothing_to_do(text)]}
    )


def _nothing_to_do(text: str) -> dict[str, str]:
    return {"title": "Nothing to mend", "detail": text}


def _changeable(request: ModelRequest, assignment: Assignment) -> list[SourceFile]:
    return [
        read.source
        for read in files_read(request.messages)
        if read.is_whole and assignment.may_change(read.source.path)
    ]


def _edit(edit: Edit) -> OfflineCall:
    return OfflineCall("edit_file", {"path": edit.path, "old": edit.old, "new": edit.new})


def _is_within(edit: Edit, request: ModelRequest, assignment: Assignment) -> bool:
    text = next(read.source.text for read in files_read(request.messages) if read.source.path == edit.path)
    line = text[: text.find(edit.old)].count("\n") + 1
    return assignment.covers(CodeSpan(edit.path, line, line + edit.old.count("\n")))
