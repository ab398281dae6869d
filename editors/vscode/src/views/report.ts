/** A run as a page of its own, where the user wants it. */

import * as vscode from "vscode";
import type { Server } from "../server/server.js";
import { say } from "./saying.js";

export async function saveReport(server: Server, runId: string): Promise<void> {
  const { text, name } = await server.request("teamwright.run.report", { runId });
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: "Save the report",
    filters: { "Web page": ["html"] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const open = "Open in the browser";
  if ((await say.info(`The report is saved as ${vscode.workspace.asRelativePath(target)}.`, open)) === open) {
    await vscode.env.openExternal(target);
  }
}

export async function showTeamStats(server: Server): Promise<void> {
  const { text } = await server.request("teamwright.stats", {});
  const document = await vscode.workspace.openTextDocument({ content: text, language: "markdown" });
  await vscode.window.showTextDocument(document);
}
