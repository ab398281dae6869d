/** The pieces that a run is drawn with, in the card and in the panel alike. */

import { html, nothing, type TemplateResult } from "lit";
import type { PlacedItem, Run } from "../src/model/state.js";
import type { AgentView, RunView, VoteView } from "../src/protocol.gen.js";
import { dollars, icon } from "./element.js";
import { perform } from "./port.js";
import { itemBody } from "./transcript.js";

const PHASES: Record<RunView["phase"], string> = {
  queued: "Queued",
  planning: "Planning",
  answering: "Answering",
  voting: "Voting",
  override: "Your word",
  presenting: "Presenting",
  executing: "Executing plan",
  applying: "Applying",
  finished: "Finished",
};
const STEPS: RunView["phase"][] = ["answering", "voting", "override", "presenting", "applying"];
const OUTCOMES = { completed: "Completed", cancelled: "Cancelled", failed: "Failed", timed_out: "Timed out" } as const;

const STATUS: Record<AgentView["status"], { icon: string; label: string }> = {
  waiting: { icon: "clock", label: "waiting" },
  working: { icon: "loading codicon-modifier-spin", label: "working" },
  answered: { icon: "comment", label: "answered" },
  voted: { icon: "pass", label: "voted" },
  abstained: { icon: "circle-slash", label: "abstains" },
  presenting: { icon: "megaphone", label: "presenting" },
  failed: { icon: "error", label: "failed" },
  stopped: { icon: "debug-stop", label: "stopped" },
};

export function phaseBadge(view: RunView): TemplateResult {
  const text = view.outcome === undefined ? PHASES[view.phase] : OUTCOMES[view.outcome];
  return html`<span class="badge ${view.outcome ?? "live"}" role="status">${text}</span>`;
}

/** Where the run is on its way; the phases themselves come from the server. */
export function phaseSteps(view: RunView): TemplateResult {
  const first = view.phase === "planning" ? ["planning" as const, ...STEPS.slice(1)] : STEPS;
  return html`<ol class="phases" aria-label="Phases">
    ${first.map(
      (
        phase,
      ) => html`<li class=${phase === view.phase ? "now" : ""} aria-current=${phase === view.phase ? "step" : nothing}>
        ${PHASES[phase]}
      </li>`,
    )}
  </ol>`;
}

export function agentStatus(agent: AgentView): TemplateResult {
  const { icon: name, label } = STATUS[agent.status];
  return html`<span class="agent-status ${agent.status}">${icon(name)} ${label}</span>`;
}

export function agentFigures(agent: AgentView): string {
  const { inputTokens, outputTokens } = agent.usage;
  const tokens = inputTokens + outputTokens === 0 ? "" : `${thousands(inputTokens + outputTokens)} tokens`;
  return [tokens, dollars(agent.costUsd)].filter(Boolean).join(" · ");
}

export function thousands(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`;
}

/** What an agent says and does; its presentation stands below, as the run's result. */
export function agentStream(items: readonly PlacedItem[], agentId: string): TemplateResult {
  const own = items.filter((each) => each.agentId === agentId && each.item.kind !== "presentation");
  return html`${own.map((each) => html`<q-item .placed=${each}></q-item>`)}`;
}

export function presentation(items: readonly PlacedItem[]): TemplateResult | typeof nothing {
  const shown = items.filter((each) => each.item.kind === "presentation" && !each.item.discarded).at(-1);
  return shown === undefined
    ? nothing
    : html`<div class="presentation"><p class="result-by">${icon("megaphone")} Result, presented by ${shown.agentId}</p>${itemBody(shown)}</div>`;
}

export function voteCount(votes: number): string {
  return `${votes} ${votes === 1 ? "vote" : "votes"}`;
}

export function votesList(view: RunView): TemplateResult | typeof nothing {
  if (view.votes.length === 0) return nothing;
  return html`<ul class="votes" aria-label="Votes">
    ${view.votes.map(voteLine)}
  </ul>`;
}

function voteLine(vote: VoteView): TemplateResult {
  const line = html`<strong>${vote.agentId}</strong> ${icon("arrow-right")} <strong>${vote.target}</strong>
    <span class="muted">${vote.reason}</span>`;
  return vote.counts
    ? html`<li>${icon("thumbsup")} ${line}</li>`
    : html`<li class="void" title="No longer counts: a newer answer came after it">${icon("thumbsup")} <s>${line}</s></li>`;
}

export function ending(run: Run): TemplateResult | typeof nothing {
  const { ending: end } = run;
  if (end === undefined) return nothing;
  return html`
    ${end.error === undefined ? nothing : html`<p class="notice error" role="alert">${icon("error")} ${end.error}</p>`}
    ${end.footer === undefined || run.spec?.review ? nothing : html`<footer class="written">${end.footer}</footer>`}
    ${run.changes.length === 0 ? nothing : changesLine(run)}
  `;
}

function changesLine(run: Run): TemplateResult {
  const review = () => perform({ do: "reviewChanges", runId: run.runId });
  const undo = () => perform({ do: "undoChanges", runId: run.runId });
  return html`<p class="changes-line">
    ${run.settled.map((each) => html`<span class="chip ${each.outcome}" title=${each.reason ?? ""}>${fileName(each.uri)} ${each.outcome}</span>`)}
    <button class="link" @click=${review}>Show the changes</button>
    ${run.settled.some(({ outcome }) => outcome === "applied") ? html`<button class="link" @click=${undo}>Undo</button>` : nothing}
  </p>`;
}

export function fileName(uri: string): string {
  return decodeURIComponent(uri.split("/").at(-1) ?? uri);
}

export function isOver(run: Run): boolean {
  return run.ending !== undefined || run.view?.phase === "finished";
}
