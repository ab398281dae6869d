/** The session that the chat shows: begun, opened, left, and opened again when something was missed. */

import type * as vscode from "vscode";
import { LiveTranscript } from "./live_transcript.js";
import type { EventRecord, SessionSummary, Transcript } from "./protocol.gen.js";
import { RequestFault, type Server } from "./server/server.js";
import type { Store } from "./state.js";
import { EMPTY } from "./transcript.js";

const CURRENT_SESSION = "teamwright.currentSession";
const LISTED_SESSIONS = 200;

export class Conversation {
  readonly transcript = new LiveTranscript();
  /** A session is no longer followed, nor are its runs. */
  onClosed = (): void => {};

  constructor(
    private readonly server: Server,
    private readonly store: Store,
    private readonly memory: vscode.Memento,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  get sessionId(): string | undefined {
    return this.store.state.sessionId ?? undefined;
  }

  /** The server has (re)started: it knows nothing of us, and we know nothing of what happened meanwhile. */
  async serverReady(): Promise<void> {
    await this.refresh();
    const remembered = this.sessionId ?? this.memory.get<string>(CURRENT_SESSION);
    if (remembered === undefined) return;
    try {
      await this.open(remembered);
    } catch (fault) {
      this.log.info(`The last session cannot be shown: ${String(fault)}`);
      this.leave();
    }
  }

  async refresh(): Promise<void> {
    const [listed, status] = await Promise.allSettled([
      this.server.request("teamwright.session.list", { limit: LISTED_SESSIONS }),
      this.server.request("teamwright.status", {}),
    ]);
    if (listed.status === "fulfilled") {
      const sessions = Object.fromEntries(listed.value.sessions.map((each) => [each.sessionId, each]));
      this.store.set({ sessions });
    } else this.log.warn(`The sessions cannot be listed: ${String(listed.reason)}`);
    if (status.status === "fulfilled") this.store.set({ status: status.value });
    else this.log.warn(`The state of the team is not known: ${String(status.reason)}`);
  }

  take({ event, sessionId, runId }: EventRecord): void {
    switch (event.type) {
      case "session.created":
      case "session.updated":
        this.#know(event.session);
        return;
      case "transcript.patched":
        if (sessionId !== this.sessionId || runId !== undefined || this.transcript.take(event)) return;
        void this.#reopen();
        return;
      case "session.resync":
        if (sessionId === this.sessionId) void this.#reopen();
    }
  }

  /** A command made or used a session: that is the one to show from now on. */
  begun(sessionId: string): void {
    if (sessionId === this.sessionId) return;
    this.#moveTo(sessionId);
    this.transcript.show(EMPTY);
    void this.#reopen();
  }

  async open(sessionId: string): Promise<void> {
    if (await this.transcript.open(() => this.#fetch(sessionId))) this.#moveTo(sessionId);
  }

  async loadEarlier(): Promise<void> {
    const { sessionId } = this;
    const first = this.transcript.entries[0]?.entryId;
    if (sessionId === undefined || first === undefined) return;
    const { entries, more } = await this.#fetch(sessionId, first);
    const shown = this.transcript.transcript;
    if (shown.entries[0]?.entryId !== first) return;
    this.transcript.show({ ...shown, entries: [...entries, ...shown.entries], more });
  }

  leave(): void {
    this.#moveTo(null);
    this.transcript.show(EMPTY);
  }

  forget(sessionId: string): void {
    const { [sessionId]: _, ...sessions } = this.store.state.sessions;
    this.store.set({ sessions });
    if (sessionId === this.sessionId) this.leave();
  }

  async #fetch(sessionId: string, itemsBefore?: string): Promise<Transcript> {
    const params = itemsBefore === undefined ? { sessionId } : { sessionId, itemsBefore };
    const { session, transcript } = await this.server.request("teamwright.session.open", params);
    const { items: _items, runViews: _runs, decisions: _decisions, findings: _findings, ...summary } = session;
    this.#know(summary);
    return transcript ?? EMPTY;
  }

  async #reopen(): Promise<void> {
    try {
      if (this.sessionId !== undefined) await this.open(this.sessionId);
    } catch (fault) {
      this.log.error(`The session cannot be opened again: ${String(fault)}`);
    }
  }

  #know(session: SessionSummary): void {
    this.store.set({ sessions: { ...this.store.state.sessions, [session.sessionId]: session } });
  }

  #moveTo(sessionId: string | null): void {
    const { sessionId: previous } = this;
    if (sessionId === (previous ?? null)) return;
    this.store.set({ sessionId });
    void this.memory.update(CURRENT_SESSION, sessionId ?? undefined);
    if (previous !== undefined) void this.#unsubscribe(previous);
  }

  async #unsubscribe(sessionId: string): Promise<void> {
    try {
      await this.server.request("teamwright.session.close", { sessionId });
      this.onClosed();
    } catch (fault) {
      if (!(fault instanceof RequestFault)) throw fault;
    }
  }
}
