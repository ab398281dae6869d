"""How an agent without a model judges answers: by the findings that more than one analyser stands behind. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from teamwright.engine.transcript.words import counted
from teamwright.models.offline.remarks import Claim, claims_in
from teamwright.prompts.agent_messages import ShownAnswer


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
        places = counted(_places(answers.get(best, "")), "place")
        return Verdict(best, f"It names {places} in the code, no other names more.")
    return Verdict(best, f"It {_coverage(covered, len(confirmed))}; {_holding(checked, len(named), tool)}.")


def _coverage(covered: int, confirmed: int) -> str:
    named = f"names {covered} of the {confirmed} findings"
    if confirmed == 1:
        named = "names the one finding" if covered else "does not name the one finding"
    return f"{named} that more than one analyser stands behind"


def _holding(checked: int, named: int, tool: str) -> str:
    if named == 1:
        held = "its one finding holds" if checked else "its one finding does not hold"
    else:
        held = f"{checked} of its {named} findings {'holds' if checked == 1 else 'hold'}"
    return f"checked again with {tool}, {held} by its rules{' too' if checked else ''}"


def _weight(text: str, confirmed: Sequence[Claim]) -> tuple[int, int, int]:
    claims = claims_in(text)
    covered = sum(any(claim.is_about(matter) for claim in claims) for matter in confirmed)
    return covered, len(claims), _places(text)


def _places(text: str) -> int:
    return text.count("- `")


def _revision(label: str) -> int:
    number = label.partition(".")[2]
    return int(number) if number.isdigit() else 0
