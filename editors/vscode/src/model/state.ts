/** What the views draw. It holds what the server said, in the shape it was said in; nothing here is worked out. */

import type {
  AgreedFinding,
  AnswerSubmitted,
  Change,
  Decision,
  Item,
  MessageShared,
  PlanProposed,
  Resolution,
  ResolvedRunSpec,
  RunFinished,
  RunView,
  SessionSummary,
  SettledFile,
  StatusResult,
  TurnFinished,
} from "../protocol.gen.js";

export type ServerStatus =
  | { state: "starting"; text: string }
  | { state: "ready" }
  | { state: "restarting"; text: string }
  | { state: "failed"; text: string; hint: string }
  | { state: "stopped" };

/** Where an event belongs, as its envelope says. */
export interface Place {
  turnId?: string;
  runId?: string;
  agentId?: string;
}

export interface PlacedItem extends Place {
  item: Item;
  finished: boolean;
  /** Code points received: what the offset of the next delta is compared with. */
  points: number;
}

export interface Turn {
  turnId: string;
  text: string;
  phase: "queued" | "working" | "finished";
  ending?: TurnFinished;
}

export interface SubmittedAnswer extends AnswerSubmitted {
  agentId: string;
}

export interface Run {
  runId: string;
  spec?: ResolvedRunSpec;
  view?: RunView;
  /** Where its agents' items stand in the session's. */
  items: number[];
  answers: SubmittedAnswer[];
  messages: MessageShared[];
  plan?: PlanProposed;
  changes: Change[];
  settled: SettledFile[];
  ending?: RunFinished;
}

export interface PlacedDecision extends Place {
  sessionId: string;
  decision: Decision;
  resolution?: Resolution;
}

export interface Notice {
  level: "info" | "warning" | "error";
  text: string;
  hint?: string;
}

/** One line of the transcript; what it shows is looked up by its id, an item by where it stands. */
export type Entry =
  | { kind: "item"; id: string; at: number }
  | { kind: "run"; id: string }
  | { kind: "decision"; id: string }
  | { kind: "turn"; id: string }
  | { kind: "notice"; id: string; notice: Notice };

export interface Session {
  sessionId: string;
  summary: SessionSummary | null;
  /** The log is known from here on; earlier events can be asked for. */
  fromSeq: number;
  lastSeq: number;
  entries: Entry[];
  /** Only ever appended to and replaced in place: a copy of a long list is cheap, of a long record it is not. */
  items: PlacedItem[];
  turns: Record<string, Turn>;
  runs: Record<string, Run>;
  decisions: Record<string, PlacedDecision>;
  findings: AgreedFinding[];
}

export interface State {
  server: ServerStatus;
  status: StatusResult | null;
  sessions: Record<string, SessionSummary>;
  /** What waits for a person, in every session of the workspace. */
  waiting: Record<string, PlacedDecision>;
  current: Session | null;
  /** By decision: the hunks that the user has refused so far. The one thing here that the server does not know yet. */
  refused: Record<string, string[]>;
}

export const INITIAL: State = {
  server: { state: "starting", text: "Starting Quorate" },
  status: null,
  sessions: {},
  waiting: {},
  current: null,
  refused: {},
};

export function emptySession(sessionId: string, fromSeq = 0): Session {
  return {
    sessionId,
    summary: null,
    fromSeq,
    lastSeq: fromSeq,
    entries: [],
    items: [],
    turns: {},
    runs: {},
    decisions: {},
    findings: [],
  };
}
