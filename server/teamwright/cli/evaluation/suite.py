"""Tasks of an evaluation: a small repository with seeded faults, and the check that says whether they are mended."""

from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from shutil import which
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

_LARGEST_FILE: Final = 1_000_000


class SuiteFault(Exception):
    """Its text is one sentence: which task cannot be read, and why."""


class SeededFault(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    line: int = Field(ge=1)
    last_line: int | None = Field(default=None, ge=1)
    about: str = ""


class EvalTask(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    language: str
    about: str = ""
    # The command that passes once the faults are mended. No shell.
    check: tuple[str, ...] = Field(min_length=1)
    # Programs without which it cannot be done here.
    needs: tuple[str, ...] = ()
    # A toolchain that takes its time: left out unless it is asked for.
    heavy: bool = False
    faults: tuple[SeededFault, ...] = Field(min_length=1)
    # What lies where in the repository.
    files: dict[str, str] = Field(min_length=1)

    @field_validator("files")
    @classmethod
    def _stay_inside(cls, given: dict[str, str]) -> dict[str, str]:
        for name in given:
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or not path.parts:
                raise ValueError(f"{name!r} does not lie below the task's repository")
        return given

    @model_validator(mode="after")
    def _are_in_its_files(self) -> "EvalTask":
        if astray := [fault.path for fault in self.faults if fault.path not in self.files]:
            raise ValueError(f"a fault is said to be in {astray[0]!r}, which is none of its files")
        return self

    def missing(self) -> tuple[str, ...]:
        return tuple(program for program in self.needs if which(program) is None)

    def lay_out(self, directory: Path) -> None:
        for name, content in self.files.items():
            path = directory.joinpath(*PurePosixPath(name).parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")


def own_suite() -> tuple[EvalTask, ...]:
    return _tasks(files("teamwright.cli").joinpath("evaluation", "tasks").iterdir())


def suite_in(directory: Path) -> tuple[EvalTask, ...]:
    """Every `*.yaml` in it is a task. Raises SuiteFault."""
    if not directory.is_dir():
        raise SuiteFault(f"{directory} is not a directory; name one with a file for each task.")
    tasks = _tasks(directory.iterdir())
    if not tasks:
        raise SuiteFault(f"{directory} has no task in it; each is a file such as name.yaml.")
    return tasks


def _tasks(places: Iterable[Traversable]) -> tuple[EvalTask, ...]:
    named = sorted((place for place in places if place.name.endswith((".yaml", ".yml"))), key=lambda place: place.name)
    return tuple(_task(place) for place in named)


def _task(place: Traversable) -> EvalTask:
    try:
        text = place.read_bytes()
        if len(text) > _LARGEST_FILE:
            raise SuiteFault(f"The task {place.name} is too large; keep it below a megabyte.")
        task = EvalTask.model_validate(yaml.safe_load(text))
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        why = first["msg"].removeprefix("Value error, ")
        raise SuiteFault(f"The task {place.name} is not sound at {where or 'its top'}: {why}.") from None
    except (yaml.YAMLError, UnicodeDecodeError, OSError):
        raise SuiteFault(f"The task {place.name} cannot be read as YAML.") from None
    return task if task.name else task.model_copy(update={"name": place.name.rpartition(".")[0]})
