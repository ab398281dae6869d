/** Commands that put the team to work, and those on its work. */

import * as vscode from "vscode";
import { type Attachable, enclosureOf, selectedCode } from "../attachments.js";
import { chosenFiles, diffsOf, hunkId, hunkIds, withRefusals, withValue } from "../changes/choice.js";
import type { ChangeReview } from "../changes/review.js";
import type { Conversation } from "../conversation.js";
import type { ToWebview } from "../messages.js";
import type { CodeActionParams, CommandName, Commands, Entry } from "../protocol.gen.js";
import type { Server } from "../server/server.js";
import type { Store } from "../state.js";
import { offered } from "../transcript.js";
import type { ChatView } from "../views/chat.js";
import type { RunPanels } from "../views/run_panel.js";
import type { CommandTable } from "./server.js";

interface Parts {
  server: Server;
  store: Store;
  conversation: Conversation;
  chat: ChatView;
  runs: RunPanels;
  review: ChangeReview;
}

type Task = "teamwright.review" | "teamwright.explain" | "teamwright.fix" | "teamwright.test";

export function workCommands({ server, store, conversation, chat, runs, review }: Parts): CommandTable {
  const start = async (task: Task, params: CodeActionParams) => {
    const { sessionId } = await server.request(task, params);
    conversation.begun(sessionId);
    await chat.show();
  };
  const attach = (what: Attachable) => chat.show({ type: "attached", ...enclosureOf(what) });
  const proposed = (uri: unknown) => {
    const open = review.openChange(uri instanceof vscode.Uri ? uri : activeTab());
    if (open === undefined) throw new Error("This change is not open any more.");
    return open;
  };
  const refuse = ({ entryId }: Entry, hunks: readonly string[]) =>
    store.set({ refused: { ...store.state.refused, [entryId]: hunks } });
  const key = (name: Extract<ToWebview, { type: "key" }>["key"]) => chat.tell({ type: "key", key: name });
  const send = (command: string, params: Record<string, unknown>) =>
    server.request(command as CommandName, params as Commands[CommandName]["params"]);
  /** The latest action of this kind that the transcript offers. */
  const act = async (command: CommandName, kind: Entry["kind"], otherwise: string) => {
    const entries = conversation.transcript.entries.filter((entry) => entry.kind === kind);
    const found = offered(entries, command);
    if (found === undefined) throw new Error(otherwise);
    await send(command, found.action.arguments);
  };

  return {
    focus: () => chat.show({ type: "key", key: "compose" }),
    togglePlan: () => key("plan"),
    override: () => {
      const found = offered(conversation.transcript.entries, "teamwright.override");
      if (found?.entry.runId === undefined) throw new Error("No vote waits for your word.");
      runs.show(found.entry.runId, { type: "key", key: "decide" });
    },
    attachSelection: () => attach("selection"),
    attachFile: () => attach("file"),
    attachProblems: () => attach("problems"),
    reviewSelection: () => start("teamwright.review", selectedCode()),
    explainSelection: () => start("teamwright.explain", selectedCode()),
    fixSelection: () => start("teamwright.fix", selectedCode()),
    fixChecks: () => start("teamwright.fix", {}),
    testSelection: () => start("teamwright.test", selectedCode()),
    reviewDiff: async () => {
      const base = await vscode.window.showInputBox({ prompt: "Review the changes since", value: "HEAD" });
      if (base) await start("teamwright.review", { diff: { base } });
    },
    openRun: (runId) => {
      const last = offered(conversation.transcript.entries, "teamwright.run.open")?.entry.runId;
      const wanted = typeof runId === "string" ? runId : last;
      if (wanted === undefined) throw new Error("This session has no run yet.");
      runs.show(wanted);
    },
    cancelRun: () => act("teamwright.cancel", "run", "Nothing is running."),
    acceptChange: async (uri) => {
      const { entry, action, field, refused } = proposed(uri);
      const files = chosenFiles(diffsOf(entry), refused);
      if (files?.length === 0)
        throw new Error("Everything is refused: accept a change first, or refuse all in the chat.");
      await send(action.command, withValue(action.arguments, field.path, files));
    },
    refuseChange: (uri) => {
      const { entry, diff, refused } = proposed(uri);
      refuse(entry, withRefusals(refused, hunkIds(diff), true));
    },
    toggleHunk: (uri, index) => {
      const { entry, diff, refused } = proposed(uri);
      const id = hunkId(diff.uri, Number(index));
      refuse(entry, withRefusals(refused, [id], !refused.includes(id)));
    },
    undoChanges: () =>
      act("teamwright.changes.undo", "changes", "No changes of Teamwright were applied in this session."),
    selectProject: () => selectProject(server, conversation),
  };
}

function activeTab(): vscode.Uri {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : vscode.Uri.from({ scheme: "none" });
}

async function selectProject(server: Server, conversation: Conversation): Promise<void> {
  const { projects } = await server.request("teamwright.project.list", {});
  const create = { label: "$(add) New project…", description: "", name: "" };
  const items = projects.map(({ name, goal }) => ({ label: name, description: goal, name }));
  const picked = await vscode.window.showQuickPick([...items, create], { placeHolder: "Project of this session" });
  if (picked === undefined) return;
  const session = conversation.sessionId === undefined ? {} : { sessionId: conversation.sessionId };
  if (picked.name !== "") {
    await server.request("teamwright.project.select", { name: picked.name, ...session });
    return;
  }
  const name = await vscode.window.showInputBox({ prompt: "Name of the project" });
  if (!name) return;
  const goal = await vscode.window.showInputBox({ prompt: "What is it for?" });
  await server.request("teamwright.project.create", { name, goal: goal ?? "", ...session });
}
