"""What may stand where a cursor is in a configuration, and what stands there means. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from teamwright.config.backend_settings import BackendSettings
from teamwright.config.cursor import KeySpot, Spot, Steps, ValueSpot, keys_in, spot_at
from teamwright.config.outline import field_at, keys_at, sections_in
from teamwright.config.presets import PRESETS, Preset
from teamwright.config.rules import OFFLINE_ANALYSERS
from teamwright.config.secrets import Secret
from teamwright.config.section import Section

_REFERENCE: Final = "${"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`text` replaces what was typed from column `start` on."""

    label: str
    text: str
    start: int
    kind: Literal["key", "value", "variable"]
    about: str = ""


def suggestions(lines: Sequence[str], line: int, column: int, variables: Iterable[str] = ()) -> tuple[Suggestion, ...]:
    """`variables` are the names that the environment has; more are known from the providers."""
    spot = spot_at(lines, line, column)
    match spot:
        case None:
            return ()
        case KeySpot() if keys_at(spot.steps):
            others = [*lines[:line], "", *lines[line + 1 :]]
            return tuple(_keys(spot, keys_in(others, spot.steps)))
        case _:
            return tuple(_values(spot, lines, variables))


def explanation(lines: Sequence[str], line: int, column: int) -> str | None:
    """In Markdown, of the key that stands there, or whose value does."""
    spot = spot_at(lines, line, _end_of_word(lines, line, column))
    match spot:
        case KeySpot(steps=steps, typed=typed):
            path = (*steps, typed.strip())
        case ValueSpot(steps=steps, key=key):
            path = (*steps, key)
        case None:
            return None
    found = field_at(path)
    if found is None:
        return None
    preset = PRESETS.get(spot.typed.lower()) if isinstance(spot, ValueSpot) and _is_backend_type(found) else None
    parts = [f"**{path[-1]}**", found.description or "", _allowed(found), _default(found), _described(preset)]
    return "\n\n".join(part for part in parts if part)


def _keys(spot: KeySpot, present: frozenset[str]) -> Iterator[Suggestion]:
    for name, found in keys_at(spot.steps).items():
        if name not in present:
            text = f"{name}:" if _is_nested(found.annotation) else f"{name}: "
            yield Suggestion(name, text, spot.start, "key", found.description or "")


def _values(spot: Spot, lines: Sequence[str], variables: Iterable[str]) -> Iterator[Suggestion]:
    path = spot.steps if isinstance(spot, KeySpot) else (*spot.steps, spot.key)
    found = field_at(path)
    if found is None:
        if _holds_secrets(path):
            yield from _references(spot, (), variables)
        return
    if _is_secret(found.annotation) or _REFERENCE in spot.typed:
        yield from _references(spot, _usual_variables(lines, spot.steps), variables)
        return
    if _is_backend_type(found):
        for name, preset in PRESETS.items():
            yield Suggestion(name, name, spot.start, "value", _described(preset))
    elif found is BackendSettings.model_fields["model"]:
        for name in _usual_models(lines, spot.steps):
            yield Suggestion(name, name, spot.start, "value")
    else:
        for value in _choices(found.annotation):
            yield Suggestion(value, value, spot.start, "value", found.description or "")


def _references(spot: Spot, usual: Sequence[str], variables: Iterable[str]) -> Iterator[Suggestion]:
    """The usual ones of the provider first, then those that are set, then all that any provider has."""
    known = [name for preset in PRESETS.values() for name in preset.key_variables]
    start = spot.start + max(0, spot.typed.rfind(_REFERENCE))
    for name in dict.fromkeys((*usual, *sorted(variables), *known)):
        yield Suggestion(name, f"${{{name}}}", start, "variable", "An environment variable.")


def _preset_at(lines: Sequence[str], steps: Steps) -> Preset | None:
    """Of the backend that the cursor is in, as far as its type is written already."""
    for number, line in enumerate(lines):
        match spot_at(lines, number, len(line.rstrip("\r\n "))):
            case ValueSpot(steps=at, key="type", typed=typed) if at == steps:
                return PRESETS.get(typed.strip("\"' ").lower())
            case _:
                pass
    return None


def _usual_variables(lines: Sequence[str], steps: Steps) -> tuple[str, ...]:
    preset = _preset_at(lines, steps)
    return preset.key_variables if preset is not None else ()


def _usual_models(lines: Sequence[str], steps: Steps) -> tuple[str, ...]:
    preset = _preset_at(lines, steps)
    if preset is None:
        return ()
    return OFFLINE_ANALYSERS if preset.kind == "offline" else (preset.model,) if preset.model else ()


def _choices(annotation: Any) -> Iterator[str]:
    if annotation is bool:
        yield from ("true", "false")
    elif annotation is type(None):
        yield "null"
    elif get_origin(annotation) is Literal:
        yield from (str(value) for value in get_args(annotation))
    elif get_origin(annotation) not in {dict, tuple}:
        for part in get_args(annotation):
            yield from _choices(part)


def _is_nested(annotation: Any) -> bool:
    """Whether its value stands on the lines below: a section, or a list or mapping of anything."""
    if get_origin(annotation) in {dict, tuple}:
        return True
    parts = [part for part in get_args(annotation) if part is not type(None)]
    return bool(sections_in(annotation)) and not any(part is bool or get_args(part)[:1] == (bool,) for part in parts)


def _is_secret(annotation: Any) -> bool:
    return annotation is Secret or Secret in get_args(annotation)


def _holds_secrets(path: Steps) -> bool:
    """Whether it is an entry of a mapping of secrets, such as `headers`."""
    owner = field_at(path[:-1])
    return owner is not None and get_origin(owner.annotation) is dict and _is_secret(owner.annotation)


def _is_backend_type(found: FieldInfo) -> bool:
    return found is BackendSettings.model_fields["type"]


def _allowed(found: FieldInfo) -> str:
    values = list(_choices(found.annotation))
    return f"One of: {', '.join(f'`{value}`' for value in values)}." if values not in ([], ["null"]) else ""


def _default(found: FieldInfo) -> str:
    value = found.default
    if value is PydanticUndefined or value is None or isinstance(value, Section | Mapping | tuple):
        return ""
    return f"Default: `{str(value).lower() if isinstance(value, bool) else value}`."


def _described(preset: Preset | None) -> str:
    match preset:
        case None:
            return ""
        case Preset(kind="offline"):
            return "Rule-based analysers, no language model."
        case Preset(program=str() as program):
            return f"The program `{program}` on the PATH."
        case _:
            where = f"At {preset.base_url}" if preset.base_url else "Needs base_url"
            keys = f"; key in {' or '.join(preset.key_variables)}" if preset.key_variables else ""
            return f"{where}{keys}."


def _end_of_word(lines: Sequence[str], line: int, column: int) -> int:
    """So that the whole word under the cursor counts as typed."""
    text = lines[line].rstrip("\r\n") if line < len(lines) else ""
    while column < len(text) and (text[column].isalnum() or text[column] in "_-."):
        column += 1
    return column
