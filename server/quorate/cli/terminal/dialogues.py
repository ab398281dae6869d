"""What is asked at the terminal for each kind of decision, and what the answers mean."""

from typing import Any, Final, assert_never

from quorate.cli.terminal.floor import Floor
from quorate.cli.terminal.questions import (
    answer_lines,
    budget_lines,
    changes_lines,
    command_lines,
    input_lines,
    override_lines,
    plan_lines,
    run_lines,
)
from quorate.cli.terminal.replies import Answer, Approve, Decline, Present, Reply
from quorate.cli.terminal.talk import Line
from quorate.cli.terminal.wording import shown_file
from quorate.protocol.changes import Change
from quorate.protocol.decisions import (
    BudgetDecision,
    ChangesDecision,
    CommandDecision,
    Decision,
    InputDecision,
    OverrideDecision,
    PlanDecision,
    ResumeDecision,
    RunDecision,
)

_NO_ANSWER: Final = "I leave that to you. Decide yourself, and say what you assumed."


async def asked(decision: Decision, floor: Floor) -> Reply:
    match decision:
        case RunDecision():
            return await _run(decision, floor)
        case PlanDecision():
            return await _plan(decision, floor)
        case ChangesDecision():
            return await _changes(decision, floor)
        case InputDecision():
            return await _input(decision, floor)
        case OverrideDecision():
            return await _override(decision, floor)
        case BudgetDecision():
            floor.tell(*budget_lines(decision.detail))
            return await _yes_or_no("Let it spend as much again?", floor)
        case CommandDecision():
            floor.tell(*command_lines(decision.detail))
            return await _yes_or_no("Allow it?", floor)
        case ResumeDecision():
            floor.tell(Line(decision.title, "strong"))
            return await _yes_or_no("Go on?", floor)
        case _:
            assert_never(decision)


async def _run(decision: RunDecision, floor: Floor) -> Reply:
    spec, edits = decision.detail.spec, dict[str, Any]()
    while True:
        floor.tell(*run_lines(decision.detail, spec.model_copy(update=edits)))
        match await floor.choose("Approve?", {"y": "yes", "e": "edit", "n": "no"}):
            case "y":
                return Approve(edits=edits or None)
            case "e":
                edits |= await _edits(floor)
            case _:
                return Decline()


async def _edits(floor: Floor) -> dict[str, Any]:
    task = await floor.ask("Task (Enter keeps it):")
    agents = await floor.ask("Agents, with commas (Enter keeps them):")
    names = [name.strip() for name in (agents or "").split(",") if name.strip()]
    given = {"task": task, "agents": names}
    return {name: value for name, value in given.items() if value}


async def _plan(decision: PlanDecision, floor: Floor) -> Reply:
    floor.tell(*plan_lines(decision.detail))
    choices = {"y": "yes", "i": "instructions first", "n": "no, keep the plan only"}
    while (choice := await floor.choose("Carry it out?", choices)) == "i":
        if instructions := await floor.ask("Instructions:"):
            return Approve(instructions=instructions)
    return Approve() if choice == "y" else Decline()


async def _changes(decision: ChangesDecision, floor: Floor) -> Reply:
    changes = decision.detail.changes
    floor.tell(*changes_lines(decision.detail))
    by_file = {"s": "some of the files"} if len(changes) > 1 else {}
    match await floor.choose(decision.title, {"y": "yes", **by_file, "n": "no"}):
        case "y":
            return Approve()
        case "s":
            return await _some_changes(changes, floor)
        case _:
            return Decline()


async def _some_changes(changes: tuple[Change, ...], floor: Floor) -> Reply:
    chosen = [
        {"uri": change.uri}
        for change in changes
        if await floor.choose(f"{change.kind} {shown_file(change.uri)}?", {"y": "yes", "n": "no"}) == "y"
    ]
    return Approve(edits={"files": chosen}) if chosen else Decline()


async def _input(decision: InputDecision, floor: Floor) -> Reply:
    floor.tell(*input_lines(decision.detail))
    choices = decision.detail.choices
    prompt = "Answer, by number or in your words:" if choices else "Answer:"
    while (typed := await floor.ask(prompt)) is not None:
        if typed.isdecimal() and 1 <= int(typed) <= len(choices):
            return Answer(choices[int(typed) - 1])
        if typed:
            return Answer(typed)
    return Answer(_NO_ANSWER)


async def _override(decision: OverrideDecision, floor: Floor) -> Reply:
    floor.tell(*override_lines(decision))
    answers = {str(number): answer for number, answer in enumerate(decision.detail.answers, 1)}
    answers |= {answer.agent_id: answer for answer in decision.detail.answers}
    while typed := await floor.ask("[number] present that one, [r number] read it, [Enter] let the vote stand:"):
        command, _, name = typed.partition(" ")
        if typed in answers:
            return Present(answers[typed].agent_id)
        if command == "r" and name.strip() in answers:
            floor.tell(*answer_lines(answers[name.strip()]))
        else:
            floor.tell(Line(f"Please type a number from 1 to {len(decision.detail.answers)}, or Enter.", "faint"))
    return Present(None)


async def _yes_or_no(question: str, floor: Floor) -> Reply:
    return Approve() if await floor.choose(question, {"y": "yes", "n": "no"}) == "y" else Decline()
