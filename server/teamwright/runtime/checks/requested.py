"""Checks that the assistant was asked for: each by a person's word or rule, and on the files as they are now."""

from collections.abc import Awaitable, Callable, Sequence

import anyio
from anyio import to_thread

from teamwright.permissions.actions import RunCheckAction
from teamwright.permissions.checks import JudgedCheck
from teamwright.permissions.judgement import judge
from teamwright.permissions.rules import Rules
from teamwright.permissions.verdicts import Allow, Ask, Deny, Verdict
from teamwright.prompts.check_report import CheckTold, told_checks
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.errors import NotFound, NotPermitted
from teamwright.runtime.checks.proposals import judged_checks
from teamwright.runtime.checks.results import FinishedCheck
from teamwright.runtime.checks.runner import CheckedTree, checks_off
from teamwright.runtime.services import Services

# Whether a person lets it run; asked with the sentence that describes it.
AskForCheck = Callable[[CheckDefinition, str], Awaitable[bool]]


class RequestedChecks:
    def __init__(self, services: Services, rules: Rules, ask: AskForCheck) -> None:
        self._services = services
        self._rules = rules
        self._ask = ask

    async def run(self, names: Sequence[str]) -> str:
        if (reason := await to_thread.run_sync(checks_off, self._services.team.settings.commands.sandbox)) is not None:
            raise NotPermitted(reason)
        told: dict[str, CheckTold] = {}
        allowed: list[CheckDefinition] = []
        for judged in chosen_checks(await judged_checks(self._services), names):
            check = judged.check
            if refusal := await self._refusal(judged):
                told[check.name] = CheckTold(check, refusal)
            else:
                told[check.name] = CheckTold(check)
                allowed.append(check)
        told |= await run_now(self._services, allowed)
        return told_checks(tuple(told.values()))

    async def _refusal(self, judged: JudgedCheck) -> str | None:
        match verdict_on(self._rules, judged):
            case Allow():
                return None
            case Deny(reason):
                return reason
            case Ask(question):
                return None if await self._ask(judged.check, question) else "the user said no"


def verdict_on(rules: Rules, judged: JudgedCheck) -> Verdict:
    check = judged.check
    return judge(rules, RunCheckAction(check.argv, check.cwd or ".", is_allowed=judged.unasked))


async def run_now(services: Services, checks: Sequence[CheckDefinition]) -> dict[str, CheckTold]:
    """On the files as they are, unsaved text included, side by side; by their names."""
    told: dict[str, CheckTold] = {}
    live = services.live.pinned()

    async def run(check: CheckDefinition) -> None:
        told[check.name] = _told(check, await services.checks.run(check, CheckedTree(live)))

    async with anyio.create_task_group() as tasks:
        for check in checks:
            tasks.start_soon(run, check)
    return told


def chosen_checks(judged: tuple[JudgedCheck, ...], names: Sequence[str]) -> list[JudgedCheck]:
    known = {each.check.name: each for each in judged}
    if not known:
        raise NotFound(
            "No checks are configured, and none were found; they can be named under `checks` in the configuration."
        )
    if unknown := [name for name in names if name not in known]:
        raise NotFound(f"There is no check called {', '.join(unknown)}; there are: {', '.join(known)}.")
    return [known[name] for name in dict.fromkeys(names)] or [each for each in judged if each.ticked] or list(judged)


def _told(check: CheckDefinition, finished: FinishedCheck) -> CheckTold:
    return CheckTold(
        check,
        outcome=finished.outcome,
        seconds=finished.seconds,
        tests=finished.tests,
        failures=finished.failures,
        output=finished.output,
    )
