/** What is offered while something is typed: commands after a slash, files after an at sign. */

import { html, nothing } from "lit";
import { type Drawn, View } from "./element.js";
import { findFiles } from "./port.js";
import { SLASH_COMMANDS } from "./slash.js";

/** What to put in the place of so many characters before the cursor, and the file to attach with it. */
export interface Completion {
  text: string;
  replaced: number;
  uri?: string;
}

interface Suggestion extends Completion {
  label: string;
  detail: string;
}

export class Suggestions extends View {
  static override properties = { offered: { state: true }, selected: { state: true } };
  declare offered: readonly Suggestion[];
  declare selected: number;

  constructor() {
    super();
    this.offered = [];
    this.selected = 0;
  }

  /** For a text up to the cursor; `stillSo` says whether it stands there yet when the files have been found. */
  async suggest(before: string, stillSo: () => boolean): Promise<void> {
    this.selected = 0;
    const slash = /^\/(\w*)$/.exec(before)?.[1];
    const mention = /(?:^|\s)@([^\s@]*)$/.exec(before)?.[1];
    if (slash !== undefined) this.offered = commands(slash);
    else if (mention === undefined) this.close();
    else {
      const found = await files(mention);
      if (stillSo()) this.offered = found;
    }
  }

  close(): void {
    this.offered = [];
  }

  /** Whether the key was meant for the list. */
  takes(event: KeyboardEvent): boolean {
    const count = this.offered.length;
    if (count === 0) return false;
    switch (event.key) {
      case "ArrowDown":
        this.selected = (this.selected + 1) % count;
        return true;
      case "ArrowUp":
        this.selected = (this.selected + count - 1) % count;
        return true;
      case "Tab":
      case "Enter":
        this.#accept(this.offered[this.selected]);
        return true;
      case "Escape":
        this.close();
        return true;
      default:
        return false;
    }
  }

  protected override render(): Drawn {
    if (this.offered.length === 0) return nothing;
    return html`<ul class="suggestions" role="listbox" aria-label="Suggestions">
      ${this.offered.map(
        (suggestion, index) => html`<li role="option" aria-selected=${index === this.selected}
          @mousedown=${(event: Event) => event.preventDefault()} @click=${() => this.#accept(suggestion)}>
          <strong>${suggestion.label}</strong> <span class="muted">${suggestion.detail}</span></li>`,
      )}
    </ul>`;
  }

  #accept(suggestion: Suggestion | undefined): void {
    if (suggestion === undefined) return;
    this.close();
    this.dispatchEvent(new CustomEvent<Completion>("accepted", { detail: suggestion }));
  }
}

function commands(typed: string): Suggestion[] {
  const fitting = SLASH_COMMANDS.filter(({ name }) => name.startsWith(typed) && name !== typed);
  return fitting.map(({ name, help }) => ({
    label: `/${name}`,
    detail: help,
    text: `/${name} `,
    replaced: typed.length + 1,
  }));
}

async function files(typed: string): Promise<Suggestion[]> {
  return (await findFiles(typed)).map(({ uri, path }) => ({
    label: path.split("/").at(-1) ?? path,
    detail: path,
    text: `@${path} `,
    replaced: typed.length + 1,
    uri,
  }));
}

customElements.define("q-suggestions", Suggestions);
