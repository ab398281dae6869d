/** What this window knows beside the transcripts: the server, the team, the sessions, and what the user has ticked. */

import type { SessionSummary, StatusResult } from "./protocol.gen.js";

export type ServerStatus =
  | { state: "starting"; text: string }
  | { state: "ready" }
  | { state: "restarting"; text: string }
  | { state: "failed"; text: string; hint: string }
  | { state: "stopped" };

export interface State {
  server: ServerStatus;
  status: StatusResult | null;
  sessions: Record<string, SessionSummary>;
  /** The session that the chat shows; null before the first word of a new one. */
  sessionId: string | null;
  /** By entry: the hunks that the user has refused so far. The one thing here that the server does not know yet. */
  refused: Record<string, readonly string[]>;
}

export const INITIAL: State = {
  server: { state: "starting", text: "Starting Teamwright" },
  status: null,
  sessions: {},
  sessionId: null,
  refused: {},
};

export function currentSession({ sessions, sessionId }: State): SessionSummary | undefined {
  return sessionId === null ? undefined : sessions[sessionId];
}

export function newestFirst({ sessions }: State): SessionSummary[] {
  return Object.values(sessions).sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}

/** How many decisions wait for a person, in every session of the workspace. */
export function waiting({ sessions }: State): number {
  return Object.values(sessions).reduce((sum, { pendingDecisions }) => sum + pendingDecisions, 0);
}

export function dollars(usd: number): string {
  return usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
}

export type Listener = (state: State, change: Partial<State>) => void;

export class Store {
  #state = INITIAL;
  readonly #listeners = new Set<Listener>();

  get state(): State {
    return this.#state;
  }

  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state, change);
  }

  subscribe(listener: Listener): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }
}
