"""What a person may change in a specification or a plan before agreeing to it, field by field."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, get_args

from pydantic.alias_generators import to_camel

from teamwright.protocol.checks import ChecksPolicy, ProposedCheck
from teamwright.protocol.plans import Plan, PlanTask
from teamwright.protocol.runs import (
    Coordination,
    FinalAnswerStrategy,
    OverridePolicy,
    Permission,
    ResolvedRunSpec,
    Strictness,
)
from teamwright.protocol.transcript import InputColumn, InputField, InputOption

_CHOICES: Final[dict[str, Sequence[str]]] = {
    "voting_sensitivity": get_args(Strictness),
    "answer_novelty_requirement": get_args(Strictness),
    "final_answer_strategy": get_args(FinalAnswerStrategy),
    "override": get_args(OverridePolicy),
}


def text_field(
    path: str, label: str, *, placeholder: str | None = None, required: bool = False, long: bool = False
) -> InputField:
    return InputField(
        path=(path,), kind="text", label=label, placeholder=placeholder, required=required or None, long=long or None
    )


def spec_fields(spec: ResolvedRunSpec) -> tuple[InputField, ...]:
    paths = [path.to_wire() for path in spec.context_paths]
    permissions = (InputColumn(key="path", label="Path"), InputColumn(key="permission", label="May", options=_PERMITS))
    return (
        _field("task", "text", "Task", spec.task, long=True, required=True),
        _field("context", "text", "Context", spec.context or "", long=True),
        _field("agentMode", "choice", "Mode", spec.agent_mode, options=_MODES),
        _field("agents", "list", "Agents", list(spec.agents)),
        _field("refinement", "flag", "Agents improve on each other's answers", spec.refinement),
        _field("planningMode", "flag", "Plan instead of doing it", spec.planning_mode),
        _field("executeAfterPlanning", "flag", "Carry the plan out unasked", spec.execute_after_planning),
        _field("contextPaths", "rows", "Files", paths, columns=permissions),
        *_budget_fields(spec),
        *(_prompt_field(spec, agent) for agent in spec.agents),
        *_rule_fields(spec.coordination_overrides),
    )


def check_fields(spec: ResolvedRunSpec, checks: Sequence[ProposedCheck]) -> Iterator[InputField]:
    """Which of the project's checks run, and what they mean for the vote; and whether agents may run commands."""
    if checks:
        ticked = [check.name for check in checks if check.ticked]
        names = tuple(InputOption(label=check.name, value=check.name) for check in checks)
        yield _field("checks", "list", "Checks to run on every answer", ticked, group=_CHECKS, options=names)
        yield _field("checksPolicy", "choice", "What they mean", spec.checks_policy, group=_CHECKS, options=_POLICIES)
    commands = "Agents may run commands in their copies"
    yield _field("allowCommands", "flag", commands, spec.allow_commands, group=_CHECKS)


_CHECKS: Final = "Checks"
POLICIES: Final[Mapping[ChecksPolicy, str]] = {
    "prefer": "Votes decide, checks break ties",
    "require": "Only the answers that stand best in the checks may win",
    "inform": "Votes decide, checks are shown",
}
_POLICIES: Final = tuple(InputOption(label=label, value=policy) for policy, label in POLICIES.items())


def spec_given(spec: ResolvedRunSpec) -> dict[str, Any]:
    """What is set as a whole, so that a change in it leaves the rest as it is."""
    given: dict[str, Any] = {}
    if spec.budget is not None:
        given["budget"] = spec.budget.to_wire()
    if spec.agent_system_prompts:
        given["agentSystemPrompts"] = dict(spec.agent_system_prompts)
    return given


def plan_fields(plan: Plan) -> tuple[InputField, ...]:
    columns = (InputColumn(key="title", label="Task"), InputColumn(key="detail", label="Detail"))
    tasks = [task.to_wire() for task in plan.tasks]
    return (
        InputField(path=("edits", "plan", "title"), kind="text", label="Title", value=plan.title, required=True),
        InputField(path=("edits", "plan", "tasks"), kind="rows", label="Tasks", value=tasks, columns=columns),
        text_field("instructions", "Instructions", placeholder="Add instructions (optional)", long=True),
    )


def tasks_field(plan: Plan) -> InputField:
    options = tuple(InputOption(label=task.title, value=task.id) for task in plan.tasks)
    return InputField(
        path=("edits", "tasks"), kind="list", label="Tasks to carry out now", options=options, required=True
    )


def phases_of(tasks: Sequence[PlanTask]) -> dict[str, list[str]]:
    """The ids of the tasks of each, in their order."""
    phases: dict[str, list[str]] = {}
    for task in tasks:
        if task.phase:
            phases.setdefault(task.phase, []).append(task.id)
    return phases


def _field(
    name: str,
    kind: Literal["text", "number", "flag", "choice", "list", "rows"],
    label: str,
    value: Any,
    *,
    group: str | None = None,
    options: tuple[InputOption, ...] | None = None,
    columns: tuple[InputColumn, ...] | None = None,
    long: bool = False,
    required: bool = False,
) -> InputField:
    return InputField(
        path=("edits", *name.split(".")),
        kind=kind,
        label=label,
        value=value,
        group=group,
        options=options,
        columns=columns,
        long=long or None,
        required=required or None,
    )


def _budget_fields(spec: ResolvedRunSpec) -> Iterator[InputField]:
    for name, label in (("usd", "US dollars"), ("tokens", "Tokens"), ("seconds", "Seconds")):
        value = None if spec.budget is None else getattr(spec.budget, name)
        yield _field(f"budget.{name}", "number", label, value, group="Budget")


def _prompt_field(spec: ResolvedRunSpec, agent: Any) -> InputField:
    return InputField(
        path=("edits", "agentSystemPrompts", agent),
        kind="text",
        label=agent,
        value=spec.agent_system_prompts.get(agent, ""),
        long=True,
        group="Instructions for single agents",
    )


def _rule_fields(rules: Coordination) -> Iterator[InputField]:
    for name in Coordination.model_fields:
        value, path, label = getattr(rules, name), f"coordinationOverrides.{to_camel(name)}", _spelt(name)
        if name in _CHOICES:
            options = tuple(InputOption(label=_spelt(choice), value=choice) for choice in _CHOICES[name])
            yield _field(path, "choice", label, value, options=options, group="Coordination")
        else:
            kind = "flag" if isinstance(value, bool) else "number"
            yield _field(path, kind, label, value, group="Coordination")


def _spelt(name: str) -> str:
    return name.replace("_", " ").capitalize()


_MODES: Final = (InputOption(label="One agent", value="single"), InputOption(label="The team", value="multi"))
_PERMITS: Final = tuple(InputOption(label=each, value=each) for each in get_args(Permission))
