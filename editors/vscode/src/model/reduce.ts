/** The one place where the state changes: upsert by id, append deltas, replace views. Pure, and shared with the web views. */

import type { EventRecord, SessionOpenResult, SessionSummary, StatusResult } from "../protocol.gen.js";
import { foldRecord } from "./fold.js";
import { emptySession, type PlacedDecision, type ServerStatus, type Session, type State } from "./state.js";

export type Action =
  | { type: "record"; record: EventRecord }
  | { type: "server"; server: ServerStatus }
  | { type: "status"; status: StatusResult }
  | { type: "sessions"; sessions: SessionSummary[] }
  | { type: "forgotten"; sessionId: string }
  | { type: "begun"; sessionId: string }
  | { type: "opened"; fromSeq: number; pages: SessionOpenResult[] }
  | { type: "left" }
  | { type: "refused"; decisionId: string; hunks: string[] };

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "record":
      return withRecord(state, action.record);
    case "server":
      return { ...state, server: action.server };
    case "status":
      return { ...state, status: action.status };
    case "sessions":
      return { ...state, sessions: Object.fromEntries(action.sessions.map((each) => [each.sessionId, each])) };
    case "forgotten":
      return forget(state, action.sessionId);
    case "begun":
      return state.current?.sessionId === action.sessionId
        ? state
        : { ...state, current: emptySession(action.sessionId) };
    case "opened":
      return withOpened(state, opened(action.fromSeq, action.pages));
    case "left":
      return { ...state, current: null };
    case "refused":
      return { ...state, refused: { ...state.refused, [action.decisionId]: action.hunks } };
  }
}

/** A durable event that does not follow the last one: something was missed, and the session must be opened again. */
export function isGap(state: State, record: EventRecord): boolean {
  const { current } = state;
  if (current === null || record.sessionId !== current.sessionId) return false;
  return record.event.type === "session.resync" || (record.seq !== null && record.seq > current.lastSeq + 1);
}

function withRecord(state: State, record: EventRecord): State {
  const next = { ...state, ...workspaceWide(state, record) };
  if (next.current !== null && record.sessionId === next.current.sessionId) {
    next.current = foldRecord(next.current, record);
  }
  return next;
}

/** What every client hears of every session. */
function workspaceWide(state: State, record: EventRecord): Partial<State> {
  const { event, sessionId } = record;
  switch (event.type) {
    case "session.created":
    case "session.updated":
      return { sessions: { ...state.sessions, [event.session.sessionId]: event.session } };
    case "decision.requested": {
      const { turnId, runId, agentId } = record;
      const placed: PlacedDecision = {
        sessionId: sessionId ?? "",
        decision: event.decision,
        ...(turnId === undefined ? {} : { turnId }),
        ...(runId === undefined ? {} : { runId }),
        ...(agentId === undefined ? {} : { agentId }),
      };
      return { waiting: { ...state.waiting, [event.decision.decisionId]: placed } };
    }
    case "decision.resolved":
      return { waiting: without(state.waiting, event.decisionId) };
    default:
      return {};
  }
}

function forget(state: State, sessionId: string): State {
  return {
    ...state,
    sessions: without(state.sessions, sessionId),
    current: state.current?.sessionId === sessionId ? null : state.current,
  };
}

function withOpened(state: State, current: Session | null): State {
  const open = Object.entries(current?.decisions ?? {}).filter(([, { resolution }]) => resolution === undefined);
  return { ...state, current, waiting: { ...state.waiting, ...Object.fromEntries(open) } };
}

/** The events say what belongs where, the view has the last word on what it shows. */
function opened(fromSeq: number, pages: SessionOpenResult[]): Session | null {
  const last = pages.at(-1);
  if (last === undefined) return null;
  const view = last.session;
  let session = emptySession(view.sessionId, fromSeq);
  for (const record of pages.flatMap((page) => page.events)) session = foldRecord(session, record);
  const { items, runViews, decisions, findings, ...summary } = view;
  const runs = { ...session.runs };
  for (const run of runViews) {
    const known = runs[run.runId];
    if (known !== undefined) runs[run.runId] = { ...known, view: run };
  }
  const soFar = new Map(items.map((item) => [item.itemId, item]));
  const placed = session.items.map((known) => {
    const item = soFar.get(known.item.itemId);
    if (known.finished || item === undefined) return known;
    return { ...known, item, points: "text" in item ? [...item.text].length : 0 };
  });
  const pending = new Set(decisions.map((each) => each.decisionId));
  const kept = Object.entries(session.decisions).filter(
    ([id, each]) => each.resolution !== undefined || pending.has(id),
  );
  return { ...session, summary, runs, items: placed, decisions: Object.fromEntries(kept), findings };
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  const { [key]: _, ...rest } = record;
  return rest;
}
