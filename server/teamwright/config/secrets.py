"""References to secrets. The value is looked up where it is needed, and is in no text of ours."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

_REFERENCE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_SECRET_ENDINGS: Final = ("key", "token", "secret", "password", "passwd", "credential", "credentials", "authorization")
_KEY_SHAPED: Final = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_\-.+/=]{20,}")


class Secret:
    """Text with `${NAME}` in it. Several texts are alternatives: the first whose variables are all set is meant."""

    __slots__ = ("_texts",)

    def __init__(self, *texts: str) -> None:
        self._texts = texts

    @classmethod
    def of_variables(cls, names: Iterable[str]) -> "Secret":
        return cls(*(f"${{{name}}}" for name in names))

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(name for text in self._texts for name in _REFERENCE.findall(text))

    @property
    def is_literal(self) -> bool:
        return not self.variables

    def resolve(self, environ: Mapping[str, str]) -> str | None:
        """None where a variable that is needed is not set or is empty."""
        for text in self._texts:
            if all(environ.get(name) for name in _REFERENCE.findall(text)):
                return _REFERENCE.sub(lambda match: environ[match.group(1)], text)
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._texts == other._texts

    def __hash__(self) -> int:
        return hash(self._texts)

    def __repr__(self) -> str:
        return f"Secret({self})"

    def __str__(self) -> str:
        return " or ".join(f"${{{name}}}" for name in self.variables) or "***"

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            _to_secret,
            serialization=core_schema.to_string_ser_schema(),
            json_schema_input_schema=core_schema.str_schema(),
        )


def _to_secret(value: object) -> Secret:
    if isinstance(value, Secret):
        return value
    if not isinstance(value, str) or not value:
        raise PydanticCustomError("secret", "must be text, write ${NAME} with the name of an environment variable")
    if "${" in _REFERENCE.sub("", value):
        raise PydanticCustomError("secret", "has a reference that cannot be read, write ${NAME} and nothing else in it")
    return Secret(value)


def is_secret_name(name: str) -> bool:
    return any(word.endswith(_SECRET_ENDINGS) for word in re.split(r"[^a-z0-9]+", name.lower()))


def may_be_shown(path: str, value: str) -> bool:
    """Whether a message may quote a value: not under a key that names a secret, and not if it looks like one itself."""
    inside_secrets = not {"env", "headers"}.isdisjoint(path.split("."))
    return not inside_secrets and not is_secret_name(path) and not _KEY_SHAPED.search(value)
