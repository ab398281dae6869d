"""What every type on the wire shares: camelCase outside, snake_case inside, unknown keys refused, values immutable."""

from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticUseDefault

from teamwright.protocol.visible_text import visible

# The ranges of what a client, a configuration or an imported session may say. Beyond them nothing is meant.
MAX_SECONDS: Final = 7 * 24 * 3600
MAX_COUNT: Final = 1_000
"""Of answers, steps, restarts and the like."""
MAX_USD: Final = 1_000_000
MAX_TOKENS: Final = 1_000_000_000_000
MAX_PLACE: Final = 2**53 - 1
"""A line, a character, the number of a record: what every JSON reader can count to."""
MAX_TEXT: Final = 1_000_000
"""Characters of a message, a task or an instruction."""
MAX_NAMES: Final = 200
"""Agents, paths or attachments in one list."""
MAX_IMPORT: Final = 32_000_000
"""Characters of an exported session."""
MAX_URI: Final = 40_000
"""Characters of a file's address: longer than any path that a system takes, with every one of them escaped."""


class Wire(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=True,
        serialize_by_alias=True,
        extra="forbid",
        frozen=True,
        strict=False,
    )

    def to_wire(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        return self.model_dump_json()


def _is_absent(value: object) -> bool:
    return value is None


T = TypeVar("T")
# `Maybe[X] = None` is `x?` in the protocol: left out of the JSON when there is none. A plain `X | None` is sent as
# null.
Maybe = Annotated[T | None, Field(exclude_if=_is_absent)]


def _default_for_null(value: object) -> object:
    if value is None:
        raise PydanticUseDefault
    return value


# `Defaulted[X] = x` is `x?` in a command's params where something is set by default: a null says as much as silence.
Defaulted = Annotated[T, BeforeValidator(_default_for_null)]
# Words that a client draws as they are.
Words = Annotated[str, AfterValidator(visible)]
