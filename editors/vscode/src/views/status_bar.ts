/** One item in the status bar: how the server is, what runs, what it has cost. */

import * as vscode from "vscode";
import { currentSession, dollars, type State, type Store, waiting } from "../state.js";

export function statusBar(store: Store): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("teamwright.status", vscode.StatusBarAlignment.Right, 90);
  item.name = "Teamwright";
  const draw = (state: State) => {
    const { text, tooltip, command, background } = shown(state);
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `Teamwright: ${tooltip}` };
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
  const { server } = state;
  const session = currentSession(state);
  const open = "teamwright.ui.focus";
  switch (server.state) {
    case "starting":
    case "restarting":
      return { text: "$(loading~spin) Teamwright", tooltip: server.text, command: "teamwright.ui.showLog" };
    case "failed":
      return {
        text: "$(error) Teamwright",
        tooltip: `${server.text} ${server.hint}`,
        command: "teamwright.ui.restartServer",
        background: "statusBarItem.errorBackground",
      };
    case "stopped":
      return { text: "$(circle-slash) Teamwright", tooltip: "Stopped", command: "teamwright.ui.restartServer" };
    case "ready": {
      const cost = session?.costUsd;
      const figures = cost === undefined ? "" : ` ${dollars(cost)}`;
      const decisions = waiting(state);
      if (decisions > 0) {
        return {
          text: `$(bell-dot) Teamwright: ${decisions} to decide${figures}`,
          tooltip: "Decisions wait for you",
          command: open,
          background: "statusBarItem.warningBackground",
        };
      }
      if (session?.busy) return { text: `$(sync~spin) Teamwright${figures}`, tooltip: "At work", command: open };
      return { text: `$(organization) Teamwright${figures}`, tooltip: "Ready", command: open };
    }
  }
}
