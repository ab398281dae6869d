"""What the types alone cannot say: rules between keys. Read off the tree, so that one fault hides no other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from teamwright.config.nodes import ListNode, MapNode, Node, Scalar, descend, maps_in, problem_at
from teamwright.config.presets import PRESETS, BackendKind, Preset
from teamwright.config.problems import Problem
from teamwright.config.secrets import is_secret_name
from teamwright.config.wording import shown

OFFLINE_ANALYSERS: Final = ("lint", "security", "structure")
MOST_CHECKS: Final = 50

_API_KEYS: Final = frozenset(
    {
        "type",
        "model",
        "base_url",
        "api_key",
        "max_tokens",
        "reasoning",
        "timeout_seconds",
        "context_window",
        "price",
        "tool_calling",
        "headers",
        "mcp_servers",
    }
)
_KEYS_IN_USE: Final[Mapping[BackendKind, frozenset[str]]] = {
    "openai_responses": _API_KEYS | {"temperature"},
    "openai_chat": _API_KEYS | {"temperature"},
    "anthropic": _API_KEYS,
    "cli": frozenset(
        {
            "type",
            "model",
            "program",
            "reasoning",
            "timeout_seconds",
            "context_window",
            "price",
            "tool_calling",
            "mcp_servers",
        }
    ),
    "offline": frozenset({"type", "model"}),
}
_EXCEPT: Final[Mapping[str, frozenset[str]]] = {"gemini_cli": frozenset({"reasoning"})}

# Settings that nothing reads yet: whoever asks for more than the default is told so.
_WITHOUT_EFFECT: Final[tuple[tuple[tuple[str, ...], object, str], ...]] = (
    (("orchestrator", "coordination", "max_orchestration_restarts"), 0, "starting a run over"),
)


@dataclass
class RuleCheck:
    faults: list[Problem] = field(default_factory=list[Problem])
    warnings: list[Problem] = field(default_factory=list[Problem])

    def check(self, root: MapNode) -> None:
        self._check_team(root.get("agents"))
        self._check_checks(root.get("checks"))
        self._warn_of_settings_without_effect(root)
        for backend in backends_in(root):
            self._check_backend(backend)
        for servers in mcp_lists_in(root):
            self._check_names(servers, "name", "servers")
        for secrets in _secret_maps_in(root):
            for key in secrets.entries:
                if is_secret_name(key):
                    self._warn_of_literal(secrets, key)

    def _check_team(self, agents: Node | None) -> None:
        if isinstance(agents, ListNode):
            if not agents.items:
                self.faults.append(problem_at(agents, "the team is empty, list an agent or remove this key"))
            self._check_names(agents, "id", "agents")

    def _check_checks(self, checks: Node | None) -> None:
        if isinstance(checks, ListNode):
            if len(checks.items) > MOST_CHECKS:
                message = f"{len(checks.items)} checks are too many, list at most {MOST_CHECKS}"
                self.faults.append(problem_at(checks, message))
            self._check_names(checks, "name", "checks")

    def _warn_of_settings_without_effect(self, root: MapNode) -> None:
        for steps, default, ignored in _WITHOUT_EFFECT:
            value = descend(root, *steps)
            if isinstance(value, Scalar) and value.value not in {None, default}:
                self.warnings.append(problem_at(value, f"not supported, ignored: {ignored}"))

    def _check_names(self, entries: ListNode, key: str, what: str) -> None:
        first_uses: dict[str, Node] = {}
        for entry in maps_in(entries):
            name, node = entry.text(key), entry.get(key)
            if name is None or node is None:
                continue
            if first := first_uses.get(name):
                message = f"two {what} are called {shown(node)}, the first on line {first.place.line}, rename one"
                self.faults.append(problem_at(node, message))
            else:
                first_uses[name] = node

    def _check_backend(self, backend: MapNode) -> None:
        kind_name = (backend.text("type") or "").lower()
        preset = PRESETS.get(kind_name)
        self._warn_of_literal(backend, "api_key")
        if preset is None:
            return
        base_url = backend.text("base_url")
        if preset.needs_model and preset.model is None and not _is_given(backend, "model"):
            self.faults.append(
                backend.problem_at_key("model", f"is missing, {kind_name} has no default: name the model to use")
            )
        if base_url is None and preset.kind == "openai_chat" and not (preset.base_url or preset.base_url_variable):
            self.faults.append(
                backend.problem_at_key("base_url", f"is missing, {kind_name} has no address of its own: give one")
            )
        if kind_name == "offline" and (model := backend.text("model")) and model not in OFFLINE_ANALYSERS:
            node = backend.get("model") or backend
            self.faults.append(
                problem_at(node, f"{shown(node)} is not known, use one of {', '.join(OFFLINE_ANALYSERS)}")
            )
        self._warn_of_unused_keys(backend, kind_name, preset)

    def _warn_of_unused_keys(self, backend: MapNode, kind_name: str, preset: Preset) -> None:
        in_use = _KEYS_IN_USE[preset.kind] - _EXCEPT.get(kind_name, frozenset())
        for key in backend.entries:
            if key not in in_use and _is_given(backend, key):
                self.warnings.append(backend.problem_at_key(key, f"{kind_name} does not take it, this key is ignored"))

    def _warn_of_literal(self, holder: MapNode, key: str) -> None:
        value = holder.text(key)
        if value and "${" not in value:
            right = "put it in an environment variable and write ${NAME}"
            self.warnings.append(holder.problem_at_key(key, f"a secret stands in the file itself, {right}"))


def _is_given(node: MapNode, key: str) -> bool:
    value = node.get(key)
    return value is not None and not (isinstance(value, Scalar) and value.value is None)


def backends_in(root: MapNode) -> Iterator[MapNode]:
    candidates = [agent.get("backend") for agent in maps_in(root.get("agents"))]
    candidates.append(descend(root, "orchestrator", "interactive_mode", "backend"))
    yield from (backend for backend in candidates if isinstance(backend, MapNode))


def mcp_lists_in(root: MapNode) -> Iterator[ListNode]:
    candidates = [root.get("mcp_servers"), *(backend.get("mcp_servers") for backend in backends_in(root))]
    yield from (servers for servers in candidates if isinstance(servers, ListNode))


def _secret_maps_in(root: MapNode) -> Iterator[MapNode]:
    servers = [server for servers in mcp_lists_in(root) for server in maps_in(servers)]
    candidates = [holder.get(key) for holder in (*backends_in(root), *servers) for key in ("env", "headers")]
    yield from (secrets for secrets in candidates if isinstance(secrets, MapNode))
