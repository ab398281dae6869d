/** Proposed changes: each file and each hunk has a check box; what is ticked is applied, the rest refused. */

import { html, nothing, type TemplateResult } from "lit";
import { chosenFiles, hunkId, hunkIds, withRefusals } from "../../src/changes/choice.js";
import type { Change, ChangesDecision } from "../../src/protocol.gen.js";
import { icon, Part } from "../element.js";
import { ask, perform } from "../port.js";
import { fileName } from "../run_parts.js";
import { hunksOf } from "./hunk_lines.js";

const KIND_ICONS = { create: "diff-added", edit: "diff-modified", delete: "diff-removed" } as const;

export class ChangesReview extends Part {
  static override properties = {
    decision: { attribute: false },
    runId: { attribute: false },
    refused: { attribute: false },
  };
  declare decision: ChangesDecision;
  declare runId: string;
  /** Kept by the extension, because the diff editors show it too. */
  declare refused: readonly string[];

  protected override render(): TemplateResult {
    const { changes } = this.decision.detail;
    const none = chosenFiles(changes, this.refused)?.files.length === 0;
    return html`
      ${changes.map((change) => this.#file(change))}
      <div class="buttons">
        <vscode-button icon="check" ?disabled=${none} @click=${this.#apply}>
          ${this.refused.length === 0 ? "Apply all" : "Apply selected"}
        </vscode-button>
        <vscode-button secondary icon="diff-multiple" @click=${() => perform({ do: "reviewChanges", runId: this.runId })}>
          Open diff
        </vscode-button>
        <vscode-button secondary icon="close" @click=${this.#discard}>Refuse all</vscode-button>
      </div>
      ${this.faultLine()}`;
  }

  #file(change: Change): TemplateResult {
    const ids = hunkIds(change);
    const all = ids.every((id) => !this.refused.includes(id));
    const none = ids.every((id) => this.refused.includes(id));
    const toggle = () => this.#set(ids, !none);
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
    const id = hunkId(change.uri, index);
    const accepted = !this.refused.includes(id);
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
    const hunks = withRefusals(this.refused, ids, refuse);
    perform({ do: "refuseHunks", decisionId: this.decision.decisionId, hunks });
  }

  #apply = (): void => {
    const { decisionId, detail } = this.decision;
    const edits = chosenFiles(detail.changes, this.refused);
    void this.attempt(() => ask("quorate.approve", { decisionId, choice: "approve", edits }));
  };

  #discard = (): void => {
    void this.attempt(() => ask("quorate.approve", { decisionId: this.decision.decisionId, choice: "cancel" }));
  };

  #openDiff(event: Event, change: Change): void {
    event.preventDefault();
    perform({ do: "openChange", runId: this.runId, uri: change.uri });
  }
}

function lineClass(line: string): string {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}

customElements.define("q-changes", ChangesReview);
