/** A run in the transcript: who is at work, how the vote stands, what came of it. */

import { html, nothing, type TemplateResult } from "lit";
import type { PlacedItem, Run } from "../src/model/state.js";
import type { AgentView, AgreedFinding, RunView } from "../src/protocol.gen.js";
import { dollars, icon, Part } from "./element.js";
import { findingsList } from "./findings.js";
import { ask, perform } from "./port.js";
import {
  agentFigures,
  agentStatus,
  agentStream,
  ending,
  isOver,
  phaseBadge,
  presentation,
  votesList,
} from "./run_parts.js";

export class RunCard extends Part {
  static override properties = {
    run: { attribute: false },
    items: { attribute: false },
    findings: { attribute: false },
  };
  declare run: Run | undefined;
  declare items: PlacedItem[];
  declare findings: readonly AgreedFinding[];

  protected override render(): TemplateResult | typeof nothing {
    const { run } = this;
    // One that waits to be approved is shown by the card that asks.
    if (run?.view === undefined || (run.view.phase === "queued" && !isOver(run))) return nothing;
    return html`<section class="card run" aria-label="Run: ${run.view.task}">
      ${this.#head(run, run.view)}
      <div class="agents">${run.view.agents.map((agent) => this.#agent(run, run.view, agent))}</div>
      ${votesList(run.view)} ${presentation(this.items)}
      ${run.spec?.review ? findingsList(this.findings) : nothing} ${ending(run)} ${this.faultLine()}
    </section>`;
  }

  #head(run: Run, view: RunView): TemplateResult {
    const cancel = () => this.attempt(() => ask("quorate.cancel", { runId: run.runId }));
    return html`<header>
      ${icon("organization")}
      <span class="task" title=${view.task}>${view.task}</span>
      ${phaseBadge(view)}
      <span class="muted cost">${dollars(view.costUsd)}</span>
      <button class="icon-button" title="Open the run in an editor" aria-label="Open the run in an editor"
        @click=${() => perform({ do: "openRun", runId: run.runId })}>${icon("link-external")}</button>
      ${
        isOver(run)
          ? nothing
          : html`<button class="icon-button" title="Cancel the run" aria-label="Cancel the run" @click=${cancel}>
              ${icon("debug-stop")}
            </button>`
      }
    </header>`;
  }

  #agent(run: Run, view: RunView | undefined, agent: AgentView): TemplateResult {
    const votes = view?.tally[agent.agentId] ?? 0;
    const won = view?.winner === agent.agentId;
    return html`<details class="agent ${won ? "winner" : ""}">
      <summary>
        <span class="agent-name">${won ? icon("star-full") : nothing} ${agent.agentId}</span>
        ${agentStatus(agent)}
        <span class="muted">${agentFigures(agent)}</span>
        ${votes === 0 ? nothing : html`<span class="badge" title="Votes that count">${votes} ${votes === 1 ? "vote" : "votes"}</span>`}
      </summary>
      ${agent.note === undefined ? nothing : html`<p class="muted">${agent.note}</p>`}
      <div class="stream">${agentStream(this.items, agent.agentId)}</div>
      ${run.answers
        .filter((answer) => answer.agentId === agent.agentId)
        .map((answer) => html`<h4>${answer.label}</h4><q-markdown .text=${answer.content}></q-markdown>`)}
    </details>`;
  }
}

customElements.define("q-run", RunCard);
