/** Commands that put the team to work, and those on its work. */

import * as vscode from "vscode";
import { type Attachable, enclosureOf, selectedCode } from "../attachments.js";
import { chosenFiles, hunkId, hunkIds, withRefusals } from "../changes/choice.js";
import { openChange } from "../changes/lenses.js";
import type { ChangeReview } from "../changes/review.js";
import type { Conversation } from "../conversation.js";
import type { ToWebview } from "../messages.js";
import type { Store } from "../model/store.js";
import type { CodeActionParams } from "../protocol.gen.js";
import type { Server } from "../server/server.js";
import type { ChatView } from "../views/chat.js";
import type { RunPanels } from "../views/run_panel.js";
import type { CommandTable } from "./table.js";

interface Parts {
  server: Server;
  store: Store;
  conversation: Conversation;
  chat: ChatView;
  runs: RunPanels;
  review: ChangeReview;
}

type Task = "quorate.review" | "quorate.explain" | "quorate.fix" | "quorate.test";

export function workCommands({ server, store, conversation, chat, runs, review }: Parts): CommandTable {
  const start = async (task: Task, params: CodeActionParams) => {
    const { sessionId } = await server.request(task, params);
    conversation.begun(sessionId);
    await chat.show();
  };
  const attach = (what: Attachable) => chat.show({ type: "attached", ...enclosureOf(what) });
  const proposed = (uri: unknown) => {
    const open = openChange(store.state, uri instanceof vscode.Uri ? uri : activeTab());
    if (open === undefined) throw new Error("This change is not open any more.");
    return { ...open, refused: store.state.refused[open.decision.decisionId] ?? [] };
  };
  const refuse = (decisionId: string, hunks: string[]) => store.dispatch({ type: "refused", decisionId, hunks });
  const key = (name: Extract<ToWebview, { type: "key" }>["key"]) => chat.tell({ type: "key", key: name });

  return {
    focus: () => chat.show({ type: "key", key: "compose" }),
    togglePlan: () => key("plan"),
    override: () => {
      const open = Object.values(store.state.waiting).find(({ decision }) => decision.kind === "override");
      if (open?.runId === undefined) throw new Error("No vote waits for your word.");
      runs.open(open.runId, { type: "key", key: "override" });
    },
    attachSelection: () => attach("selection"),
    attachFile: () => attach("file"),
    attachProblems: () => attach("problems"),
    reviewSelection: () => start("quorate.review", selectedCode()),
    explainSelection: () => start("quorate.explain", selectedCode()),
    fixSelection: () => start("quorate.fix", selectedCode()),
    testSelection: () => start("quorate.test", selectedCode()),
    reviewDiff: async () => {
      const base = await vscode.window.showInputBox({ prompt: "Review the changes since", value: "HEAD" });
      if (base) await start("quorate.review", { diff: { base } });
    },
    openRun: async (runId, sessionId) => {
      if (typeof sessionId === "string" && sessionId !== conversation.sessionId) await conversation.open(sessionId);
      const last = Object.keys(store.state.current?.runs ?? {}).at(-1);
      const wanted = typeof runId === "string" ? runId : last;
      if (wanted === undefined) throw new Error("This session has no run yet.");
      runs.open(wanted);
    },
    cancelRun: async () => {
      const run = Object.values(store.state.current?.runs ?? {}).find((each) => each.ending === undefined);
      if (run === undefined) throw new Error("Nothing is running.");
      await server.request("quorate.cancel", { runId: run.runId });
    },
    acceptChange: async (uri) => {
      const { decision, refused } = proposed(uri);
      const edits = chosenFiles(decision.detail.changes, refused);
      const choice = edits?.files.length === 0 ? "cancel" : "approve";
      await server.request("quorate.approve", {
        decisionId: decision.decisionId,
        choice,
        ...(choice === "approve" ? { edits } : {}),
      });
    },
    refuseChange: (uri) => {
      const { decision, change, refused } = proposed(uri);
      refuse(decision.decisionId, withRefusals(refused, hunkIds(change), true));
    },
    toggleHunk: (uri, index) => {
      const { decision, change, refused } = proposed(uri);
      const id = hunkId(change.uri, Number(index));
      refuse(decision.decisionId, withRefusals(refused, [id], !refused.includes(id)));
    },
    undoChanges: async () => {
      const run = Object.values(store.state.current?.runs ?? {}).findLast((each) => each.settled.length > 0);
      if (run === undefined) throw new Error("No changes of Quorate were applied in this session.");
      await review.undo(run.runId);
    },
    selectProject: () => selectProject(server, conversation),
  };
}

function activeTab(): vscode.Uri {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : vscode.Uri.from({ scheme: "none" });
}

async function selectProject(server: Server, conversation: Conversation): Promise<void> {
  const { projects } = await server.request("quorate.project.list", {});
  const create = { label: "$(add) New project…", description: "", name: "" };
  const items = projects.map(({ name, goal }) => ({ label: name, description: goal, name }));
  const picked = await vscode.window.showQuickPick([...items, create], { placeHolder: "Project of this session" });
  if (picked === undefined) return;
  const session = conversation.sessionId === undefined ? {} : { sessionId: conversation.sessionId };
  if (picked.name !== "") {
    await server.request("quorate.project.select", { name: picked.name, ...session });
    return;
  }
  const name = await vscode.window.showInputBox({ prompt: "Name of the project" });
  if (!name) return;
  const goal = await vscode.window.showInputBox({ prompt: "What is it for?" });
  await server.request("quorate.project.create", { name, goal: goal ?? "", ...session });
}
