"""What this machine has: variables, programs, paths; and warnings about what is missing."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from quorate.config.backend_settings import BackendSettings
from quorate.config.backends import FindProgram, missing_parts, resolve_backend, unset_variables
from quorate.config.discovery import Findings, ModelServer
from quorate.config.loopback import answering_servers, local_addresses
from quorate.config.mcp_settings import HttpServer, McpServer, StdioServer
from quorate.config.nodes import MapNode, Node, descend
from quorate.config.presets import PRESETS
from quorate.config.problems import Problem
from quorate.config.settings import Settings
from quorate.config.sources import resolved_path

FindServers: TypeAlias = Callable[[Mapping[str, str]], tuple[ModelServer, ...]]


@dataclass(frozen=True, slots=True)
class Surroundings:
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    find_program: FindProgram = shutil.which
    find_servers: FindServers = answering_servers

    def findings(self) -> Findings:
        """What a team could be made of. It may take as long as model servers are waited for."""
        programs = {preset.program for preset in PRESETS.values() if preset.program}
        return Findings(
            variables=frozenset(name for name, value in self.environ.items() if value),
            programs=frozenset(program for program in programs if self.find_program(program)),
            servers=self.find_servers(local_addresses(self.environ)),
        )


def missing_things(settings: Settings, tree: MapNode, surroundings: Surroundings, workspace: Path) -> Iterator[Problem]:
    """Variables, programs and paths that the files name and this machine lacks: warnings here, refused by a run."""
    for node, backend in _backends(settings, tree):
        yield from _missing_for_backend(node, backend, surroundings)
    yield from _missing_for_servers(tree, settings.mcp_servers, surroundings)
    for index, context_path in enumerate(settings.orchestrator.context_paths):
        node = descend(tree, "orchestrator", "context_paths", index, "path")
        if node is not None and not resolved_path(context_path.path, workspace).exists():
            yield Problem(node.place, node.path, "does not exist, create it or correct the path")


def _backends(settings: Settings, tree: MapNode) -> Iterator[tuple[MapNode, BackendSettings]]:
    pairs: list[tuple[Node | None, BackendSettings | None]] = [
        (descend(tree, "agents", index, "backend"), agent.backend) for index, agent in enumerate(settings.agents)
    ]
    interactive = settings.orchestrator.interactive_mode
    pairs.append((descend(tree, "orchestrator", "interactive_mode", "backend"), interactive.backend))
    for node, backend in pairs:
        # A discovered team stands in no file, and has what it needs.
        if isinstance(node, MapNode) and backend is not None:
            yield node, backend


def _missing_for_backend(node: MapNode, backend: BackendSettings, surroundings: Surroundings) -> Iterator[Problem]:
    resolved = resolve_backend(backend, surroundings.environ)
    at_key = "api_key" if "api_key" in node.entries else "type"
    for sentence in missing_parts(resolved, surroundings.environ, surroundings.find_program):
        yield node.problem_at_key(at_key, sentence)
    yield from _missing_for_servers(node, backend.mcp_servers, surroundings)


def _missing_for_servers(
    holder: MapNode, servers: tuple[McpServer, ...], surroundings: Surroundings
) -> Iterator[Problem]:
    for index, server in enumerate(servers):
        node = descend(holder, "mcp_servers", index)
        if not isinstance(node, MapNode):
            continue
        if isinstance(server, StdioServer) and surroundings.find_program(server.command) is None:
            yield node.problem_at_key("command", f"the program {server.command} is not on the PATH, install it")
        key, secrets = ("headers", server.headers) if isinstance(server, HttpServer) else ("env", server.env)
        for secret in secrets.values():
            if secret.resolve(surroundings.environ) is None:
                yield node.problem_at_key(key, unset_variables(secret, surroundings.environ))
