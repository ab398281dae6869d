"""All that the server does for one client, as the language server calls it."""

from contextlib import ExitStack

from teamwright.lsp.features.check_problems import CheckProblems
from teamwright.lsp.features.code_actions import CodeActions
from teamwright.lsp.features.config_support import ConfigSupport
from teamwright.lsp.features.context import FeatureContext
from teamwright.lsp.features.diagnostics import FindingMarks
from teamwright.lsp.features.plain_decisions import PlainDecisions
from teamwright.lsp.features.plain_results import PlainResults
from teamwright.lsp.features.progress import Progress
from teamwright.lsp.features.settings import ClientSettings
from teamwright.lsp.features.text_sync import TextSync
from teamwright.lsp.shortening import shortened
from teamwright.lsp.transport.messages import Json
from teamwright.protocol.commands import SessionOpenResult


class Features:
    def __init__(self, context: FeatureContext) -> None:
        self._context = context
        self._marks = FindingMarks(context.documents, context.diagnostics)
        self.text_sync = TextSync(context.documents, context.peer.position_encoding)
        problems = CheckProblems(context.diagnostics)
        self.code_actions = CodeActions(context.peer, self._marks, problems)
        self.configuration = ConfigSupport(context)
        self.settings = ClientSettings(context)
        self.progress = Progress(context)
        context.client.follow(self._marks)
        context.client.follow(problems)
        if context.peer.can("window", "workDoneProgress"):
            context.client.follow(self.progress)
        if not context.peer.knows_our_protocol:
            context.client.follow(PlainDecisions(context))
            context.client.follow(PlainResults(context))

    def begin(self) -> None:
        """The client is ready to be asked and told."""
        self.settings.watch_files()
        self._context.application.start()

    def follow_text(self, params: Json) -> None:
        """A document was opened, changed or closed."""
        self._marks.follow_text(params)
        self.configuration.follow_text(params)

    async def execute(self, name: str, arguments: object, behind_the_answer: ExitStack) -> Json:
        """The command's result. What it causes in its session is told behind the answer. Raises UserError."""
        context = await self._context.commands()
        from teamwright.application.dispatch import carry_out, read_call, session_of  # noqa: PLC0415 - loaded by now

        call = read_call(name, arguments)
        behind_the_answer.enter_context(self._context.client.held(await session_of(context, call)))
        result = await carry_out(context, call)
        return shortened(result).to_wire() if isinstance(result, SessionOpenResult) else result.to_wire()
