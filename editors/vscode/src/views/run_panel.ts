/** A run in an editor of its own: one column an agent. */

import * as vscode from "vscode";
import type { ToWebview } from "../messages.js";
import { Bridge, type Desk } from "./bridge.js";
import { page, webviewOptions } from "./html.js";

export const RUN_PANEL = "quorate.run";

export class RunPanels implements vscode.WebviewPanelSerializer {
  readonly #panels = new Map<string, { panel: vscode.WebviewPanel; bridge: Bridge }>();

  constructor(
    private readonly extension: vscode.Uri,
    private readonly desk: () => Desk,
  ) {}

  get active(): vscode.WebviewPanel | undefined {
    return [...this.#panels.values()].find(({ panel }) => panel.active)?.panel;
  }

  open(runId: string, message?: ToWebview): void {
    const known = this.#panels.get(runId);
    known?.panel.reveal();
    const bridge = known?.bridge ?? this.#create(runId);
    if (message !== undefined) bridge.post(message);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: { runId?: string } | undefined): Promise<void> {
    if (state?.runId === undefined) panel.dispose();
    else this.#fill(panel, state.runId);
  }

  #create(runId: string): Bridge {
    const task = this.desk().store.state.current?.runs[runId]?.view?.task ?? "Run";
    const title = task.length > 32 ? `${task.slice(0, 31)}…` : task;
    const panel = vscode.window.createWebviewPanel(RUN_PANEL, title, vscode.ViewColumn.Active, {
      ...webviewOptions(this.extension),
      retainContextWhenHidden: true,
    });
    return this.#fill(panel, runId);
  }

  #fill(panel: vscode.WebviewPanel, runId: string): Bridge {
    panel.webview.options = webviewOptions(this.extension);
    const icon = (name: string) => vscode.Uri.joinPath(this.extension, "media", name);
    panel.iconPath = { light: icon("icon-light.svg"), dark: icon("icon-dark.svg") };
    const bridge = new Bridge(panel.webview, this.desk(), runId);
    this.#panels.set(runId, { panel, bridge });
    panel.onDidDispose(() => {
      bridge.dispose();
      this.#panels.delete(runId);
    });
    panel.webview.html = page(panel.webview, this.extension, "run", "Quorate run");
    return bridge;
  }
}
