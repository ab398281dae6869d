/** The session that the panel shows: begun, opened, left, and opened again when something was missed. */

import type * as vscode from "vscode";
import { isGap } from "./model/reduce.js";
import type { Store } from "./model/store.js";
import type { EventRecord, SessionOpenResult } from "./protocol.gen.js";
import { RequestFault, type Server } from "./server/server.js";

const CURRENT_SESSION = "quorate.currentSession";
const EVENTS_A_PAGE = 1000;
const LISTED_SESSIONS = 200;
const ITEMS_IN_VIEW = 200;

export class Conversation {
  #opening: { sessionId: string } | undefined;
  readonly #held: EventRecord[] = [];

  constructor(
    private readonly server: Server,
    private readonly store: Store,
    private readonly memory: vscode.Memento,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  get sessionId(): string | undefined {
    return this.store.state.current?.sessionId;
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
      this.server.request("quorate.session.list", { limit: LISTED_SESSIONS }),
      this.server.request("quorate.status", {}),
    ]);
    if (listed.status === "fulfilled") this.store.dispatch({ type: "sessions", sessions: listed.value.sessions });
    else this.log.warn(`The sessions cannot be listed: ${String(listed.reason)}`);
    if (status.status === "fulfilled") this.store.dispatch({ type: "status", status: status.value });
    else this.log.warn(`The state of the team is not known: ${String(status.reason)}`);
  }

  take(record: EventRecord): void {
    const missed = isGap(this.store.state, record);
    // What comes while a session is being opened may stand in the answer already, or follow it: it waits for that.
    if (record.sessionId !== null && record.sessionId === this.#opening?.sessionId) this.#held.push(record);
    else if (!missed) this.store.dispatch({ type: "record", record });
    else if (record.sessionId !== null) void this.#reopen(record.sessionId);
  }

  /** A command made or used a session: that is the one to show from now on. */
  begun(sessionId: string): void {
    if (sessionId === this.sessionId) return;
    const previous = this.sessionId;
    this.store.dispatch({ type: "begun", sessionId });
    this.#remember(sessionId);
    if (previous !== undefined) void this.#unsubscribe(previous);
    if (this.store.state.sessions[sessionId] !== undefined) void this.#reopen(sessionId);
  }

  /** From the items that the view holds on, or from `fromSeq`. The events say which agent's they are. */
  async open(sessionId: string, fromSeq?: number): Promise<void> {
    const opening = { sessionId };
    this.#opening = opening;
    try {
      const from = fromSeq ?? (await this.#startOfView(sessionId));
      const pages = await this.#pagesFrom(sessionId, from);
      if (this.#opening !== opening) return;
      const previous = this.sessionId;
      this.store.dispatch({ type: "opened", fromSeq: from, pages });
      this.#remember(sessionId);
      if (previous !== undefined && previous !== sessionId) void this.#unsubscribe(previous);
    } finally {
      if (this.#opening === opening) this.#opened();
    }
  }

  async loadEarlier(): Promise<void> {
    const { current } = this.store.state;
    if (current !== null) await this.open(current.sessionId, Math.max(0, current.fromSeq - EVENTS_A_PAGE));
  }

  leave(): void {
    const previous = this.sessionId;
    this.#opening = undefined;
    this.store.dispatch({ type: "left" });
    this.#remember(undefined);
    if (previous !== undefined) void this.#unsubscribe(previous);
  }

  forget(sessionId: string): void {
    this.store.dispatch({ type: "forgotten", sessionId });
    if (this.sessionId === undefined) this.#remember(undefined);
  }

  #opened(): void {
    this.#opening = undefined;
    const lastSeq = this.store.state.current?.lastSeq ?? 0;
    for (const record of this.#held.splice(0)) if ((record.seq ?? 0) > lastSeq) this.take(record);
  }

  async #pagesFrom(sessionId: string, fromSeq: number): Promise<SessionOpenResult[]> {
    const pages: SessionOpenResult[] = [];
    for (let afterSeq = fromSeq; ; ) {
      const page = await this.server.request("quorate.session.open", { sessionId, afterSeq });
      pages.push(page);
      const last = page.events.at(-1)?.seq;
      if (!page.more || last === undefined || last === null) return pages;
      afterSeq = last;
    }
  }

  async #startOfView(sessionId: string): Promise<number> {
    const { session } = await this.server.request("quorate.session.open", { sessionId });
    // A view cut at its start has more before it; one that is whole starts with the log.
    const first = session.items[0]?.seq;
    return session.items.length < ITEMS_IN_VIEW || first === undefined ? 0 : first - 1;
  }

  async #reopen(sessionId: string): Promise<void> {
    if (this.#opening?.sessionId === sessionId) return;
    try {
      await this.open(sessionId, this.store.state.current?.fromSeq);
    } catch (fault) {
      this.log.error(`The session cannot be opened again: ${String(fault)}`);
    }
  }

  async #unsubscribe(sessionId: string): Promise<void> {
    try {
      await this.server.request("quorate.session.close", { sessionId });
    } catch (fault) {
      if (!(fault instanceof RequestFault)) throw fault;
    }
  }

  #remember(sessionId: string | undefined): void {
    void this.memory.update(CURRENT_SESSION, sessionId);
  }
}
