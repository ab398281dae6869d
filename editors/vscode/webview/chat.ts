/** The side bar's page. */

import "@vscode-elements/elements/dist/vscode-button/index.js";
import "./composer.js";
import "./decision.js";
import "./item.js";
import "./markdown_text.js";
import "./run_card.js";
import { html, nothing, type TemplateResult } from "lit";
import type { ToWebview } from "../src/messages.js";
import { reduce } from "../src/model/reduce.js";
import { INITIAL, type State } from "../src/model/state.js";
import type { Composer } from "./composer.js";
import { contextBar } from "./context_bar.js";
import { Part } from "./element.js";
import { listen } from "./port.js";
import { serverCard } from "./server_card.js";
import { transcript } from "./transcript.js";
import { welcome } from "./welcome.js";

const NEAR_THE_END = 60;

export class Chat extends Part {
  static override properties = { state: { state: true }, behind: { state: true } };
  declare state: State;
  /** The reader has scrolled up: what comes in does not move what is read. */
  declare behind: boolean;
  #top = 0;

  constructor() {
    super();
    this.state = INITIAL;
    this.behind = false;
    listen((message) => this.#take(message));
  }

  protected override render(): TemplateResult {
    const { current } = this.state;
    return html`
      ${contextBar(this.state)}
      <main class="transcript" tabindex="0" aria-label="Conversation" @scroll=${this.#scrolled}>
        <div class="content">
          ${serverCard(this.state)}
          ${
            current === null
              ? welcome(this.state)
              : html`<div role="log" aria-label="Messages">${transcript(current, this.state.refused)}</div>`
          }
          ${current?.summary?.busy ? html`<div class="at-work" role="progressbar" aria-label="At work"></div>` : nothing}
        </div>
      </main>
      ${this.behind ? html`<button class="latest" @click=${this.#toEnd}>Latest ↓</button>` : nothing}
      <q-composer .state=${this.state}></q-composer>
    `;
  }

  protected override updated(): void {
    if (!this.behind) this.#pin();
  }

  override firstUpdated(): void {
    // Its parts grow on their own, and are measured only when they come into view.
    const content = this.querySelector(".content");
    if (content !== null) new ResizeObserver(() => !this.behind && this.#pin()).observe(content);
  }

  #take(message: ToWebview): void {
    const composer = this.querySelector<Composer>("q-composer");
    switch (message.type) {
      case "state":
        this.state = message.state;
        composer?.restore(message.drafts);
        break;
      case "actions":
        this.state = message.actions.reduce(reduce, this.state);
        break;
      case "attached":
        composer?.attach(message.attachments, message.text);
        break;
      case "key":
        if (message.key === "plan") composer?.togglePlan();
        else if (message.key === "compose") composer?.compose();
        break;
      default:
        break;
    }
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
