"""From a tree to settings: unknown keys sifted out, rules and types checked, every fault at once."""

from dataclasses import dataclass

from pydantic import ValidationError

from quorate.config.nodes import MapNode, to_plain
from quorate.config.problems import Problem
from quorate.config.rules import RuleCheck
from quorate.config.settings import Settings
from quorate.config.sift import Sieve
from quorate.config.spelling import in_one_spelling
from quorate.config.wording import fault_of


@dataclass(frozen=True, slots=True)
class Loaded:
    """`settings` is None exactly when there are faults; `tree`, when the text is no YAML."""

    tree: MapNode | None
    settings: Settings | None
    faults: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def validate(written: MapNode) -> Loaded:
    spelled, faults = in_one_spelling(written)
    sieve = Sieve()
    tree = sieve.sift(spelled)
    rules = RuleCheck()
    rules.check(tree)
    settings, type_faults = to_settings(tree)
    all_faults = tuple(sorted({*faults, *sieve.faults, *rules.faults, *type_faults}))
    return Loaded(
        tree=tree,
        settings=None if all_faults else settings,
        faults=all_faults,
        warnings=tuple(sorted({*sieve.warnings, *rules.warnings})),
    )


def to_settings(tree: MapNode) -> tuple[Settings | None, list[Problem]]:
    try:
        return Settings.model_validate(to_plain(tree)), []
    except ValidationError as error:
        return None, [fault_of(detail, tree) for detail in error.errors(include_url=False, include_input=False)]
