"""Which keys may stand where, read off the settings' types: for unknown keys, completion and hover."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, get_args

from pydantic.fields import FieldInfo

from teamwright.config.nodes import MapNode
from teamwright.config.section import Section
from teamwright.config.settings import Settings

# One agent may be written without a list.
SPELLINGS: Mapping[str, str] = {"agent": "agents"}


def sections_in(annotation: Any) -> tuple[type[Section], ...]:
    """The sections that a field's value, or each entry of it, may be."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return (annotation,)
    return tuple(section for part in get_args(annotation) for section in sections_in(part))


@cache
def inner_sections(section: type[Section]) -> Mapping[str, tuple[type[Section], ...]]:
    return {name: sections_in(field.annotation) for name, field in section.model_fields.items()}


def section_of(node: MapNode, choices: Sequence[type[Section]]) -> type[Section]:
    """Among several, the one that the mapping's `type` names."""
    named = node.text("type")
    for section in choices:
        kind = section.model_fields.get("type")
        if kind is not None and named in get_args(kind.annotation):
            return section
    return choices[0]


def keys_at(steps: Sequence[str | int]) -> Mapping[str, FieldInfo]:
    """The keys that may stand in the mapping at this path, with what each is for."""
    choices: tuple[type[Section], ...] = (Settings,)
    for step in steps:
        if isinstance(step, str):
            name = SPELLINGS.get(step, step)
            choices = tuple(inner for section in choices for inner in inner_sections(section).get(name, ()))
    return {name: field for section in reversed(choices) for name, field in section.model_fields.items()}


def field_at(steps: Sequence[str | int]) -> FieldInfo | None:
    words = [step for step in steps if isinstance(step, str)]
    return keys_at(words[:-1]).get(SPELLINGS.get(words[-1], words[-1])) if words else None


def home_of(key: str) -> str | None:
    """Where a key belongs that stands in the wrong section, if it belongs in just one."""
    homes = {path for path, section in _all_sections(Settings, "") if key in section.model_fields and path}
    return homes.pop() if len(homes) == 1 else None


def _all_sections(section: type[Section], path: str) -> Iterator[tuple[str, type[Section]]]:
    yield path, section
    for name, choices in inner_sections(section).items():
        for inner in choices:
            yield from _all_sections(inner, f"{path}.{name}" if path else name)
