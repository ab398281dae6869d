/** The side bar before the first word was said. */

import { html, nothing, type TemplateResult } from "lit";
import type { State } from "../src/model/state.js";
import { icon } from "./element.js";
import { perform } from "./port.js";

export function welcome({ server, status, sessions }: State): TemplateResult | typeof nothing {
  if (server.state !== "ready") return nothing;
  const latest = Object.values(sessions)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, 3);
  const withoutModel = (status?.agents ?? []).some((agent) => agent.backend === "offline");
  return html`<section class="welcome">
    <div class="mark">${icon("organization")}</div>
    <h2>Ask the team</h2>
    <p>Several agents answer side by side, read each other and vote. You approve what runs and what is written.</p>
    ${
      withoutModel
        ? html`<p class="notice info">${icon("info")} No model is set up: rule-based analysers answer for now.
            <button class="link" @click=${() => perform({ do: "runCommand", command: "quorate.ui.setApiKey" })}>Add an API key</button></p>`
        : nothing
    }
    <p class="muted"><kbd>/</kbd> commands · <kbd>@</kbd> files · <kbd>Shift+Tab</kbd> plan mode</p>
    ${
      latest.length === 0
        ? nothing
        : html`<h3>Go on with</h3>
            ${latest.map(
              ({ sessionId, title }) =>
                html`<button class="recent" @click=${() => perform({ do: "openSession", sessionId })}>${icon("comment-discussion")} ${title || "New session"}</button>`,
            )}`
    }
  </section>`;
}
