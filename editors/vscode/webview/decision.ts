/** What waits for a person, as a card; once it is decided, as a line that says how. */

import { html, nothing, type TemplateResult } from "lit";
import type { PlacedDecision } from "../src/model/state.js";
import type {
  BudgetDecision,
  CommandDecision,
  Decision,
  InputDecision,
  Resolution,
  ResumeDecision,
} from "../src/protocol.gen.js";
import "./decisions/approval.js";
import "./decisions/changes.js";
import "./decisions/plan.js";
import { countdown } from "./countdown.js";
import { icon, Part } from "./element.js";
import { ask, perform } from "./port.js";

const ICONS: Record<Decision["kind"], string> = {
  run: "rocket",
  plan: "checklist",
  changes: "diff-multiple",
  input: "question",
  override: "law",
  budget: "credit-card",
  command: "terminal",
  resume: "debug-continue",
};

const NONE: readonly string[] = [];

export class DecisionCard extends Part {
  static override properties = { placed: { attribute: false }, refused: { attribute: false } };
  declare placed: PlacedDecision | undefined;
  declare refused: readonly string[] | undefined;

  protected override render(): TemplateResult | typeof nothing {
    if (this.placed === undefined) return nothing;
    const { decision, resolution } = this.placed;
    if (resolution !== undefined) return decided(decision, resolution);
    return html`<section class="card decision ${decision.kind}" role="group" aria-label="Decision: ${decision.title}">
      <header>${icon(ICONS[decision.kind])} <span class="task">${headline(decision)}</span> ${countdown(decision.expiresAt)}</header>
      ${this.#body(this.placed)} ${this.faultLine()}
    </section>`;
  }

  #body(placed: PlacedDecision): TemplateResult {
    const { decision } = placed;
    switch (decision.kind) {
      case "run":
        return html`<q-approval .decision=${decision}></q-approval>`;
      case "plan":
        return html`<q-plan .decision=${decision}></q-plan>`;
      case "changes":
        return html`<q-changes .decision=${decision} .runId=${placed.runId ?? ""} .refused=${this.refused ?? NONE}></q-changes>`;
      case "input":
        return this.#question(decision);
      case "override":
        return html`<p class="muted">Compare the answers and choose who presents. <kbd>Ctrl+O</kbd></p>
          <div class="buttons">
            <vscode-button @click=${() => perform({ do: "runCommand", command: "quorate.ui.override" })}>Compare answers</vscode-button>
            <vscode-button secondary @click=${() => this.#override(placed, null)}>Let the vote stand</vscode-button>
          </div>`;
      case "budget":
      case "command":
      case "resume":
        return html`${plainDetail(decision)}${this.#choices(decision)}`;
    }
  }

  #question(decision: InputDecision): TemplateResult {
    const answer = (text: string) => {
      if (text.trim() !== "")
        void this.attempt(() => ask("quorate.respond", { decisionId: decision.decisionId, text }));
    };
    const field = () => this.querySelector<HTMLTextAreaElement>("textarea")?.value ?? "";
    const keydown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      answer(field());
    };
    const { question, choices } = decision.detail;
    return html`
      <q-markdown .text=${question}></q-markdown>
      <div class="buttons">
        ${choices.map((choice) => html`<vscode-button secondary @click=${() => answer(choice)}>${choice}</vscode-button>`)}
      </div>
      <div class="answer-field">
        <textarea rows="1" aria-label="Your answer" placeholder="Your answer" @keydown=${keydown}></textarea>
        <vscode-button @click=${() => answer(field())}>Send</vscode-button>
      </div>`;
  }

  #choices(decision: Decision): TemplateResult {
    const choose = (id: string) => () =>
      this.attempt(() =>
        ask("quorate.approve", { decisionId: decision.decisionId, choice: id === "cancel" ? "cancel" : "approve" }),
      );
    return html`<div class="buttons">
      ${decision.choices.map(
        ({ id, label }) =>
          html`<vscode-button ?secondary=${id === "cancel"} @click=${choose(id)}>${label}</vscode-button>`,
      )}
    </div>`;
  }

  #override(placed: PlacedDecision, agentId: string | null): void {
    void this.attempt(() => ask("quorate.override", { runId: placed.runId ?? "", agentId }));
  }
}

/** A question is its own text, which stands below in full. */
function headline(decision: Decision): string {
  return decision.kind === "input" ? `${decision.detail.agentId ?? "The assistant"} asks` : decision.title;
}

function plainDetail(decision: BudgetDecision | CommandDecision | ResumeDecision): TemplateResult {
  switch (decision.kind) {
    case "command":
      return html`<pre>${decision.detail.argv.join(" ")}</pre><p class="muted">in ${decision.detail.cwd}</p>`;
    case "resume":
      return html`<p>${decision.detail.task}</p><p class="muted">${decision.detail.done}</p>`;
    case "budget": {
      const { spent, limit } = decision.detail;
      const parts = [
        limit.usd === undefined ? "" : `$${(spent.usd ?? 0).toFixed(2)} of $${limit.usd.toFixed(2)}`,
        limit.tokens === undefined ? "" : `${spent.tokens} of ${limit.tokens} tokens`,
        limit.seconds === undefined ? "" : `${Math.round(spent.seconds)} of ${limit.seconds} seconds`,
      ];
      return html`<p>${parts.filter(Boolean).join(", ")}</p>`;
    }
  }
}

const WORDS = { user: "you", timeout: "no answer in time", policy: "the settings", cancelled: "cancelled" } as const;

function decided(decision: Decision, { choice, by, text, edits }: Resolution): TemplateResult {
  const label = decision.choices.find(({ id }) => id === choice)?.label ?? choice;
  return html`<p class="decided">
    ${icon(choice === "cancel" ? "circle-slash" : "check")} ${decision.title}
    ${icon("arrow-right")} <strong>${text ?? label}</strong>
    <span class="muted">(${WORDS[by]}${edits === undefined ? "" : ", with edits"})</span>
  </p>`;
}

customElements.define("q-decision", DecisionCard);
