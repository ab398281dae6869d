"""How an agent without a model judges answers: by the findings that more than one analyser stands behind. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quorate.models.offline.remarks import Claim, claims_in
from quorate.prompts.agent_messages import ShownAnswer


@dataclass(frozen=True, slots=True)
class Agreed:
    claim: Claim
    count: int


@dataclass(frozen=True, slots=True)
class Verdict:
    agent: str
    reason: str


def latest_answers(shown: Sequence[ShownAnswer]) -> Mapping[str, str]:
    """By agent; a later answer replaces an earlier one."""
    ordered = sorted(shown, key=lambda answer: _revision(answer.label))
    return {answer.label.partition(".")[0]: answer.content for answer in ordered}


def agreement(answers: Mapping[str, str]) -> tuple[Agreed, ...]:
    """Every matter that the answers name, once, most agreed first."""
    by_agent = {agent: claims_in(text) for agent, text in answers.items()}
    matters: list[Claim] = []
    for claims in by_agent.values():
        matters += [claim for claim in claims if not any(claim.is_about(known) for known in matters)]
    counted = [
        Agreed(matter, sum(any(claim.is_about(matter) for claim in claims) for claims in by_agent.values()))
        for matter in matters
    ]
    return tuple(sorted(counted, key=lambda agreed: -agreed.count))


def verdict(answers: Mapping[str, str], candidates: Sequence[str], own: Sequence[Claim], tool: str) -> Verdict:
    confirmed = [agreed.claim for agreed in agreement(answers) if agreed.count > 1]
    best = max(candidates, key=lambda agent: _weight(answers.get(agent, ""), confirmed))
    named = claims_in(answers.get(best, ""))
    covered = sum(any(claim.is_about(matter) for claim in named) for matter in confirmed)
    checked = sum(any(claim.is_about(mine) for mine in own) for claim in named)
    if not confirmed:
        return Verdict(best, f"It names {_places(answers.get(best, ''))} places in the code, no other names more.")
    return Verdict(
        best,
        f"It names {covered} of the {len(confirmed)} findings that more than one analyser stands behind; "
        f"checked again with {tool}, {checked} of its {len(named)} findings hold by its rules too.",
    )


def _weight(text: str, confirmed: Sequence[Claim]) -> tuple[int, int, int]:
    claims = claims_in(text)
    covered = sum(any(claim.is_about(matter) for claim in claims) for matter in confirmed)
    return covered, len(claims), _places(text)


def _places(text: str) -> int:
    return text.count("- `")


def _revision(label: str) -> int:
    number = label.partition(".")[2]
    return int(number) if number.isdigit() else 0
