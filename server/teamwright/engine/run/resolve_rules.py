"""One run's rules of coordination: what was asked for, the configuration, and what the run's mode makes of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, TypeVar

from pydantic.alias_generators import to_camel

from teamwright.protocol.errors import FieldError
from teamwright.protocol.runs import Coordination, CoordinationOverrides, RunSpec

T = TypeVar("T")


class Source(IntEnum):
    """The stronger, the smaller."""

    USER = 0
    MODES = 1
    ASSISTANT = 2
    CONFIG = 3


@dataclass(frozen=True)
class Said(Generic[T]):
    value: T
    by: Source

    def is_overruled_by(self, other: Source) -> bool:
        return self.by > other


@dataclass(frozen=True, slots=True)
class Requests:
    """What persons asked for, the latest edit first, and what the assistant did."""

    by_user: Sequence[RunSpec]
    by_assistant: RunSpec | None

    def __iter__(self) -> Iterator[Said[RunSpec]]:
        for spec in self.by_user:
            yield Said(spec, Source.USER)
        if self.by_assistant is not None:
            yield Said(self.by_assistant, Source.ASSISTANT)

    def overrides(self) -> Iterator[Said[CoordinationOverrides]]:
        for request in self:
            if request.value.coordination_overrides is not None:
                yield Said(request.value.coordination_overrides, request.by)


def strongest(*said: Said[T | None]) -> Said[T]:
    """Of those that say anything the strongest, the earlier among equals; the last to be given is the default."""
    given = [Said(each.value, each.by) for each in said if each.value is not None]
    return min(given, key=lambda each: each.by)


MOST_ANSWERS_PER_AGENT = 10

# Where an explicit null means something: no limit, or the highest one.
_NULLABLE = frozenset(
    {
        "max_new_answers_per_agent",
        "max_new_answers_global",
        "initial_round_timeout_seconds",
        "subsequent_round_timeout_seconds",
    }
)


@dataclass(frozen=True, slots=True)
class Setting:
    """The run that the rules are for."""

    is_single: bool
    mode: Source
    refinement: Said[bool]
    writes: bool
    autonomous: bool
    watched: bool

    @property
    def is_direct(self) -> bool:
        return self.is_single and not self.refinement.value


@dataclass(frozen=True, slots=True)
class ResolvedRules:
    coordination: Coordination
    faults: tuple[FieldError, ...]


def resolve_rules(requests: Requests, config: CoordinationOverrides, setting: Setting) -> ResolvedRules:
    asked = _asked(requests)
    rules = _given(config) | {name: said.value for name, said in asked.items()}
    faults = tuple(_contradictions(asked, setting))
    return ResolvedRules(Coordination.model_validate(_settled(rules, asked, setting)), faults)


def _given(overrides: CoordinationOverrides) -> dict[str, Any]:
    given = {
        name: getattr(overrides, name)
        for name in overrides.model_fields_set
        if getattr(overrides, name) is not None or name in _NULLABLE
    }
    if "max_new_answers_per_agent" in given:
        given["max_new_answers_per_agent"] = given["max_new_answers_per_agent"] or MOST_ANSWERS_PER_AGENT
    return given


def _asked(requests: Requests) -> dict[str, Said[Any]]:
    """What this run's own overrides say, the stronger source before the weaker."""
    asked: dict[str, Said[Any]] = {}
    for overrides in requests.overrides():
        for name, value in _given(overrides.value).items():
            asked.setdefault(name, Said(value, overrides.by))
    return asked


def _settled(rules: dict[str, Any], asked: dict[str, Said[Any]], setting: Setting) -> dict[str, Any]:
    settled = dict(rules)
    if not setting.refinement.value:
        settled["max_new_answers_per_agent"] = 1
    if setting.is_direct:
        return settled | {"skip_voting": True, "final_answer_strategy": "winner_reuse", "override": "off"}
    if not setting.refinement.value:
        settled["defer_voting_until_all_answered"] = True
    settled |= _presentation(settled, asked, setting)
    if setting.autonomous or (settled.get("override", "offer") == "offer" and not setting.watched):
        settled["override"] = "off"
    return settled


def _presentation(rules: dict[str, Any], asked: dict[str, Said[Any]], setting: Setting) -> dict[str, Any]:
    """Skipping the presentation is a wish for fewer calls; it gives way to a strategy and to files to be written."""
    by_mode = "winner_present" if setting.refinement.value else "synthesize"
    strategy = rules.get("final_answer_strategy", by_mode)
    if not rules.get("skip_final_presentation", False):
        return {"final_answer_strategy": strategy}
    if "skip_final_presentation" in asked:
        return {"final_answer_strategy": "winner_reuse"}
    if "final_answer_strategy" in asked:
        return {"final_answer_strategy": strategy, "skip_final_presentation": False}
    return {"final_answer_strategy": "winner_reuse", "skip_final_presentation": not setting.writes}


# Whether it is one, which rule it is about, and what to do.
_Contradiction = tuple[bool, str, str]


def _contradictions(asked: dict[str, Said[Any]], setting: Setting) -> Iterator[FieldError]:
    """What was asked for and cannot be had. What a stronger source overrules just gives way."""
    for is_one, name, message in (*_against_the_mode(asked, setting), *_against_each_other(asked, setting)):
        if is_one:
            yield FieldError(path=f"coordinationOverrides.{to_camel(name)}", message=message)


def _says(asked: dict[str, Said[Any]], name: str, *values: Any, against: Source = Source.CONFIG) -> bool:
    said = asked.get(name)
    return said is not None and said.value in values and not said.is_overruled_by(against)


def _against_the_mode(asked: dict[str, Said[Any]], setting: Setting) -> tuple[_Contradiction, ...]:
    refined, direct, single = setting.refinement.value, setting.is_direct, setting.is_single
    refinement = setting.refinement.by
    directness = min(refinement, setting.mode)
    answers = asked.get("max_new_answers_per_agent")
    answers_more = answers is not None and answers.value != 1 and not answers.is_overruled_by(refinement)
    return (
        (
            not refined and answers_more,
            "max_new_answers_per_agent",
            "without refinement each agent answers once; set refinement to true, or leave this out",
        ),
        (
            not refined and not single and _says(asked, "defer_voting_until_all_answered", False, against=refinement),
            "defer_voting_until_all_answered",
            "without refinement everybody answers before the vote; set refinement to true, or leave this out",
        ),
        (
            direct and _says(asked, "skip_voting", False, against=directness),
            "skip_voting",
            "a single agent without refinement has nothing to vote on; set refinement to true, or leave this out",
        ),
        (
            direct and _says(asked, "final_answer_strategy", "winner_present", "synthesize", against=directness),
            "final_answer_strategy",
            "a single agent without refinement answers directly; set refinement to true, or leave this out",
        ),
        (
            single and refined and _says(asked, "skip_voting", True, against=directness),
            "skip_voting",
            "a single agent ends its refinement by a vote; set refinement to false instead",
        ),
    )


def _against_each_other(asked: dict[str, Said[Any]], setting: Setting) -> tuple[_Contradiction, ...]:
    skips_presentation = not setting.is_direct and _says(asked, "skip_final_presentation", True)
    presents = _says(asked, "final_answer_strategy", "winner_present", "synthesize")
    return (
        (
            skips_presentation and presents,
            "skip_final_presentation",
            "finalAnswerStrategy asks for a presentation; drop one of the two",
        ),
        (
            skips_presentation and not presents and setting.writes,
            "skip_final_presentation",
            "only the presenter writes; drop this, or ask for no path to write",
        ),
        (
            _says(asked, "fairness_enabled", False) and "fairness_lead_cap_answers" in asked,
            "fairness_lead_cap_answers",
            "has no effect while fairnessEnabled is false; drop one of the two",
        ),
        (
            setting.autonomous and _says(asked, "override", "ask"),
            "override",
            'nobody is asked in autonomous mode; set it to "off", or the autonomy to "hitl"',
        ),
    )
