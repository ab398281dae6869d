/** What the web views ask the editor to do. */

import * as vscode from "vscode";
import { type Enclosure, enclosureOf, lastEditor } from "../attachments.js";
import type { ChangeReview } from "../changes/review.js";
import type { Conversation } from "../conversation.js";
import { type EditorAction, UI_COMMANDS } from "../messages.js";
import type { Range } from "../protocol.gen.js";
import type { Store } from "../state.js";
import { sayFaults } from "./notifications.js";

const DRAFTS = "teamwright.drafts";

/** What was written and not sent, by session. It survives a reload of the window. */
export class Drafts {
  constructor(private readonly memory: vscode.Memento) {}

  get all(): Record<string, string> {
    return this.memory.get(DRAFTS, {});
  }

  async keep(key: string, text: string): Promise<void> {
    const { [key]: _, ...others } = this.all;
    await this.memory.update(DRAFTS, text === "" ? others : { ...others, [key]: text });
  }
}

export interface EditorActionsOptions {
  store: Store;
  conversation: Conversation;
  review: ChangeReview;
  drafts: Drafts;
  openRun: (runId: string) => void;
  saveReport: (runId: string) => Promise<void>;
  attach: (enclosure: Enclosure) => void;
}

export class EditorActions {
  constructor(private readonly options: EditorActionsOptions) {}

  perform(action: EditorAction): Promise<void> {
    return sayFaults(() => this.#perform(action));
  }

  async #perform(action: EditorAction): Promise<void> {
    const { conversation, review, store } = this.options;
    switch (action.do) {
      case "openSession":
        return conversation.open(action.sessionId);
      case "loadEarlier":
        return conversation.loadEarlier();
      case "copy":
        return vscode.env.clipboard.writeText(action.text);
      case "insert":
        return insertAtCursor(action.text);
      case "applyCode":
        return applyToSelection(action.text);
      case "openUri":
        return openUri(action.uri, action.range);
      case "openLink":
        return openLink(action.href);
      case "openRun":
        return this.options.openRun(action.runId);
      case "saveReport":
        return this.options.saveReport(action.runId);
      case "refuseHunks":
        return store.set({ refused: { ...store.state.refused, [action.entryId]: action.hunks } });
      case "openChanges":
        return review.open(action.runId, action.uris);
      case "attach":
        return this.options.attach(enclosureOf(action.what));
      case "runCommand":
        if (UI_COMMANDS.includes(action.command)) await vscode.commands.executeCommand(action.command);
        return;
      case "keepDraft":
        return this.options.drafts.keep(action.key, action.text);
    }
  }
}

async function insertAtCursor(text: string): Promise<void> {
  const editor = lastEditor();
  await editor.edit((edit) => edit.replace(editor.selection, text));
}

/** Replaces the selection, or the whole file if nothing is selected, after the user has seen the difference. */
async function applyToSelection(text: string): Promise<void> {
  const { document, selection } = lastEditor();
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const edit = new vscode.WorkspaceEdit();
  const confirm = { needsConfirmation: true, label: "Apply code from Teamwright" };
  edit.replace(document.uri, document.validateRange(selection.isEmpty ? whole : selection), text, confirm);
  await vscode.workspace.applyEdit(edit);
}

async function openUri(uri: string, range?: Range): Promise<void> {
  const options: vscode.TextDocumentShowOptions = range === undefined ? {} : { selection: toRange(range) };
  await vscode.window.showTextDocument(vscode.Uri.parse(uri, true), options);
}

function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Links come from models: web pages and files of the workspace are opened, nothing else. */
async function openLink(href: string): Promise<void> {
  if (/^https?:\/\//i.test(href)) {
    await vscode.env.openExternal(vscode.Uri.parse(href, true));
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0];
  const [path = "", line] = decodeURIComponent(href).split(/[#:]L?/);
  if (folder === undefined || /^\w+:/.test(href) || path.split(/[\\/]/).includes("..")) return;
  const at = Math.max(0, Number(line ?? 1) - 1 || 0);
  const selection = new vscode.Range(at, 0, at, 0);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, path), { selection });
}
