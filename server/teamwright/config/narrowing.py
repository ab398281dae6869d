"""What a workspace's configuration may not do: widen what the user allows. Each refusal is a warning at its place."""

from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any, Final

from teamwright.config.nodes import ListNode, MapNode, Node, Scalar, descend, problem_at, replaced
from teamwright.config.problems import Problem
from teamwright.config.settings import ApprovalThreshold, ContextPathSettings, Settings
from teamwright.config.sources import resolved_path
from teamwright.config.workspace_backends import narrowed_backends, narrowed_servers
from teamwright.config.workspace_checks import narrowed_checks

_NO_LIMIT: Final = float("inf")


def _approval_rank(value: bool | ApprovalThreshold) -> float:
    if isinstance(value, ApprovalThreshold):
        return -value.above_usd
    return _NO_LIMIT if value else -_NO_LIMIT


def _limit_rank(value: float | None) -> float:
    return -_NO_LIMIT if value is None else -value


def _is(strict: object) -> Callable[[Any], float]:
    return lambda value: float(value == strict)


_INTERACTIVE: Final = ("orchestrator", "interactive_mode")
# How strict a value is. The workspace's own holds only if it is no less strict than the user's.
_STRICTNESS: Final[Mapping[tuple[str, ...], Callable[[Any], float]]] = {
    (*_INTERACTIVE, "require_approval"): _approval_rank,
    (*_INTERACTIVE, "apply_changes"): _is("ask"),
    (*_INTERACTIVE, "autonomy"): _is("hitl"),
    (*_INTERACTIVE, "resume"): _is("ask"),
    (*_INTERACTIVE, "max_steps"): _limit_rank,
    (*_INTERACTIVE, "budget", "usd"): _limit_rank,
    (*_INTERACTIVE, "budget", "tokens"): _limit_rank,
    (*_INTERACTIVE, "budget", "seconds"): _limit_rank,
    (*_INTERACTIVE, "session_budget", "usd"): _limit_rank,
    (*_INTERACTIVE, "session_budget", "tokens"): _limit_rank,
    (*_INTERACTIVE, "session_budget", "seconds"): _limit_rank,
    ("commands", "enabled"): _is(False),
    ("commands", "timeout_seconds"): _limit_rank,
    ("commands", "sandbox"): _is("auto"),
    ("checks_policy",): ("inform", "prefer", "require").index,
}


def narrowed(tree: MapNode, asked: Settings, own: Settings, workspace: Path) -> tuple[MapNode, list[Problem]]:
    """The workspace's tree without what it may not say. `asked` is what it says, `own` what the user allows."""
    warnings: list[Problem] = []
    for steps, strictness in _STRICTNESS.items():
        node = descend(tree, *steps)
        if node is not None and strictness(_value(asked, steps)) < strictness(_value(own, steps)):
            message = "a workspace may not loosen this, your own setting or the default holds"
            warnings.append(problem_at(node, message))
            tree = replaced(tree, steps, None)
    if (node := tree.get("trusted_base_urls")) is not None:
        warnings.append(problem_at(node, "only your own configuration can trust addresses, ignored"))
        tree = tree.without("trusted_base_urls")
    tree, server_warnings = narrowed_servers(tree, asked.mcp_servers, own)
    tree, check_warnings = narrowed_checks(tree, asked, own)
    tree, path_warnings = _narrowed_paths(tree, asked, own, workspace)
    tree, backend_warnings = narrowed_backends(tree, asked, own)
    return tree, [*warnings, *server_warnings, *check_warnings, *path_warnings, *backend_warnings]


def _value(settings: Settings, steps: tuple[str, ...]) -> Any:
    return reduce(getattr, steps, settings)


def _narrowed_paths(tree: MapNode, asked: Settings, own: Settings, workspace: Path) -> tuple[MapNode, list[Problem]]:
    steps = ("orchestrator", "context_paths")
    listed = descend(tree, *steps)
    if not isinstance(listed, ListNode):
        return tree, []
    kept: list[Node] = []
    warnings: list[Problem] = []
    for node, wanted in zip(listed.items, asked.orchestrator.context_paths, strict=True):
        narrower, refusal = _narrowed_path(node, wanted, own.orchestrator.context_paths, workspace)
        kept += [narrower] if narrower is not None else []
        warnings += [problem_at(node, refusal)] if refusal is not None else []
    return replaced(tree, steps, ListNode(tuple(kept), listed.place, listed.path)), warnings


def _narrowed_path(
    node: Node, wanted: ContextPathSettings, allowed: tuple[ContextPathSettings, ...], workspace: Path
) -> tuple[Node | None, str | None]:
    """What is left of it, and why not all."""
    grants = [each for each in allowed if _covers(each, wanted, workspace)]
    inside = resolved_path(wanted.path, workspace).is_relative_to(resolved_path(".", workspace))
    if not inside and not grants:
        return None, "lies outside the workspace, list it in your own configuration to allow it; ignored"
    protected = _with_protected_paths(node, wanted, allowed)
    if wanted.permission == "write" and not any(each.permission == "write" for each in grants):
        message = "a workspace may not grant write, allow it in your own configuration; taken as read"
        return _with_permission_read(protected), message
    return protected, None


def _covers(allowed: ContextPathSettings, wanted: ContextPathSettings, workspace: Path) -> bool:
    return resolved_path(wanted.path, workspace).is_relative_to(resolved_path(allowed.path, workspace))


def _with_permission_read(node: Node) -> Node:
    return node.having("permission", Scalar("read", node.place, node.path)) if isinstance(node, MapNode) else node


def _with_protected_paths(node: Node, wanted: ContextPathSettings, own: tuple[ContextPathSettings, ...]) -> Node:
    protected = dict.fromkeys((*wanted.protected_paths, *(path for each in own for path in each.protected_paths)))
    if not isinstance(node, MapNode) or not protected:
        return node
    items = tuple(Scalar(path, node.place, node.path) for path in protected)
    return node.having("protected_paths", ListNode(items, node.place, node.path))
