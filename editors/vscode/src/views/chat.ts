/** The side bar. */

import * as vscode from "vscode";
import type { ToWebview } from "../messages.js";
import type { Store } from "../model/store.js";
import { Bridge, type Desk } from "./bridge.js";
import { page, webviewOptions } from "./html.js";

export const CHAT_VIEW = "quorate.chat";

export class ChatView implements vscode.WebviewViewProvider {
  #view: vscode.WebviewView | undefined;
  #bridge: Bridge | undefined;
  #unsent: ToWebview[] = [];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly desk: () => Desk,
    store: Store,
  ) {
    store.subscribe(({ current, waiting }) => {
      if (this.#view === undefined) return;
      this.#view.description = current?.summary?.title ?? "";
      const count = Object.keys(waiting).length;
      this.#view.badge =
        count === 0
          ? undefined
          : { value: count, tooltip: count === 1 ? "A decision waits for you" : `${count} decisions wait for you` };
    });
  }

  get visible(): boolean {
    return this.#view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    view.webview.options = webviewOptions(this.extension);
    const bridge = new Bridge(view.webview, this.desk());
    this.#bridge = bridge;
    for (const message of this.#unsent.splice(0)) bridge.post(message);
    view.onDidDispose(() => {
      bridge.dispose();
      this.#view = undefined;
      this.#bridge = undefined;
    });
    view.webview.html = page(view.webview, this.extension, "chat", "Quorate chat");
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
