"""The doors of this room: one text to settings, and all layers to the settings in force."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from teamwright.config.check_settings import CheckSettings
from teamwright.config.discovery import Findings, choose_team, looked_for
from teamwright.config.narrowing import narrowed
from teamwright.config.nodes import MapNode, MappingEntry, Scalar, descend
from teamwright.config.problems import Problem, SourceSpan
from teamwright.config.settings import Settings
from teamwright.config.sources import ConfigSource, Role
from teamwright.config.validate import Loaded, to_settings, validate
from teamwright.config.workspace_checks import proposed_checks
from teamwright.config.yaml_reader import read_yaml

# A type from one file with an address from another could send a key to the wrong host.
_NEVER_MIXED: Final = frozenset({"backend"})
_NOTHING: Final = MapNode({}, SourceSpan(""), "")


@dataclass(frozen=True, slots=True)
class Effective:
    """The settings in force, or None with the faults. There is always a team in them; `reason` says why this one."""

    settings: Settings | None
    reason: str
    tree: MapNode
    faults: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    looked_for: tuple[str, ...] = ()
    """What was looked for to make up a team that no file names, and what of it is there."""

    def origin(self, *steps: str | int) -> SourceSpan | None:
        """Where a value was written; None where it is a default or was discovered."""
        node = descend(self.tree, *steps)
        return None if node is None else node.place


def load_text(text: str | bytes, file_name: str) -> Loaded:
    tree = read_yaml(text, file_name)
    return validate(tree) if isinstance(tree, MapNode) else Loaded(None, None, tuple(tree), ())


def load(sources: Sequence[ConfigSource], *, workspace: Path, find: Callable[[], Findings]) -> Effective:
    """Per key the strongest source wins; the workspace's can narrow what the user allows, never widen it.

    `find` looks around on this machine, and is called only where no file names a team.
    """
    loaded: dict[Role, Loaded] = {source.role: load_text(source.content, source.file) for source in sources}
    faults = [fault for each in loaded.values() for fault in each.faults]
    warnings = [warning for each in loaded.values() for warning in each.warnings]
    if faults:
        return Effective(None, "", _NOTHING, tuple(faults), tuple(warnings))
    explicit, asked, from_user = (_tree_of(loaded.get(role)) for role in ("explicit", "workspace", "user"))
    own, own_faults = to_settings(merged(explicit, from_user))
    asked_settings = loaded["workspace"].settings if "workspace" in loaded else None
    proposed: tuple[CheckSettings, ...] = ()
    if asked_settings is not None and own is not None:
        asked, refusals = narrowed(asked, asked_settings, own, workspace)
        warnings += refusals
        proposed = tuple(proposed_checks(asked_settings, own))
    tree = merged(merged(explicit, asked), from_user)
    settings, merge_faults = to_settings(tree) if own is not None else (None, own_faults)
    if settings is not None and proposed:
        settings = settings.model_copy(update={"checks": (*settings.checks, *proposed)})
    if settings is not None and own is not None:
        settings = _with_protection(settings, own)
    return _with_team(Effective(settings, "", tree, tuple(merge_faults), tuple(warnings)), find)


def _with_protection(settings: Settings, own: Settings) -> Settings:
    """What the user protects stays so, whatever list of paths stands before the user's."""
    protected = _protected(settings)
    left_out = [path for path in sorted(_protected(own)) if path not in protected]
    if not left_out:
        return settings
    kept = (*settings.orchestrator.protected_paths, *left_out)
    return settings.model_copy(
        update={"orchestrator": settings.orchestrator.model_copy(update={"protected_paths": kept})}
    )


def _protected(settings: Settings) -> set[str]:
    listed = (path for entry in settings.orchestrator.context_paths for path in entry.protected_paths)
    return {*settings.orchestrator.protected_paths, *listed}


def _tree_of(loaded: Loaded | None) -> MapNode:
    return loaded.tree if loaded is not None and loaded.tree is not None else _NOTHING


def _with_team(effective: Effective, find: Callable[[], Findings]) -> Effective:
    settings = effective.settings
    if settings is None:
        return effective
    if settings.agents:
        named_in = effective.origin("agents")
        return replace(effective, reason=f"named in {named_in.file}" if named_in else "")
    findings = find()
    team = choose_team(findings)
    return replace(
        effective,
        settings=settings.model_copy(update={"agents": team.agents}),
        reason=team.reason,
        looked_for=looked_for(findings),
    )


def merged(stronger: MapNode, weaker: MapNode) -> MapNode:
    """Deep per key; lists and backends are taken whole. A section that is null says nothing."""
    entries = dict(weaker.entries)
    for key, entry in stronger.entries.items():
        below = weaker.get(key)
        if isinstance(below, MapNode) and key not in _NEVER_MIXED:
            if isinstance(entry.value, MapNode):
                entries[key] = MappingEntry(entry.key_place, merged(entry.value, below))
                continue
            if isinstance(entry.value, Scalar) and entry.value.value is None:
                continue
        entries[key] = entry
    return MapNode(entries, stronger.place, stronger.path)
