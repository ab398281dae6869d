/** One item in the status bar: how the server is, what runs, what it has cost. */

import * as vscode from "vscode";
import type { State } from "../model/state.js";
import type { Store } from "../model/store.js";

export function statusBar(store: Store): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("quorate.status", vscode.StatusBarAlignment.Right, 90);
  item.name = "Quorate";
  const draw = (state: State) => {
    const { text, tooltip, command, background } = shown(state);
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `Quorate: ${tooltip}` };
    item.command = command;
    item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    item.show();
  };
  draw(store.state);
  return vscode.Disposable.from(item, store.subscribe(draw));
}

interface Shown {
  text: string;
  tooltip: string;
  command: string;
  background?: string;
}

export function shown(state: State): Shown {
  const { server, current, waiting } = state;
  const open = "quorate.ui.focus";
  switch (server.state) {
    case "starting":
    case "restarting":
      return { text: "$(loading~spin) Quorate", tooltip: server.text, command: "quorate.ui.showLog" };
    case "failed":
      return {
        text: "$(error) Quorate",
        tooltip: `${server.text} ${server.hint}`,
        command: "quorate.ui.restartServer",
        background: "statusBarItem.errorBackground",
      };
    case "stopped":
      return { text: "$(circle-slash) Quorate", tooltip: "Stopped", command: "quorate.ui.restartServer" };
    case "ready": {
      const cost = current?.summary?.costUsd;
      const figures = cost === undefined ? "" : ` ${dollars(cost)}`;
      const decisions = Object.keys(waiting).length;
      if (decisions > 0) {
        return {
          text: `$(bell-dot) Quorate: ${decisions} to decide${figures}`,
          tooltip: "Decisions wait for you",
          command: open,
          background: "statusBarItem.warningBackground",
        };
      }
      if (current?.summary?.busy) return { text: `$(sync~spin) Quorate${figures}`, tooltip: "At work", command: open };
      return { text: `$(organization) Quorate${figures}`, tooltip: "Ready", command: open };
    }
  }
}

export function dollars(usd: number): string {
  return usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
}
