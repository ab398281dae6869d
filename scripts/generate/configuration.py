"""The configuration reference: one table for each section of the settings, read off their types."""

import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from teamwright.config.outline import inner_sections
from teamwright.config.presets import PRESETS
from teamwright.config.secrets import Secret
from teamwright.config.section import Section
from teamwright.config.settings import Settings

_WORDS = {bool: "`true` or `false`", int: "a whole number", float: "a number", str: "text", Secret: "`${NAME}`"}

_HEAD = """\
# Configuration

Generated from the settings by `make generate`; the same texts are what completion and hover show in `teamwright.yaml`.

A configuration is a YAML file. Of several, the first stands before the others, key by key:

1. the file named by `--config`, or by the editor's setting;
2. the workspace's `.teamwright/config.yaml` or `teamwright.yaml`, only in a trusted workspace; for approval, autonomy,
   commands, MCP servers, write paths, budgets, addresses and programs only where it is stricter than yours; the
   checks that it names are proposed to you, and run when you tick them;
3. your own, which `teamwright check` names;
4. what is found on this machine.

`teamwright init` writes a commented file to start from; `teamwright check` shows every fault at its line and column.
"""


def configuration_reference() -> str:
    return (
        "\n\n".join([_HEAD.strip(), *(_chapter(path, section) for path, section in _sections()), _providers()]) + "\n"
    )


def _sections() -> Iterator[tuple[str, type[Section]]]:
    """Each once, at the first place where it may stand."""
    seen: set[type[Section]] = set()
    waiting: list[tuple[str, type[Section]]] = [("", Settings)]
    while waiting:
        path, section = waiting.pop(0)
        if section in seen:
            continue
        seen.add(section)
        yield path, section
        for name, inner in inner_sections(section).items():
            dotted = f"{path}.{name}" if path else name
            waiting += [(f"{dotted} ({_kind(each)})" if len(inner) > 1 else dotted, each) for each in inner]


def _kind(section: type[Section]) -> str:
    kind = section.model_fields.get("type")
    return "/".join(get_args(kind.annotation)) if kind is not None else section.__name__


def _chapter(path: str, section: type[Section]) -> str:
    title = f"## `{path}`" if path else "## At the top"
    rows = [_row(name, field, section) for name, field in section.model_fields.items()]
    return "\n".join([title, "", "| key | value | default | |", "| --- | --- | --- | --- |", *rows])


def _row(name: str, field: FieldInfo, section: type[Section]) -> str:
    inner = inner_sections(section)[name]
    value = "a section of its own" if inner else _value(field.annotation)
    if inner and get_origin(field.annotation) in (tuple, list):
        value = "a list of sections"
    description = (field.description or "").replace("|", "\\|")
    return f"| `{name}` | {value} | {_default(field)} | {description} |"


def _value(annotation: Any) -> str:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _value(parts[0])
    if origin is Literal:
        return ", ".join(f"`{part}`" for part in parts)
    if origin in (Union, types.UnionType):
        return " or ".join(_value(part) for part in parts if part is not type(None))
    if origin in (tuple, list):
        return f"a list of {_value(parts[0])}"
    if origin is dict:
        return f"a mapping of names to {_value(parts[1])}"
    return _WORDS.get(annotation, "text")


def _default(field: FieldInfo) -> str:
    match field.default:
        case _ if field.default is PydanticUndefined:
            return "required" if field.is_required() else ""
        case bool() as flag:
            return f"`{str(flag).lower()}`"
        case str() | int() | float() as value:
            return f"`{value}`"
        case _:
            return ""


def _providers() -> str:
    rows = [f"| `{name}` | {_where(name)} | {_keys(name)} | {preset.model or ''} |" for name, preset in PRESETS.items()]
    head = ["| type | where it asks | key | default model |", "| --- | --- | --- | --- |"]
    return "\n".join(["## Values of `backend.type`", "", *head, *rows])


def _keys(name: str) -> str:
    return ", ".join(f"`{variable}`" for variable in PRESETS[name].key_variables)


def _where(name: str) -> str:
    preset = PRESETS[name]
    if preset.program:
        return f"the program `{preset.program}`"
    if preset.kind == "offline":
        return "nowhere: rule-based analysers, no language model"
    return f"`{preset.base_url}`" if preset.base_url else "`base_url`, which must be set"
