"""Keys that the settings do not know: each becomes a warning or a fault and leaves the tree, so that the rest loads."""

from dataclasses import dataclass, field
from typing import Final

from quorate.config.massgen import is_missing_value, missing_feature
from quorate.config.nodes import Entry, ListNode, MapNode, Node, Scalar, problem_at
from quorate.config.outline import home_of, inner_sections, section_of
from quorate.config.problems import Problem, nearest
from quorate.config.section import Section
from quorate.config.settings import Settings

# Looking for the nearest known key is slow; who has this many unknown ones does not misspell.
_MOST_HINTS: Final = 100


@dataclass
class Sieve:
    faults: list[Problem] = field(default_factory=list[Problem])
    warnings: list[Problem] = field(default_factory=list[Problem])

    def sift(self, node: MapNode, section: type[Section] = Settings) -> MapNode:
        kept: dict[str, Entry] = {}
        known = inner_sections(section)
        for key, entry in node.entries.items():
            if key not in known:
                self._report_unknown(node, key, section)
            elif isinstance(entry.value, Scalar) and is_missing_value(section, key, entry.value.value):
                message = f"'{entry.value.value}' is not supported, the default is used"
                self.warnings.append(problem_at(entry.value, message))
            else:
                kept[key] = Entry(entry.key_place, self._sifted(entry.value, known[key]))
        return MapNode(kept, node.place, node.path)

    def _sifted(self, value: Node, choices: tuple[type[Section], ...]) -> Node:
        if not choices:
            return value
        match value:
            case MapNode():
                return self.sift(value, section_of(value, choices))
            case ListNode():
                items = tuple(self._sifted(item, choices) for item in value.items)
                return ListNode(items, value.place, value.path)
            case Scalar():
                return value

    def _report_unknown(self, node: MapNode, key: str, section: type[Section]) -> None:
        if feature := missing_feature(section, key):
            self.warnings.append(node.problem_at_key(key, f"not supported, ignored: {feature}"))
        elif section.unknown_keys == "fault":
            self.faults.append(node.problem_at_key(key, f"unknown key, {self._hint(key, section)}"))
        else:
            self.warnings.append(node.problem_at_key(key, f"unknown key, ignored, {self._hint(key, section)}"))

    def _hint(self, key: str, section: type[Section]) -> str:
        if len(self.faults) + len(self.warnings) < _MOST_HINTS:
            if near := nearest(key, section.model_fields):
                return f"did you mean '{near}'?"
            if home := home_of(key):
                return f"it belongs in {home}"
        return f"known here are {', '.join(section.model_fields)}"
