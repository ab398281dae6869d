/** Files of the workspace, by a part of their path. */

import * as vscode from "vscode";
import type { FileMatch } from "../messages.js";

const LIMIT = 12;
const SCANNED = 2000;

export async function findFiles(query: string): Promise<FileMatch[]> {
  const found = await vscode.workspace.findFiles("**/*", undefined, SCANNED);
  const wanted = query.toLowerCase();
  return found
    .map((uri) => ({ uri: uri.toString(), path: vscode.workspace.asRelativePath(uri) }))
    .filter(({ path }) => path.toLowerCase().includes(wanted))
    .sort((a, b) => a.path.length - b.path.length || a.path.localeCompare(b.path))
    .slice(0, LIMIT);
}
