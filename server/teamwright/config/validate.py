"""From a tree to settings: one spelling, unknown keys sifted out, rules and types checked, every fault at once.

Every value keeps the place and path it was written under.
"""

from dataclasses import dataclass, field
from typing import Final

from pydantic import ValidationError

from teamwright.config.backend_settings import UNSUPPORTED_TYPES
from teamwright.config.massgen import is_missing_value, missing_feature
from teamwright.config.nodes import (
    ListNode,
    MapNode,
    MappingEntry,
    Node,
    Scalar,
    descend,
    problem_at,
    replaced,
    to_plain,
)
from teamwright.config.outline import home_of, inner_sections, section_of
from teamwright.config.problems import Problem, nearest
from teamwright.config.rules import RuleCheck
from teamwright.config.section import Section
from teamwright.config.settings import Settings
from teamwright.config.wording import fault_of

# Looking for the nearest known key is slow; who has this many unknown ones does not misspell.
_MOST_HINTS: Final = 100
_MOST_AGENTS: Final = 100
_LEAST_TEAM: Final = 2
_ASSISTANT_BACKEND: Final = ("orchestrator", "interactive_mode", "backend")


@dataclass(frozen=True, slots=True)
class Loaded:
    """`settings` is None exactly when there are faults; `tree`, when the text is no YAML."""

    tree: MapNode | None
    settings: Settings | None
    faults: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def validate(written: MapNode) -> Loaded:
    spelled, faults = _in_one_spelling(written)
    spelled, left_out = _without_unsupported(spelled)
    sieve = _Sieve(warnings=left_out)
    tree = sieve.sift(spelled)
    rules = RuleCheck()
    rules.check(tree)
    settings, type_faults = to_settings(tree)
    all_faults = tuple(sorted({*faults, *sieve.faults, *rules.faults, *type_faults}))
    return Loaded(
        tree=tree,
        settings=None if all_faults else settings,
        faults=all_faults,
        warnings=tuple(sorted({*sieve.warnings, *rules.warnings})),
    )


def to_settings(tree: MapNode) -> tuple[Settings | None, list[Problem]]:
    try:
        return Settings.model_validate(to_plain(tree)), []
    except ValidationError as error:
        return None, [fault_of(detail, tree) for detail in error.errors(include_url=False, include_input=False)]


@dataclass
class _Sieve:
    faults: list[Problem] = field(default_factory=list[Problem])
    warnings: list[Problem] = field(default_factory=list[Problem])

    def sift(self, node: MapNode, section: type[Section] = Settings) -> MapNode:
        kept: dict[str, MappingEntry] = {}
        known = inner_sections(section)
        for key, entry in node.entries.items():
            if key not in known:
                self._report_unknown(node, key, section)
            elif isinstance(entry.value, Scalar) and is_missing_value(section, key, entry.value.value):
                message = f"'{entry.value.value}' is not supported, the default is used"
                self.warnings.append(problem_at(entry.value, message))
            else:
                kept[key] = MappingEntry(entry.key_place, self._sifted(entry.value, known[key]))
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


def _in_one_spelling(root: MapNode) -> tuple[MapNode, list[Problem]]:
    faults: list[Problem] = []
    if "agent" in root.entries:
        if "agents" in root.entries:
            faults.append(root.problem_at_key("agent", "stands beside `agents`, keep one of the two"))
        else:
            root = _with_agent_as_team(root)
        root = root.without("agent")
    if isinstance(agents := root.get("agents"), ListNode):
        if len(agents.items) > _MOST_AGENTS:
            faults.append(problem_at(agents, f"{len(agents.items)} agents are too many, list at most {_MOST_AGENTS}"))
        # What is wrong with the first ones is enough to tell of a list that is refused anyway.
        taken = agents.items[:_MOST_AGENTS]
        items = tuple(_spelled_agent(item, number) for number, item in enumerate(taken, start=1))
        root = root.having("agents", ListNode(items, agents.place, agents.path))
    if isinstance(assistant := descend(root, *_ASSISTANT_BACKEND), MapNode):
        root = replaced(root, _ASSISTANT_BACKEND, _with_listed_servers(assistant))
    return _with_listed_servers(root), faults


def _without_unsupported(root: MapNode) -> tuple[MapNode, list[Problem]]:
    """An agent of a kind that we lack costs the file that agent, while there are two others to make a team of."""
    agents = root.get("agents")
    if not isinstance(agents, ListNode):
        return root, []
    lacking = {agent.path: kind for agent in agents.items if (kind := _unsupported_type(agent)) is not None}
    others = tuple(agent for agent in agents.items if agent.path not in lacking)
    if not lacking or len(others) < _LEAST_TEAM:
        return root, []
    warnings = [
        problem_at(kind, f"'{kind.value}' is not supported, this agent is left out") for kind in lacking.values()
    ]
    return root.having("agents", ListNode(others, agents.place, agents.path)), warnings


def _unsupported_type(agent: Node) -> Scalar | None:
    kind = descend(agent, "backend", "type") if isinstance(agent, MapNode) else None
    is_lacking = isinstance(kind, Scalar) and str(kind.value).lower() in UNSUPPORTED_TYPES
    return kind if isinstance(kind, Scalar) and is_lacking else None


def _with_agent_as_team(root: MapNode) -> MapNode:
    written = root.entries["agent"]
    team = ListNode((written.value,), written.value.place, "agent")
    return MapNode({**root.entries, "agents": MappingEntry(written.key_place, team)}, root.place, root.path)


def _spelled_agent(agent: Node, number: int) -> Node:
    if not isinstance(agent, MapNode):
        return agent
    if "id" not in agent.entries:
        agent = agent.having("id", Scalar(f"agent{number}", agent.place, f"{agent.path}.id"))
    backend = agent.get("backend")
    return agent.having("backend", _with_listed_servers(backend)) if isinstance(backend, MapNode) else agent


def _with_listed_servers(holder: MapNode) -> MapNode:
    """`mcp_servers` as a mapping from names becomes a list; a server that has a command needs no type."""
    servers = holder.get("mcp_servers")
    match servers:
        case MapNode():
            items = tuple(_named(key, entry) for key, entry in servers.entries.items())
        case ListNode():
            items = servers.items
        case _:
            return holder
    typed = tuple(_with_type(item) for item in items)
    return holder.having("mcp_servers", ListNode(typed, servers.place, servers.path))


def _named(name: str, entry: MappingEntry) -> Node:
    server = entry.value
    if not isinstance(server, MapNode) or "name" in server.entries:
        return server
    return server.having("name", Scalar(name, entry.key_place, server.path))


def _with_type(server: Node) -> Node:
    if not isinstance(server, MapNode) or "type" in server.entries:
        return server
    kind = "streamable-http" if "url" in server.entries else "stdio"
    return server.having("type", Scalar(kind, server.place, f"{server.path}.type"))
