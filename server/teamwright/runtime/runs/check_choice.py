"""Which of the project's checks a run has: those that a person has configured or ticked, and no others."""

from collections.abc import Sequence
from dataclasses import dataclass

from anyio import to_thread

from teamwright.permissions.checks import JudgedCheck
from teamwright.protocol.checks import CheckDefinition, ProposedCheck
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.runs import ResolvedRunSpec, RunSpec
from teamwright.runtime.checks.proposals import judged_checks
from teamwright.runtime.checks.runner import checks_off
from teamwright.runtime.checks.ticks import RememberedTicks
from teamwright.runtime.services import Services

NO_CHECK = "No check of this project can be run, so nothing is required of the answers: the votes alone decide."


@dataclass(frozen=True, slots=True)
class CheckOffer:
    """What could be run, as it stands on the card; or why nothing can."""

    judged: tuple[JudgedCheck, ...] = ()
    off: str | None = None

    def proposed(self, spec: ResolvedRunSpec) -> tuple[ProposedCheck, ...]:
        chosen = {check.name for check in spec.checks}
        return tuple(each.proposed.model_copy(update={"ticked": each.check.name in chosen}) for each in self.judged)


def has_checks(spec: ResolvedRunSpec) -> bool:
    """Whether it is a run whose answers change files."""
    return not spec.planning_mode and any(path.permission == "write" for path in spec.context_paths)


async def offered_checks(services: Services, spec: ResolvedRunSpec) -> CheckOffer:
    """Those of the project, and the reproductions of findings that the run has to mend."""
    if not has_checks(spec):
        return CheckOffer()
    if (reason := await to_thread.run_sync(checks_off, services.team.settings.commands.sandbox)) is not None:
        return CheckOffer(off=reason)
    return CheckOffer((*_reproductions(services, spec), *await judged_checks(services)))


def _reproductions(services: Services, spec: ResolvedRunSpec) -> tuple[JudgedCheck, ...]:
    """They run by the leave for commands, or by a person's yes to the card that they stand on."""
    if not services.client_context.trusted:
        return ()
    return tuple(
        JudgedCheck(check, ticked=True, unasked=spec.allow_commands)
        for check in spec.checks
        if check.source == "reproduction"
    )


async def with_checks(
    services: Services, spec: ResolvedRunSpec, requests: Sequence[RunSpec], *, on_card: bool
) -> ResolvedRunSpec:
    """`requests`: who asked for what, the strongest first. Without a card only what may run unasked does. The checks
    that the specification comes with are the reproductions of findings.

    Raises BadParams for a check that there is not.
    """
    settings = services.team.settings
    policy = next((each.checks_policy for each in requests if each.checks_policy is not None), settings.checks_policy)
    names = next((each.checks for each in requests if each.checks is not None), None)
    offer = await offered_checks(services, spec)
    if names and offer.off is None and has_checks(spec):
        _require_known(names, offer)
    chosen = tuple(each.check for each in offer.judged if _is_chosen(each, names, on_card=on_card))
    update = {"checks": chosen, "checks_policy": policy, "checks_wait_seconds": settings.checks_wait_seconds}
    return spec.model_copy(update=update)


def _is_chosen(judged: JudgedCheck, names: Sequence[str] | None, *, on_card: bool) -> bool:
    if not on_card and not judged.unasked:
        return False
    return judged.ticked if names is None else judged.check.name in names


def _require_known(names: Sequence[str], offer: CheckOffer) -> None:
    known = [each.check.name for each in offer.judged]
    if unknown := [name for name in names if name not in known]:
        there_are = f"there are {', '.join(known)}" if known else "there are none here"
        raise BadParams([FieldError(path="checks", message=f"there is no check {unknown[0]!r}; {there_are}")])


async def remember_ticks(services: Services, spec: ResolvedRunSpec) -> None:
    """A person has approved the card: what they ticked runs unasked from now on, what they left out does not."""
    offer = await offered_checks(services, spec)
    ticked = {check.name for check in spec.checks}

    def remember() -> None:
        ticks = RememberedTicks(services.state_path)
        own = [each.check for each in offer.judged if each.check.source not in {"user", "reproduction"}]
        ticks.remember(_named(own, ticked, inside=True), ticked=True)
        ticks.remember(_named(own, ticked, inside=False), ticked=False)

    if offer.judged:
        await to_thread.run_sync(remember)


def _named(checks: Sequence[CheckDefinition], names: set[str], *, inside: bool) -> list[CheckDefinition]:
    return [check for check in checks if (check.name in names) == inside]
