"""What every part of the settings shares: immutable, strictly typed, and a rule for keys it does not know."""

import re
from typing import Annotated, Any, ClassVar, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from teamwright.protocol.base import MAX_COUNT, MAX_SECONDS, MAX_TOKENS, MAX_USD


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    # Files written for MassGen carry keys that we lack; where only our own keys belong, a slip of the pen is a fault.
    unknown_keys: ClassVar[Literal["warning", "fault"]] = "warning"


# In YAML a section whose lines are all commented out is null.
def _empty_map_if_null(value: Any) -> Any:
    return {} if value is None else value


def _empty_list_if_null(value: Any) -> Any:
    return () if value is None else value


EmptyMapIfNull = BeforeValidator(_empty_map_if_null)
EmptyListIfNull = BeforeValidator(_empty_list_if_null)


def _checked_url(value: str) -> str:
    try:
        parts = urlsplit(value)
        usable = parts.scheme in {"http", "https"} and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
        parts = None
    if not usable or parts is None:
        raise PydanticCustomError("url", "must be an address such as https://host/v1, with no reference in it")
    if parts.username or parts.password:
        raise PydanticCustomError("url", "must not carry a user name or password, use api_key")
    if parts.query or parts.fragment:
        raise PydanticCustomError("url", "must not carry a query or fragment, end it with the path")
    return value.rstrip("/")


# Programs, paths and requests cannot carry these.
_UNUSABLE: Final = re.compile("[\x00\ud800-\udfff]")
_VARIABLE_NAME: Final = re.compile(r"[^=\s]+")
_HEADER_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


def _usable(value: str) -> str:
    if _UNUSABLE.search(value):
        raise PydanticCustomError("text", "holds a character that no program can take, remove it")
    return value


def _variable_name(value: str) -> str:
    if not _VARIABLE_NAME.fullmatch(value):
        raise PydanticCustomError("name", "is not the name of a variable, write letters, digits and underscores")
    return value


def _header_name(value: str) -> str:
    if not _HEADER_NAME.fullmatch(value):
        raise PydanticCustomError("name", "is not the name of a header, write letters, digits and dashes")
    return value


Word = Annotated[str, AfterValidator(_usable)]
Text = Annotated[str, Field(min_length=1), AfterValidator(_usable)]
VariableName = Annotated[Word, AfterValidator(_variable_name)]
HeaderName = Annotated[str, AfterValidator(_header_name)]
Url = Annotated[Word, AfterValidator(_checked_url)]
Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS)]
Usd = Annotated[float, Field(gt=0, le=MAX_USD)]
Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]
Tokens = Annotated[int, Field(ge=1, le=MAX_TOKENS)]
