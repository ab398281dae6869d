"""Names of things. The prefix says what a bare id in a log belongs to; minting them is the runtime's business.

An id comes from clients, imported sessions and the disk, and some are parts of paths. So its type says how it may look,
and whatever reads one refuses another look: with a 400, as a session that cannot be imported, as a damaged record.
"""

import re
from typing import Any, ClassVar, Literal, NewType

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

IdPrefix = Literal["ses", "turn", "item", "run", "ans", "dec", "find"]
_LONGEST_TAIL = 80


class _Id(str):
    """For the type checker, and for the shape: what was read is a plain string.

    Small letters, digits and underscores: no file system takes two of them for one, or one for something else."""

    __slots__ = ()
    prefix: ClassVar[IdPrefix]

    @classmethod
    def admits(cls, text: str) -> bool:
        """For what was found as a name on the disk, where nobody has looked at its shape yet."""
        return re.fullmatch(cls._pattern(), text) is not None

    @classmethod
    def _pattern(cls) -> str:
        return rf"{cls.prefix}_[a-z0-9_]{{1,{_LONGEST_TAIL}}}"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        del source, handler
        shaped = core_schema.custom_error_schema(
            core_schema.str_schema(pattern=f"^{cls._pattern()}$"),
            custom_error_type="id_shape",
            custom_error_message=f"is not an id such as `{cls.prefix}_1a2b3c`",
        )
        return core_schema.chain_schema([core_schema.str_schema(), shaped])

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        del schema, handler
        return {"type": "string"}


class SessionId(_Id):
    __slots__ = ()
    prefix = "ses"


class TurnId(_Id):
    __slots__ = ()
    prefix = "turn"


class ItemId(_Id):
    __slots__ = ()
    prefix = "item"


class RunId(_Id):
    __slots__ = ()
    prefix = "run"


class AnswerId(_Id):
    __slots__ = ()
    prefix = "ans"


class DecisionId(_Id):
    __slots__ = ()
    prefix = "dec"


class FindingId(_Id):
    __slots__ = ()
    prefix = "find"


# Of what a client draws: made of the id of what it shows, so that it is the same after every reload. Only looked up.
EntryId = NewType("EntryId", str)

# Agents are named by the user's configuration, so their ids carry no prefix.
AgentId = NewType("AgentId", str)
