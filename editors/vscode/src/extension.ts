/** Puts the parts together when the editor starts, and takes them apart when it ends. */

import * as vscode from "vscode";
import { ChangeLenses } from "./changes/lenses.js";
import { ChangeReview } from "./changes/review.js";
import { houseCommands } from "./commands/house.js";
import { sessionCommands } from "./commands/sessions.js";
import { registerCommands } from "./commands/table.js";
import { workCommands } from "./commands/work.js";
import { Conversation } from "./conversation.js";
import { Drafts } from "./drafts.js";
import { Keys } from "./keys.js";
import { Store } from "./model/store.js";
import { locate } from "./server/located.js";
import { Server } from "./server/server.js";
import type { Desk } from "./views/bridge.js";
import { CHAT_VIEW, ChatView } from "./views/chat.js";
import { Deeds } from "./views/deeds.js";
import { notifications } from "./views/notifications.js";
import { RUN_PANEL, RunPanels } from "./views/run_panel.js";
import { SessionsTree } from "./views/sessions.js";
import { statusBar } from "./views/status_bar.js";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Quorate", { log: true });
  const store = new Store();
  const keys = new Keys(context.secrets, context.globalState);
  const theServer = new Server({
    log,
    locate: (outdated) => locate(context, log, store, outdated),
    environment: () => keys.environment(),
    onStatus: (status) => {
      store.dispatch({ type: "server", server: status });
      if (status.state === "ready") void conversation.serverReady();
    },
    onRecord: (record) => conversation.take(record),
    onExecuted: (result) => {
      const launched = result as { sessionId?: string; runId?: string } | null;
      if (launched?.sessionId !== undefined && launched.runId !== undefined) conversation.begun(launched.sessionId);
    },
  });
  server = theServer;
  const conversation = new Conversation(theServer, store, context.workspaceState, log);
  const review = new ChangeReview(theServer, store);
  const desk = (): Desk => ({ server: theServer, store, conversation, deeds, drafts });
  const chat = new ChatView(context.extensionUri, desk, store);
  const runs = new RunPanels(context.extensionUri, desk);
  const drafts = new Drafts(context.workspaceState);
  const deeds = new Deeds({
    drafts,
    store,
    conversation,
    review,
    openRun: (runId) => runs.open(runId),
    attach: (enclosure) => chat.tell({ type: "attached", ...enclosure }),
  });

  const parts = { server: theServer, store, conversation, chat, runs, review };
  const house = { keys, log, storage: context.globalStorageUri.fsPath, extensionId: context.extension.id };
  context.subscriptions.push(
    log,
    review.register(),
    new ChangeLenses(store).register(),
    statusBar(store),
    registerCommands(sessionCommands(parts), workCommands(parts), houseCommands({ ...parts, ...house })),
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, chat, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.window.registerWebviewPanelSerializer(RUN_PANEL, runs),
    vscode.window.registerTreeDataProvider("quorate.sessions", new SessionsTree(theServer, store)),
    notifications({
      server: theServer,
      store,
      panelVisible: () => chat.visible || runs.active !== undefined,
      show: async ({ sessionId }) => {
        if (sessionId !== conversation.sessionId) await conversation.open(sessionId);
        await chat.show();
      },
    }),
    store.subscribe(({ waiting }) => {
      const overriding = Object.values(waiting).some(({ decision }) => decision.kind === "override");
      void vscode.commands.executeCommand("setContext", "quorate.overriding", overriding);
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void theServer.sayTrusted(true).then(() => conversation.refresh())),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const decisive = ["quorate.server", "quorate.configPath"].some((key) => change.affectsConfiguration(key));
      if (decisive) void theServer.restart();
    }),
  );
  void theServer.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
