/** What stands around a conversation: the project and the cost above it, how the server is, and a welcome before it. */

import { html, nothing, type TemplateResult } from "lit";
import type { UiCommand } from "../src/messages.js";
import type { Entry } from "../src/protocol.gen.js";
import { currentSession, dollars, newestFirst, type State } from "../src/state.js";
import { type Drawn, icon } from "./element.js";
import { chipView } from "./parts.js";
import { perform } from "./port.js";

const run = (command: UiCommand) => () => perform({ do: "runCommand", command });

export function contextBar(state: State, entries: readonly Entry[]): TemplateResult {
  const session = currentSession(state);
  const elsewhere = newestFirst(state).find(
    ({ sessionId, pendingDecisions }) => pendingDecisions > 0 && sessionId !== state.sessionId,
  );
  const open = (sessionId: string) => () => perform({ do: "openSession", sessionId });
  return html`<header class="context-bar" aria-label="Context">
    <button class="link" title="Choose the project" @click=${run("teamwright.ui.selectProject")}>
      ${icon("project")} ${session?.project ?? "No project"}
    </button>
    <span class="grow"></span>
    ${elsewhere === undefined ? nothing : html`<button class="link" @click=${open(elsewhere.sessionId)}>${icon("bell-dot")} Waiting elsewhere</button>`}
    ${session?.busy ? (underWay(entries) ?? html`<span class="muted">At work</span>`) : html`<span class="muted">Idle</span>`}
    ${session?.costUsd === undefined ? nothing : html`<span class="muted cost" title="Cost of this session">${dollars(session.costUsd)}</span>`}
  </header>`;
}

/** What the latest run says that it is at. */
function underWay(entries: readonly Entry[]): Drawn | undefined {
  const live = entries.findLast(({ kind, state }) => kind === "run" && state === "running");
  const chips = live?.parts.flatMap((part) => (part.kind === "chips" ? part.data.chips : [])) ?? [];
  const now = chips.find(({ tone }) => tone === "busy");
  return now === undefined ? undefined : chipView(now);
}

/** How the server is, when that is worth saying. */
export function serverCard({ server, status }: State): Drawn {
  switch (server.state) {
    case "ready":
      return status !== null && !status.trusted ? untrusted() : nothing;
    case "starting":
    case "restarting":
      return html`<p class="notice info" role="status">${icon("loading codicon-modifier-spin")} ${server.text}…</p>`;
    case "stopped":
    case "failed":
      return html`<section class="card server" role="alert">
        <header>${icon("error")} <span class="task">${server.state === "failed" ? server.text : "Teamwright is stopped."}</span></header>
        <p>${server.state === "failed" ? server.hint : ""}</p>
        <div class="buttons">
          <vscode-button @click=${run("teamwright.ui.restartServer")}>Restart</vscode-button>
          <vscode-button secondary @click=${run("teamwright.ui.showLog")}>Show log</vscode-button>
          <vscode-button secondary @click=${run("teamwright.ui.openSettings")}>Open settings</vscode-button>
        </div>
      </section>`;
  }
}

function untrusted(): TemplateResult {
  return html`<p class="notice warning" role="status">${icon("shield")} This workspace is not trusted: its own configuration is not read.
    <button class="link" @click=${run("teamwright.ui.manageTrust")}>Manage trust</button></p>`;
}

/** The side bar before the first word was said. */
export function welcome(state: State): Drawn {
  if (state.server.state !== "ready") return nothing;
  const latest = newestFirst(state).slice(0, 3);
  const withoutModel = (state.status?.agents ?? []).some((agent) => agent.backend === "offline");
  const open = (sessionId: string) => () => perform({ do: "openSession", sessionId });
  return html`<section class="welcome">
    <div class="mark">${icon("organization")}</div>
    <h2>Ask the team</h2>
    <p>Several agents answer side by side, read each other and vote. You approve what runs and what is written.</p>
    ${
      withoutModel
        ? html`<p class="notice info">${icon("info")} No model is set up: rule-based analysers answer for now.
            <button class="link" @click=${run("teamwright.ui.setApiKey")}>Add an API key</button></p>`
        : nothing
    }
    <p class="muted"><kbd>/</kbd> commands · <kbd>@</kbd> files · <kbd>Shift+Tab</kbd> plan mode</p>
    ${latest.length === 0 ? nothing : html`<h3>Go on with</h3>`}
    ${latest.map(
      ({ sessionId, title }) =>
        html`<button class="recent" @click=${open(sessionId)}>${icon("comment-discussion")} ${title || "New session"}</button>`,
    )}
  </section>`;
}
