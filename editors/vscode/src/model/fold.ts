/** A session, one event further. */

import type { Event, EventRecord, Item, SettledFile } from "../protocol.gen.js";
import type { Entry, Place, PlacedItem, Run, Session } from "./state.js";

export function foldRecord(session: Session, record: EventRecord): Session {
  const { event, seq } = record;
  if (seq !== null && seq <= session.lastSeq) return session;
  const next = seq === null ? session : { ...session, lastSeq: seq };
  switch (event.type) {
    case "session.created":
    case "session.updated":
      return { ...next, summary: event.session };
    case "session.compacted":
      return withNotice(next, record, "Earlier messages were summarised to make room.");
    case "turn.queued":
    case "turn.started":
    case "turn.finished":
      return withTurn(next, record.turnId ?? "", event);
    case "item.started":
      return withItem(next, event.item, placeOf(record), false);
    case "item.finished":
      return withItem(next, event.item, placeOf(record), true);
    case "item.delta":
      return withDelta(next, event.itemId, event.offset, event.text);
    case "decision.requested": {
      const placed = { ...placeOf(record), sessionId: next.sessionId, decision: event.decision };
      const id = event.decision.decisionId;
      return { ...withEntry(next, { kind: "decision", id }), decisions: { ...next.decisions, [id]: placed } };
    }
    case "decision.resolved": {
      const { type: _, ...resolution } = event;
      const known = next.decisions[event.decisionId];
      if (known === undefined) return next;
      return { ...next, decisions: { ...next.decisions, [event.decisionId]: { ...known, resolution } } };
    }
    case "findings.updated":
      return { ...next, findings: event.findings };
    case "notice.raised":
      return withNotice(next, record, event.text, event.level, event.hint);
    default:
      return record.runId === undefined ? next : withRun(next, record.runId, record);
  }
}

function placeOf({ turnId, runId, agentId }: EventRecord): Place {
  return {
    ...(turnId === undefined ? {} : { turnId }),
    ...(runId === undefined ? {} : { runId }),
    ...(agentId === undefined ? {} : { agentId }),
  };
}

type TurnEvent = Extract<Event, { type: "turn.queued" | "turn.started" | "turn.finished" }>;

function withTurn(session: Session, turnId: string, event: TurnEvent): Session {
  const text = event.type === "turn.finished" ? (session.turns[turnId]?.text ?? "") : event.text;
  const phase = ({ "turn.queued": "queued", "turn.started": "working", "turn.finished": "finished" } as const)[
    event.type
  ];
  const turn = { turnId, text, phase, ...(event.type === "turn.finished" ? { ending: event } : {}) };
  const next = { ...session, turns: { ...session.turns, [turnId]: turn } };
  const endedWell = event.type !== "turn.finished" || event.outcome === "completed";
  return endedWell ? next : withEntry(next, { kind: "turn", id: turnId });
}

/** Agents' items belong to their run; all others are lines of the transcript. */
function withItem(session: Session, item: Item, place: Place, finished: boolean): Session {
  const placed: PlacedItem = { ...place, item, finished, points: "text" in item ? [...item.text].length : 0 };
  const known = positionOf(session, item.itemId);
  if (known >= 0) return { ...session, items: session.items.with(known, placed) };
  const at = session.items.length;
  const next = { ...session, items: [...session.items, placed] };
  const { runId } = place;
  if (runId === undefined || place.agentId === undefined) return withEntry(next, { kind: "item", id: item.itemId, at });
  const run = runOf(next, runId);
  return { ...next, runs: { ...next.runs, [runId]: { ...run, items: [...run.items, at] } } };
}

function withDelta(session: Session, itemId: string, offset: number, text: string): Session {
  const at = positionOf(session, itemId);
  const known = session.items[at];
  // What does not fit exactly is left to `item.finished`, which has the whole text.
  if (known === undefined || known.finished || !("text" in known.item) || offset !== known.points) return session;
  const item = { ...known.item, text: known.item.text + text };
  const placed = { ...known, item, points: known.points + [...text].length };
  return { ...session, items: session.items.with(at, placed) };
}

/** From the end: what changes is among the latest. */
function positionOf(session: Session, itemId: string): number {
  return session.items.findLastIndex((placed) => placed.item.itemId === itemId);
}

function withRun(session: Session, runId: string, { event, agentId = "" }: EventRecord): Session {
  const run = runOf(session, runId);
  const isNew = session.runs[runId] === undefined;
  const next = { ...session, runs: { ...session.runs, [runId]: advanced(run, event, agentId) } };
  return isNew || event.type === "run.started" ? withEntry(next, { kind: "run", id: runId }) : next;
}

function runOf(session: Session, runId: string): Run {
  return session.runs[runId] ?? { runId, items: [], answers: [], messages: [], changes: [], settled: [] };
}

function advanced(run: Run, event: Event, agentId: string): Run {
  switch (event.type) {
    case "run.started":
      return { ...run, spec: event.spec };
    case "run.updated":
      return { ...run, view: event.run };
    case "run.finished":
      return { ...run, ending: event };
    case "answer.submitted":
      return { ...run, answers: [...run.answers, { ...event, agentId }] };
    case "message.shared":
      return { ...run, messages: [...run.messages, event] };
    case "plan.proposed":
      return { ...run, plan: event };
    case "changes.proposed":
      return { ...run, changes: event.changes };
    case "changes.settled":
      return { ...run, settled: [...run.settled.filter((each) => !names(event.settled, each)), ...event.settled] };
    default:
      return run;
  }
}

function names(settled: readonly SettledFile[], { uri }: SettledFile): boolean {
  return settled.some((each) => each.uri === uri);
}

function withNotice(
  session: Session,
  record: EventRecord,
  text: string,
  level: "info" | "warning" | "error" = "info",
  hint?: string,
): Session {
  const notice = { level, text, ...(hint === undefined ? {} : { hint }) };
  return withEntry(session, { kind: "notice", id: `${record.at}-${session.entries.length}`, notice });
}

function withEntry(session: Session, entry: Entry): Session {
  const present = session.entries.some((each) => each.kind === entry.kind && each.id === entry.id);
  return present ? session : { ...session, entries: [...session.entries, entry] };
}
