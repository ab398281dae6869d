/** What the user can put before the team: the selection, the file, its problems. */

import * as vscode from "vscode";
import type { Attachment, CodeActionParams, Range } from "./protocol.gen.js";

export function attachmentsOf(what: "selection" | "file" | "problems"): Attachment[] {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) throw new Error("Open a file first, then attach it.");
  const uri = editor.document.uri.toString();
  switch (what) {
    case "file":
      return [{ uri }];
    case "selection":
      return editor.selection.isEmpty ? [{ uri }] : [{ uri, range: fromRange(editor.selection) }];
    case "problems": {
      const problems = vscode.languages.getDiagnostics(editor.document.uri);
      if (problems.length === 0) throw new Error("This file has no problems to attach.");
      return problems.map((problem) => ({ uri, range: fromRange(wholeLines(problem.range)) }));
    }
  }
}

/** The selection of the active editor as the code-action commands take it. */
export function selectedCode(): CodeActionParams {
  const [attachment] = attachmentsOf("selection");
  return { uri: attachment?.uri ?? null, range: attachment?.range ?? null };
}

export function problemText(uri: vscode.Uri): string {
  return vscode.languages
    .getDiagnostics(uri)
    .map((each) => `- line ${each.range.start.line + 1}: ${each.message}`)
    .join("\n");
}

function wholeLines(range: vscode.Range): vscode.Range {
  return new vscode.Range(range.start.line, 0, range.end.line + 1, 0);
}

function fromRange({ start, end }: vscode.Range): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
