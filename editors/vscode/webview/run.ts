/** The page of a run in an editor of its own: one column an agent. */

import "@vscode-elements/elements/dist/vscode-button/index.js";
import "./decision.js";
import "./item.js";
import "./markdown_text.js";
import "./override.js";
import { html, nothing, type TemplateResult } from "lit";
import type { ToWebview } from "../src/messages.js";
import { reduce } from "../src/model/reduce.js";
import { INITIAL, type PlacedItem, type Run, type Session, type State } from "../src/model/state.js";
import type { AgentView, RunView } from "../src/protocol.gen.js";
import { answersOf } from "./answers.js";
import { dollars, icon, Part } from "./element.js";
import { findingsList } from "./findings.js";
import { openOverride } from "./override.js";
import { ask, listen, remember, remembered } from "./port.js";
import {
  agentFigures,
  agentStatus,
  agentStream,
  ending,
  isOver,
  phaseBadge,
  phaseSteps,
  presentation,
  voteCount,
  votesList,
} from "./run_parts.js";
import { itemsOf } from "./transcript.js";

export class RunPage extends Part {
  static override properties = { state: { state: true }, runId: { state: true } };
  declare state: State;
  declare runId: string;

  constructor() {
    super();
    this.state = INITIAL;
    this.runId = remembered().runId ?? "";
    listen((message) => this.#take(message));
  }

  protected override render(): TemplateResult {
    const { current } = this.state;
    const run = current?.runs[this.runId];
    if (current === null || current === undefined || run?.view === undefined) {
      return html`<p class="notice info">This run belongs to another session. Open that session to see it.</p>`;
    }
    return html`<div class="run-page">
      ${this.#head(run, run.view)} ${phaseSteps(run.view)} ${this.#decisions(current)}
      <div class="columns">${run.view.agents.map((agent) => column(run, run.view, agent, itemsOf(current, run.runId)))}</div>
      ${votesList(run.view)} ${presentation(itemsOf(current, run.runId))}
      ${run.spec?.review ? findingsList(current.findings) : nothing} ${ending(run)}
      ${isOver(run) ? nothing : this.#steerBox(run)} ${this.faultLine()}
      ${overridePicker(current)}
    </div>`;
  }

  #take(message: ToWebview): void {
    if (message.type === "state") {
      this.state = message.state;
      this.runId = message.runId ?? this.runId;
      remember({ runId: this.runId });
    } else if (message.type === "actions") this.state = message.actions.reduce(reduce, this.state);
    else if (message.type === "key" && message.key === "override") openOverride();
  }

  #head(run: Run, view: RunView): TemplateResult {
    const cancel = () => this.attempt(() => ask("quorate.cancel", { runId: run.runId }));
    const { inputTokens, outputTokens, calls } = view.usage;
    return html`<header class="run-head">
      <h2>${view.task}</h2>
      <p class="line">${phaseBadge(view)} <span class="muted">${calls} model calls · ${inputTokens} tokens in, ${outputTokens} out ${dollars(view.costUsd)}</span>
        ${isOver(run) ? nothing : html`<vscode-button secondary icon="debug-stop" @click=${cancel}>Cancel</vscode-button>`}</p>
    </header>`;
  }

  #decisions(session: Session): TemplateResult {
    const open = Object.values(session.decisions).filter(
      (each) => each.runId === this.runId && each.resolution === undefined,
    );
    return html`${open.map((placed) => html`<q-decision .placed=${placed} .refused=${this.state.refused[placed.decision.decisionId]}></q-decision>`)}`;
  }

  #steerBox(run: Run): TemplateResult {
    const steer = (event: KeyboardEvent) => {
      const field = event.target as HTMLInputElement;
      const text = field.value.trim();
      if (event.key !== "Enter" || event.isComposing || text === "") return;
      void this.attempt(async () => {
        await ask("quorate.steer", { text, runId: run.runId });
        field.value = "";
      });
    };
    return html`<label class="steer">${icon("comment")}
      <input type="text" aria-label="Tell the agents" placeholder="Tell the agents something while they work" @keydown=${steer} /></label>`;
  }
}

function column(run: Run, view: RunView | undefined, agent: AgentView, items: readonly PlacedItem[]): TemplateResult {
  const won = view?.winner === agent.agentId;
  return html`<article class="column ${won ? "winner" : ""}" aria-label="Agent ${agent.agentId}">
    <header>${won ? icon("star-full") : nothing} <strong>${agent.agentId}</strong> ${agentStatus(agent)}
      <span class="grow"></span> <span class="badge">${voteCount(view?.tally[agent.agentId] ?? 0)}</span></header>
    <p class="muted">${agentFigures(agent)} ${agent.note ?? ""}</p>
    <div class="scroll" tabindex="0">
      <div class="stream">${agentStream(items, agent.agentId)}</div>
      ${answersOf(run, agent.agentId)}
    </div>
  </article>`;
}

function overridePicker(session: Session): TemplateResult {
  const open = Object.values(session.decisions).find(
    ({ decision, resolution }) => decision.kind === "override" && resolution === undefined,
  );
  const view = open?.runId === undefined ? undefined : session.runs[open.runId]?.view;
  return html`<q-override .placed=${open} .view=${view}></q-override>`;
}

customElements.define("q-run-page", RunPage);
document.getElementById("app")?.append(new RunPage());
