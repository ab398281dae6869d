/** Proposed changes: each file and each hunk has a check box; what is ticked is applied, the rest refused. */

import { html, nothing, type TemplateResult } from "lit";
import type { Change, ChangesDecision, FileChoice } from "../../src/protocol.gen.js";
import { icon, Part } from "../element.js";
import { ask, perform } from "../port.js";
import { fileName } from "../run_parts.js";
import { hunksOf } from "./hunk_lines.js";

const KIND_ICONS = { create: "diff-added", edit: "diff-modified", delete: "diff-removed" } as const;

export class ChangesReview extends Part {
  static override properties = {
    decision: { attribute: false },
    runId: { attribute: false },
    refused: { state: true },
  };
  declare decision: ChangesDecision;
  declare runId: string;
  /** By file and hunk; what is not in here is accepted. */
  declare refused: ReadonlySet<string>;

  constructor() {
    super();
    this.refused = new Set();
  }

  protected override render(): TemplateResult {
    const { changes } = this.decision.detail;
    const chosen = this.#chosen();
    return html`
      ${changes.map((change) => this.#file(change))}
      <div class="buttons">
        <vscode-button icon="check" ?disabled=${chosen.length === 0} @click=${() => this.#apply(chosen)}>
          ${this.refused.size === 0 ? "Apply all" : "Apply selected"}
        </vscode-button>
        <vscode-button secondary icon="diff-multiple" @click=${() => perform({ do: "reviewChanges", runId: this.runId })}>
          Open diff
        </vscode-button>
        <vscode-button secondary icon="close" @click=${this.#discard}>Refuse all</vscode-button>
      </div>
      ${this.faultLine()}`;
  }

  #file(change: Change): TemplateResult {
    const all = change.hunks.every((hunk) => !this.refused.has(key(change, hunk.index)));
    const none = change.hunks.every((hunk) => this.refused.has(key(change, hunk.index))) && change.hunks.length > 0;
    const toggle = () =>
      this.#set(
        change.hunks.map((hunk) => key(change, hunk.index)),
        !none,
      );
    const name = fileName(change.uri);
    return html`<details class="file-change" open>
      <summary>
        <input type="checkbox" aria-label="Apply ${name}" .checked=${all} .indeterminate=${!all && !none} @click=${(event: Event) => event.stopPropagation()} @change=${toggle} />
        ${icon(KIND_ICONS[change.kind])}
        <span class="agent-name">${name}</span>
        <span class="muted">by ${change.agentId}</span>
        <button class="icon-button" title="Open the diff of ${name}" aria-label="Open the diff of ${name}"
          @click=${(event: Event) => this.#openDiff(event, change)}>${icon("diff")}</button>
      </summary>
      ${hunksOf(change.diff).map((lines, position) => this.#hunk(change, position, lines))}
      ${change.truncated ? html`<p class="muted">The rest is in the diff editor.</p>` : nothing}
    </details>`;
  }

  #hunk(change: Change, position: number, lines: readonly string[]): TemplateResult {
    const index = change.hunks[position]?.index ?? position;
    const id = key(change, index);
    const accepted = !this.refused.has(id);
    return html`<div class="hunk ${accepted ? "" : "refused"}">
      <label class="check">
        <input type="checkbox" aria-label="Apply change ${position + 1} of ${fileName(change.uri)}" .checked=${accepted}
          @change=${() => this.#set([id], accepted)} />
        <span class="muted">${lines[0]}</span>
      </label>
      <pre>${lines.slice(1).map((line) => html`<span class=${lineClass(line)}>${line}\n</span>`)}</pre>
    </div>`;
  }

  #set(ids: readonly string[], refuse: boolean): void {
    const next = new Set(this.refused);
    for (const id of ids) {
      if (refuse) next.add(id);
      else next.delete(id);
    }
    this.refused = next;
  }

  #chosen(): FileChoice[] {
    return this.decision.detail.changes.flatMap((change) => {
      const hunks = change.hunks.map(({ index }) => index).filter((index) => !this.refused.has(key(change, index)));
      if (hunks.length === change.hunks.length) return [{ uri: change.uri }];
      return hunks.length === 0 ? [] : [{ uri: change.uri, hunks }];
    });
  }

  #apply(files: FileChoice[]): void {
    const { decisionId } = this.decision;
    const edits = this.refused.size === 0 ? null : { files };
    void this.attempt(() => ask("quorate.approve", { decisionId, choice: "approve", edits }));
  }

  #discard = (): void => {
    void this.attempt(() => ask("quorate.approve", { decisionId: this.decision.decisionId, choice: "cancel" }));
  };

  #openDiff(event: Event, change: Change): void {
    event.preventDefault();
    perform({ do: "openChange", runId: this.runId, uri: change.uri });
  }
}

function key(change: Change, hunk: number): string {
  return `${change.uri}#${hunk}`;
}

function lineClass(line: string): string {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}

customElements.define("q-changes", ChangesReview);
