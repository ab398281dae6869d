/** In the diff of a proposed change: accept or refuse each hunk where it stands, then apply what is accepted. */

import * as vscode from "vscode";
import type { State } from "../model/state.js";
import type { Store } from "../model/store.js";
import type { Change, ChangesDecision } from "../protocol.gen.js";
import { chosenFiles, hunkId } from "./choice.js";
import { CHANGE_SCHEME, changeAddress } from "./review.js";

export interface OpenChange {
  decision: ChangesDecision;
  change: Change;
}

/** The decision that is still open about the change which a document shows. */
export function openChange(state: State, uri: vscode.Uri): OpenChange | undefined {
  const address = changeAddress(uri);
  for (const { decision, runId, resolution } of Object.values(state.current?.decisions ?? {})) {
    if (decision.kind !== "changes" || resolution !== undefined || runId !== address?.runId) continue;
    const change = decision.detail.changes.find((each) => each.uri === address?.uri);
    if (change !== undefined) return { decision, change };
  }
  return undefined;
}

export class ChangeLenses implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(private readonly store: Store) {
    let drawn: unknown;
    store.subscribe(({ refused, current }) => {
      if (drawn !== refused && current !== null) this.#changed.fire();
      drawn = refused;
    });
  }

  register(): vscode.Disposable {
    return vscode.languages.registerCodeLensProvider({ scheme: CHANGE_SCHEME }, this);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const open = openChange(this.store.state, document.uri);
    if (open === undefined || changeAddress(document.uri)?.side !== "after") return [];
    const { decision, change } = open;
    const refused = this.store.state.refused[decision.decisionId] ?? [];
    const count = chosenFiles(decision.detail.changes, refused)?.files.length ?? decision.detail.changes.length;
    const lens = (line: number, title: string, command: string, ...args: unknown[]) => {
      const at = new vscode.Range(line, 0, line, 0);
      return new vscode.CodeLens(at, { title, command: `quorate.ui.${command}`, arguments: args });
    };
    const apply = lens(
      0,
      `$(check-all) Apply accepted (${count} of ${decision.detail.changes.length} files)`,
      "acceptChange",
      document.uri,
    );
    const hunks = change.hunks.map(({ index, newStart }) => {
      const isRefused = refused.includes(hunkId(change.uri, index));
      const title = isRefused ? "$(circle-slash) Refused: accept this change" : "$(check) Accepted: refuse this change";
      return lens(Math.max(0, newStart - 1), title, "toggleHunk", document.uri, index);
    });
    return [apply, ...hunks];
  }
}
