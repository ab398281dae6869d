/** A run in an editor of its own, with a transcript of its own: one column an agent. */

import * as vscode from "vscode";
import { LiveTranscript } from "../live_transcript.js";
import type { ToWebview } from "../messages.js";
import type { EventRecord } from "../protocol.gen.js";
import { EMPTY } from "../transcript.js";
import { sayFaults } from "./notifications.js";
import { WebviewBridge, type WebviewContext, webviewOptions } from "./webview.js";

export const RUN_PANEL = "teamwright.run";
const TITLE_LENGTH = 32;

interface RunPanel {
  panel: vscode.WebviewPanel;
  bridge: WebviewBridge;
  transcript: LiveTranscript;
}

export class RunPanels implements vscode.WebviewPanelSerializer {
  readonly #panels = new Map<string, RunPanel>();

  constructor(private readonly context: () => WebviewContext) {}

  get active(): boolean {
    return [...this.#panels.values()].some(({ panel }) => panel.active);
  }

  show(runId: string, message?: ToWebview): void {
    const known = this.#panels.get(runId);
    known?.panel.reveal();
    const { bridge } = known ?? this.#fill(this.#create(), runId);
    if (message !== undefined) bridge.post(message);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: { runId?: string } | undefined): Promise<void> {
    if (state?.runId === undefined) panel.dispose();
    else this.#fill(panel, state.runId);
  }

  take({ event, runId }: EventRecord): void {
    if (event.type === "session.resync") this.openAll();
    if (event.type !== "transcript.patched" || runId === undefined) return;
    const shown = this.#panels.get(runId);
    if (shown !== undefined && !shown.transcript.take(event)) this.#open(runId, shown);
  }

  /** What was missed is not known: every run is opened anew. */
  openAll(): void {
    for (const [runId, shown] of this.#panels) this.#open(runId, shown);
  }

  #create(): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(RUN_PANEL, "Run", vscode.ViewColumn.Active, {
      ...webviewOptions(this.context().extension),
      retainContextWhenHidden: true,
    });
  }

  #fill(panel: vscode.WebviewPanel, runId: string): RunPanel {
    const context = this.context();
    const icon = (name: string) => vscode.Uri.joinPath(context.extension, "media", name);
    panel.iconPath = { light: icon("icon-light.svg"), dark: icon("icon-dark.svg") };
    const transcript = new LiveTranscript();
    const bridge = new WebviewBridge(panel.webview, context, transcript, runId);
    const shown = { panel, bridge, transcript };
    this.#panels.set(runId, shown);
    panel.onDidDispose(() => {
      bridge.dispose();
      this.#panels.delete(runId);
    });
    // One that the editor has restored waits for the server, which has all of them opened when it is ready.
    if (context.store.state.server.state === "ready") this.#open(runId, shown);
    return shown;
  }

  #open(runId: string, { panel, transcript }: RunPanel): void {
    void sayFaults(() =>
      transcript.open(async () => {
        const opened = await this.context().server.request("teamwright.run.open", { runId });
        const { task } = opened.run;
        panel.title = task.length > TITLE_LENGTH ? `${task.slice(0, TITLE_LENGTH - 1)}…` : task;
        return opened.transcript ?? EMPTY;
      }),
    );
  }
}
