"""What an agent may call in its run, by the part that it plays at the moment."""

from teamwright.engine.run.answers import alias
from teamwright.engine.run.asking import may_ask
from teamwright.engine.run.commands import Deliberate, Present, Work
from teamwright.engine.run.voting import candidates
from teamwright.permissions.actions import AskPersonAction
from teamwright.permissions.judgement import judge
from teamwright.permissions.rules import Role
from teamwright.permissions.verdicts import Allow
from teamwright.prompts.agent_messages import findings_digest
from teamwright.protocol.records import Scope
from teamwright.runtime.runs.agents.members import RunMember
from teamwright.runtime.runs.files import RunFiles
from teamwright.runtime.runs.record import told_findings
from teamwright.runtime.runs.run_log import RunLog
from teamwright.runtime.sessions.decisions import Decisions
from teamwright.runtime.sessions.permission_questions import PermissionQuestions
from teamwright.tools.asking import AskOthersTool, PeerPort
from teamwright.tools.assistant import RequestInputTool
from teamwright.tools.dispatcher import Dispatcher
from teamwright.tools.port import AnyTool
from teamwright.tools.workflow import (
    AdoptAnswerTool,
    NewAnswerTool,
    ReportFindingTool,
    SubmissionPort,
    SubmitPlanTool,
    VoteTool,
)


class AgentTools:
    def __init__(
        self,
        member: RunMember,
        log: RunLog,
        port: SubmissionPort,
        files: RunFiles,
        decisions: Decisions,
        *,
        peers: PeerPort,
        reproduces: bool,
    ) -> None:
        self._peers = peers
        self._member = member
        self._log = log
        self._port = port
        self._files = files
        self._decisions = decisions
        self._reproduces = reproduces

    def dispatcher(self, work: Work, *, last_call: bool) -> Dispatcher:
        """With what the agent may call now; at the last call it can only submit what it has, or vote."""
        role = self._role(work)
        tools = self._workflow_tools(work)
        if not last_call:
            tools = (*tools, *self._aside(work), *self._member.toolkit(role))
        return Dispatcher(self._member.rules(role), tools, PermissionQuestions(self._decisions, self._scope).ask)

    async def answered_questions(self) -> list[tuple[str, str]]:
        """What the agent had asked before a restart of ours, with the answers."""
        return await self._decisions.answered_questions(self._scope)

    def findings_so_far(self) -> str:
        """Of a review, in words; nothing of any other run."""
        return findings_digest(told_findings(self._log.state, self._files.shown_path))

    @property
    def _scope(self) -> Scope:
        return self._log.scope.of_agent(self._member.agent_id)

    def _workflow_tools(self, work: Work) -> tuple[AnyTool, ...]:
        state = self._log.state
        tools: list[AnyTool] = []
        for name in work.tools:
            match name:
                case "new_answer":
                    tools.append(NewAnswerTool(self._port))
                case "submit_plan":
                    tools.append(SubmitPlanTool(self._port))
                case "vote":
                    votable = tuple(alias(state.spec, each.agent_id) for each in candidates(state))
                    tools.append(VoteTool(self._port, votable))
        return tuple(tools)

    def _aside(self, work: Work) -> tuple[AnyTool, ...]:
        """What an agent may do in its run besides answering and voting."""
        role = self._role(work)
        if not isinstance(work, Deliberate) or role != "agent":
            return ()
        tools: list[AnyTool] = [AdoptAnswerTool(self._port)] if work.writes and "vote" in work.tools else []
        if self._log.state.spec.review:
            tools.append(ReportFindingTool(self._port, reproduces=self._reproduces))
        if may_ask(self._log.state):
            tools.append(AskOthersTool(self._peers))
        if isinstance(judge(self._member.rules(role), AskPersonAction()), Allow):
            tools.append(RequestInputTool(self._port.ask_person))
        return tuple(tools)

    def _role(self, work: Work) -> Role:
        """Who just answers writes the run's result from the start."""
        is_alone = self._log.state.is_direct and work.writes
        return "presenter" if isinstance(work, Present) or is_alone else "agent"
