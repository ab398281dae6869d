"""Which of the project's checks may run: those of the user's own configuration, and those that a person has ticked."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from teamwright.protocol.checks import CheckDefinition, ProposedCheck


@dataclass(frozen=True, slots=True)
class CheckProposal:
    """`is_preferred`: worth a tick to begin with. Of two ways to run the same tests one is enough."""

    check: CheckDefinition
    is_preferred: bool = True


@dataclass(frozen=True, slots=True)
class JudgedCheck:
    check: CheckDefinition
    # How it stands on the card that asks for a run's approval.
    ticked: bool
    # Whether it runs where no card is shown.
    unasked: bool

    @property
    def proposed(self) -> ProposedCheck:
        check = self.check
        return ProposedCheck(name=check.name, argv=check.argv, cwd=check.cwd, source=check.source, ticked=self.ticked)


def tick_key(check: CheckDefinition) -> str:
    """What a person's tick is about: what is run and where, whatever it is called. All else is asked about anew."""
    return hashlib.sha256(json.dumps([*check.argv, check.cwd or "."]).encode()).hexdigest()


def judge_checks(
    proposals: Iterable[CheckProposal], *, trusted: bool, remembered: Mapping[str, bool]
) -> tuple[JudgedCheck, ...]:
    """`remembered` are a person's ticks (True) and crosses (False), by their keys. Nothing of an untrusted workspace
    runs, also not by the user's own configuration: the command may be theirs, what it runs is not."""
    if not trusted:
        return ()
    return tuple(_judged(proposal, remembered.get(tick_key(proposal.check))) for proposal in proposals)


def _judged(proposal: CheckProposal, remembered: bool | None) -> JudgedCheck:
    if proposal.check.source == "user":
        return JudgedCheck(proposal.check, ticked=True, unasked=True)
    if remembered is None:
        return JudgedCheck(proposal.check, ticked=proposal.is_preferred, unasked=False)
    return JudgedCheck(proposal.check, ticked=remembered, unasked=remembered)
