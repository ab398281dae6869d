/** Between a web view and the rest: the state goes in, requests and deeds come out. */

import type * as vscode from "vscode";
import type { Conversation } from "../conversation.js";
import type { Drafts } from "../drafts.js";
import type { FromWebview, ToWebview } from "../messages.js";
import type { Action } from "../model/reduce.js";
import type { Store } from "../model/store.js";
import type { CommandName, Commands } from "../protocol.gen.js";
import { RequestFault, type Server } from "../server/server.js";
import type { Deeds } from "./deeds.js";
import { findFiles } from "./files.js";

/** What is said within one frame of the screen travels together. */
const FRAME_MS = 16;

export interface Desk {
  server: Server;
  store: Store;
  conversation: Conversation;
  deeds: Deeds;
  drafts: Drafts;
}

export class Bridge implements vscode.Disposable {
  readonly #disposables: vscode.Disposable[] = [];
  #pending: Action[] = [];
  #timer: NodeJS.Timeout | undefined;
  #ready = false;
  #unsent: ToWebview[] = [];

  constructor(
    private readonly webview: vscode.Webview,
    private readonly desk: Desk,
    private readonly runId?: string,
  ) {
    this.#disposables.push(
      webview.onDidReceiveMessage((message: FromWebview) => this.#receive(message)),
      desk.store.subscribe((_, action) => this.#queue(action)),
    );
  }

  /** What is said before the page listens waits for it. */
  post(message: ToWebview): void {
    if (this.#ready) void this.webview.postMessage(message);
    else this.#unsent.push(message);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const each of this.#disposables) each.dispose();
  }

  #queue(action: Action): void {
    if (!this.#ready) return;
    this.#pending.push(action);
    this.#timer ??= setTimeout(() => this.#flush(), FRAME_MS);
  }

  #flush(): void {
    this.#timer = undefined;
    const actions = this.#pending;
    this.#pending = [];
    if (actions.length > 0) this.post({ type: "actions", actions });
  }

  #receive(message: FromWebview): void {
    switch (message.type) {
      case "ready":
        this.#ready = true;
        this.#pending = [];
        this.post({
          type: "state",
          state: this.desk.store.state,
          drafts: this.desk.drafts.all,
          ...(this.runId === undefined ? {} : { runId: this.runId }),
        });
        for (const each of this.#unsent.splice(0)) this.post(each);
        break;
      case "request":
        void this.#request(message.id, message.command, message.params as Commands[CommandName]["params"]);
        break;
      case "findFiles":
        void this.#answer(message.id, findFiles(message.query));
        break;
      case "deed":
        void this.desk.deeds.perform(message.deed);
        break;
    }
  }

  async #request(id: number, command: CommandName, params: Commands[CommandName]["params"]): Promise<void> {
    const result = this.desk.server.request(command, params);
    await this.#answer(id, result, (value) => {
      if (command === "quorate.chat" || command === "quorate.launch_run") {
        this.desk.conversation.begun((value as { sessionId: string }).sessionId);
      }
    });
  }

  async #answer<T>(id: number, result: Promise<T>, before?: (value: T) => void): Promise<void> {
    try {
      const value = await result;
      before?.(value);
      this.post({ type: "answer", id, result: value });
    } catch (fault) {
      const code = fault instanceof RequestFault ? fault.code : 500;
      this.post({ type: "refusal", id, message: fault instanceof Error ? fault.message : String(fault), code });
    }
  }
}
