/** Proposed changes in the editor's own diff views, where each hunk can be accepted or refused where it stands. */

import * as vscode from "vscode";
import type { LiveTranscript } from "../live_transcript.js";
import type { Action, DiffData, Entry, InputField } from "../protocol.gen.js";
import type { Server } from "../server/server.js";
import type { Store } from "../state.js";
import { chosenFiles, diffsOf, hunkId, hunksAction } from "./choice.js";

export const CHANGE_SCHEME = "teamwright-change";

/** Which side of which change a virtual document shows: kept in its address, so that it survives a reload. */
interface ChangeAddress {
  runId: string;
  uri: string;
  side: "before" | "after";
}

/** A change that still waits for the user's word. */
export interface OpenChange {
  entry: Entry;
  diff: DiffData;
  action: Action;
  field: InputField;
  refused: readonly string[];
}

export class ChangeReview implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider {
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor(
    private readonly server: Server,
    private readonly store: Store,
    private readonly transcript: LiveTranscript,
  ) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(CHANGE_SCHEME, this),
      vscode.languages.registerCodeLensProvider({ scheme: CHANGE_SCHEME }, this),
      this.store.subscribe((_, { refused }) => refused !== undefined && this.#lensesChanged.fire()),
      this.transcript.subscribe(() => this.#followTranscript()),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = changeAddress(uri);
    if (address === undefined) return "";
    const { runId, uri: file } = address;
    return (await this.server.request("teamwright.changes.open", { runId, uri: file }))[address.side];
  }

  async open(runId: string, uris: readonly string[]): Promise<void> {
    const [only, ...others] = uris;
    if (only === undefined) return;
    if (others.length === 0) {
      const name = vscode.workspace.asRelativePath(vscode.Uri.parse(only));
      await vscode.commands.executeCommand("vscode.diff", ...sides(runId, only), `${name} (proposed by Teamwright)`);
      return;
    }
    const resources = uris.map((uri) => [vscode.Uri.parse(uri), ...sides(runId, uri)]);
    await vscode.commands.executeCommand("vscode.changes", "Changes proposed by Teamwright", resources);
  }

  /** What still waits about the change that a document shows. */
  openChange(document: vscode.Uri): OpenChange | undefined {
    const address = changeAddress(document);
    for (const entry of this.transcript.entries) {
      const diff = diffsOf(entry).find(({ uri }) => uri === address?.uri);
      const choice = hunksAction(entry);
      if (entry.runId !== address?.runId || diff === undefined || choice === undefined) continue;
      return { entry, diff, ...choice, refused: this.store.state.refused[entry.entryId] ?? [] };
    }
    return undefined;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const open = this.openChange(document.uri);
    if (open === undefined || changeAddress(document.uri)?.side !== "after") return [];
    const { entry, diff, refused } = open;
    const diffs = diffsOf(entry);
    const count = chosenFiles(diffs, refused)?.length ?? diffs.length;
    const lens = (line: number, title: string, command: string, ...args: unknown[]) => {
      const at = new vscode.Range(line, 0, line, 0);
      return new vscode.CodeLens(at, { title, command: `teamwright.ui.${command}`, arguments: args });
    };
    const summary = `$(check-all) Apply accepted (${count} of ${diffs.length} ${diffs.length === 1 ? "file" : "files"})`;
    const hunks = diff.hunks.map(({ index, newStart }) => {
      const isRefused = refused.includes(hunkId(diff.uri, index));
      const title = isRefused ? "$(circle-slash) Refused: accept this change" : "$(check) Accepted: refuse this change";
      return lens(Math.max(0, newStart - 1), title, "toggleHunk", document.uri, index);
    });
    return [lens(0, summary, "acceptChange", document.uri), ...hunks];
  }

  #waiting = "";

  /** Lenses come and go with the entries that wait; text that streams changes nothing about them. */
  #followTranscript(): void {
    const waiting = this.transcript.entries
      .filter(hunksAction)
      .map(({ entryId }) => entryId)
      .join();
    if (waiting !== this.#waiting) this.#lensesChanged.fire();
    this.#waiting = waiting;
  }
}

function changeUri(address: ChangeAddress): vscode.Uri {
  const { path } = vscode.Uri.parse(address.uri);
  return vscode.Uri.from({ scheme: CHANGE_SCHEME, path, query: JSON.stringify(address) });
}

function changeAddress(uri: vscode.Uri): ChangeAddress | undefined {
  return uri.scheme === CHANGE_SCHEME ? (JSON.parse(uri.query) as ChangeAddress) : undefined;
}

function sides(runId: string, uri: string): [vscode.Uri, vscode.Uri] {
  return [changeUri({ runId, uri, side: "before" }), changeUri({ runId, uri, side: "after" })];
}
