"""What agents submit to their run: answers, votes, plans, findings; and the run as these tools see it.

Whether a submission counts is the run's to say, and so is the reason if not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol, TypeVar

from pydantic import Field

from teamwright.models.port import ToolSpec
from teamwright.permissions.actions import Action, CoordinateAction
from teamwright.protocol.checks import CheckFile
from teamwright.protocol.findings import Reproduction, Severity
from teamwright.protocol.ids import FindingId
from teamwright.protocol.plans import Plan, PlanTask
from teamwright.tools.port import Arguments, Failed, Outcome, Succeeded, Tool, compact_schema

A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Taken:
    """The sentence that the agent gets back."""

    text: str


@dataclass(frozen=True, slots=True)
class NotTaken:
    reason: str


@dataclass(frozen=True, slots=True)
class FindingReport:
    """A finding as an agent words it: lines from one, the last one included."""

    path: str
    line: int
    end_line: int | None
    severity: Severity
    title: str
    detail: str
    suggestion: str | None
    reproduction: Reproduction | None = None


class SubmissionPort(Protocol):
    """One agent's place in its run."""

    async def say(self, text: str) -> Taken | NotTaken:
        """Text without any call: an answer where one is due, and nothing where a vote is."""
        ...

    async def answer(self, content: str) -> Taken | NotTaken: ...

    async def vote(self, target: str, reason: str, disputed: Sequence[FindingId]) -> Taken | NotTaken: ...

    async def propose(self, plan: Plan) -> Taken | NotTaken: ...

    async def remark(self, remark: FindingReport) -> Taken | NotTaken: ...

    async def adopt(self, label: str) -> Taken | NotTaken: ...

    async def ask_person(self, question: str, choices: Sequence[str]) -> str: ...


class WorkflowTool(Tool[A]):
    def __init__(self, submissions: SubmissionPort) -> None:
        self._submissions = submissions

    def action(self, arguments: A) -> Action:
        del arguments
        return CoordinateAction(self.name)


def _outcome_of(said: Taken | NotTaken) -> Outcome:
    match said:
        case Taken(text):
            return Succeeded(text)
        case NotTaken(reason):
            return Failed(reason)


class NewAnswerArguments(Arguments):
    content: str = Field(min_length=1)


class NewAnswerTool(WorkflowTool[NewAnswerArguments]):
    name = "new_answer"
    description = "Submit your complete answer. It stands by itself."
    arguments = NewAnswerArguments

    async def run(self, arguments: NewAnswerArguments) -> Outcome:
        return _outcome_of(await self._submissions.answer(arguments.content))


class AdoptAnswerArguments(Arguments):
    label: Annotated[str, Field(description="The answer, such as agent2.1.")]


class AdoptAnswerTool(WorkflowTool[AdoptAnswerArguments]):
    name = "adopt_answer"
    description = "Make your copy of the files that of another answer, whole, to build on it."
    arguments = AdoptAnswerArguments

    async def run(self, arguments: AdoptAnswerArguments) -> Outcome:
        return _outcome_of(await self._submissions.adopt(arguments.label))


class VoteArguments(Arguments):
    agent_id: str
    reason: str = Field(min_length=1)
    disputed: Annotated[list[str] | None, Field(description="Ids of findings that you checked and that are wrong.")] = (
        None
    )


class VoteTool(WorkflowTool[VoteArguments]):
    name = "vote"
    description = "Vote for the agent whose answer is the best."
    arguments = VoteArguments

    def __init__(self, submissions: SubmissionPort, candidates: tuple[str, ...]) -> None:
        super().__init__(submissions)
        self._candidates = candidates

    @property
    def spec(self) -> ToolSpec:
        """It names who can be voted for, so that a model cannot easily miss."""
        schema = compact_schema(VoteArguments)
        properties = {**schema["properties"], "agent_id": {"type": "string", "enum": list(self._candidates)}}
        return ToolSpec(self.name, self.description, {**schema, "properties": properties})

    async def run(self, arguments: VoteArguments) -> Outcome:
        disputed = tuple(FindingId(each) for each in arguments.disputed or () if FindingId.admits(each))
        return _outcome_of(await self._submissions.vote(arguments.agent_id, arguments.reason, disputed))


class TaskArguments(Arguments):
    title: str = Field(min_length=1)
    detail: str
    phase: str | None = None
    files: list[str] | None = None


class SubmitPlanArguments(Arguments):
    title: str = Field(min_length=1)
    tasks: list[TaskArguments] = Field(min_length=1)


class SubmitPlanTool(WorkflowTool[SubmitPlanArguments]):
    name = "submit_plan"
    description = "Submit your complete plan."
    arguments = SubmitPlanArguments

    async def run(self, arguments: SubmitPlanArguments) -> Outcome:
        tasks = (
            PlanTask(
                id=str(number),
                title=task.title,
                detail=task.detail,
                phase=task.phase,
                files=tuple(task.files) if task.files is not None else None,
            )
            for number, task in enumerate(arguments.tasks, 1)
        )
        return _outcome_of(await self._submissions.propose(Plan(title=arguments.title, tasks=tuple(tasks))))


class ReproductionFileArguments(Arguments):
    path: str = Field(min_length=1)
    content: str


class ReproduceArguments(Arguments):
    argv: list[str] = Field(min_length=1)
    files: list[ReproductionFileArguments] | None = None

    @property
    def reproduction(self) -> Reproduction:
        files = (CheckFile(path=file.path, content=file.content) for file in self.files or ())
        return Reproduction(argv=tuple(self.argv), files=tuple(files))


class ReportFindingArguments(Arguments):
    path: str
    line: int = Field(ge=1)
    end_line: int | None = Field(default=None, ge=1)
    severity: Severity
    title: str = Field(min_length=1)
    detail: str
    suggestion: str | None = None
    reproduce: Annotated[
        ReproduceArguments | None,
        Field(
            description="A program that fails because of the problem, such as a test, with the files that it needs. It "
            "is run in a fresh copy of the workspace, without a shell or a network, and the finding says whether it "
            "failed."
        ),
    ] = None


class ReportFindingTool(WorkflowTool[ReportFindingArguments]):
    name = "report_finding"
    description = "Report one problem at its exact lines (from 1)."
    arguments = ReportFindingArguments

    def __init__(self, submissions: SubmissionPort, *, reproduces: bool) -> None:
        """`reproduces`: whether something can be run at all; else no model need write for nobody, and what one brings
        all the same is left aside."""
        super().__init__(submissions)
        self._reproduces = reproduces

    @property
    def spec(self) -> ToolSpec:
        if self._reproduces:
            return super().spec
        schema = compact_schema(ReportFindingArguments)
        properties = {name: each for name, each in schema["properties"].items() if name != "reproduce"}
        offered = {"type": "object", "properties": properties, "required": schema["required"]}
        return ToolSpec(self.name, self.description, offered)

    async def run(self, arguments: ReportFindingArguments) -> Outcome:
        remark = FindingReport(
            path=arguments.path,
            line=arguments.line,
            end_line=arguments.end_line,
            severity=arguments.severity,
            title=arguments.title,
            detail=arguments.detail,
            suggestion=arguments.suggestion,
            reproduction=arguments.reproduce.reproduction if arguments.reproduce is not None else None,
        )
        return _outcome_of(await self._submissions.remark(remark))
