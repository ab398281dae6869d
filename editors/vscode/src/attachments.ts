/** What the user can put before the team: the selection, the file, its problems, a file by its name. */

import * as vscode from "vscode";
import type { FileMatch } from "./messages.js";
import type { Attachment, CodeActionParams, Range } from "./protocol.gen.js";

const LISTED_FILES = 12;
const SCANNED_FILES = 2000;

export type Attachable = "selection" | "file" | "problems";

/** What is attached, and what the message says of it. */
export interface Enclosure {
  attachments: Attachment[];
  text: string;
}

export function enclosureOf(what: Attachable): Enclosure {
  const { document, selection } = lastEditor();
  const uri = document.uri.toString();
  switch (what) {
    case "file":
      return { attachments: [{ uri }], text: "" };
    case "selection":
      return { attachments: [selection.isEmpty ? { uri } : { uri, range: fromRange(selection) }], text: "" };
    case "problems":
      return { attachments: [{ uri }], text: problemList(document.uri) };
  }
}

/** The editor that was last used; the panel has the focus while its buttons are pressed. */
export function lastEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) throw new Error("Open a file first.");
  return editor;
}

/** The selection of the active editor as the code-action commands take it. */
export function selectedCode(): CodeActionParams {
  const [attachment] = enclosureOf("selection").attachments;
  return { uri: attachment?.uri ?? null, range: attachment?.range ?? null };
}

function problemList(uri: vscode.Uri): string {
  const problems = vscode.languages.getDiagnostics(uri);
  if (problems.length === 0) throw new Error("This file has no problems to attach.");
  const name = vscode.workspace.asRelativePath(uri);
  return problems.map(({ range, message }) => `${name}:${range.start.line + 1}: ${message}`).join("\n");
}

function fromRange({ start, end }: vscode.Range): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}

/** Files of the workspace, by a part of their path. */
export async function findFiles(query: string): Promise<FileMatch[]> {
  const found = await vscode.workspace.findFiles(`**/*${inAnyCase(query)}*`, undefined, SCANNED_FILES);
  return found
    .map((uri) => ({ uri: uri.toString(), path: vscode.workspace.asRelativePath(uri) }))
    .sort((a, b) => a.path.length - b.path.length || a.path.localeCompare(b.path))
    .slice(0, LISTED_FILES);
}

/** As a glob, in which letters stand for both of their cases, and what has a meaning of its own for any character. */
function inAnyCase(query: string): string {
  return query
    .replace(/[*?{}[\]!,\\]/g, "?")
    .replace(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
