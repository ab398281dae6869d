"""From what was asked for to what runs: nothing left open, contradictions refused with what to change."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from teamwright.engine.run.resolve_rules import Requests, ResolvedRules, Said, Setting, Source, resolve_rules, strongest
from teamwright.protocol.errors import BadParams, FieldError
from teamwright.protocol.ids import AgentId
from teamwright.protocol.modes import Modes
from teamwright.protocol.runs import AgentMode, ContextPath, CoordinationOverrides, ResolvedRunSpec, RunSpec
from teamwright.protocol.usage import Budget


@dataclass(frozen=True, slots=True)
class RunDefaults:
    """What the configuration says of runs. A final answer strategy of None is left to the run's mode."""

    rules: CoordinationOverrides
    context_paths: tuple[ContextPath, ...] = ()
    planning_mode: bool = False
    budget: Budget | None = None


def resolve_spec(
    *,
    team: Sequence[AgentId],
    defaults: RunDefaults,
    modes: Modes,
    by_user: Sequence[RunSpec] = (),
    by_assistant: RunSpec | None = None,
    watched: bool,
) -> ResolvedRunSpec:
    """Raises BadParams with every fault at once. `watched`: somebody could see an offer to override the vote."""
    requests = Requests(by_user, by_assistant)
    faults: list[FieldError] = []
    mode = _agent_mode(requests, modes)
    agents = _agents(requests, modes, mode, team, faults)
    refinement = _flag(requests, "refinement", modes.refinement, default=mode.value == "multi")
    planning = _flag(requests, "planning_mode", modes.plan, default=defaults.planning_mode)
    paths = _context_paths(requests, defaults, faults)
    setting = Setting(
        is_single=mode.value == "single" or len(agents.value) == 1,
        mode=mode.by,
        refinement=refinement,
        writes=not planning.value and any(path.permission == "write" for path in paths),
        autonomous=modes.autonomy == "autonomous",
        watched=watched,
    )
    rules: ResolvedRules = resolve_rules(requests, defaults.rules, setting)
    faults += rules.faults
    execute = _execute_after_planning(requests, planning, faults)
    prompts = _system_prompts(requests, agents, team, faults)
    task = next((each.value.task for each in requests if each.value.task), None)
    if task is None:
        faults.append(FieldError(path="task", message="is required"))
    if faults or task is None:
        raise BadParams(faults)
    return ResolvedRunSpec(
        task=task,
        context=next((each.value.context for each in requests if each.value.context is not None), None),
        agent_mode="single" if setting.is_single else "multi",
        agents=agents.value,
        refinement=refinement.value,
        planning_mode=planning.value,
        execute_after_planning=execute,
        review=next((each.value.review for each in requests if each.value.review is not None), False),
        context_paths=paths,
        agent_system_prompts=prompts,
        coordination_overrides=rules.coordination,
        task_id=next((each.value.task_id for each in requests if each.value.task_id is not None), None),
        budget=next((each.value.budget for each in requests if each.value.budget is not None), defaults.budget),
    )


def _agent_mode(requests: Requests, modes: Modes) -> Said[AgentMode]:
    asked = [Said[AgentMode | None](each.value.agent_mode, each.by) for each in requests]
    by_default = Said[AgentMode | None]("multi", Source.CONFIG)
    return strongest(*asked, Said(modes.agent_mode, Source.MODES), by_default)


def _flag(requests: Requests, name: str, by_modes: bool | None, *, default: bool) -> Said[bool]:
    asked = (Said[bool | None](getattr(each.value, name), each.by) for each in requests)
    return strongest(*asked, Said(by_modes, Source.MODES), Said(default, Source.CONFIG))


def _agents(
    requests: Requests, modes: Modes, mode: Said[AgentMode], team: Sequence[AgentId], faults: list[FieldError]
) -> Said[tuple[AgentId, ...]]:
    everyone = tuple(team)
    asked = [Said(each.value.agents, each.by) for each in requests]
    if mode.value == "single":
        by_modes = None if modes.agent_id is None else (modes.agent_id,)
        named = strongest(*asked, Said(by_modes, Source.MODES), Said(everyone[:1], Source.CONFIG))
        if len(named.value) > 1 and named.is_overruled_by(mode.by):
            named = Said(named.value[:1], named.by)
    else:
        named = strongest(*asked, Said(everyone, Source.CONFIG))
    faults += _agent_faults(named, mode, team)
    return named


def _agent_faults(named: Said[tuple[AgentId, ...]], mode: Said[AgentMode], team: Sequence[AgentId]) -> list[FieldError]:
    path = "modes.agentId" if named.by is Source.MODES else "agents"
    if not named.value:
        return [FieldError(path=path, message="at least one agent is needed")]
    faults = [FieldError(path=path, message=_unknown(agent, team)) for agent in named.value if agent not in team]
    if mode.value == "single" and len(named.value) > 1:
        message = 'a single agent was asked for, but several are named; name one, or set agentMode to "multi"'
        faults.append(FieldError(path=path, message=message))
    if len(set(named.value)) < len(named.value):
        faults.append(FieldError(path=path, message="an agent is named twice"))
    return faults


def _unknown(agent: AgentId, team: Sequence[AgentId]) -> str:
    near = get_close_matches(agent, team, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"the team is {', '.join(team)}"
    return f"there is no agent {agent!r}; {hint}"


def _context_paths(requests: Requests, defaults: RunDefaults, faults: list[FieldError]) -> tuple[ContextPath, ...]:
    named = (each.value.context_paths for each in requests if _names_paths(each))
    paths = next((paths for paths in named if paths is not None), defaults.context_paths)
    permissions: dict[str, set[str]] = {}
    for path in paths:
        permissions.setdefault(path.path, set()).add(path.permission)
    faults += [
        FieldError(path="contextPaths", message=f"{path!r} is given both to read and to write; keep one of them")
        for path, given in permissions.items()
        if len(given) > 1
    ]
    return paths


def _names_paths(request: Said[RunSpec]) -> bool:
    """A person may mean no path at all; of a model an empty list is only a form filled in."""
    paths = request.value.context_paths
    return paths is not None and (bool(paths) or request.by is Source.USER)


def _execute_after_planning(requests: Requests, planning: Said[bool], faults: list[FieldError]) -> bool:
    for each in requests:
        execute = each.value.execute_after_planning
        if execute is None:
            continue
        if execute and not planning.value and not each.is_overruled_by(planning.by):
            message = "there is no plan to carry out; set planningMode too, or leave this out"
            faults.append(FieldError(path="executeAfterPlanning", message=message))
        return execute and planning.value
    return False


def _system_prompts(
    requests: Requests, agents: Said[tuple[AgentId, ...]], team: Sequence[AgentId], faults: list[FieldError]
) -> dict[AgentId, str]:
    for each in requests:
        prompts = each.value.agent_system_prompts
        if prompts is None:
            continue
        for agent in prompts:
            path = f"agentSystemPrompts.{agent}"
            if agent not in team:
                faults.append(FieldError(path=path, message=_unknown(agent, team)))
            elif agent not in agents.value and not each.is_overruled_by(agents.by):
                faults.append(FieldError(path=path, message="this agent is not in the run; add it to agents"))
        return {agent: text for agent, text in prompts.items() if agent in agents.value}
    return {}
