/** Faults and decisions as notifications; decisions with their buttons, when the panel that would show them is hidden. */

import * as vscode from "vscode";
import type { Conversation } from "../conversation.js";
import type { Action, CommandName, Commands, EventRecord } from "../protocol.gen.js";
import type { Server } from "../server/server.js";
import { say } from "./saying.js";

const OPEN = "Open";

/** A fault that the user caused or can cure is shown as the sentence that it is. */
export async function sayFaults(deed: () => Promise<unknown> | unknown): Promise<void> {
  try {
    await deed();
  } catch (fault) {
    void say.error(`Teamwright: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}

export interface NotificationsOptions {
  server: Server;
  conversation: Conversation;
  panelVisible: () => boolean;
  show: (sessionId: string) => Promise<void>;
}

interface Waiting {
  sessionId: string;
  decisionId: string;
  title: string;
  actions: readonly Action[];
}

export class Notifications {
  readonly #told = new Set<string>();
  /** By decision: what is asked, on one line. */
  readonly #titles = new Map<string, string>();

  constructor(private readonly options: NotificationsOptions) {
    options.conversation.transcript.subscribe(() => this.#look());
  }

  /** Of another session only the title is known: it has to be opened to be decided. */
  take({ event, sessionId }: EventRecord): void {
    if (event.type !== "decision.requested" || sessionId === null) return;
    const { decisionId, title } = event.decision;
    this.#titles.set(decisionId, title);
    if (sessionId === this.options.conversation.sessionId) return;
    this.#tellOnce({ sessionId, decisionId, title, actions: [] });
  }

  #look(): void {
    const { transcript, sessionId } = this.options.conversation;
    if (sessionId === undefined) return;
    for (const entry of transcript.entries) {
      const { decisionId, state, actions } = entry;
      if (decisionId === undefined || state !== "waiting") continue;
      const title = this.#titles.get(decisionId) ?? entry.title ?? "";
      this.#tellOnce({ sessionId, decisionId, title, actions });
    }
  }

  #tellOnce(waiting: Waiting): void {
    if (this.#told.has(waiting.decisionId)) return;
    this.#told.add(waiting.decisionId);
    if (this.#wanted(waiting)) void sayFaults(() => this.#tell(waiting));
  }

  #wanted({ sessionId }: Waiting): boolean {
    const setting = vscode.workspace.getConfiguration("teamwright").get<string>("notifications", "whenHidden");
    if (setting === "never") return false;
    const shownAnyway = this.options.panelVisible() && this.options.conversation.sessionId === sessionId;
    return setting === "always" || !shownAnyway;
  }

  async #tell({ sessionId, decisionId, title, actions }: Waiting): Promise<void> {
    const buttons = actions.filter(isPlain);
    const labels = buttons.map(({ label }) => label);
    const picked = await say.info(`Teamwright: ${title}`, ...labels, OPEN);
    // Closing it decides nothing: the decision stays open in the panel.
    if (picked === undefined) return;
    const action = buttons.find(({ label }) => label === picked);
    if (action === undefined || !this.#stillWaits(decisionId)) return this.options.show(sessionId);
    await this.options.server.request(
      action.command as CommandName,
      action.arguments as Commands[CommandName]["params"],
    );
  }

  #stillWaits(decisionId: string): boolean {
    const { entries } = this.options.conversation.transcript;
    return entries.some((entry) => entry.decisionId === decisionId && entry.state === "waiting");
  }
}

/** It can be pressed without seeing more than the title: nothing has to be filled in, and it is about the whole. */
function isPlain({ input = [], part }: Action): boolean {
  return part === undefined && !input.some(({ required }) => required);
}
