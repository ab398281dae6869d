"""One picture of a run: a line for its phase, one an agent, the votes, and the end of what is being presented."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.text import Text

from quorate.cli.terminal.printable import on_one_line
from quorate.cli.terminal.story import Story
from quorate.cli.terminal.wording import counted, duration, spending
from quorate.protocol.views import AgentStatus, AgentView, RunView

_TITLES: Final = {
    "queued": "Waiting for you",
    "planning": "Planning",
    "answering": "Answering",
    "voting": "Voting",
    "override": "Vote over",
    "presenting": "Presenting",
    "executing": "Executing plan",
    "applying": "Applying changes",
    "finished": "Finished",
}
_STYLES: Final[Mapping[AgentStatus, str]] = {
    "waiting": "dim",
    "working": "cyan",
    "answered": "blue",
    "voted": "green",
    "abstained": "yellow",
    "presenting": "bold cyan",
    "failed": "red",
    "stopped": "yellow",
}
_GAP: Final = 2
_LONGEST_NAME: Final = 24
_SHORTEST_NOTE: Final = 8
_MOST_PRESENTED_LINES: Final = 12
# Of the cells beside name and status, the first are kept when there is room for few.
_BY_IMPORTANCE: Final = ("vote", "spent", "answers", "note")
_IN_ORDER: Final = ("answers", "vote", "spent", "note")


@dataclass(frozen=True, slots=True)
class Room:
    """The size of the terminal, and how a text becomes fit for it."""

    width: int
    height: int
    printable: Callable[[str], str]


def frame(story: Story, room: Room, elapsed: float | None = None) -> list[Text]:
    view = story.view
    if view is None:
        return [Text("Starting")]
    lines = [Text(_as_much_as_fits(_headline(story, view, elapsed), ", ", room.width), "bold")]
    votes = _as_much_as_fits(map(room.printable, _votes(view)), "; ", room.width)
    lines += _agents(story, view, room, most=max(1, room.height - len(lines) - bool(votes) - 1))
    if votes:
        lines.append(Text(votes))
    left = min(_MOST_PRESENTED_LINES, room.height - len(lines) - 1)
    return lines + _presented(room.printable(story.presented), room.width, left)


def _headline(story: Story, view: RunView, elapsed: float | None) -> Iterator[str]:
    is_execution = view.parent_run_id is not None and view.phase != "finished"
    yield f"Executing plan: {view.phase}" if is_execution else _TITLES[view.phase]
    if elapsed is not None:
        yield duration(elapsed)
    if story.findings:
        yield counted(story.findings, "finding")
    yield from spending(view.usage, view.cost_usd)


def _votes(view: RunView) -> Iterator[str]:
    if view.tally:
        by_number = sorted(view.tally.items(), key=lambda pair: -pair[1])
        yield f"Votes: {', '.join(f'{agent} {votes}' for agent, votes in by_number)}"
    if view.winner is not None and len(view.agents) > 1:
        yield f"{view.winner} presents"


def _agents(story: Story, view: RunView, room: Room, most: int) -> Iterator[Text]:
    agents = view.agents if len(view.agents) <= most else view.agents[: most - 1]
    names = [room.printable(agent.agent_id) for agent in agents]
    name_width = min(max(map(cell_len, names), default=0), _LONGEST_NAME, max(4, room.width // 2))
    status_width = max((len(agent.status) for agent in agents), default=0)
    rows = [_cells(agent, story.doing.get(agent.agent_id, ""), room) for agent in agents]
    columns = _columns(rows, room.width - name_width - _GAP - status_width)
    for name, agent, row in zip(names, agents, rows, strict=True):
        line = Text(set_cell_size(name, name_width) + " " * _GAP)
        line.append(agent.status.ljust(status_width), _STYLES[agent.status])
        for column, width in columns:
            line.append(" " * _GAP + _fitted(row[column], width))
        line.truncate(room.width)
        line.rstrip()
        yield line
    if len(agents) < len(view.agents):
        yield Text(_fitted(f"and {len(view.agents) - len(agents)} more", room.width).rstrip(), "dim")


def _cells(agent: AgentView, doing: str, room: Room) -> Mapping[str, str]:
    cells = {
        "answers": counted(agent.answers, "answer") if agent.answers else "",
        "vote": f"for {agent.voted_for}" if agent.voted_for is not None else "",
        "spent": next(spending(agent.usage, agent.cost_usd), ""),
        "note": agent.note or doing,
    }
    return {name: room.printable(on_one_line(text)) for name, text in cells.items()}


def _columns(rows: Sequence[Mapping[str, str]], room: int) -> list[tuple[str, int]]:
    """Those that have something to say and fit; the note takes what is left."""
    chosen: dict[str, int] = {}
    for name in _BY_IMPORTANCE:
        wanted = max((cell_len(row[name]) for row in rows), default=0)
        # The note alone makes sense in part, if the part is not too small.
        width = min(wanted, max(room - _GAP, _SHORTEST_NOTE)) if name == "note" else wanted
        if width > 0 and width + _GAP <= room:
            chosen[name] = width
            room -= width + _GAP
    return [(name, chosen[name]) for name in _IN_ORDER if name in chosen]


def _presented(text: str, width: int, most: int) -> list[Text]:
    """Its last lines, broken where the terminal would break them."""
    if not text.strip() or most < 1:
        return []
    lines: list[str] = []
    for paragraph in reversed(text.rstrip().split("\n")):
        lines = [*(chop_cells(paragraph, width) or [""]), *lines]
        if len(lines) >= most:
            break
    return [Text(line) for line in lines[-most:]]


def _as_much_as_fits(parts: Iterable[str], separator: str, width: int) -> str:
    """Whole parts only, but for the first: half a number would be a wrong one."""
    text = ""
    for part in parts:
        longer = f"{text}{separator}{part}" if text else _fitted(part, width).rstrip()
        if cell_len(longer) > width:
            break
        text = longer
    return text


def _fitted(text: str, width: int) -> str:
    return set_cell_size(text, width)
