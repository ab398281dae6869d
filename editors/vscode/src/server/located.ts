/** The server's command as the settings and this machine have it; building an environment shows its progress. */

import * as vscode from "vscode";
import type { Store } from "../model/store.js";
import { type Launch, locateServer } from "./locate.js";

export function locate(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  store: Store,
  outdated: AbortSignal,
): Promise<Launch> {
  const settings = vscode.workspace.getConfiguration("quorate.server");
  const wanted = { command: settings.get<string[]>("command", []), interpreter: settings.get("interpreter", "") };
  return withProgress((report) =>
    locateServer(wanted, async () => ({
      carried: vscode.Uri.joinPath(context.extensionUri, "dist", "server").fsPath,
      storage: context.globalStorageUri.fsPath,
      log: (line) => log.info(line),
      progress: (text) => {
        report(text);
        store.dispatch({ type: "server", server: { state: "starting", text: `Setting up: ${text}` } });
      },
      cancelled: outdated,
    })),
  );
}

function withProgress<T>(task: (report: (text: string) => void) => Promise<T>): Promise<T> {
  const location = vscode.ProgressLocation.Window;
  return Promise.resolve(
    vscode.window.withProgress({ location, title: "Quorate" }, (progress) =>
      task((message) => progress.report({ message })),
    ),
  );
}
