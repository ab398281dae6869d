"""What scripted agents say: the lines that most runs are made of."""

import json

from tests.support.model_server import Answer, Gate, ModelServer, Request, calls, text, tool

TEAM = ("alpha", "beta", "gamma")


def gives(content: str) -> Answer:
    return calls(tool("new_answer", content=content))


def votes(agent: str, reason: str = "It is complete.") -> Answer:
    return calls(tool("vote", agent_id=agent, reason=reason))


def plans(title: str, *tasks: str) -> Answer:
    steps = [{"title": task, "detail": f"How to {task}."} for task in tasks or (title,)]
    return calls(tool("submit_plan", title=title, tasks=steps))


def each_answers_once(
    models: ModelServer, *, favourite: str = "agent2", team: tuple[str, ...] = TEAM, gate: Gate | None = None
) -> None:
    """All vote for the same; whoever is asked once more presents. With a gate, the answers wait for it."""
    for name in team:
        answer = gives(f"The answer of {name}.")
        models.model(name).replies(answer if gate is None else answer.waits_for(gate), votes(favourite))
        models.model(name).always(text(f"The final words of {name}."))


def repeats(earlier: Request, later: Request) -> bool:
    """Whether the later request begins with every message of the earlier one, byte for byte."""
    said = json.dumps(earlier.body["messages"], ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    end = earlier.raw.index(said) + len(said)
    return later.raw[:end] == earlier.raw[:end]


def added(earlier: Request, later: Request) -> str:
    """All that the later request shows its model beyond the earlier one."""
    return json.dumps(later.body["messages"][len(earlier.body["messages"]) :], ensure_ascii=False)
