"""From what was asked for to what runs, checked against the team and the files before anything starts."""

from collections.abc import Sequence

from anyio import to_thread

from quorate.engine.resolve import resolve_spec
from quorate.permissions.paths import WorkspacePath, parse_path
from quorate.permissions.rules import roots_of
from quorate.protocol.errors import BadParams, FieldError
from quorate.protocol.modes import Modes
from quorate.protocol.runs import ResolvedRunSpec, RunSpec
from quorate.runtime.house import House
from quorate.runtime.runs.defaults import protected_paths, run_defaults


async def resolved(
    house: House,
    modes: Modes,
    *,
    by_user: Sequence[RunSpec] = (),
    by_assistant: RunSpec | None = None,
    watched: bool,
) -> ResolvedRunSpec:
    """Raises BadParams that names every fault."""
    spec = resolve_spec(
        team=house.team.agent_ids,
        defaults=run_defaults(house.team.settings),
        modes=modes,
        by_user=by_user,
        by_assistant=by_assistant,
        watched=watched,
    )
    roots_of(spec.context_paths, protected_paths(house.team.settings), house.premises.folders.places)
    if missing := await to_thread.run_sync(_missing, house, spec):
        raise BadParams(missing)
    return spec


def _missing(house: House, spec: ResolvedRunSpec) -> list[FieldError]:
    return [*_missing_means(house, spec), *_missing_paths(house, spec)]


def _missing_means(house: House, spec: ResolvedRunSpec) -> list[FieldError]:
    """A key or a program that is not there now will not be there in a minute either."""
    return [
        FieldError(path="agents", message=f"{agent_id} cannot answer: {lacking}; or leave {agent_id} out")
        for agent_id in spec.agents
        for lacking in house.team.lacking(agent_id)
    ]


def _missing_paths(house: House, spec: ResolvedRunSpec) -> list[FieldError]:
    """A path to be written to may still be created; one to be read must be there."""
    folders = house.premises.folders
    faults: list[FieldError] = []
    for index, context in enumerate(spec.context_paths):
        path = parse_path(context.path, folders.places)
        if context.permission == "read" and isinstance(path, WorkspacePath):
            on_disk = folders.root(path).path.joinpath(*path.parts)
            if not on_disk.exists():
                message = f"{context.path!r} does not exist; correct the path or leave it out"
                faults.append(FieldError(path=f"contextPaths.{index}.path", message=message))
    return faults
