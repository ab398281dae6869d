/** A file's change, hunk by hunk; where it is there to be chosen from, with a box to tick for each hunk. */

import { html, nothing, type TemplateResult } from "lit";
import { hunkId, hunkIds, withRefusals } from "../src/changes/choice.js";
import type { DiffHunk, DiffPart } from "../src/protocol.gen.js";
import { type Drawn, icon, View } from "./element.js";
import { diffLine } from "./parts.js";
import { perform } from "./port.js";

const CHANGE_ICONS = { create: "diff-added", edit: "diff-modified", delete: "diff-removed" } as const;
const OUTCOME_ICONS = { applied: "pass", rejected: "circle-slash", conflicted: "warning" } as const;

export class DiffView extends View {
  static override properties = {
    file: { attribute: false },
    entryId: { attribute: false },
    refused: { attribute: false },
    extra: { attribute: false },
  };
  declare file: DiffPart;
  declare entryId: string;
  /** Kept by the extension, because the diff editors show it too. Null: there is nothing to choose. */
  declare refused: readonly string[] | null;
  declare extra: Drawn;

  protected override render(): TemplateResult {
    const { text, title, folded, truncated, data } = this.file;
    const { change, added, removed, hunks, outcome } = data;
    return html`<details class="file-change" ?open=${!folded}>
      <summary>
        ${this.#fileBox()} ${icon(CHANGE_ICONS[change])} <span class="agent-name">${text}</span>
        <span class="counts"><span class="added">+${added}</span> <span class="removed">−${removed}</span></span>
        ${outcome === undefined ? nothing : html`<span class="outcome ${outcome}">${icon(OUTCOME_ICONS[outcome])}</span>`}
        <span class="muted">${title ?? ""}</span> <span class="grow"></span> ${this.extra}
      </summary>
      ${hunks.map((hunk, position) => this.#hunk(hunk, position))}
      ${truncated ? html`<p class="muted">The rest is in the diff editor.</p>` : nothing}
    </details>`;
  }

  #fileBox(): Drawn {
    const { refused } = this;
    if (refused === null) return nothing;
    const ids = hunkIds(this.file.data);
    const none = ids.every((id) => refused.includes(id));
    const all = ids.every((id) => !refused.includes(id));
    return html`<input type="checkbox" aria-label="Apply ${this.file.text}" .checked=${all} .indeterminate=${!all && !none}
      @click=${(event: Event) => event.stopPropagation()} @change=${() => this.#refuse(ids, !none)} />`;
  }

  #hunk(hunk: DiffHunk, position: number): TemplateResult {
    const { index, oldStart, oldLines, newStart, newLines, lines } = hunk;
    const id = hunkId(this.file.data.uri, index);
    const accepted = !this.refused?.includes(id);
    const head = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
    const box = html`<input type="checkbox" aria-label="Apply change ${position + 1} of ${this.file.text}"
      .checked=${accepted} @change=${() => this.#refuse([id], accepted)} />`;
    return html`<div class="hunk ${accepted ? "" : "refused"}">
      <label class="check">${this.refused === null ? nothing : box} <span class="muted">${head}</span></label>
      <pre class="lines">${lines.map(diffLine)}</pre>
    </div>`;
  }

  #refuse(ids: readonly string[], refuse: boolean): void {
    const hunks = withRefusals(this.refused ?? [], ids, refuse);
    perform({ do: "refuseHunks", entryId: this.entryId, hunks });
  }
}

customElements.define("q-diff", DiffView);
