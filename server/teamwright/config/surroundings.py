"""What this machine has: variables, programs, paths, model servers; and warnings about what is missing.

No other machine is ever contacted.
"""

import ipaddress
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from pydantic import BaseModel

from teamwright.config.backend_settings import BackendSettings, HttpServer, McpServer, StdioServer
from teamwright.config.backends import FindProgram, missing_parts, resolve_backend, unset_variables
from teamwright.config.discovery import Findings, ModelServer
from teamwright.config.nodes import MapNode, Node, descend
from teamwright.config.presets import PRESETS
from teamwright.config.problems import Problem
from teamwright.config.settings import Settings
from teamwright.config.sources import resolved_path

FindServers: TypeAlias = Callable[[Mapping[str, str]], tuple[ModelServer, ...]]
SECONDS: Final = 0.3
_LONGEST_LIST: Final = 1_000_000
# Models that give numbers for a text, not an answer.
_NOT_FOR_CHAT: Final = ("embed", "rerank", "whisper", "tts")


def answering_servers(addresses: Mapping[str, str]) -> tuple[ModelServer, ...]:
    """Those that list a model to talk to within the deadline, in the order of the addresses."""
    pool = ThreadPoolExecutor(max_workers=max(1, len(addresses)), thread_name_prefix="loopback")
    asked = {name: pool.submit(_first_model, address) for name, address in addresses.items()}
    done, _ = wait(asked.values(), timeout=SECONDS)
    pool.shutdown(wait=False, cancel_futures=True)
    found = ((name, future.result()) for name, future in asked.items() if future in done)
    return tuple(ModelServer(name, addresses[name], model) for name, model in found if model is not None)


def find_program(name: str, environ: Mapping[str, str] | None = None) -> str | None:
    """Its path by the user's PATH, and never by the folder that we happen to stand in; None where there is none.

    A relative entry (`.`, `node_modules/.bin`, an empty one) means another directory wherever one stands, so a folder
    that was merely opened would bring its own `git` or `claude`; Windows even looks there first. A name with a
    directory in it is taken as it was written.
    """
    if len(Path(name).parts) > 1:
        return shutil.which(name)
    found = shutil.which(name, path=search_path(os.environ if environ is None else environ))
    is_where_we_stand = found is not None and os.name == "nt" and Path(found).parent == Path.cwd()
    return None if is_where_we_stand else found


def search_path(environ: Mapping[str, str]) -> str:
    entries = environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if Path(entry).is_absolute())


@dataclass(frozen=True, slots=True)
class Surroundings:
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    find_program: FindProgram = find_program
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


class _Entry(BaseModel):
    id: str


class _Listed(BaseModel):
    data: list[_Entry]


def local_addresses(environ: Mapping[str, str]) -> dict[str, str]:
    """Where each kind of model server listens by itself; Ollama's own variable may name another port."""
    addresses = {name: preset.base_url for name, preset in PRESETS.items() if preset.maker == "local"}
    if told := _ollama_address(environ.get("OLLAMA_HOST", "")):
        addresses["ollama"] = told
    return {name: address for name, address in addresses.items() if address is not None}


def _first_model(address: str) -> str | None:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    try:
        connection.request("GET", f"{parts.path}/models", headers={"Accept": "application/json"})
        response = connection.getresponse()
        return (
            _chat_model(_Listed.model_validate_json(response.read(_LONGEST_LIST))) if response.status == 200 else None
        )
    except (OSError, HTTPException, ValueError):
        # Nobody there, or somebody who is no model server.
        return None
    finally:
        connection.close()


def _chat_model(listed: _Listed) -> str | None:
    names = (entry.id for entry in listed.data)
    return next((name for name in names if not any(part in name.lower() for part in _NOT_FOR_CHAT)), None)


def _ollama_address(told: str) -> str | None:
    if not told.strip():
        return None
    with suppress(ValueError):
        parts = urlsplit(told if "//" in told else f"//{told}")
        if (host := _loopback(parts.hostname or "")) is not None:
            return f"http://{host}:{parts.port or 11434}/v1"
    return None


def _loopback(host: str) -> str | None:
    """How to reach the host if it is this machine. A server that listens everywhere listens here, too."""
    if host in {"", "localhost", "0.0.0.0"}:  # noqa: S104 - compared, not listened on
        return "127.0.0.1"
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        if address.is_loopback:
            return f"[{host}]" if address.version == 6 else host
    return None
