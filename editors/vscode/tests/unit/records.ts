/** Records as the server sends them, with what a test does not care about filled in. */

import type { Event, EventRecord, RunView, SessionSummary, SessionView } from "../../src/protocol.gen.js";

export const SUMMARY: SessionSummary = {
  sessionId: "ses_1",
  title: "A session",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  lastMessage: "",
  turns: 0,
  runs: 0,
  pendingDecisions: 0,
  modes: { plan: null, agentMode: null, agentId: null, refinement: null, autonomy: "hitl", team: "auto" },
  busy: false,
};

export const VIEW: SessionView = { ...SUMMARY, items: [], runViews: [], decisions: [], findings: [] };

export function record(seq: number | null, event: Event, place: Partial<EventRecord> = {}): EventRecord {
  return { v: 1, seq, at: "2026-01-01T00:00:00Z", sessionId: "ses_1", event, ...place };
}

export function runView(runId: string, change: Partial<RunView> = {}): RunView {
  return {
    runId,
    task: "Do it.",
    phase: "answering",
    agents: [],
    answers: [],
    votes: [],
    tally: {},
    decisions: [],
    usage: { inputTokens: 0, outputTokens: 0, calls: 0 },
    startedAt: "2026-01-01T00:00:00Z",
    written: [],
    ...change,
  };
}
