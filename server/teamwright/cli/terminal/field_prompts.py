"""What a command needs to know before it is sent, asked for field by field."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from teamwright.cli.terminal.blocks import Cell, Columns, Line
from teamwright.cli.terminal.printable import on_one_line
from teamwright.cli.terminal.terminal_io import TerminalIO
from teamwright.protocol.transcript import Action, DiffPart, InputField

# Rows of columns are for clients that have a table to edit.
_ASKED_FOR: Final = frozenset({"text", "number", "flag", "choice", "list"})
_YES: Final = frozenset({"y", "yes", "on", "true"})
_NO: Final = frozenset({"n", "no", "off", "false"})
_LONGEST_VALUE: Final = 60


def is_missing(field: InputField) -> bool:
    """Whether it has to be asked for before anything can be sent."""
    return bool(field.required) and field.value in (None, "")


Edits = dict[tuple[str, ...], Any]


async def completed(io: TerminalIO, action: Action, edits: Edits) -> dict[str, Any] | None:
    """The arguments with what has to be asked for; None where the person thought better of it.

    `edits` are what was changed before, and take what is changed now: what was wrong with them can be mended.
    """
    arguments = action.arguments
    for field in action.input or ():
        if is_missing(field):
            value = await ask_for(io, field)
            if value is None:
                return None
            arguments = with_value(arguments, field.path, value)
    # Which hunks are meant is asked for by another way.
    optional = [field for field in action.input or () if not is_missing(field) and field.kind != "hunks"]
    # The first offer is taken as it stands; whoever wants to change something has an action for it.
    return arguments if action.primary or not optional else await _edited(io, arguments, optional, edits)


async def _edited(
    io: TerminalIO, arguments: dict[str, Any], fields: Sequence[InputField], edits: Edits
) -> dict[str, Any] | None:
    """With what the person changed; None if they thought better of it. What is rarely needed is shown on request."""
    asked = [field for field in fields if field.kind in _ASKED_FOR]
    shown = [field for field in asked if not field.group]
    while True:
        io.show(_as_table(shown, edits))
        more = ", [m] more" if len(shown) < len(asked) else ""
        typed = await io.ask(f"[number] changes it{more}, [Enter] sends it, [b] back:")
        if typed is None or typed.strip().lower() in {"b", "back"}:
            return None
        word = typed.strip().lower()
        if not word:
            for path, value in edits.items():
                arguments = with_value(arguments, path, value)
            return arguments
        if word in {"m", "more"}:
            shown = asked
        elif word.isdecimal() and 1 <= int(word) <= len(shown):
            field = shown[int(word) - 1]
            value = await ask_for(io, field)
            if value is not None:
                edits[field.path] = value


async def ask_for(io: TerminalIO, field: InputField) -> Any | None:
    """Its new value; None leaves it as it is."""
    options = field.options or ()
    for number, option in enumerate(options, 1):
        io.show(Line(f"{number}  {option.label}", indent=2))
    hint = _hint(field)
    while True:
        typed = await io.ask(f"{field.label}{hint}:")
        if typed is None or not typed.strip():
            return None
        value = _read(typed.strip(), field)
        if value is not None:
            return value[0]
        io.show(Line(f"{typed.strip()!r} is not possible here.", "faint"))


async def ask_which(io: TerminalIO, parts: Sequence[DiffPart]) -> list[dict[str, Any]]:
    """The files that are wanted, with all their hunks."""
    chosen: list[dict[str, Any]] = []
    for part in parts:
        while (typed := await io.ask(f"{part.data.change} {part.text}? [y] yes, [n] no:")) is not None:
            if typed.strip().lower() in _YES | _NO:
                break
        if typed is not None and typed.strip().lower() in _YES:
            chosen.append({"uri": part.data.uri, "hunks": [hunk.index for hunk in part.data.hunks]})
    return chosen


def with_value(arguments: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """A copy with the value at its place, which is made where it is not there yet."""
    name, *rest = path
    inner = arguments.get(name)
    within = cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}
    return {**arguments, name: with_value(within, rest, value) if rest else value}


def _as_table(fields: Sequence[InputField], edits: Mapping[tuple[str, ...], Any]) -> Columns:
    rows = (
        (
            Cell(str(number), "faint", is_number=True),
            Cell(field.label),
            Cell(_shown(edits.get(field.path, field.value), field), "accent" if field.path in edits else "plain"),
        )
        for number, field in enumerate(fields, 1)
    )
    return Columns(tuple(rows), indent=2)


def _hint(field: InputField) -> str:
    if field.kind == "flag":
        return f" [y] yes, [n] no (Enter keeps {_shown(field.value, field)})"
    if is_missing(field):
        return f" ({field.placeholder})" if field.placeholder and field.placeholder != field.label else ""
    if field.kind == "list":
        return ", with commas (Enter keeps them)"
    return " (Enter keeps it)"


def _read(typed: str, field: InputField) -> tuple[Any] | None:
    """What was typed as a value of the field's kind; None where it is none."""
    match field.kind:
        case "flag":
            word = typed.lower()
            return (word in _YES,) if word in _YES | _NO else None
        case "number":
            try:
                number = float(typed)
            except ValueError:
                return None
            return (int(number) if number.is_integer() else number,)
        case "list":
            return ([_listed_value(name, field) for part in typed.split(",") if (name := part.strip())],)
        case "choice":
            return _option(typed, field)
        case _:
            return (typed,)


def _option(typed: str, field: InputField) -> tuple[Any] | None:
    options = field.options or ()
    if typed.isdecimal() and 1 <= int(typed) <= len(options):
        return (options[int(typed) - 1].value,)
    meant = [option.value for option in options if option.label.lower().startswith(typed.lower())]
    return (meant[0],) if len(meant) == 1 else None


def _listed_value(name: str, field: InputField) -> Any:
    """By its number, where there is a list to number; what is written out is meant as it stands."""
    values = [option.value for option in field.options or ()]
    is_number = name not in values and name.isdecimal() and 1 <= int(name) <= len(values)
    return values[int(name) - 1] if is_number else name


def _shown(value: Any, field: InputField) -> str:
    for option in field.options or ():
        if option.value == value:
            return option.label
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return ", ".join(map(str, cast("Sequence[Any]", value))) or "-"
        case dict():
            return json.dumps(value)
        case _:
            line = on_one_line(str(value))
            return line if len(line) <= _LONGEST_VALUE else f"{line[: _LONGEST_VALUE - 3]}..."
