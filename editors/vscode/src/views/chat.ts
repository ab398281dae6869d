/** The side bar. */

import * as vscode from "vscode";
import type { ToWebview } from "../messages.js";
import { currentSession, type Store, waiting } from "../state.js";
import { WebviewBridge, type WebviewContext } from "./webview.js";

export const CHAT_VIEW = "teamwright.chat";

export class ChatView implements vscode.WebviewViewProvider {
  #view: vscode.WebviewView | undefined;
  #bridge: WebviewBridge | undefined;
  #unsent: ToWebview[] = [];

  constructor(
    private readonly context: () => WebviewContext,
    store: Store,
  ) {
    store.subscribe((state) => {
      if (this.#view === undefined) return;
      this.#view.description = currentSession(state)?.title ?? "";
      const value = waiting(state);
      const tooltip = value === 1 ? "A decision waits for you" : `${value} decisions wait for you`;
      this.#view.badge = value === 0 ? undefined : { value, tooltip };
    });
  }

  get visible(): boolean {
    return this.#view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const context = this.context();
    const bridge = new WebviewBridge(view.webview, context, context.conversation.transcript);
    this.#view = view;
    this.#bridge = bridge;
    for (const message of this.#unsent.splice(0)) bridge.post(message);
    view.onDidDispose(() => {
      bridge.dispose();
      this.#view = undefined;
      this.#bridge = undefined;
    });
  }

  /** Into the side bar, which is opened for it: only on the user's word. */
  async show(message?: ToWebview): Promise<void> {
    if (message !== undefined && this.#bridge === undefined) this.#unsent.push(message);
    else if (message !== undefined) this.#bridge?.post(message);
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
  }

  tell(message: ToWebview): void {
    this.#bridge?.post(message);
  }
}
