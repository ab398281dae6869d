/** The project, what runs, what it has cost. */

import { html, nothing, type TemplateResult } from "lit";
import type { State } from "../src/model/state.js";
import { dollars, icon } from "./element.js";
import { perform } from "./port.js";
import { isOver, phaseBadge } from "./run_parts.js";

export function contextBar({ current, waiting }: State): TemplateResult {
  const summary = current?.summary;
  const live = Object.values(current?.runs ?? {}).findLast((run) => !isOver(run));
  const elsewhere = Object.values(waiting).find(
    ({ sessionId }) => sessionId !== "" && sessionId !== current?.sessionId,
  );
  return html`<header class="context-bar" aria-label="Context">
    <button class="link" title="Choose the project" @click=${() => perform({ do: "runCommand", command: "quorate.ui.selectProject" })}>
      ${icon("project")} ${summary?.project ?? "No project"}
    </button>
    <span class="grow"></span>
    ${
      elsewhere === undefined
        ? nothing
        : html`<button class="link" @click=${() => perform({ do: "openSession", sessionId: elsewhere.sessionId })}>
            ${icon("bell-dot")} Waiting elsewhere
          </button>`
    }
    ${live?.view === undefined ? html`<span class="muted">${summary?.busy ? "At work" : "Idle"}</span>` : phaseBadge(live.view)}
    ${summary?.costUsd === undefined ? nothing : html`<span class="muted cost" title="Cost of this session">${dollars(summary.costUsd)}</span>`}
  </header>`;
}
