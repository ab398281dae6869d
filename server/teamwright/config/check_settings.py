"""What of the project may be run: its checks, and what the team runs by its own wish."""

import re
from typing import Annotated, ClassVar, Final, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from teamwright.config.section import Seconds, Section, Text, Word
from teamwright.protocol.checks import CheckSource

_LONGEST_NAME: Final = 64
_DRIVE: Final = re.compile(r"[A-Za-z]:")


def _check_name(value: str) -> str:
    if not (0 < len(value) <= _LONGEST_NAME) or value != value.strip() or not value.isprintable():
        right = "write 1 to 64 characters on one line, with no outer blank"
        raise PydanticCustomError("check_name", "is not the name of a check, {right}", {"right": right})
    return value


def _names_a_program(value: tuple[str, ...]) -> tuple[str, ...]:
    if not any(value[:1]):
        raise PydanticCustomError("argv", "must not be empty, write the program and its arguments as a list")
    return value


def _no_way_up(value: str) -> str:
    if "\\" in value:
        raise PydanticCustomError("path", "parts of a path are separated by `/`, not by a backslash")
    if ".." in value.split("/"):
        raise PydanticCustomError("path", "`..` is not allowed in a path, write where it leads to")
    return value


def _relative(value: str) -> str:
    if value.startswith(("/", "~")) or _DRIVE.match(value):
        raise PydanticCustomError("path", "must be relative, not an absolute path")
    return value


def _toolchain(value: str) -> str:
    if not (value.startswith(("/", "~/")) or _DRIVE.match(value)) or ".." in re.split(r"[/\\]", value):
        raise PydanticCustomError("path", "must be an absolute path or begin with ~/, such as ~/.pyenv")
    return value


Place = Annotated[Text, AfterValidator(_no_way_up)]
RelativePlace = Annotated[Place, AfterValidator(_relative)]


class CheckSettings(Section):
    unknown_keys: ClassVar[Literal["warning", "fault"]] = "fault"
    # What a workspace's file names is only proposed; see `ProposedCheckSettings`.
    source: ClassVar[CheckSource] = "user"

    name: Annotated[str, AfterValidator(_check_name)] = Field(
        description="What people call it, such as tests; unique in its list."
    )
    argv: Annotated[tuple[Word, ...], AfterValidator(_names_a_program)] = Field(
        description="The program and its arguments, as a list. No shell reads it."
    )
    cwd: Place | None = Field(
        default=None, description="The folder to run it in, as paths are written everywhere. Unset: the first one."
    )
    timeout_seconds: Seconds = Field(default=600, description="After how long it is ended and counts as timed out.")
    paths: tuple[RelativePlace, ...] | None = Field(
        default=None,
        description="Globs such as web/**: it runs only for changes that touch one of them. Unset: for every change.",
    )
    report: RelativePlace | None = Field(
        default=None,
        description="A JUnit XML or SARIF file that the command writes, relative to the folder it runs in. Unset: "
        "what it prints is read (pytest, unittest, jest, vitest, go, cargo, ruff, mypy and tsc are understood).",
    )
    needs: tuple[Place, ...] = Field(
        default=(),
        description="Closed files that it may read, such as .env. Only your own configuration can name them.",
    )


class ProposedCheckSettings(CheckSettings):
    """Of a workspace's file: a person's tick runs it, nothing else."""

    source: ClassVar[CheckSource] = "workspace"


class CommandSettings(Section):
    enabled: bool = Field(
        default=False,
        description="Whether agents may run commands, in their working copy and in a sandbox without network. "
        "Only your own configuration can enable it.",
    )
    timeout_seconds: Seconds = Field(default=120, description="How long one command may run.")
    toolchains: tuple[Annotated[Word, AfterValidator(_toolchain)], ...] = Field(
        default=(),
        description="Further folders of your home that checks and commands may read, such as ~/.local/share/mise. "
        "The usual toolchains are found. Only your own configuration can name them.",
    )
    sandbox: Literal["auto", "none"] = Field(
        default="auto",
        description="auto: checks and commands run in a sandbox, and not at all where none is to be had. none: they "
        "run with all that you may do yourself. Only your own configuration can say so.",
    )
