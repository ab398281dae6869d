/** How the server is, when that is worth saying. */

import { html, nothing, type TemplateResult } from "lit";
import type { UiCommand } from "../src/messages.js";
import type { State } from "../src/model/state.js";
import { icon } from "./element.js";
import { perform } from "./port.js";

const run = (command: UiCommand) => () => perform({ do: "runCommand", command });

export function serverCard({ server, status }: State): TemplateResult | typeof nothing {
  switch (server.state) {
    case "ready":
      return status !== null && !status.trusted ? untrusted() : nothing;
    case "starting":
    case "restarting":
      return html`<p class="notice info" role="status">${icon("loading codicon-modifier-spin")} ${server.text}…</p>`;
    case "stopped":
    case "failed":
      return html`<section class="card server" role="alert">
        <header>${icon("error")} <span class="task">${server.state === "failed" ? server.text : "Quorate is stopped."}</span></header>
        <p>${server.state === "failed" ? server.hint : ""}</p>
        <div class="buttons">
          <vscode-button @click=${run("quorate.ui.restartServer")}>Restart</vscode-button>
          <vscode-button secondary @click=${run("quorate.ui.showLog")}>Show log</vscode-button>
        </div>
      </section>`;
  }
}

function untrusted(): TemplateResult {
  return html`<p class="notice warning" role="status">${icon("shield")} This workspace is not trusted: its own configuration is not read.
    <button class="link" @click=${run("quorate.ui.manageTrust")}>Manage trust</button></p>`;
}
