/** Proposed changes in the editor's own diff views. */

import * as vscode from "vscode";
import type { Store } from "../model/store.js";
import type { Change } from "../protocol.gen.js";
import type { Server } from "../server/server.js";

export const CHANGE_SCHEME = "quorate-change";
export const TEXT_SCHEME = "quorate-text";

/** Which side of which change a virtual document shows: kept in its address, so that it survives a reload. */
export interface ChangeAddress {
  runId: string;
  uri: string;
  side: "before" | "after";
}

export function changeUri(address: ChangeAddress): vscode.Uri {
  const { path } = vscode.Uri.parse(address.uri);
  return vscode.Uri.from({ scheme: CHANGE_SCHEME, path, query: JSON.stringify(address) });
}

export function changeAddress(uri: vscode.Uri): ChangeAddress | undefined {
  return uri.scheme === CHANGE_SCHEME ? (JSON.parse(uri.query) as ChangeAddress) : undefined;
}

export class ChangeReview implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();

  constructor(
    private readonly server: Server,
    private readonly store: Store,
  ) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(CHANGE_SCHEME, this),
      vscode.workspace.registerTextDocumentContentProvider(TEXT_SCHEME, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = changeAddress(uri);
    if (address === undefined) return "";
    const { runId, uri: file } = address;
    return (await this.server.request("quorate.changes.open", { runId, uri: file }))[address.side];
  }

  changesOf(runId: string): readonly Change[] {
    return this.store.state.current?.runs[runId]?.changes ?? [];
  }

  async openChange(runId: string, uri: string): Promise<void> {
    const name = vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
    const [left, right] = sides(runId, uri);
    await vscode.commands.executeCommand("vscode.diff", left, right, `${name} (proposed by Quorate)`);
  }

  async openAll(runId: string): Promise<void> {
    const changes = this.changesOf(runId);
    const [only] = changes;
    if (changes.length === 1 && only !== undefined) return this.openChange(runId, only.uri);
    const resources = changes.map(({ uri }) => [vscode.Uri.parse(uri), ...sides(runId, uri)]);
    await vscode.commands.executeCommand("vscode.changes", "Changes proposed by Quorate", resources);
  }

  async undo(runId: string): Promise<void> {
    const { settled } = await this.server.request("quorate.changes.undo", { runId });
    const kept = settled.filter(({ outcome }) => outcome !== "applied");
    for (const { uri, reason } of kept) {
      const name = vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
      void vscode.window.showWarningMessage(`Quorate: ${name} was left as it is. ${reason ?? ""}`);
    }
  }

  async compareTexts(left: string, right: string, title: string): Promise<void> {
    const [a, b] = [this.#keep(left, `${title} a`), this.#keep(right, `${title} b`)];
    await vscode.commands.executeCommand("vscode.diff", a, b, title);
  }

  #keep(text: string, name: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: TEXT_SCHEME, path: `/${name}.md` });
    this.#texts.set(uri.toString(), text);
    return uri;
  }
}

function sides(runId: string, uri: string): [vscode.Uri, vscode.Uri] {
  return [changeUri({ runId, uri, side: "before" }), changeUri({ runId, uri, side: "after" })];
}
