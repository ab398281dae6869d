"""A YAML document as a tree in which every value knows its place and the path it was written under."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from teamwright.config.problems import Problem, SourceSpan, child_path

Atom: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Scalar:
    value: Atom
    place: SourceSpan
    path: str


@dataclass(frozen=True, slots=True)
class ListNode:
    items: tuple["Node", ...]
    place: SourceSpan
    path: str


@dataclass(frozen=True, slots=True)
class MappingEntry:
    key_place: SourceSpan
    value: "Node"


@dataclass(frozen=True, slots=True)
class MapNode:
    entries: Mapping[str, MappingEntry]
    place: SourceSpan
    path: str

    def get(self, key: str) -> "Node | None":
        entry = self.entries.get(key)
        return None if entry is None else entry.value

    def text(self, key: str) -> str | None:
        value = self.get(key)
        return value.value if isinstance(value, Scalar) and isinstance(value.value, str) else None

    def without(self, key: str) -> "MapNode":
        return replace(self, entries={name: entry for name, entry in self.entries.items() if name != key})

    def having(self, key: str, value: "Node") -> "MapNode":
        entry = self.entries.get(key)
        return replace(
            self, entries={**self.entries, key: MappingEntry(entry.key_place if entry else value.place, value)}
        )

    def problem_at_key(self, key: str, message: str) -> Problem:
        """At the key where it stands; at the start of the mapping where it is missing."""
        entry = self.entries.get(key)
        return Problem(entry.key_place if entry else self.place, child_path(self.path, key), message)


Node: TypeAlias = Scalar | ListNode | MapNode

Plain: TypeAlias = "Atom | tuple[Plain, ...] | dict[str, Plain]"


def problem_at(node: Node, message: str) -> Problem:
    return Problem(node.place, node.path, message)


def to_plain(node: Node) -> Plain:
    """What pydantic validates. Lists become tuples, since the settings are immutable and strictly typed."""
    match node:
        case Scalar():
            return node.value
        case ListNode():
            return tuple(to_plain(item) for item in node.items)
        case MapNode():
            return {key: to_plain(entry.value) for key, entry in node.entries.items()}


def descend(root: Node, *steps: str | int) -> Node | None:
    node: Node | None = root
    for step in steps:
        match node, step:
            case MapNode(), str():
                node = node.get(step)
            case ListNode(), int() if 0 <= step < len(node.items):
                node = node.items[step]
            case _:
                return None
    return node


def replaced(root: MapNode, steps: tuple[str, ...], value: Node | None) -> MapNode:
    """The tree with another value at an existing place, or without that key."""
    head, *rest = steps
    if not rest:
        return root.without(head) if value is None else root.having(head, value)
    inner = root.get(head)
    return root.having(head, replaced(inner, tuple(rest), value)) if isinstance(inner, MapNode) else root


def maps_in(node: Node | None) -> Iterator[MapNode]:
    """The mappings of a list; nothing where something else stands (which validation reports)."""
    if isinstance(node, ListNode):
        yield from (item for item in node.items if isinstance(item, MapNode))
