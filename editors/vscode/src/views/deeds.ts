/** What the web views ask the editor to do. */

import * as vscode from "vscode";
import { type Enclosure, enclosureOf, lastEditor } from "../attachments.js";
import type { ChangeReview } from "../changes/review.js";
import type { Conversation } from "../conversation.js";
import type { Drafts } from "../drafts.js";
import { type Deed, UI_COMMANDS } from "../messages.js";
import type { Store } from "../model/store.js";
import type { Range } from "../protocol.gen.js";
import { sayFaults } from "./faults.js";

export interface DeedsOptions {
  store: Store;
  conversation: Conversation;
  review: ChangeReview;
  drafts: Drafts;
  openRun: (runId: string) => void;
  attach: (enclosure: Enclosure) => void;
}

export class Deeds {
  constructor(private readonly options: DeedsOptions) {}

  perform(deed: Deed): Promise<void> {
    return sayFaults(() => this.#perform(deed));
  }

  async #perform(deed: Deed): Promise<void> {
    const { conversation, review } = this.options;
    switch (deed.do) {
      case "newSession":
        return conversation.leave();
      case "openSession":
        return conversation.open(deed.sessionId);
      case "loadEarlier":
        return conversation.loadEarlier();
      case "copy":
        return vscode.env.clipboard.writeText(deed.text);
      case "insert":
        return insertAtCursor(deed.text);
      case "applyCode":
        return applyToSelection(deed.text);
      case "openUri":
        return openUri(deed.uri, deed.range);
      case "openLink":
        return openLink(deed.href);
      case "openRun":
        return this.options.openRun(deed.runId);
      case "openText":
        return openText(deed.text, deed.language);
      case "compare":
        return review.compareTexts(deed.left, deed.right, deed.title);
      case "refuseHunks":
        return this.options.store.dispatch({ type: "refused", decisionId: deed.decisionId, hunks: deed.hunks });
      case "openChange":
        return review.openChange(deed.runId, deed.uri);
      case "reviewChanges":
        return review.openAll(deed.runId);
      case "undoChanges":
        return review.undo(deed.runId);
      case "attach":
        return this.options.attach(enclosureOf(deed.what));
      case "runCommand":
        if (UI_COMMANDS.includes(deed.command)) await vscode.commands.executeCommand(deed.command);
        return;
      case "keepDraft":
        return this.options.drafts.keep(deed.key, deed.text);
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
  const confirm = { needsConfirmation: true, label: "Apply code from Quorate" };
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

async function openText(content: string, language: string): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language }), {
    preview: true,
  });
}
