"""A tool's schema, reduced to what can be checked at a price that is known before. Pure.

Schemas of MCP servers are other people's words. A pattern can take for ever, and so can a reference to itself, or ten
that each refer twice to the next. What is left out here is checked by the tool itself, as ever.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, cast

from teamwright.models.limits import MAX_SCHEMA_DEPTH, MAX_SCHEMA_PARTS

Schema: TypeAlias = Mapping[str, Any]

_PLAIN: Final = frozenset(
    {
        *("type", "enum", "const", "required"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"),
        *("minItems", "maxItems", "minProperties", "maxProperties"),
    }
)
_NESTED: Final = frozenset({"items", "additionalProperties", "not"})
_ALTERNATIVES: Final = frozenset({"anyOf", "allOf", "oneOf", "prefixItems"})
_NOWHERE: Final = "nowhere:"


def checkable(schema: Schema) -> Schema:
    """Without references, which are written out; a part that is too many or too deep allows everything."""
    return _Reduction(schema).of(schema, 0)


class _Reduction:
    def __init__(self, whole: Schema) -> None:
        self._whole = whole
        self._left = MAX_SCHEMA_PARTS

    def of(self, part: object, depth: int) -> Any:
        if not isinstance(part, dict):
            # True and false are schemas, too; what is none at all is found by whoever reads the result.
            return part
        if self._left == 0 or depth > MAX_SCHEMA_DEPTH:
            return {}
        self._left -= 1
        schema = cast("dict[str, Any]", part)
        if (reference := schema.get("$ref")) is not None:
            referred = self._referred(reference)
            if referred is None:
                # Nobody can resolve it, which makes the schema a faulty one.
                return {"$ref": _NOWHERE}
            return self.of({**referred, **{key: schema[key] for key in schema if key != "$ref"}}, depth + 1)
        return {key: value for key, given in schema.items() if (value := self._keyword(key, given, depth)) is not None}

    def _keyword(self, key: str, given: object, depth: int) -> object:
        if key in _PLAIN:
            return given
        if key in _NESTED:
            return self.of(given, depth + 1)
        if key in _ALTERNATIVES and isinstance(given, list):
            return [self.of(each, depth + 1) for each in cast("list[object]", given)]
        if key == "properties" and isinstance(given, dict):
            return {name: self.of(each, depth + 1) for name, each in cast("dict[str, object]", given).items()}
        return None

    def _referred(self, reference: object) -> dict[str, Any] | None:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        found: Schema | None = self._whole
        for step in filter(None, reference.removeprefix("#").split("/")):
            inner: object = None if found is None else found.get(step.replace("~1", "/").replace("~0", "~"))
            found = cast("Schema", inner) if isinstance(inner, dict) else None
        return None if found is None else dict(found)
