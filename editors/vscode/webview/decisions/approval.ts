/** A run before it starts: what it will do and cost, with Approve, Edit and Cancel. */

import { html, nothing, type TemplateResult } from "lit";
import type { ResolvedRunSpec, RunDecision } from "../../src/protocol.gen.js";
import { Part } from "../element.js";
import { ask } from "../port.js";
import { editsFrom, specForm } from "./spec_form.js";

export class Approval extends Part {
  static override properties = { decision: { attribute: false }, editing: { state: true } };
  declare decision: RunDecision;
  declare editing: boolean;

  constructor() {
    super();
    this.editing = false;
  }

  protected override render(): TemplateResult {
    const { detail } = this.decision;
    return html`
      ${detail.reason === "" ? nothing : html`<p class="muted">${detail.reason}</p>`}
      ${this.editing ? specForm(detail.spec) : facts(this.decision)}
      <div class="buttons">
        <vscode-button icon="check" @click=${() => this.#settle("approve")}>${this.editing ? "Approve with edits" : "Approve"}</vscode-button>
        <vscode-button secondary icon="edit" @click=${this.#toggle}>${this.editing ? "Discard edits" : "Edit"}</vscode-button>
        <vscode-button secondary icon="close" @click=${() => this.#settle("cancel")}>Cancel</vscode-button>
      </div>
      ${this.faultLine()}`;
  }

  #toggle = (): void => {
    this.editing = !this.editing;
  };

  #settle(choice: "approve" | "cancel"): void {
    const { decisionId, detail } = this.decision;
    void this.attempt(async () => {
      const edits = this.editing && choice === "approve" ? editsFrom(this, detail.spec) : null;
      await ask("quorate.approve", { decisionId, choice, edits });
    });
  }
}

function facts({ detail }: RunDecision): TemplateResult {
  const { spec, files, estimate } = detail;
  const row = (label: string, value: unknown) => html`<dt>${label}</dt><dd>${value}</dd>`;
  return html`<dl class="facts">
    ${row("Task", html`<q-markdown .text=${spec.task}></q-markdown>`)}
    ${spec.context === undefined ? nothing : row("Context", spec.context)}
    ${row("Mode", modeOf(spec))} ${row("Agents", spec.agents.join(", "))}
    ${
      files.length === 0
        ? nothing
        : row(
            "Files",
            html`${files.map((file) => html`<div><code>${file.path}</code> <span class="muted">${file.permission}, ${file.count} ${file.count === 1 ? "file" : "files"}</span></div>`)}`,
          )
    }
    ${row("Cost", estimate === null ? "unknown" : `$${estimate.usdLow.toFixed(2)} to $${estimate.usdHigh.toFixed(2)}`)}
  </dl>`;
}

function modeOf(spec: ResolvedRunSpec): string {
  const parts = [
    spec.agentMode === "multi" ? "team" : "single agent",
    spec.refinement ? "with refinement" : "one answer each",
  ];
  if (spec.planningMode) parts.push(spec.executeAfterPlanning ? "plans, then carries it out" : "plans only");
  return parts.join(", ");
}

customElements.define("q-approval", Approval);
