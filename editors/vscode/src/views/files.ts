/** Files of the workspace, by a part of their path. */

import * as vscode from "vscode";
import type { FileMatch } from "../messages.js";

const LIMIT = 12;
const SCANNED = 2000;

export async function findFiles(query: string): Promise<FileMatch[]> {
  const found = await vscode.workspace.findFiles(`**/*${inAnyCase(query)}*`, undefined, SCANNED);
  return found
    .map((uri) => ({ uri: uri.toString(), path: vscode.workspace.asRelativePath(uri) }))
    .sort((a, b) => a.path.length - b.path.length || a.path.localeCompare(b.path))
    .slice(0, LIMIT);
}

/** As a glob, in which letters stand for both of their cases, and what has a meaning of its own for any character. */
function inAnyCase(query: string): string {
  return query
    .replace(/[*?{}[\]!,\\]/g, "?")
    .replace(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
