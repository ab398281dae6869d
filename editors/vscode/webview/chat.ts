/** The side bar's page. */

import "@vscode-elements/elements/dist/vscode-button/index.js";
import "./composer.js";
import "./entry.js";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { ToWebview } from "../src/messages.js";
import type { Entry } from "../src/protocol.gen.js";
import { currentSession } from "../src/state.js";
import type { Composer } from "./composer.js";
import { icon } from "./element.js";
import { Page, type PageStart } from "./page.js";
import { perform } from "./port.js";
import { contextBar, serverCard, welcome } from "./surroundings.js";

const NEAR_THE_END = 60;

export class Chat extends Page {
  static override properties = { ...Page.properties, behind: { state: true } };
  /** The reader has scrolled up: what comes in does not move what is read. */
  declare behind: boolean;
  #top = 0;

  constructor() {
    super();
    this.behind = false;
  }

  protected override render(): TemplateResult {
    const { entries, more } = this.transcript;
    const earlier = html`<button class="link" @click=${() => perform({ do: "loadEarlier" })}>Show earlier messages</button>`;
    // What is left to do stays in sight, whatever is said meanwhile.
    const tasks = entries.findLast(({ kind, state }) => kind === "tasks" && state === "running");
    const busy = currentSession(this.state)?.busy ?? false;
    return html`
      ${contextBar(this.state, entries)}
      <main class="transcript" tabindex="0" aria-label="Conversation" @scroll=${this.#scrolled}>
        <div class="content">
          ${serverCard(this.state)}
          ${
            this.state.sessionId === null
              ? welcome(this.state)
              : html`<div role="log" aria-label="Messages">
                  ${more ? earlier : nothing}
                  ${repeat(
                    entries.filter((entry) => entry !== tasks),
                    ({ entryId }) => entryId,
                    (entry) =>
                      html`<q-entry class="entry" .entry=${entry} .refused=${this.state.refused[entry.entryId]}></q-entry>`,
                  )}
                </div>`
          }
          ${busy ? html`<div class="at-work" role="progressbar" aria-label="At work"></div>` : nothing}
        </div>
      </main>
      ${this.behind ? html`<button class="latest" @click=${this.#toEnd}>Latest ↓</button>` : nothing}
      ${tasks === undefined ? nothing : this.#pinned(tasks)}
      <q-composer .state=${this.state} .entries=${entries}></q-composer>
    `;
  }

  #pinned(tasks: Entry): TemplateResult {
    return html`<details class="pinned" aria-label="Tasks">
      <summary>${icon("tasklist")} ${tasks.title ?? ""}</summary>
      <q-entry .entry=${tasks}></q-entry>
    </details>`;
  }

  protected override updated(): void {
    if (!this.behind) this.#pin();
  }

  override firstUpdated(): void {
    // Its parts grow on their own, and are measured only when they come into view.
    const content = this.querySelector(".content");
    if (content !== null) new ResizeObserver(() => !this.behind && this.#pin()).observe(content);
  }

  protected override begin({ drafts }: PageStart): void {
    this.#composer()?.restore(drafts);
  }

  protected override hear(message: ToWebview): void {
    if (message.type === "attached") this.#composer()?.attach(message.attachments, message.text);
    else if (message.type === "key" && message.key === "plan") this.#composer()?.togglePlan();
    else if (message.type === "key" && message.key === "compose") this.#composer()?.compose();
  }

  #composer(): Composer | null {
    return this.querySelector<Composer>("q-composer");
  }

  #list(): HTMLElement | null {
    return this.querySelector<HTMLElement>("main");
  }

  #pin(): void {
    const list = this.#list();
    if (list !== null) list.scrollTop = list.scrollHeight;
  }

  #scrolled = (event: Event): void => {
    const { scrollTop, scrollHeight, clientHeight } = event.target as HTMLElement;
    if (scrollHeight - scrollTop - clientHeight <= NEAR_THE_END) this.behind = false;
    else if (scrollTop < this.#top) this.behind = true;
    this.#top = scrollTop;
  };

  #toEnd = (): void => {
    this.behind = false;
    this.#pin();
  };
}

customElements.define("q-chat", Chat);
document.getElementById("app")?.append(new Chat());
document.addEventListener("keydown", (event) => {
  // The editor has this key; the browser's own meaning of it must not get in the way.
  if (event.key === "o" && (event.ctrlKey || event.metaKey)) event.preventDefault();
});
