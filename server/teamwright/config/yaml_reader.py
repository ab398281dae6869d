"""YAML text to a tree with places. Whatever the bytes are, the outcome is a tree or faults, never an exception."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, cast

import yaml
from yaml.constructor import SafeConstructor

from teamwright.config.nodes import Atom, ListNode, MapNode, MappingEntry, Node, Scalar
from teamwright.config.problems import Problem, SourceSpan, child_path

# libyaml is an order of magnitude faster, but an sdist build of PyYAML may lack it.
_LOADER: Final = cast("type[yaml.CSafeLoader]", getattr(yaml, "CSafeLoader", yaml.SafeLoader))

LARGEST_FILE: Final = 256 * 1024
MOST_VALUES: Final = 5_000
DEEPEST: Final = 40

_YAML_TAG: Final = "tag:yaml.org,2002:"
# Dates are left as they are written: no setting is a date, and a model's name may look like one.
_TEXT_TAGS: Final = frozenset({"str", "timestamp", "value"})
_ATOM_TAGS: Final = frozenset({"null", "bool", "int", "float"})
_UNPRINTABLE: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# libyaml's own words, to words that say what to do. Nothing of the text is quoted: it may hold a key.
_SYNTAX_ADVICE: Final = (
    ("mapping values are not allowed", "a second ': ' on one line or wrong indentation, put quotes around the value"),
    ("cannot start any token", "a value cannot begin with this character, put quotes around it"),
    ("could not find expected ':'", "a key without a colon, write `key: value`"),
    ("did not find expected key", "the indentation does not fit the lines above, align it with its siblings"),
    ("did not find expected '-' indicator", "a list and keys are mixed, indent the one that belongs inside"),
    ("unexpected end of stream", "a quote is never closed, close it"),
    ("expected ','", "a bracket is never closed, close it"),
    ("undefined alias", "this alias has no anchor before it, define `&name` first or put quotes around the value"),
    ("found another document", "a second document begins here, keep one document per file"),
    ("unknown escape character", "an unknown escape in double quotes, double the backslash or use single quotes"),
)


class _Refused(Exception):
    """The way out of the recursion, with what to tell the user."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def read_yaml(content: str | bytes, file: str) -> MapNode | list[Problem]:
    try:
        text = _decoded(content, file)
        converter = _Converter(file)
        tree = converter.convert(_composed(text, file), "")
    except _Refused as refusal:
        return [refusal.problem]
    if converter.problems:
        return converter.problems
    if not isinstance(tree, MapNode):
        kind = "a list" if isinstance(tree, ListNode) else "a single value"
        return [Problem(tree.place, "", f"the file holds {kind}, it must be a mapping such as `agents: […]`")]
    return tree


def _decoded(content: str | bytes, file: str) -> str:
    if isinstance(content, bytes):
        if len(content) > LARGEST_FILE:
            raise _Refused(_too_large(file))
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = content[: error.start].decode("utf-8", errors="replace")
            message = f"byte 0x{content[error.start]:02x} is not UTF-8, save the file as UTF-8"
            raise _Refused(Problem(_place_after(before, file), "", message)) from None
    else:
        text = content.removeprefix("\ufeff")
        if len(text) > LARGEST_FILE:
            raise _Refused(_too_large(file))
    if odd := _UNPRINTABLE.search(text):
        message = f"character U+{ord(odd.group()):04X} is not allowed in YAML, remove it"
        raise _Refused(Problem(_place_after(text[: odd.start()], file), "", message))
    return text


def _too_large(file: str) -> Problem:
    return Problem(SourceSpan(file), "", f"the file is larger than {LARGEST_FILE // 1024} KiB, make it smaller")


def _place_after(before: str, file: str) -> SourceSpan:
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    return SourceSpan(file, line, column, line, column + 1)


def _composed(text: str, file: str) -> yaml.Node:
    try:
        _check_depth(text, file)
        root = _LOADER(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        raise _Refused(_syntax_problem(error, text, file)) from None
    if root is None or (isinstance(root, yaml.ScalarNode) and root.tag == _YAML_TAG + "null"):
        raise _Refused(Problem(SourceSpan(file), "", "the file is empty, write at least one setting such as `agents:`"))
    return root


def _check_depth(text: str, file: str) -> None:
    """Composing recurses, in C where libyaml is used: what is nested too deep must not get there."""
    parser = _LOADER(text)
    depth = 0
    while event := parser.get_event():
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                message = f"nested deeper than {DEEPEST} levels, make it flatter"
                raise _Refused(Problem(_place(event, file), "", message))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _place(marked: yaml.Node | yaml.Event, file: str) -> SourceSpan:
    start, end = marked.start_mark, marked.end_mark
    if start is None:
        return SourceSpan(file)
    end = end or start
    return SourceSpan(file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def _syntax_problem(error: yaml.MarkedYAMLError, text: str, file: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    place = (
        SourceSpan(file, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2) if mark else SourceSpan(file)
    )
    lines = text.splitlines()
    if mark and mark.line < len(lines) and lines[mark.line][mark.column : mark.column + 1] == "\t":
        return Problem(place, "", "not YAML: a tab indents this line, use spaces")
    said = error.problem or "it cannot be read"
    for words, advice in _SYNTAX_ADVICE:
        if words in said:
            return Problem(place, "", f"not YAML: {advice}")
    unquoted = re.sub(r"\s*(['\"]).*\1", "", said)
    return Problem(place, "", f"not YAML: {unquoted}, correct the syntax here")


@dataclass
class _Converter:
    file: str
    problems: list[Problem] = field(default_factory=list[Problem])
    values: int = 0
    open_nodes: list[yaml.Node] = field(default_factory=list[yaml.Node])
    constructor: SafeConstructor = field(default_factory=SafeConstructor)

    def convert(self, node: yaml.Node, path: str) -> Node:
        self._check_bounds(node, path)
        place = _place(node, self.file)
        if isinstance(node, yaml.ScalarNode):
            return Scalar(self._atom(node, path, place), place, path)
        self.open_nodes.append(node)
        try:
            if isinstance(node, yaml.MappingNode) and node.tag == _YAML_TAG + "map":
                return MapNode(self._entries(node, path), place, path)
            if isinstance(node, yaml.SequenceNode) and node.tag == _YAML_TAG + "seq":
                items = tuple(self.convert(item, child_path(path, index)) for index, item in enumerate(node.value))
                return ListNode(items, place, path)
        finally:
            self.open_nodes.pop()
        self._report(place, path, "this tag is not supported, remove it")
        return Scalar(None, place, path)

    def _check_bounds(self, node: yaml.Node, path: str) -> None:
        """Aliases share nodes, so a small file can stand for a huge or an endless tree."""
        self.values += 1
        if node in self.open_nodes:
            message = "this value contains itself, write it out"
        elif len(self.open_nodes) > DEEPEST:
            message = f"nested deeper than {DEEPEST} levels with aliases expanded, make it flatter"
        elif self.values > MOST_VALUES:
            message = f"more than {MOST_VALUES} values with aliases expanded, make it smaller"
        else:
            return
        raise _Refused(Problem(_place(node, self.file), path, message))

    def _report(self, place: SourceSpan, path: str, message: str) -> None:
        self.problems.append(Problem(place, path, message))

    def _atom(self, node: yaml.ScalarNode, path: str, place: SourceSpan) -> Atom:
        kind = node.tag.removeprefix(_YAML_TAG)
        if kind in _TEXT_TAGS:
            return node.value
        if kind in _ATOM_TAGS:
            construct: Callable[[yaml.ScalarNode], Atom] = getattr(self.constructor, f"construct_yaml_{kind}")
            try:
                return construct(node)
            except (ValueError, LookupError, OverflowError):
                self._report(place, path, "not a number or switch that can be read, put quotes around it if it is text")
                return None
        self._report(place, path, "this tag is not supported, remove it")
        return None

    def _entries(self, node: yaml.MappingNode, path: str) -> dict[str, MappingEntry]:
        entries: dict[str, MappingEntry] = {}
        merged: list[yaml.Node] = []
        for key_node, value_node in node.value:
            key_place = _place(key_node, self.file)
            if not isinstance(key_node, yaml.ScalarNode):
                self._report(key_place, path, "a key must be a single word, not a list or mapping")
            elif key_node.tag == _YAML_TAG + "merge":
                merged.append(value_node)
            elif (key := key_node.value) in entries:
                first = entries[key].key_place
                where = f"first on line {first.line}, keep one of them"
                self._report(key_place, child_path(path, key), f"this key stands twice, {where}")
            else:
                entries[key] = MappingEntry(key_place, self.convert(value_node, child_path(path, key)))
        for source in merged:
            for key, entry in self._merge_source(source, path).items():
                entries.setdefault(key, entry)
        return entries

    def _merge_source(self, node: yaml.Node, path: str) -> dict[str, MappingEntry]:
        tree = self.convert(node, path)
        sources = tree.items if isinstance(tree, ListNode) else (tree,)
        entries: dict[str, MappingEntry] = {}
        for source in sources:
            if not isinstance(source, MapNode):
                self._report(
                    source.place, child_path(path, "<<"), "only mappings can be merged, write `<<: *name` here"
                )
                continue
            for key, entry in source.entries.items():
                entries.setdefault(key, entry)
        return entries
