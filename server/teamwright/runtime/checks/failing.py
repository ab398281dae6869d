"""What there is to fix: the checks of the workspace that fail as it is now, before anybody has changed a thing."""

from collections.abc import Sequence
from dataclasses import dataclass

from anyio import to_thread

from teamwright.permissions.checks import JudgedCheck
from teamwright.permissions.rules import Rules
from teamwright.permissions.verdicts import Allow, Ask, Deny
from teamwright.prompts.check_report import CheckTold
from teamwright.prompts.code_actions import named
from teamwright.protocol.checks import CheckDefinition
from teamwright.protocol.errors import NotFound, NothingToDo, NotPermitted, UserError
from teamwright.runtime.checks.proposals import judged_checks
from teamwright.runtime.checks.requested import chosen_checks, run_now, verdict_on
from teamwright.runtime.checks.runner import checks_off
from teamwright.runtime.services import Services


@dataclass(frozen=True, slots=True)
class FailingChecks:
    failing: tuple[CheckTold, ...]
    passing: tuple[CheckDefinition, ...] = ()
    # For a person to tick on the card of the run, which then runs them first of all.
    left_to_card: tuple[CheckDefinition, ...] = ()

    @property
    def all_names(self) -> tuple[str, ...]:
        """What passes is to pass in the end, too."""
        return tuple(
            check.name for check in (*(told.check for told in self.failing), *self.left_to_card, *self.passing)
        )


async def failing_checks(services: Services, rules: Rules, names: Sequence[str], *, on_card: bool) -> FailingChecks:
    """`on_card`: whether a person will be shown a card. Raises NothingToDo where all pass, NotFound where that cannot
    be told, and NotPermitted where nobody may find it out."""
    if not services.client_context.trusted:
        raise NotPermitted(
            "No check is run in a workspace that is not trusted; trust it first: in the terminal by --trusted."
        )
    if (reason := await to_thread.run_sync(checks_off, services.team.settings.commands.sandbox)) is not None:
        raise NotPermitted(reason)
    allowed, left_to_card = _sorted(rules, chosen_checks(await judged_checks(services), names), on_card=on_card)
    told = await run_now(services, allowed)
    failing = tuple(told[check.name] for check in allowed if told[check.name].outcome == "failed")
    passing = tuple(check for check in allowed if told[check.name].outcome == "passed")
    if not failing and not left_to_card:
        raise _nothing_to_fix([told[check.name] for check in allowed])
    return FailingChecks(failing, passing, left_to_card)


def _sorted(
    rules: Rules, chosen: Sequence[JudgedCheck], *, on_card: bool
) -> tuple[list[CheckDefinition], tuple[CheckDefinition, ...]]:
    allowed: list[CheckDefinition] = []
    left_to_card: list[CheckDefinition] = []
    refusals: list[str] = []
    for judged in chosen:
        match verdict_on(rules, judged):
            case Allow():
                allowed.append(judged.check)
            case Ask() if on_card:
                left_to_card.append(judged.check)
            case Ask():
                refusals.append("nobody has ticked it yet; approve a run with it on its card first")
            case Deny(reason):
                refusals.append(reason)
    if not allowed and not left_to_card:
        raise NotPermitted(f"{chosen[0].check.name} may not be run: {refusals[0]}.")
    return allowed, tuple(left_to_card)


def _nothing_to_fix(told: Sequence[CheckTold]) -> UserError:
    for each in told:
        if each.outcome != "passed":
            why = next((failure.message for failure in each.failures if failure.message), "it says nothing of use")
            return NotFound(f"Whether {each.check.name} fails cannot be told: {why.rstrip('.')}; mend that first.")
    names = [each.check.name for each in told]
    return NothingToDo(f"{named(names)} {'passes' if len(names) == 1 else 'pass'}; there is nothing to fix.")
