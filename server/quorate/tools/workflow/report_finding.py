"""`report_finding`: in a review, an agent reports one problem at its place."""

from pydantic import Field

from quorate.protocol.findings import Severity
from quorate.tools.port import Arguments, Outcome
from quorate.tools.workflow.floor import Remark
from quorate.tools.workflow.tool import WorkflowTool, outcome_of


class ReportFindingArguments(Arguments):
    path: str
    line: int = Field(ge=1)
    end_line: int | None = Field(default=None, ge=1)
    severity: Severity
    title: str = Field(min_length=1)
    detail: str
    suggestion: str | None = None


class ReportFinding(WorkflowTool[ReportFindingArguments]):
    name = "report_finding"
    description = "Report one problem at its exact lines (from 1)."
    arguments = ReportFindingArguments

    async def run(self, arguments: ReportFindingArguments) -> Outcome:
        remark = Remark(
            path=arguments.path,
            line=arguments.line,
            end_line=arguments.end_line,
            severity=arguments.severity,
            title=arguments.title,
            detail=arguments.detail,
            suggestion=arguments.suggestion,
        )
        return outcome_of(await self._floor.remark(remark))
