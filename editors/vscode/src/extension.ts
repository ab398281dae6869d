/** Puts the parts together when the editor starts, and takes them apart when it ends. */

import * as vscode from "vscode";
import { ChangeReview } from "./changes/review.js";
import { registerCommands, serverCommands } from "./commands/server.js";
import { sessionCommands } from "./commands/sessions.js";
import { workCommands } from "./commands/work.js";
import { Conversation } from "./conversation.js";
import { Keys } from "./keys.js";
import { type Launch, locateServer } from "./server/locate.js";
import { Server } from "./server/server.js";
import { Store } from "./state.js";
import { offered } from "./transcript.js";
import { CHAT_VIEW, ChatView } from "./views/chat.js";
import { Drafts, EditorActions } from "./views/editor_actions.js";
import { Notifications } from "./views/notifications.js";
import { saveReport } from "./views/report.js";
import { RUN_PANEL, RunPanels } from "./views/run_panel.js";
import { say } from "./views/saying.js";
import { SessionsTree } from "./views/sessions.js";
import { statusBar } from "./views/status_bar.js";
import type { WebviewContext } from "./views/webview.js";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Teamwright", { log: true });
  const store = new Store();
  const keys = new Keys(context.secrets, context.globalState);
  const theServer = new Server({
    log,
    locate: (outdated) => locate(context, log, store, outdated),
    environment: () => keys.environment(),
    home: context.globalStorageUri.fsPath,
    onStatus: (status) => {
      store.set({ server: status });
      if (status.state !== "ready") return;
      void conversation.serverReady();
      runs.openAll();
    },
    onRecord: (record) => {
      conversation.take(record);
      runs.take(record);
      notifications.take(record);
    },
    onExecuted: (result) => {
      const launched = result as { sessionId?: string; runId?: string } | null;
      if (launched?.sessionId !== undefined && launched.runId !== undefined) conversation.begun(launched.sessionId);
    },
  });
  server = theServer;
  const conversation = new Conversation(theServer, store, context.workspaceState, log);
  const { transcript } = conversation;
  const review = new ChangeReview(theServer, store, transcript);
  const extension = context.extensionUri;
  const webviews = (): WebviewContext => ({ extension, server: theServer, store, conversation, actions, drafts });
  const chat = new ChatView(webviews, store);
  const runs = new RunPanels(webviews);
  conversation.onClosed = () => runs.openAll();
  const drafts = new Drafts(context.workspaceState);
  const actions = new EditorActions({
    drafts,
    store,
    conversation,
    review,
    openRun: (runId) => runs.show(runId),
    saveReport: (runId) => saveReport(theServer, runId),
    attach: (enclosure) => chat.tell({ type: "attached", ...enclosure }),
  });
  const notifications = new Notifications({
    server: theServer,
    conversation,
    panelVisible: () => chat.visible || runs.active,
    show: async (sessionId) => {
      if (sessionId !== conversation.sessionId) await conversation.open(sessionId);
      await chat.show();
    },
  });

  const parts = { server: theServer, store, conversation, chat, runs, review };
  const surroundings = { keys, log, storage: context.globalStorageUri.fsPath, extensionId: context.extension.id };
  context.subscriptions.push(
    log,
    review.register(),
    statusBar(store),
    registerCommands(sessionCommands(parts), workCommands(parts), serverCommands({ ...parts, ...surroundings })),
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, chat, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.window.registerWebviewPanelSerializer(RUN_PANEL, runs),
    vscode.window.registerTreeDataProvider("teamwright.sessions", new SessionsTree(theServer, store)),
    transcript.subscribe(() => {
      const overriding = offered(transcript.entries, "teamwright.override") !== undefined;
      void vscode.commands.executeCommand("setContext", "teamwright.overriding", overriding);
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void theServer.sayTrusted(true).then(() => conversation.refresh())),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const decisive = ["teamwright.server", "teamwright.configPath"].some((key) => change.affectsConfiguration(key));
      if (decisive) void theServer.restart();
    }),
  );
  void theServer.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** The server's command as the settings and this machine have it; building an environment shows its progress. */
function locate(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  store: Store,
  outdated: AbortSignal,
): Promise<Launch> {
  const settings = vscode.workspace.getConfiguration("teamwright.server");
  const wanted = { command: settings.get<string[]>("command", []), interpreter: settings.get("interpreter", "") };
  return withProgress((report) =>
    locateServer(wanted, {
      onStranger: (sentence) => void sayStranger(sentence, log),
      builder: async () => ({
        carried: vscode.Uri.joinPath(context.extensionUri, "dist", "server").fsPath,
        storage: context.globalStorageUri.fsPath,
        log: (line) => log.info(line),
        progress: (text) => {
          report(text);
          store.set({ server: { state: "starting", text: `Setting up: ${text}` } });
        },
        cancelled: outdated,
      }),
    }),
  );
}

async function sayStranger(sentence: string, log: vscode.LogOutputChannel): Promise<void> {
  log.warn(sentence);
  const settings = "Open Settings";
  const picked = await say.warning(`Teamwright: ${sentence}`, settings);
  if (picked === settings) await vscode.commands.executeCommand("teamwright.ui.openSettings");
}

function withProgress<T>(task: (report: (text: string) => void) => Promise<T>): Promise<T> {
  const location = vscode.ProgressLocation.Window;
  return Promise.resolve(
    vscode.window.withProgress({ location, title: "Teamwright" }, (progress) =>
      task((message) => progress.report({ message })),
    ),
  );
}
