"""What must hold of every log, whatever happened: audited after each test of the runtime."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Json = dict[str, Any]


def audit(events: Sequence[Json]) -> None:
    faults = [*_gaps(events), *_broken_items(events)]
    finished = [record["runId"] for record in events if record["event"]["type"] == "run.finished"]
    faults += [fault for run_id in finished for fault in _loose_ends(events, run_id)]
    assert not faults, "\n".join(faults)


def _gaps(events: Sequence[Json]) -> Iterator[str]:
    """Durable events count from one in each session, in the order in which they are heard."""
    for session_id in {record["sessionId"] for record in events}:
        counted = [r["seq"] for r in events if r["sessionId"] == session_id and r["seq"] is not None]
        if counted != list(range(1, len(counted) + 1)):
            yield f"{session_id} counts {counted}"


def _broken_items(events: Sequence[Json]) -> Iterator[str]:
    """Started, deltas in their places, finished with their sum; only a discarded item is finished once more."""
    texts: dict[str, str] = {}
    finished: set[str] = set()
    for record in events:
        match record["event"]:
            case {"type": "item.started", "item": {"itemId": item_id}}:
                texts[item_id] = ""
            case {"type": "item.delta", "itemId": item_id, "offset": offset, "text": text}:
                if item_id in finished or len(texts[item_id]) != offset:
                    yield f"a delta of {item_id} is out of place"
                texts[item_id] += text
            case {"type": "item.finished", "item": item}:
                item_id = item["itemId"]
                if item_id not in texts or (item_id in finished and not item.get("discarded")):
                    yield f"{item_id} was finished before its start, or twice"
                if texts[item_id] != item.get("text", "") and texts[item_id]:
                    yield f"the deltas of {item_id} do not add up to its text"
                finished.add(item_id)
            case _:
                pass


def _loose_ends(events: Sequence[Json], run_id: str) -> Iterator[str]:
    """A finished run leaves nothing open and says nothing more."""
    own = [record for record in events if record.get("runId") == run_id and record["seq"] is not None]
    kinds = [record["event"]["type"] for record in own]
    if kinds.count("run.finished") != 1 or kinds[-1] != "run.finished":
        yield f"{run_id} went on after its end: {kinds[kinds.index('run.finished') :]}"
    for opened, closed, name in _PAIRS:
        begun = Counter(name(record) for record in own if record["event"]["type"] == opened)
        ended = {name(record) for record in own if record["event"]["type"] == closed}
        if open_ends := begun.keys() ^ ended:
            yield f"{run_id}: {opened} without {closed}, or the other way round: {sorted(open_ends)}"
        if twice := [each for each, times in begun.items() if times > 1]:
            yield f"{run_id}: {opened} more than once: {twice}"


def _attempt(record: Json) -> str:
    return f"{record['agentId']} {record['event']['attempt']}"


def _item(record: Json) -> str:
    return record["event"]["item"]["itemId"]


def _decision(record: Json) -> str:
    event = record["event"]
    return event["decision"]["decisionId"] if "decision" in event else event["decisionId"]


_PAIRS: tuple[tuple[str, str, Callable[[Json], str]], ...] = (
    ("agent.started", "agent.stopped", _attempt),
    ("item.started", "item.finished", _item),
    ("decision.requested", "decision.resolved", _decision),
)
