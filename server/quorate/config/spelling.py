"""Several ways to write the same thing, brought to one. Every value keeps the place and path it was written under."""

from typing import Final

from quorate.config.nodes import Entry, ListNode, MapNode, Node, Scalar, descend, problem_at, replaced
from quorate.config.problems import Problem

MOST_AGENTS: Final = 100

_ASSISTANT_BACKEND: Final = ("orchestrator", "interactive_mode", "backend")


def in_one_spelling(root: MapNode) -> tuple[MapNode, list[Problem]]:
    faults: list[Problem] = []
    if "agent" in root.entries:
        if "agents" in root.entries:
            faults.append(root.problem_at_key("agent", "stands beside `agents`, keep one of the two"))
        else:
            root = _with_agent_as_team(root)
        root = root.without("agent")
    if isinstance(agents := root.get("agents"), ListNode):
        if len(agents.items) > MOST_AGENTS:
            faults.append(problem_at(agents, f"{len(agents.items)} agents are too many, list at most {MOST_AGENTS}"))
        # What is wrong with the first ones is enough to tell of a list that is refused anyway.
        taken = agents.items[:MOST_AGENTS]
        items = tuple(_spelled_agent(item, number) for number, item in enumerate(taken, start=1))
        root = root.having("agents", ListNode(items, agents.place, agents.path))
    if isinstance(assistant := descend(root, *_ASSISTANT_BACKEND), MapNode):
        root = replaced(root, _ASSISTANT_BACKEND, _with_listed_servers(assistant))
    return _with_listed_servers(root), faults


def _with_agent_as_team(root: MapNode) -> MapNode:
    written = root.entries["agent"]
    team = ListNode((written.value,), written.value.place, "agent")
    return MapNode({**root.entries, "agents": Entry(written.key_place, team)}, root.place, root.path)


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


def _named(name: str, entry: Entry) -> Node:
    server = entry.value
    if not isinstance(server, MapNode) or "name" in server.entries:
        return server
    return server.having("name", Scalar(name, entry.key_place, server.path))


def _with_type(server: Node) -> Node:
    if not isinstance(server, MapNode) or "type" in server.entries:
        return server
    kind = "streamable-http" if "url" in server.entries else "stdio"
    return server.having("type", Scalar(kind, server.place, f"{server.path}.type"))
