/** The page of a run in an editor of its own: what is said of the whole above, and one column an agent below. */

import "@vscode-elements/elements/dist/vscode-button/index.js";
import "./entry.js";
import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { ToWebview } from "../src/messages.js";
import type { Entry } from "../src/protocol.gen.js";
import type { EntryView } from "./entry.js";
import { Page, type PageStart } from "./page.js";
import { remember } from "./port.js";
import { serverCard } from "./surroundings.js";

export class RunPage extends Page {
  /** The user wants to decide: what waits gets the keyboard as soon as it is drawn. */
  #deciding = false;
  #runId: string | undefined;

  protected override render(): TemplateResult {
    const { entries } = this.transcript;
    const columns = Map.groupBy(entries, ({ agentId }) => agentId);
    const agents = agentsOf(entries);
    return html`<div class="run-page">
      ${serverCard(this.state)} ${this.#list(columns.get(undefined) ?? [])}
      <div class="columns">${agents.map((agentId) => this.#column(agentId, columns.get(agentId) ?? []))}</div>
    </div>`;
  }

  protected override updated(): void {
    const waits = this.transcript.entries.find(
      ({ state, decisionId }) => state === "waiting" && decisionId !== undefined,
    );
    if (!this.#deciding || waits === undefined) return;
    this.#deciding = false;
    const view = [...this.querySelectorAll<EntryView>("q-entry")].find(({ entry }) => entry === waits);
    void view?.updateComplete.then(() => view.focusAction());
  }

  #column(agentId: string, entries: readonly Entry[]): TemplateResult {
    return html`<article class="column" aria-label="Agent ${agentId}">
      <header><strong>${agentId}</strong></header>
      <div class="scroll" tabindex="0">${this.#list(entries)}</div>
    </article>`;
  }

  #list(entries: readonly Entry[]): TemplateResult {
    return html`${repeat(
      entries,
      ({ entryId }) => entryId,
      (entry) =>
        html`<q-entry .entry=${entry} .refused=${this.state.refused[entry.entryId]} .within=${this.#runId}></q-entry>`,
    )}`;
  }

  protected override begin({ runId }: PageStart): void {
    this.#runId = runId;
    if (runId !== undefined) remember({ runId });
  }

  protected override hear(message: ToWebview): void {
    if (message.type !== "key") return;
    this.#deciding = message.key === "decide";
    this.requestUpdate();
  }
}

/** In the order in which the run names them, whether or not they have said something yet. */
function agentsOf(entries: readonly Entry[]): string[] {
  const named = entries.flatMap(({ agentId, parts }) => [
    ...parts.flatMap((part) => (part.kind === "table" ? part.data.rows.map((row) => row.agentId) : [])),
    agentId,
  ]);
  return [...new Set(named.filter((agentId) => agentId !== undefined))];
}

customElements.define("q-run-page", RunPage);
document.getElementById("app")?.append(new RunPage());
