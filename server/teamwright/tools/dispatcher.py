"""The one way from a model's call to an effect: known tool → strict arguments → permission → a person → the effect."""

from collections.abc import Awaitable, Callable, Iterable

from pydantic import ValidationError

from teamwright.models.port import ModelToolCall, ToolSpec
from teamwright.permissions.actions import Action, UnknownCallAction
from teamwright.permissions.judgement import judge
from teamwright.permissions.rules import Rules
from teamwright.permissions.verdicts import Allow, Ask, Deny
from teamwright.protocol.errors import UserError
from teamwright.tools.port import AnyTool, Arguments, Failed, Outcome

# Whether a person allows the action; asked with the sentence that describes it.
AskPerson = Callable[[Action, str], Awaitable[bool]]


async def ask_nobody(action: Action, question: str) -> bool:
    """Where nothing is left to a person: a run asks for its own approval, with all that there is to see."""
    del action, question
    return False


class Gate:
    """What an action needs before it has an effect: the rules' leave, and a person's where these leave it to one."""

    def __init__(self, rules: Rules, ask: AskPerson) -> None:
        self.rules = rules
        self._ask = ask

    async def refusal(self, action: Action) -> str | None:
        match judge(self.rules, action):
            case Allow():
                return None
            case Deny(reason):
                return reason
            case Ask(question):
                allowed = await self._ask(action, question)
                return None if allowed else "The user said no. Go on without it, or do it another way."


class Dispatcher:
    def __init__(self, rules: Rules, tools: Iterable[AnyTool], ask: AskPerson) -> None:
        self._rules = rules
        self._tools = {tool.name: tool for tool in tools}
        self._gate = Gate(rules, ask)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    async def dispatch(self, call: ModelToolCall) -> Outcome:
        tool = self._tools.get(call.name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            return self._refused(UnknownCallAction(call.name, f"there is no such tool here; there are: {known}"))
        try:
            arguments: Arguments = tool.arguments.model_validate(call.arguments)
        except ValidationError as fault:
            return self._refused(UnknownCallAction(call.name, _described(fault)))
        if (reason := await self._gate.refusal(tool.action(arguments))) is not None:
            return Failed(reason)
        return await _effect(tool, arguments)

    def _refused(self, call: UnknownCallAction) -> Failed:
        verdict = judge(self._rules, call)
        return Failed(verdict.reason if isinstance(verdict, Deny) else call.problem)


async def _effect(tool: AnyTool, arguments: Arguments) -> Outcome:
    try:
        return await tool.run(arguments)
    except UserError as refusal:
        return Failed(refusal.message)


def _described(fault: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in error['loc']) or 'arguments'}: {error['msg'].lower()}"
        for error in fault.errors(include_url=False, include_input=False)
    )
