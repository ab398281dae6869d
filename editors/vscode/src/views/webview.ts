/** A web view: its page, which holds our own files and nothing else, and the line between it and the rest. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { findFiles } from "../attachments.js";
import type { Conversation } from "../conversation.js";
import type { LiveTranscript } from "../live_transcript.js";
import type { FromWebview, Request, ToWebview } from "../messages.js";
import { RequestFault, type Server } from "../server/server.js";
import type { Store } from "../state.js";
import type { Drafts, EditorActions } from "./editor_actions.js";

export interface WebviewContext {
  extension: vscode.Uri;
  server: Server;
  store: Store;
  conversation: Conversation;
  actions: EditorActions;
  drafts: Drafts;
}

export function webviewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableCommandUris: false,
    enableForms: false,
    localResourceRoots: [vscode.Uri.joinPath(extension, "dist", "webview")],
  };
}

export class WebviewBridge implements vscode.Disposable {
  readonly #disposables: vscode.Disposable[] = [];
  #ready = false;
  #unsent: ToWebview[] = [];

  constructor(
    private readonly webview: vscode.Webview,
    private readonly context: WebviewContext,
    private readonly transcript: LiveTranscript,
    private readonly runId?: string,
  ) {
    this.#disposables.push(
      webview.onDidReceiveMessage((message: FromWebview) => this.#receive(message)),
      context.store.subscribe((_, change) => this.#follow({ type: "state", change })),
      transcript.subscribe((news) => this.#follow(news)),
    );
    webview.options = webviewOptions(context.extension);
    const name = runId === undefined ? "chat" : "run";
    webview.html = page(webview, context.extension, name, `Teamwright ${name}`);
  }

  /** What is said before the page listens waits for it. */
  post(message: ToWebview): void {
    if (this.#ready) void this.webview.postMessage(message);
    else this.#unsent.push(message);
  }

  dispose(): void {
    for (const each of this.#disposables) each.dispose();
  }

  /** News from before the page listens are in what it is told first. */
  #follow(news: ToWebview): void {
    if (this.#ready) this.post(news);
  }

  #receive(message: FromWebview): void {
    const { actions, drafts, store } = this.context;
    switch (message.type) {
      case "ready":
        this.#ready = true;
        this.post({
          type: "page",
          state: store.state,
          transcript: this.transcript.transcript,
          drafts: drafts.all,
          ...(this.runId === undefined ? {} : { runId: this.runId }),
        });
        for (const each of this.#unsent.splice(0)) this.post(each);
        break;
      case "request":
        void this.#request(message.id, message.request);
        break;
      case "findFiles":
        void this.#answer(message.id, findFiles(message.query));
        break;
      case "editor":
        void actions.perform(message.action);
        break;
    }
  }

  async #request(id: number, { command, params }: Request): Promise<void> {
    const result = await this.#answer(id, this.context.server.request(command, params));
    // Whoever writes to a session, or begins one, wants to see it. The page hears its answer first: what was written
    // there meanwhile goes along into the session.
    if (result !== undefined && "sessionId" in result && ("turnId" in result || "runId" in result)) {
      this.context.conversation.begun(result.sessionId);
    }
  }

  async #answer<T>(id: number, answer: Promise<T>): Promise<T | undefined> {
    try {
      const result = await answer;
      this.post({ type: "answer", id, result });
      return result;
    } catch (fault) {
      const code = fault instanceof RequestFault ? fault.code : 500;
      this.post({ type: "refusal", id, message: fault instanceof Error ? fault.message : String(fault), code });
      return undefined;
    }
  }
}

function page(webview: vscode.Webview, extension: vscode.Uri, name: "chat" | "run", title: string): string {
  const file = (path: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", "webview", path)).toString();
  const nonce = randomBytes(16).toString("base64url");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" id="vscode-codicon-stylesheet" href="${file("codicon.css")}">
  <link rel="stylesheet" href="${file("style.css")}">
  <title>${title}</title>
</head>
<body class="${name}">
  <div id="app"></div>
  <script nonce="${nonce}" src="${file(`${name}.js`)}"></script>
</body>
</html>`;
}
