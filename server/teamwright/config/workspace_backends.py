"""Where a workspace's configuration may send prompts and keys, and which programs it may name."""

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from teamwright.config.backend_settings import BackendSettings, McpServer
from teamwright.config.backends import key_of
from teamwright.config.nodes import ListNode, MapNode, Node, descend, problem_at, replaced
from teamwright.config.presets import PRESETS, Preset
from teamwright.config.problems import Problem
from teamwright.config.secrets import Secret, is_secret_name
from teamwright.config.settings import AgentSettings, Settings

_ASSISTANT: Final = ("orchestrator", "interactive_mode", "backend")
_FOREIGN_KEY: Final = "a workspace may use no other key than the provider's own variable holds"


def narrowed_backends(tree: MapNode, asked: Settings, own: Settings) -> tuple[MapNode, list[Problem]]:
    warnings: list[Problem] = []
    team = tree.get("agents")
    if isinstance(team, ListNode):
        agents = tuple(_narrowed_agents(team.items, asked.agents, own, warnings))
        tree = tree.having("agents", ListNode(agents, team.place, team.path)) if agents else tree.without("agents")
    node, assistant = descend(tree, *_ASSISTANT), asked.orchestrator.interactive_mode.backend
    if isinstance(node, MapNode) and assistant is not None:
        tree = replaced(tree, _ASSISTANT, _narrowed_backend(node, assistant, own, warnings))
    return tree, warnings


def _narrowed_agents(
    nodes: Sequence[Node], agents: Sequence[AgentSettings], own: Settings, warnings: list[Problem]
) -> Iterator[Node]:
    for node, agent in zip(nodes, agents, strict=True):
        if isinstance(node, MapNode) and isinstance(backend := node.get("backend"), MapNode):
            kept = _narrowed_backend(backend, agent.backend, own, warnings)
            if kept is not None:
                yield node.having("backend", kept)


def _narrowed_backend(
    node: MapNode, backend: BackendSettings, own: Settings, warnings: list[Problem]
) -> MapNode | None:
    """None where nothing safe is left of it."""
    for key, refusal in _refused_keys(backend, own):
        warnings.append(node.problem_at_key(key, refusal))
        node = node.without(key)
        if key == "base_url" and PRESETS[backend.type].base_url is None:
            return None
    node, server_warnings = narrowed_servers(node, backend.mcp_servers, own)
    warnings.extend(server_warnings)
    return node


def _refused_keys(backend: BackendSettings, own: Settings) -> Iterator[tuple[str, str]]:
    preset = PRESETS[backend.type]
    if backend.program is not None:
        yield "program", f"a workspace may not choose a program, {preset.program} on your PATH is used"
    if backend.price is not None:
        yield "price", "a workspace may not set a price, budgets and approvals are reckoned with it, ignored"
    if backend.base_url is not None and not _may_be_spoken_to(backend.base_url, backend, own):
        instead = f"{preset.base_url} is used" if preset.base_url else "this backend is left out"
        how = "list the address in trusted_base_urls of your own configuration to allow it"
        yield "base_url", f"a workspace may not choose where prompts and keys go, {instead}, {how}"
        backend = backend.model_copy(update={"base_url": None})
    usable = _usable_variables(backend, own)
    if backend.api_key is not None and not _may_send(backend.api_key, usable):
        yield "api_key", f"{_FOREIGN_KEY}, ignored"
    if any(not _may_send(secret, usable) for name, secret in backend.headers.items() if _is_sensitive(name, secret)):
        yield "headers", f"{_FOREIGN_KEY}, ignored"


def _may_send(secret: Secret, usable: frozenset[str]) -> bool:
    # A key that stands in the file is a stranger's: the prompts would go to that stranger's account.
    return not secret.is_literal and usable.issuperset(secret.variables)


def _is_sensitive(header: str, value: Secret) -> bool:
    return not value.is_literal or is_secret_name(header)


def _may_be_spoken_to(base_url: str, backend: BackendSettings, own: Settings) -> bool:
    """A provider's own address, one that the user names, or this machine where nothing of the user's is sent along."""
    if _owner_of_exact(base_url) is not None:
        return True
    if not _is_named(base_url, own):
        return _is_loopback(urlsplit(base_url)) and not _variables_sent(backend)
    # What goes there unless another key is named: that one key goes to an address is no leave for another to go there.
    unsaid = _variables_of(key_of(backend.model_copy(update={"api_key": None}))[0])
    usable = _usable_variables(backend, own)
    kept = backend.api_key is not None and _may_send(backend.api_key, usable)
    return kept or usable.issuperset(unsaid)


def _usable_variables(backend: BackendSettings, own: Settings) -> frozenset[str]:
    """Those that may go to the backend's address: a provider's own, and what the user's configuration sends there."""
    preset, address = PRESETS[backend.type], backend.base_url
    owner = preset if address is None else _owner_of_exact(address)
    usable = set(owner.key_variables if owner is not None else ())
    for each in _own_backends(own):
        if _sends_to(each, backend):
            usable |= _variables_sent(each)
    if address is not None and _is_within_any(address, own.trusted_base_urls):
        usable |= {*preset.key_variables, *(name for each in _own_backends(own) for name in _variables_sent(each))}
    return frozenset(usable)


def _is_named(base_url: str, own: Settings) -> bool:
    own_addresses = [each.base_url for each in _own_backends(own) if each.base_url]
    return _is_within_any(base_url, (*own.trusted_base_urls, *own_addresses))


def _sends_to(own: BackendSettings, asked: BackendSettings) -> bool:
    """Whether the user's own backend speaks to the address that is asked for."""
    theirs, ours = (each.base_url or PRESETS[each.type].base_url for each in (asked, own))
    if theirs is None or ours is None:
        # An address of the environment, which is the user's, too.
        return asked.type == own.type and theirs == ours
    return _is_within_any(theirs, (ours,))


def _variables_sent(backend: BackendSettings) -> frozenset[str]:
    key, _ = key_of(backend)
    return _variables_of(key, *backend.headers.values())


def _variables_of(*secrets: Secret | None) -> frozenset[str]:
    return frozenset(name for secret in secrets if secret is not None for name in secret.variables)


def _is_within_any(address: str, trusted: Iterable[str]) -> bool:
    return any(_is_within(urlsplit(address), urlsplit(each)) for each in trusted)


def _is_within(address: SplitResult, trusted: SplitResult) -> bool:
    same_host = _origin(address) == _origin(trusted)
    return same_host and f"{address.path}/".startswith(f"{trusted.path.rstrip('/')}/") and ".." not in address.path


def _origin(address: SplitResult) -> tuple[str, str | None, int]:
    return address.scheme, address.hostname, address.port or (443 if address.scheme == "https" else 80)


def _owner_of_exact(base_url: str) -> Preset | None:
    """The hosted provider with this very origin. Domains do not count: anyone can rent a host under some of them."""
    hosted = (preset for preset in PRESETS.values() if preset.base_url and preset.key_variables)
    wanted = _origin(urlsplit(base_url))
    return next((preset for preset in hosted if _origin(urlsplit(preset.base_url or "")) == wanted), None)


def _is_loopback(address: SplitResult) -> bool:
    host = address.hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _own_backends(own: Settings) -> Iterator[BackendSettings]:
    yield from (agent.backend for agent in own.agents)
    if (assistant := own.orchestrator.interactive_mode.backend) is not None:
        yield assistant


def narrowed_servers(holder: MapNode, asked: Iterable[McpServer], own: Settings) -> tuple[MapNode, list[Problem]]:
    """Servers run programs and see prompts: a workspace may pick among the user's own, not add any."""
    listed = holder.get("mcp_servers")
    if not isinstance(listed, ListNode):
        return holder, []
    verdicts = [(node, server in own.mcp_servers) for node, server in zip(listed.items, asked, strict=True)]
    message = "a workspace may not add an MCP server, list it in your own configuration to allow it; ignored"
    kept = ListNode(tuple(node for node, allowed in verdicts if allowed), listed.place, listed.path)
    return holder.having("mcp_servers", kept), [problem_at(node, message) for node, allowed in verdicts if not allowed]
