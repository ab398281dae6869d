/** Sessions and their runs as a tree. */

import * as vscode from "vscode";
import type { RunView, SessionSummary } from "../protocol.gen.js";
import type { Server } from "../server/server.js";
import { dollars, newestFirst, type Store } from "../state.js";

export type Node = { kind: "session"; session: SessionSummary } | { kind: "run"; run: RunView; sessionId: string };

export class SessionsTree implements vscode.TreeDataProvider<Node> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    private readonly server: Server,
    private readonly store: Store,
  ) {
    store.subscribe((_, { sessions }) => {
      if (sessions !== undefined) this.#changed.fire();
    });
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node.kind === "session" ? this.#sessionItem(node.session) : runItem(node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      return newestFirst(this.store.state).map((session) => ({ kind: "session", session }));
    }
    if (node.kind === "run") return [];
    const { sessionId } = node.session;
    const { runs } = await this.server.request("teamwright.run.list", { sessionId });
    return runs.map((run) => ({ kind: "run", run, sessionId }));
  }

  #sessionItem(session: SessionSummary): vscode.TreeItem {
    const { None, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(session.title || "New session", session.runs > 0 ? Collapsed : None);
    item.id = session.sessionId;
    item.contextValue = "session";
    item.description = [
      session.project,
      when(session.updatedAt),
      session.costUsd === undefined ? undefined : dollars(session.costUsd),
    ]
      .filter((each) => each !== undefined)
      .join(" · ");
    item.tooltip = session.lastMessage;
    item.iconPath = new vscode.ThemeIcon(sessionIcon(session));
    item.command = { command: "teamwright.ui.openSession", title: "Open", arguments: [session.sessionId] };
    return item;
  }
}

function sessionIcon(session: SessionSummary): string {
  if (session.pendingDecisions > 0) return "bell-dot";
  return session.busy ? "sync~spin" : "comment-discussion";
}

const RUN_ICONS = { completed: "pass", cancelled: "circle-slash", failed: "error", timed_out: "watch" } as const;

function runItem({ run, sessionId }: Extract<Node, { kind: "run" }>): vscode.TreeItem {
  const item = new vscode.TreeItem(run.task);
  item.id = run.runId;
  item.contextValue = "run";
  item.description = run.costUsd === undefined ? "" : dollars(run.costUsd);
  item.tooltip = run.task;
  item.iconPath = new vscode.ThemeIcon(run.outcome === undefined ? "sync~spin" : RUN_ICONS[run.outcome]);
  item.command = { command: "teamwright.ui.openRun", title: "Open run", arguments: [run.runId, sessionId] };
  return item;
}

function when(at: string): string {
  const date = new Date(at);
  const today = new Date().toDateString() === date.toDateString();
  return today ? date.toLocaleTimeString([], { timeStyle: "short" }) : date.toLocaleDateString();
}
