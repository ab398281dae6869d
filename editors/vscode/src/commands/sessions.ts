/** Commands on sessions: found, renamed, copied, taken away. */

import * as vscode from "vscode";
import type { Conversation } from "../conversation.js";
import type { Server } from "../server/server.js";
import { dollars, newestFirst, type Store } from "../state.js";
import type { ChatView } from "../views/chat.js";
import { showTeamStats } from "../views/report.js";
import { say } from "../views/saying.js";
import type { Node } from "../views/sessions.js";
import type { CommandTable } from "./server.js";

interface Parts {
  server: Server;
  store: Store;
  conversation: Conversation;
  chat: ChatView;
}

export function sessionCommands({ server, store, conversation, chat }: Parts): CommandTable {
  const show = async (sessionId: string) => {
    await conversation.open(sessionId);
    await chat.show();
  };
  const titleOf = (sessionId: string) => store.state.sessions[sessionId]?.title ?? "";

  return {
    newSession: async () => {
      conversation.leave();
      await chat.show({ type: "key", key: "compose" });
    },
    openSession: (sessionId) => show(String(sessionId)),
    searchSessions: async () => {
      const sessionId = await pickBySearch(server, store);
      if (sessionId !== undefined) await show(sessionId);
    },
    renameSession: async (node) => {
      const sessionId = subject(node, conversation);
      const title = await vscode.window.showInputBox({ prompt: "Title of the session", value: titleOf(sessionId) });
      if (title) await server.request("teamwright.session.rename", { sessionId, title });
    },
    forkSession: async (node) => {
      const forked = await server.request("teamwright.session.fork", { sessionId: subject(node, conversation) });
      await conversation.refresh();
      await show(forked.sessionId);
    },
    exportSession: (node) => exportSession(server, subject(node, conversation)),
    importSession: async () => {
      const [file] = (await vscode.window.showOpenDialog({ filters: { "Teamwright session": ["json"] } })) ?? [];
      if (file === undefined) return;
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      await show((await server.request("teamwright.session.import", { text })).sessionId);
      await conversation.refresh();
    },
    deleteSession: async (node) => {
      const sessionId = subject(node, conversation);
      await server.request("teamwright.session.delete", { sessionId });
      const title = titleOf(sessionId);
      conversation.forget(sessionId);
      const undo = await say.info(`Deleted "${title}".`, "Undo");
      if (undo === undefined) return;
      await server.request("teamwright.session.restore", { sessionId });
      await conversation.refresh();
    },
    compactSession: async (node) => {
      await server.request("teamwright.session.compact", { sessionId: subject(node, conversation) });
    },
    sessionStats: async (node) => {
      const stats = await server.request("teamwright.session.stats", { sessionId: subject(node, conversation) });
      const cost = stats.costUsd === undefined ? "" : `, ${dollars(stats.costUsd)}`;
      const tokens = `${stats.usage.inputTokens} tokens in, ${stats.usage.outputTokens} out`;
      const text = `${stats.turns} turns, ${stats.runs} runs, ${stats.usage.calls} model calls, ${tokens}${cost}.`;
      void say.info(text);
    },
    teamStats: () => showTeamStats(server),
    refreshSessions: () => conversation.refresh(),
  };
}

function subject(node: unknown, conversation: Conversation): string {
  const sessionId =
    (node as Extract<Node, { kind: "session" }> | undefined)?.session?.sessionId ?? conversation.sessionId;
  if (sessionId === undefined) throw new Error("Open a session first.");
  return sessionId;
}

async function exportSession(server: Server, sessionId: string): Promise<void> {
  const formats = [
    { label: "Markdown", description: "to read", format: "markdown" as const },
    { label: "JSON", description: "to import again", format: "json" as const },
  ];
  const picked = await vscode.window.showQuickPick(formats, { placeHolder: "Export as" });
  if (picked === undefined) return;
  const { text } = await server.request("teamwright.session.export", { sessionId, format: picked.format });
  const document = await vscode.workspace.openTextDocument({ content: text, language: picked.format });
  await vscode.window.showTextDocument(document);
}

async function pickBySearch(server: Server, store: Store): Promise<string | undefined> {
  type Pick = vscode.QuickPickItem & { sessionId: string };
  const titles = (): Pick[] =>
    newestFirst(store.state).map(({ sessionId, title, lastMessage }) => ({
      sessionId,
      label: title,
      detail: lastMessage,
      alwaysShow: true,
    }));
  const picker = vscode.window.createQuickPick<Pick>();
  picker.placeholder = "Search in all sessions";
  picker.matchOnDetail = true;
  picker.items = titles();
  picker.onDidChangeValue(async (text) => {
    if (text.trim().length < 2) {
      picker.items = titles();
      return;
    }
    const { hits } = await server.request("teamwright.session.search", { text, limit: 50 });
    if (picker.value !== text) return;
    picker.items = hits.map(({ sessionId, snippet }) => ({
      sessionId,
      label: store.state.sessions[sessionId]?.title ?? "",
      detail: snippet,
      alwaysShow: true,
    }));
  });
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      resolve(picker.selectedItems[0]?.sessionId);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
