/** Every agent's latest answer side by side, and the choice of who presents. Opened by key, closed by Escape. */

import { html, nothing, type TemplateResult } from "lit";
import type { PlacedDecision } from "../src/model/state.js";
import type { OverrideDecision, RunView } from "../src/protocol.gen.js";
import { countdown } from "./countdown.js";
import { icon, Part } from "./element.js";
import { ask } from "./port.js";

export class OverridePicker extends Part {
  static override properties = { placed: { attribute: false }, view: { attribute: false }, open: { state: true } };
  declare placed: PlacedDecision | undefined;
  declare view: RunView | undefined;
  declare open: boolean;

  constructor() {
    super();
    this.open = false;
    document.addEventListener("quorate-override", () => {
      this.open = this.placed !== undefined;
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    const decision = this.placed?.decision;
    if (!this.open || decision?.kind !== "override") return nothing;
    return html`<div class="overlay" role="dialog" aria-modal="true" aria-label="Choose who presents" @keydown=${this.#keydown}>
      <header>${icon("law")} <span class="task">${decision.title}</span> ${countdown(decision.expiresAt)}
        <button class="icon-button" title="Close" aria-label="Close" @click=${this.#close}>${icon("close")}</button></header>
      <div class="columns">${this.#columns(decision)}</div>
      <div class="buttons"><vscode-button secondary @click=${() => this.#choose(null)}>Let the vote stand</vscode-button></div>
      ${this.faultLine()}
    </div>`;
  }

  protected override updated(): void {
    const focused = this.contains(document.activeElement);
    if (this.open && !focused) this.querySelector<HTMLElement>("button.present")?.focus();
  }

  #columns(decision: OverrideDecision): TemplateResult[] {
    return decision.detail.answers.map((answer, index) => {
      const votes = this.view?.tally[answer.agentId] ?? 0;
      const winner = this.view?.winner === answer.agentId;
      return html`<article class="column" aria-label="Answer of ${answer.agentId}">
        <header>${winner ? icon("star-full") : nothing} <strong>${answer.agentId}</strong>
          <span class="muted">${answer.label}</span> <span class="badge">${votes} ${votes === 1 ? "vote" : "votes"}</span></header>
        <div class="scroll" tabindex="0"><q-markdown .text=${answer.content}></q-markdown></div>
        <button class="present primary" @click=${() => this.#choose(answer.agentId)}>
          <kbd>${index + 1}</kbd> Present this
        </button>
      </article>`;
    });
  }

  #keydown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") this.#close();
    const decision = this.placed?.decision;
    const answer = decision?.kind === "override" ? decision.detail.answers[Number(event.key) - 1] : undefined;
    if (answer !== undefined) this.#choose(answer.agentId);
    const buttons = [...this.querySelectorAll<HTMLElement>("button.present")];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (event.key === "ArrowRight") buttons[(at + 1) % buttons.length]?.focus();
    if (event.key === "ArrowLeft") buttons.at(at - 1)?.focus();
  };

  #close = (): void => {
    this.open = false;
  };

  #choose(agentId: string | null): void {
    void this.attempt(async () => {
      await ask("quorate.override", { runId: this.placed?.runId ?? "", agentId });
      this.open = false;
    });
  }
}

export function openOverride(): void {
  document.dispatchEvent(new Event("quorate-override"));
}

customElements.define("q-override", OverridePicker);
